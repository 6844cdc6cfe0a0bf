import type { ReactNode } from 'react'
import type { AppState } from '../../../shared/contract/contract.ts'
import type { ExportRow } from '../../../shared/contract/exports.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { Button } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { EmptyState } from '../../components/page.tsx'
import { RevealButton } from '../../components/reveal-button.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { downloadExport, ExportDownload } from './export-download.tsx'
import { fileNameOf } from './file-name.ts'
import { exportAmounts } from './export-result.tsx'

/** What was exported before, newest first. */
export function ExportHistory({ host }: { host: AppState['host'] }): ReactNode {
  const { t } = useLanguage()
  const rows = useCall('exports.list', {}).data?.exports
  if (rows === undefined) return null
  if (rows.length === 0)
    return <EmptyState icon="clock" title={t('exports.noHistory')} text={t('exports.noHistoryHint')} />
  return (
    <div className="screen__scroll">
      <section className="panel exports__list">
        <ul className="rows" aria-label={t('exports.history')}>
          {rows.map((row) => (
            <HistoryItem key={row.id} row={row} host={host} />
          ))}
        </ul>
      </section>
    </div>
  )
}

function HistoryItem({ row, host }: { row: ExportRow; host: AppState['host'] }): ReactNode {
  const language = useLanguage()
  const { t, formats, errorSentence } = language
  const reveal = useAction('exports.reveal')
  const again = useAction('exports.again')
  const onError = (error: unknown): void => notify('problem', errorSentence(error))
  const drag = useAction('exports.drag')
  const amount = exportAmounts(row, language)
  function repeat(): void {
    again.mutate(
      { id: row.id, askWhere: host === 'electron' },
      {
        onError,
        onSuccess: ({ export: made }) => {
          if (made === null) return
          notify('done', t('exports.written', exportAmounts(made, language)))
          if (host === 'browser') downloadExport(made).catch(onError)
        },
      },
    )
  }
  return (
    <li className="rows__item rows__line">
      <Icon name="export" />
      <div className="rows__words">
        {row.paths.map((path, index) =>
          host === 'browser' ? (
            <ExportDownload key={path} exportId={row.id} index={index} path={path} className="ellipsis">
              {fileNameOf(path)}
            </ExportDownload>
          ) : (
            <strong
              key={path}
              className="ellipsis"
              title={path}
              draggable
              onDragStart={(event) => {
                // The system drags the file itself, not its name.
                event.preventDefault()
                drag.mutate({ id: row.id }, { onError })
              }}
            >
              {fileNameOf(path)}
            </strong>
          ),
        )}
        <small className="ellipsis">{`${row.schemaName} · ${amount.rows} · ${amount.documents} · ${formats.dateTime(row.createdAt)}`}</small>
      </div>
      {host === 'electron' && <RevealButton quiet onPress={() => reveal.mutate({ id: row.id }, { onError })} />}
      {row.repeatable && (
        <Button
          icon="refresh"
          ariaLabel={t('exports.againNamed', { name: fileNameOf(row.paths[0] ?? '') })}
          isDisabled={again.isPending}
          onPress={repeat}
        >
          {t('exports.again')}
        </Button>
      )}
    </li>
  )
}
