import type { ReactNode } from 'react'
import { Input, Label, TextField } from 'react-aria-components'
import { reviewStates } from '../../../shared/review.ts'
import type { ReviewState } from '../../../shared/review.ts'
import { Checkbox, Select } from '../../components/controls.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { Language, MessageId } from '../../messages/language.tsx'
import type { ExportPlan } from './plan.ts'
import { SegmentedChoice } from './segmented-choice.tsx'

const stateWords: Record<ReviewState, MessageId> = { flagged: 'tab.flagged', ready: 'tab.ready', approved: 'tab.approved' }
/** What a person usually means by «lately», in days. */
const spans = [7, 30, 90, 365]

/** Which of the documents are meant, in few words. */
export function narrowedTo({ states, span, days }: ExportPlan, { t, formats }: Language): string {
  const isEach = states.length === 0 || states.length === reviewStates.length
  const state = isEach ? t('exports.anyState') : formats.list(reviewStates.filter((each) => states.includes(each)).map((each) => t(stateWords[each])))
  if (span === 'any' || (span === 'between' && days.from === null && days.to === null)) return state
  if (span === 'last') return `${state} · ${t('exports.lastDaysShort', { count: days.last, shown: formats.count(days.last) })}`
  const shown = (day: string | null): string => (day === null ? '…' : formats.dayOfMonth(day))
  return `${state} · ${shown(days.from)} – ${shown(days.to)}`
}

type Props = { plan: ExportPlan; onChange: (change: Partial<ExportPlan>) => void }

/** Which of the documents are meant: how far their check is, and when they were received or approved. */
export function Narrowing({ plan, onChange }: Props): ReactNode {
  const { t, formats } = useLanguage()
  const { states, span, days } = plan
  const isEach = states.length === 0
  const which = isEach ? 'all' : states.length === 1 && states[0] === 'approved' ? 'approved' : 'some'
  function switchState(state: ReviewState, isOn: boolean): void {
    const next = reviewStates.filter((each) => (each === state ? isOn : states.includes(each)))
    if (next.length > 0) onChange({ states: next })
  }
  const key = span === 'last' ? String(days.last) : span
  const lasts = spans.includes(days.last) ? spans : [...spans, days.last]
  return (
    <>
      <Select
        label={t('exports.state')}
        value={which}
        onChange={(next) => onChange({ states: next === 'all' ? [] : next === 'approved' ? ['approved'] : ['flagged', 'ready'] })}
        choices={[
          { key: 'all', label: t('exports.anyState') },
          { key: 'approved', label: t('exports.approvedOnly') },
          { key: 'some', label: t('exports.someStates') },
        ]}
      />
      {which === 'some' && (
        <div className="exports__states" role="group" aria-label={t('exports.someStates')}>
          {reviewStates.map((state) => (
            <Checkbox key={state} isSelected={states.includes(state)} onChange={(isOn) => switchState(state, isOn)}>
              {t(stateWords[state])}
            </Checkbox>
          ))}
        </div>
      )}
      <Select
        label={t('exports.days')}
        value={key}
        onChange={(next) => onChange(next === 'any' || next === 'between' ? { span: next } : { span: 'last', days: { ...days, last: Number(next) } })}
        choices={[
          { key: 'any', label: t('exports.anyDay') },
          ...lasts.map((count) => ({ key: String(count), label: t('exports.lastDays', { count, shown: formats.count(count) }) })),
          { key: 'between', label: t('exports.between') },
        ]}
      />
      {span === 'between' && (
        <div className="exports__days">
          <DayField label={t('exports.from')} value={days.from} onChange={(from) => onChange({ days: { ...days, from } })} />
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
function DayField({ label, value, onChange }: { label: string; value: string | null; onChange: (day: string | null) => void }): ReactNode {
  return (
    <TextField className="text-field" value={value ?? ''} onChange={(day) => onChange(/^\d{4}-\d\d-\d\d$/.test(day) ? day : null)}>
      <Label className="label">{label}</Label>
      <Input className="input" type="date" />
    </TextField>
  )
}
