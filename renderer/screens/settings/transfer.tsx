import type { ReactNode } from 'react'
import { call } from '../../client/client.ts'
import { saveJson } from '../../client/files.ts'
import { Button } from '../../components/controls.tsx'
import { FileButton } from '../../components/file-button.tsx'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'

/** Takes schemas, partners, what was learned and choices to another computer, or brings them from one. */
export function TransferPanel(): ReactNode {
  const { t, errorSentence } = useLanguage()
  const onError = (error: unknown): void => notify('problem', errorSentence(error))
  async function exportFile(): Promise<void> {
    saveJson((await call('transfer.export', {})).text, t('transfer.file'))
  }
  async function importFile(file: File): Promise<void> {
    notify('done', t('transfer.done', await call('transfer.import', { text: await file.text() })))
  }
  return (
    <section className="panel" aria-label={t('transfer.title')}>
      <div className="panel__head">
        <div>
          <h2>{t('transfer.title')}</h2>
          <p className="hint">{t('transfer.text')}</p>
        </div>
        <Button icon="export" onPress={() => void exportFile().catch(onError)}>
          {t('transfer.take')}
        </Button>
        <FileButton
          accept=".json,application/json"
          testId="transfer-file"
          onFile={(file) => void importFile(file).catch(onError)}
        >
          {t('transfer.bring')}
        </FileButton>
      </div>
    </section>
  )
}
