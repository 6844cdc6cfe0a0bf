import type { ReactNode } from 'react'
import type { ExportRow } from '../../../shared/contract/exports.ts'
import { exportUrl, fetchFile, saveBlob } from '../../client/files.ts'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { fileNameOf } from './file-name.ts'

type ExportDownloadProps = { exportId: number; index: number; path: string; className: string; children: ReactNode }

/** Downloads the files of an export, in a browser, one after the other. Rejects with what is wrong with one of them. */
export async function downloadExport({ id, paths }: ExportRow): Promise<void> {
  for (const [index, path] of paths.entries()) await download(id, index, fileNameOf(path))
}

async function download(exportId: number, index: number, name: string): Promise<void> {
  saveBlob(await fetchFile(exportUrl(exportId, index), name), name)
}

/** Downloads one file of an export, in a browser. The page fetches it, since a link of its own would not be let in. */
export function ExportDownload({ exportId, index, path, className, children }: ExportDownloadProps): ReactNode {
  const { errorSentence } = useLanguage()
  return (
    <a
      className={className}
      href={exportUrl(exportId, index)}
      title={path}
      onClick={(event) => {
        event.preventDefault()
        download(exportId, index, fileNameOf(path)).catch((error: unknown) => notify('problem', errorSentence(error)))
      }}
    >
      {children}
    </a>
  )
}
