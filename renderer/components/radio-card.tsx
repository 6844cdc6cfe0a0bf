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
}: {
  value: string
  icon?: IconName
  title: string
  text: string
}): ReactNode {
  return (
    <Radio value={value} className="radio-card">
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
