import type { ReactNode } from 'react'
import { useLanguage } from '../../messages/language.tsx'
import { SegmentedChoice } from '../exports/segmented-choice.tsx'

const spans = ['7', '30', '90'] as const
/** So many days up to and with today. */
export type Span = (typeof spans)[number]

export function SpanChoice({ value, onChange }: { value: Span; onChange: (span: Span) => void }): ReactNode {
  const { t } = useLanguage()
  return (
    <SegmentedChoice
      label={t('usage.span')}
      labelHidden
      value={value}
      onChange={onChange}
      choices={spans.map((days) => [days, t('usage.days', { count: Number(days) })])}
    />
  )
}
