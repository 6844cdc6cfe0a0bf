import { useMemo } from 'react'
import type { ReactNode } from 'react'
import type { Trial, TrialColumn } from '../../../shared/contract/schemas.ts'
import { hrefOf } from '../../client/route.ts'
import { Button } from '../../components/controls.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { Language, MessageId } from '../../messages/language.tsx'
import { columnDecimals } from '../../messages/values.ts'
import { compareValues, countDifferences } from './compare-values.ts'
import type { FieldValues } from './compare-values.ts'
import { TrialCell } from './trial-cell.tsx'

const stateLabels: Record<Exclude<TrialColumn['state'], 'answered' | 'failed'>, MessageId> = {
  looking: 'try.looking',
  asks: 'try.asking',
  waiting: 'try.waiting',
  sending: 'try.sending',
  lost: 'try.lost',
  stopped: 'try.stopped',
}

/** In pixels: what five documents have beside each other in a window of 1280. */
const fieldWidth = 170
const columnWidth = 164

type Props = { trial: Trial; onAgain: (column: TrialColumn) => void }
type Compared = { column: TrialColumn; fields: FieldValues[] }

/** What a draft gives for each document, field by field, beside what its result has. The first line sums it up. */
export function TrialTable({ trial, onAgain }: Props): ReactNode {
  const language = useLanguage()
  const { t } = language
  const compared = useMemo(
    () => trial.columns.map((column): Compared => ({ column, fields: fieldsOf(trial, column) })),
    [trial],
  )
  const rows = rowsOf(compared)
  return (
    <>
      <div role="status">
        <Summary compared={compared} />
      </div>
      <div className="comparison trial" role="region" aria-label={t('try.values')} tabIndex={0}>
        <table style={{ minWidth: fieldWidth + compared.length * columnWidth }}>
          <thead>
            <tr>
              <th scope="col" className="trial__field">
                {t('try.field')}
              </th>
              {compared.map(({ column }) => (
                <th key={column.documentId} scope="col">
                  <Head column={column} onAgain={() => onAgain(column)} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name, formerly, isGone, decimals }) => (
              <tr key={key}>
                <th scope="row" className="trial__field">
                  <span className="trial__name">{name}</span>
                  {isGone && <span className="hint">{t('try.fieldGone')}</span>}
                  {formerly !== null && <span className="hint">{t('try.formerly', { name: formerly })}</span>}
                </th>
                {compared.map(({ column, fields }) => {
                  const field = fields.find((each) => keyOf(each) === key)
                  return (
                    <td key={column.documentId}>
                      {field === undefined || column.records === null ? (
                        <span className="comparison__none">–</span>
                      ) : (
                        <TrialCell field={field} isCompared={column.stored !== null} decimals={decimals} />
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** Without values of the draft the fields are known, and what they have is not. */
function fieldsOf({ elements }: Trial, { records, stored }: TrialColumn): FieldValues[] {
  const before = records === null || stored === null ? { elements: stored?.elements ?? [], records: [] } : stored
  return compareValues(before, { elements, records: records ?? [] })
}

const keyOf = ({ name, isGone }: FieldValues): string => `${isGone ? 'gone' : 'draft'} ${name}`

type RowHead = { key: string; name: string; formerly: string | null; isGone: boolean; decimals: number }

/** The fields of the draft, then what only results have. */
function rowsOf(compared: readonly Compared[]): RowHead[] {
  const rows = new Map<string, RowHead>()
  for (const field of compared.flatMap(({ fields }) => fields)) {
    const key = keyOf(field)
    const known = rows.get(key)
    const decimals = field.isList ? 0 : columnDecimals(field.pairs.flatMap(({ before, after }) => [before, after]))
    rows.set(key, {
      key,
      name: field.name,
      formerly: known?.formerly ?? field.formerly,
      isGone: field.isGone,
      decimals: Math.max(known?.decimals ?? 0, decimals),
    })
  }
  return [...rows.values()].sort((a, b) => Number(a.isGone) - Number(b.isGone))
}

function Summary({ compared }: { compared: readonly Compared[] }): ReactNode {
  const { t, formats } = useLanguage()
  const answered = compared.filter(({ column }) => column.state === 'answered')
  const open = compared.filter(
    ({ column: { state } }) => state === 'looking' || state === 'waiting' || state === 'sending',
  ).length
  const counted = answered.filter(({ column }) => column.stored !== null).map(({ fields }) => countDifferences(fields))
  const values = counted.reduce((sum, each) => sum + each.values, 0)
  const different = counted.reduce((sum, each) => sum + each.different, 0)
  const without = compared.length - answered.length - open
  const rest = without > 0 ? ` ${t('try.without', { count: without, shown: formats.count(without) })}` : ''
  if (open > 0)
    return (
      <p className="comparison__sum">
        {t('try.progress', { done: formats.count(compared.length - open), all: formats.count(compared.length) })}
      </p>
    )
  if (answered.length === 0) return null
  if (counted.length === 0) return <Callout kind="info">{t('try.nothingToCompare') + rest}</Callout>
  if (values === 0) return <Callout kind="info">{t('try.noValues') + rest}</Callout>
  if (different === 0)
    return <Callout kind="good">{t('try.allSame', { count: values, shown: formats.count(values) }) + rest}</Callout>
  return (
    <p className="comparison__sum">
      {t('try.differ', { count: different, shown: formats.count(different), values: formats.count(values) }) + rest}
    </p>
  )
}

function Head({ column, onAgain }: { column: TrialColumn; onAgain: () => void }): ReactNode {
  const language = useLanguage()
  const { t } = language
  return (
    <div className="trial__head">
      <a className="trial__document" href={hrefOf({ screen: 'document', id: column.documentId })} title={column.name}>
        <bdi>{column.name}</bdi>
      </a>
      <span className="trial__note">{noteOf(column, language)}</span>
      {column.reason && (
        <span className={column.state === 'lost' ? 'trial__reason tone-flag' : 'trial__reason tone-bad'}>
          {language.trialSentence(column.reason)}
        </span>
      )}
      {column.wasSent && (column.state === 'lost' || column.state === 'failed') && (
        <Button onPress={onAgain} ariaLabel={`${t('try.again')} ${column.name}`}>
          {t('try.again')}
        </Button>
      )}
    </div>
  )
}

function noteOf({ state, stored, isKept }: TrialColumn, { t, formats }: Language): string {
  const before = stored === null ? t('try.noResult') : t('try.against', { version: formats.count(stored.version) })
  if (state === 'failed') return t('try.failed')
  if (state !== 'answered') return t(stateLabels[state])
  return isKept ? `${before} · ${t('try.kept')}` : before
}
