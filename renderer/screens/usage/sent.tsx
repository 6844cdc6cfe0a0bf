import { useState } from 'react'
import type { ReactNode } from 'react'
import type { CallOutput } from '../../../shared/contract/contract.ts'
import type { LedgerRow } from '../../../shared/contract/ledger.ts'
import { useCall } from '../../client/queries.ts'
import { hrefOf } from '../../client/route.ts'
import { Button } from '../../components/controls.tsx'
import { Callout, EmptyState, PageHead } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { spanUntilToday } from './days.ts'
import { SpanChoice } from './span-choice.tsx'
import type { Span } from './span-choice.tsx'

const pageSize = 100
/** As many as core gives at once. */
const maxRows = 2000

/** What left this computer: when, which document, how many bytes, to which host. */
export function SentScreen(): ReactNode {
  const { t, errorSentence } = useLanguage()
  const [span, setSpan] = useState<Span>('30')
  const [limit, setLimit] = useState(pageSize)
  const ledger = useCall(
    'ledger.list',
    { ...spanUntilToday(Number(span)), limit },
    { keepPrevious: true, refetchOnMount: 'always' },
  )
  return (
    <div className="screen">
      <PageHead title={t('sent.title')}>
        <SpanChoice value={span} onChange={setSpan} />
      </PageHead>
      <div className="screen__scroll usage" aria-busy={ledger.isFetching}>
        {ledger.isError && (
          <Callout kind="bad" action={<Button onPress={() => void ledger.refetch()}>{t('app.retry')}</Button>}>
            {errorSentence(ledger.error)}
          </Callout>
        )}
        {ledger.data && (
          <Ledger
            ledger={ledger.data}
            onMore={limit < maxRows ? () => setLimit(Math.min(maxRows, limit + pageSize)) : null}
          />
        )}
      </div>
    </div>
  )
}

function Ledger({
  ledger: { hosts, rows, more },
  onMore,
}: {
  ledger: CallOutput<'ledger.list'>
  onMore: (() => void) | null
}): ReactNode {
  const { t, formats } = useLanguage()
  if (rows.length === 0) return <EmptyState icon="computer" title={t('sent.none')} text={t('sent.noneText')} />
  return (
    <>
      <section className="panel">
        <h2>{t('sent.byHost')}</h2>
        <table className="usage-table">
          <caption className="visually-hidden">{t('sent.byHost')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('sent.to')}</th>
              <th scope="col" className="num">
                {t('exports.documents')}
              </th>
              <th scope="col" className="num">
                {t('sent.questions')}
              </th>
              <th scope="col" className="num">
                {t('sent.size')}
              </th>
            </tr>
          </thead>
          <tbody>
            {hosts.map(({ host, documents, questions, bytes }) => (
              <tr key={host}>
                <th scope="row" title={host}>
                  {host}
                </th>
                <td className="num">{formats.count(documents)}</td>
                <td className="num">{formats.count(questions)}</td>
                <td className="num">{formats.size(bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section className="panel">
        <h2>{t('sent.each')}</h2>
        <table className="usage-table usage-table--sent">
          <caption className="visually-hidden">{t('sent.each')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('sent.when')}</th>
              <th scope="col">{t('sent.what')}</th>
              <th scope="col">{t('sent.to')}</th>
              <th scope="col" className="num">
                {t('sent.size')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <LedgerLine key={`${row.at} ${row.document?.documentId ?? ''} ${index}`} row={row} />
            ))}
          </tbody>
        </table>
        {more &&
          (onMore ? (
            <Button onPress={onMore}>{t('sent.more')}</Button>
          ) : (
            <p className="hint">{t('sent.tooMany', { shown: formats.count(maxRows) })}</p>
          ))}
      </section>
      <p className="hint">{t('sent.note')}</p>
    </>
  )
}

function LedgerLine({ row: { at, host, document, bytes, sizeBytes } }: { row: LedgerRow }): ReactNode {
  const { t, formats } = useLanguage()
  const size =
    bytes !== null ? formats.size(bytes) : sizeBytes === null ? '' : t('sent.atMost', { size: formats.size(sizeBytes) })
  return (
    <tr>
      <td className="tabular">{formats.dateTime(at)}</td>
      <th scope="row">
        {document === null ? (
          t('sent.question')
        ) : (
          <a href={hrefOf({ screen: 'document', id: document.documentId })} title={document.name}>
            <bdi>{document.name}</bdi>
          </a>
        )}
      </th>
      <td className="usage-table__host" title={host}>
        {host}
      </td>
      <td className="num">{size}</td>
    </tr>
  )
}
