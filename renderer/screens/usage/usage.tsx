import { useState } from 'react'
import type { ReactNode } from 'react'
import type { AppState } from '../../../shared/contract/contract.ts'
import type { UsageReport } from '../../../shared/contract/usage.ts'
import { useCall } from '../../client/queries.ts'
import { hrefOf } from '../../client/route.ts'
import { Button } from '../../components/controls.tsx'
import { Callout, EmptyState, PageHead } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { BarChart } from './bar-chart.tsx'
import { CapPanel } from './cap-panel.tsx'
import { dayText, spanUntilToday } from './days.ts'
import { SpanChoice } from './span-choice.tsx'
import type { Span } from './span-choice.tsx'

/** What was read and asked, by day, folder and schema, and the daily cap. */
export function UsageScreen({ state }: { state: AppState }): ReactNode {
  const { t, errorSentence } = useLanguage()
  const [span, setSpan] = useState<Span>('30')
  const { from, to } = spanUntilToday(Number(span))
  const report = useCall('usage.report', { from, to }, { keepPrevious: true })
  return (
    <div className="screen">
      <PageHead title={t('usage.title')}>
        <SpanChoice value={span} onChange={setSpan} />
        <a className="button" href={hrefOf({ screen: 'sent' })}>
          <span className="button__text">{t('sent.title')}</span>
        </a>
      </PageHead>
      <div className="screen__scroll usage" aria-busy={report.isPending}>
        <CapPanel state={state} />
        {report.isError && (
          <Callout kind="bad" action={<Button onPress={() => void report.refetch()}>{t('app.retry')}</Button>}>
            {errorSentence(report.error)}
          </Callout>
        )}
        {report.data && report.data.review.documents > 0 && <ReviewEffort review={report.data.review} />}
        {report.data && <Report report={report.data} />}
      </div>
    </div>
  )
}

/** How long it took to check a document. It is kept here and goes nowhere. */
function ReviewEffort({ review: { documents, ms, keys } }: Pick<UsageReport, 'review'>): ReactNode {
  const { t, formats } = useLanguage()
  return (
    <section className="panel">
      <h2>{t('usage.review')}</h2>
      <p>
        {t('usage.reviewEach', {
          time: formats.duration(Math.max(ms / documents, 1000)),
          keys: formats.count(Math.round(keys / documents)),
          count: documents,
          shown: formats.count(documents),
        })}
      </p>
    </section>
  )
}

function Report({ report }: { report: UsageReport }): ReactNode {
  const { t, formats } = useLanguage()
  const { total, days } = report
  if (total.documents + total.tokens + total.questions === 0)
    return <EmptyState icon="usage" title={t('usage.none')} text={t('usage.noneText')} />
  return (
    <>
      <div className="usage__charts">
        <BarChart
          title={t('usage.tokensByDay')}
          total={t('usage.tokensTotal', { shown: formats.count(total.tokens) })}
          bars={days.map(({ day, tokens }) => ({ day, value: tokens }))}
          textOf={(value) => t('usage.tokensCount', { count: value, shown: formats.count(value) })}
        />
        <BarChart
          title={t('usage.documentsByDay')}
          total={t('usage.documentsTotal', { shown: formats.count(total.documents) })}
          bars={days.map(({ day, documents }) => ({ day, value: documents }))}
          textOf={(value) => t('count.documents', { count: value, shown: formats.count(value) })}
        />
      </div>
      <details className="usage__table">
        <summary>{t('usage.asTable')}</summary>
        <UsageTable
          caption={t('usage.byDay')}
          first={t('usage.day')}
          rows={[...days].reverse().map((row) => ({ ...row, key: row.day, name: dayText(row.day, formats) }))}
        />
      </details>
      <div className="usage__charts">
        <section className="panel">
          <h2>{t('usage.byFolder')}</h2>
          <UsageTable
            caption={t('usage.byFolder')}
            first={t('field.folder')}
            rows={report.folders.map((row) => ({
              ...row,
              key: String(row.id),
              name: row.id === null ? t('usage.noFolder') : row.name,
            }))}
          />
        </section>
        <section className="panel">
          <h2>{t('usage.bySchema')}</h2>
          <UsageTable
            caption={t('usage.bySchema')}
            first={t('field.schema')}
            rows={report.schemas.map((row) => ({
              ...row,
              key: String(row.id),
              name: row.id === null ? t('usage.noSchema') : row.name,
            }))}
          />
        </section>
      </div>
    </>
  )
}

type Row = { key: string; name: string; documents: number; tokens: number; questions: number }

function UsageTable({ caption, first, rows }: { caption: string; first: string; rows: Row[] }): ReactNode {
  const { t, formats } = useLanguage()
  const asked = rows.some(({ questions }) => questions > 0)
  if (rows.length === 0) return <p className="hint">{t('usage.nothingHere')}</p>
  return (
    <table className="usage-table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          <th scope="col" className="num">
            {t('exports.documents')}
          </th>
          <th scope="col" className="num">
            {t('usage.tokens')}
          </th>
          {asked && (
            <th scope="col" className="num">
              {t('usage.questions')}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row" title={row.name}>
              <bdi>{row.name}</bdi>
            </th>
            <td className="num">{formats.count(row.documents)}</td>
            <td className="num">{formats.count(row.tokens)}</td>
            {asked && <td className="num">{formats.count(row.questions)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
