import type { ReactNode } from 'react'
import type { AppState } from '../../../shared/contract.ts'
import type { ExportRow } from '../../../shared/contract-exports.ts'
import { exportUrl } from '../../client/files.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { Button } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'

/** What was exported before, newest first. */
export function ExportHistory({ host }: { host: AppState['host'] }): ReactNode {
  const { t } = useLanguage()
  const rows = useCall('exports.list', {}).data?.exports ?? []
  if (rows.length === 0) return null
  return (
    <section className="panel">
      <h2>{t('exports.history')}</h2>
      <ul className="rows" aria-label={t('exports.history')}>
        {rows.map((row) => (
          <HistoryItem key={row.id} row={row} host={host} />
        ))}
      </ul>
    </section>
  )
}

function fileName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path
}

function HistoryItem({ row, host }: { row: ExportRow; host: AppState['host'] }): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const reveal = useAction('exports.reveal')
  return (
    <li className="rows__item rows__line">
      <Icon name="export" />
      <div className="rows__words">
        {row.paths.map((path, index) =>
          host === 'browser' ? (
            <a key={path} className="ellipsis" href={exportUrl(row.id, index)} download title={path}>
              {fileName(path)}
            </a>
          ) : (
            <strong key={path} className="ellipsis" title={path}>
              {fileName(path)}
            </strong>
          ),
        )}
        <small className="ellipsis">{`${row.schemaName} · ${t('exports.rows', { count: row.rows, shown: formats.count(row.rows) })} · ${formats.dateTime(row.createdAt)}`}</small>
      </div>
      {host === 'electron' && (
        <Button variant="quiet" onPress={() => reveal.mutate({ id: row.id }, { onError: (error) => notify('problem', errorSentence(error)) })}>
          {t('exports.reveal')}
        </Button>
      )}
    </li>
  )
}
