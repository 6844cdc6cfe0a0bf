import type { ReactNode } from 'react'
import { exportUrl, fetchFile, saveBlob } from '../../client/files.ts'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { fileNameOf } from './file-name.ts'

type ExportDownloadProps = { exportId: number; index: number; path: string; className: string; children: ReactNode }

/** Downloads one file of an export, in a browser. The page fetches it, since a link of its own would not be let in. */
export function ExportDownload({ exportId, index, path, className, children }: ExportDownloadProps): ReactNode {
  const { errorSentence } = useLanguage()
  const name = fileNameOf(path)
  async function download(): Promise<void> {
    saveBlob(await fetchFile(exportUrl(exportId, index), name), name)
  }
  return (
    <a
      className={className}
      href={exportUrl(exportId, index)}
      title={path}
      onClick={(event) => {
        event.preventDefault()
        download().catch((error: unknown) => notify('problem', errorSentence(error)))
      }}
    >
      {children}
    </a>
  )
}
