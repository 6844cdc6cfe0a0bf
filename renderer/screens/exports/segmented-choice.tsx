import type { ReactNode } from 'react'
import { Label, Radio, RadioGroup } from 'react-aria-components'

type Props<K extends string> = {
  label: string
  value: K
  onChange: (value: K) => void
  choices: [K, string][]
  labelHidden?: boolean
}

/** One of a few short words, all in sight. */
export function SegmentedChoice<K extends string>({
  label,
  value,
  onChange,
  choices,
  labelHidden = false,
}: Props<K>): ReactNode {
  return (
    <RadioGroup
      className="segmented"
      value={value}
      onChange={(key) => onChange(key as K)}
      aria-label={labelHidden ? label : undefined}
    >
      {!labelHidden && <Label className="label">{label}</Label>}
      <div className="segmented__choices">
        {choices.map(([key, text]) => (
          <Radio key={key} value={key} className="segmented__choice">
            {text}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  )
}
