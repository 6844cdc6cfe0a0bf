import type { ReactNode } from 'react'
import type { AppState } from '../../../shared/contract/contract.ts'
import type { ExportRow } from '../../../shared/contract/exports.ts'
import type { Unbooked } from '../../../shared/domain/bookings.ts'
import { useAction } from '../../client/queries.ts'
import { Icon } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { RevealButton } from '../../components/reveal-button.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { Language } from '../../messages/language.tsx'
import { ExportDownload } from './export-download.tsx'
import { LeftOut } from './left-out.tsx'

/** How much an export has, in words. */
export function exportAmounts(
  { rows, documents }: Pick<ExportRow, 'rows' | 'documents'>,
  { t, formats }: Language,
): { rows: string; documents: string } {
  return {
    rows: t('exports.rows', { count: rows, shown: formats.count(rows) }),
    documents: t('count.documents', { count: documents, shown: formats.count(documents) }),
  }
}

type Props = { written: ExportRow; host: AppState['host'] } & LeftOutOfIt
/** What is no booking in it. */
export type LeftOutOfIt = { leftOut: readonly Unbooked[]; alreadyBooked: number }

/** The files of an export that was just written. */
export function ExportResult({ written, leftOut, alreadyBooked, host }: Props): ReactNode {
  const language = useLanguage()
  const { t, errorSentence } = language
  const reveal = useAction('exports.reveal')
  return (
    <div className="written">
      <p className="written__head">
        <Icon name="check" size={14} />
        {t('exports.written', exportAmounts(written, language))}
      </p>
      <LeftOut documents={leftOut} alreadyBooked={alreadyBooked} isAll />
      {written.paths.map((path, index) => (
        <div key={path} className="written__file">
          <span className="selectable">{path}</span>
          {host === 'browser' && (
            <ExportDownload exportId={written.id} index={index} path={path} className="button button--plain">
              {t('exports.download')}
            </ExportDownload>
          )}
        </div>
      ))}
      {host === 'electron' && (
        <RevealButton
          onPress={() =>
            reveal.mutate({ id: written.id }, { onError: (error) => notify('problem', errorSentence(error)) })
          }
        />
      )}
    </div>
  )
}
