import type { ReactNode } from 'react'
import { call } from '../../client/client.ts'
import { uploadForDraft } from '../../client/files.ts'
import { FileButton } from '../../components/file-button.tsx'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'

/** Brings partners along from a CSV file or a workbook. */
export function ImportButton(): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  async function importFile(file: File): Promise<void> {
    try {
      const source = file.name.toLowerCase().endsWith('.xlsx')
        ? { uploadId: await uploadForDraft(file) }
        : { text: textOf(await file.arrayBuffer()) }
      const { added, changed, skipped } = await call('partners.import', { source })
      const counted = {
        added,
        shownAdded: formats.count(added),
        changed,
        shownChanged: formats.count(changed),
        skipped,
        shownSkipped: formats.count(skipped),
      }
      notify('done', t(skipped === 0 ? 'partners.imported' : 'partners.importedSkipped', counted))
    } catch (error) {
      notify('problem', errorSentence(error))
    }
  }
  return (
    <FileButton accept=".csv,.txt,.xlsx" testId="partners-file" onFile={(file) => void importFile(file)}>
      {t('partners.import')}
    </FileButton>
  )
}

/** Spreadsheets write CSV as UTF-8 or in the code page of Windows; what is no UTF-8 is that. */
function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
