import type { ReactNode } from 'react'
import { Radio } from 'react-aria-components'
import { Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'

/** One of a few choices that deserve a line of explanation. Belongs into a `RadioGroup`. */
export function RadioCard({
  value,
  icon,
  title,
  text,
  isDisabled = false,
}: {
  value: string
  icon?: IconName
  title: string
  text: string
  isDisabled?: boolean
}): ReactNode {
  return (
    <Radio value={value} className="radio-card" isDisabled={isDisabled}>
      <span className="radio-card__dot" aria-hidden="true" />
      <span className="radio-card__words">
        <strong>
          {icon && <Icon name={icon} />}
          {title}
        </strong>
        <span>{text}</span>
      </span>
    </Radio>
  )
}
