import type { ReactNode } from 'react'
import { useLanguage } from '../../messages/language.tsx'
import type { Language, MessageId } from '../../messages/language.tsx'
import { valueText } from '../../messages/values.ts'
import { markOf } from './compare-values.ts'
import type { FieldValues, ValueMark, ValuePair } from './compare-values.ts'

const marks: Record<ValueMark, { sign: string; label: MessageId }> = {
  same: { sign: '=', label: 'try.same' },
  new: { sign: '+', label: 'try.new' },
  gone: { sign: '−', label: 'try.gone' },
  changed: { sign: '≠', label: 'try.changed' },
}

/** Of a list so many differences are shown; how many more there are is said. */
const maxShown = 4

/**
 * What one document gives for one field. `isCompared`: there is a result to hold it against; `decimals`: at least so
 * many of numbers that have any.
 */
export function TrialCell({
  field,
  isCompared,
  decimals,
}: {
  field: FieldValues
  isCompared: boolean
  decimals: number
}): ReactNode {
  const language = useLanguage()
  const { t, formats } = language
  const { pairs } = field
  const [first] = pairs
  if (first === undefined) return <span className="comparison__none">–</span>
  if (pairs.length === 1 && first.place.length === 0)
    return <Single pair={first} isCompared={isCompared} decimals={decimals} />
  const shown = isCompared ? pairs.filter(({ mark }) => mark !== 'same') : pairs
  const rows = new Set(
    pairs
      .filter(({ mark }) => mark !== 'gone')
      .map(({ place }) => place.filter((step) => typeof step === 'number').join(' ')),
  ).size
  return (
    <>
      <span>{t('try.rows', { count: rows, shown: formats.count(rows) })}</span>{' '}
      {isCompared && <Mark mark={markOf(pairs)} />}
      {isCompared && shown.length > 0 && (
        <span className="hint">
          {t('try.differ', {
            count: shown.length,
            shown: formats.count(shown.length),
            values: formats.count(pairs.length),
          })}
        </span>
      )}
      <ul className="trial__rows">
        {shown.slice(0, maxShown).map((pair, index) => (
          <li key={index}>
            <span className="hint">
              {pair.place.map((step) => (typeof step === 'number' ? formats.count(step) : step)).join(' · ')}
            </span>{' '}
            {isCompared ? (
              <>
                {textOf(pair.before, language)} → {textOf(pair.after, language)}
              </>
            ) : (
              textOf(pair.after, language)
            )}
          </li>
        ))}
      </ul>
      {shown.length > maxShown && (
        <span className="hint">
          {t('try.more', { count: shown.length - maxShown, shown: formats.count(shown.length - maxShown) })}
        </span>
      )}
    </>
  )
}

function Single({
  pair: { mark, before, after },
  isCompared,
  decimals,
}: {
  pair: ValuePair
  isCompared: boolean
  decimals: number
}): ReactNode {
  const language = useLanguage()
  const value = textOf(after, language, decimals)
  if (!isCompared) return value
  return (
    <>
      <span>{value}</span> <Mark mark={mark} />
      {(mark === 'changed' || mark === 'gone') && (
        <span className="trial__before">{language.t('try.before', { value: textOf(before, language, decimals) })}</span>
      )}
    </>
  )
}

function Mark({ mark }: { mark: ValueMark }): ReactNode {
  const { t } = useLanguage()
  return (
    <span className="change-mark" data-mark={mark}>
      <span aria-hidden="true">{marks[mark].sign}</span> {t(marks[mark].label)}
    </span>
  )
}

function textOf(value: unknown, { t, formats }: Language, decimals = 0): string {
  return valueText(value, formats, { yes: t('value.yes'), no: t('value.no') }, decimals) ?? '–'
}
