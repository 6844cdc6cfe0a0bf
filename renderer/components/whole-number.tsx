import type { ReactNode } from 'react'
import { Group, Input, Label, NumberField, Button as AriaButton } from 'react-aria-components'
import { Icon } from './icon.tsx'

type Props = {
  label: string
  hint: string
  value: number
  least: number
  most: number
  onChange: (value: number) => void
}

/** A whole number that is typed, or stepped by keys and buttons. */
export function WholeNumber({ label, hint, value, least, most, onChange }: Props): ReactNode {
  return (
    <NumberField
      className="number-field"
      value={value}
      minValue={least}
      maxValue={most}
      onChange={(next) => Number.isInteger(next) && next !== value && onChange(next)}
    >
      <Label className="label">{label}</Label>
      <Group className="number-field__group">
        <AriaButton slot="decrement" className="icon-button">
          <Icon name="minus" size={12} />
        </AriaButton>
        <Input className="number-field__input" />
        <AriaButton slot="increment" className="icon-button">
          <Icon name="plus" size={12} />
        </AriaButton>
      </Group>
      <p className="hint">{hint}</p>
    </NumberField>
  )
}
