import { useState } from 'react'
import type { ReactNode } from 'react'
import { Input, Label, TextField } from 'react-aria-components'
import { reviewStates } from '../../../shared/domain/document-status.ts'
import type { ReviewState } from '../../../shared/domain/document-status.ts'
import { Checkbox, Select } from '../../components/controls.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { Language, MessageId } from '../../messages/language.tsx'
import { stateChoiceOf, stateChoices } from './plan.ts'
import type { ExportPlan, StateChoice } from './plan.ts'
import { SegmentedChoice } from './segmented-choice.tsx'

const stateLabels: Record<ReviewState, MessageId> = {
  flagged: 'tab.flagged',
  ready: 'tab.ready',
  approved: 'tab.approved',
}
/** What a person usually means by «lately», in days. */
const spans = [7, 30, 90, 365]

/** From which days the documents are, in few words. */
export function periodSummary({ span, days }: ExportPlan, { t, formats }: Language): string {
  if (span === 'any' || (span === 'between' && days.from === null && days.to === null)) return t('exports.anyDay')
  if (span === 'last') return t('exports.lastDaysShort', { count: days.last, shown: formats.count(days.last) })
  const shown = (day: string | null): string => (day === null ? '…' : formats.dayOfMonth(day))
  return `${shown(days.from)} – ${shown(days.to)}`
}

type Props = { plan: ExportPlan; onChange: (change: Partial<ExportPlan>) => void }

/** How far the check of the documents is that are meant. */
export function ReviewStateFilter({ plan, onChange }: Props): ReactNode {
  const { t } = useLanguage()
  const { states } = plan
  // As long as somebody ticks states, they stay in sight, whatever is ticked.
  const [isByState, setIsByState] = useState(stateChoiceOf(states) === null)
  const which = (isByState ? null : stateChoiceOf(states)) ?? 'some'
  function switchState(state: ReviewState, isOn: boolean): void {
    const next = reviewStates.filter((each) => (each === state ? isOn : states.includes(each)))
    if (next.length > 0) onChange({ states: next })
  }
  return (
    <>
      <Select<StateChoice | 'some'>
        label={t('exports.which')}
        value={which}
        onChange={(next) => {
          setIsByState(next === 'some')
          onChange({ states: next === 'some' ? ['flagged', 'ready'] : [...stateChoices[next]] })
        }}
        choices={[
          { key: 'unflagged', label: t('exports.unflagged') },
          { key: 'approved', label: t('exports.approvedOnly') },
          { key: 'all', label: t('exports.anyState') },
          { key: 'some', label: t('exports.someStates') },
        ]}
      />
      {which === 'some' && (
        <div className="exports__states" role="group" aria-label={t('exports.someStates')}>
          {reviewStates.map((state) => (
            <Checkbox key={state} isSelected={states.includes(state)} onChange={(isOn) => switchState(state, isOn)}>
              {t(stateLabels[state])}
            </Checkbox>
          ))}
        </div>
      )}
    </>
  )
}

/** When the documents that are meant were received or approved. */
export function PeriodFilter({ plan, onChange }: Props): ReactNode {
  const { t, formats } = useLanguage()
  const { span, days } = plan
  const key = span === 'last' ? String(days.last) : span
  const dayCounts = spans.includes(days.last) ? spans : [...spans, days.last]
  return (
    <>
      <Select
        label={t('exports.days')}
        labelHidden
        value={key}
        onChange={(next) =>
          onChange(
            next === 'any' || next === 'between'
              ? { span: next }
              : { span: 'last', days: { ...days, last: Number(next) } },
          )
        }
        choices={[
          { key: 'any', label: t('exports.anyDay') },
          ...dayCounts.map((count) => ({
            key: String(count),
            label: t('exports.lastDays', { count, shown: formats.count(count) }),
          })),
          { key: 'between', label: t('exports.between') },
        ]}
      />
      {span === 'between' && (
        <div className="exports__days">
          <DayField
            label={t('exports.from')}
            value={days.from}
            onChange={(from) => onChange({ days: { ...days, from } })}
          />
          <DayField label={t('exports.to')} value={days.to} onChange={(to) => onChange({ days: { ...days, to } })} />
        </div>
      )}
      {span !== 'any' && (
        <SegmentedChoice
          label={t('exports.daysBy')}
          labelHidden
          value={days.by}
          onChange={(by) => onChange({ days: { ...days, by } })}
          choices={[
            ['received', t('exports.byReceived')],
            ['approved', t('exports.byApproved')],
          ]}
        />
      )}
    </>
  )
}

/** A day as the browser lets it be typed and chosen; null while it is none. */
function DayField({
  label,
  value,
  onChange,
}: {
  label: string
  value: string | null
  onChange: (day: string | null) => void
}): ReactNode {
  return (
    <TextField
      className="text-field"
      value={value ?? ''}
      onChange={(day) => onChange(/^\d{4}-\d\d-\d\d$/.test(day) ? day : null)}
    >
      <Label className="label">{label}</Label>
      <Input className="input" type="date" />
    </TextField>
  )
}
