import type { ErrorDetails, SkipCode } from './errors.ts'
import { extensionOf, mailExtensions, maxFileBytes, shownKind } from './limits.ts'

/** What a directory entry says of a file. `sizeBytes` is null where it says no more than the name. */
type FileEntry = { type: 'file' | 'link' | 'other'; sizeBytes: number | null }

export type Refusal = { code: SkipCode; details: ErrorDetails }

const systemNames = new Set(['thumbs.db', 'desktop.ini', 'ehthumbs.db', 'icon\r'])
/** Pictures of phones whose codec (HEVC) is licensed: nothing that may be shipped decodes them. */
const withoutCodec = new Set(['heic', 'heif'])
const unfinishedExtensions = new Set(['part', 'crdownload', 'download', 'partial', 'tmp', 'opdownload'])

/** Why a file is none to extract, by its name, type and size; null when its content may be looked at. Pure. */
export function entryRefusal(name: string, { type, sizeBytes }: FileEntry): Refusal | null {
  const extension = extensionOf(name)
  if (type === 'link') return because('symbolic_link')
  if (type === 'other') return because('not_a_file')
  if (name.startsWith('~$')) return because('lock_file')
  if (name.startsWith('.') || systemNames.has(name.toLowerCase())) return because('hidden_file')
  if (unfinishedExtensions.has(extension)) return because('unfinished_download')
  if (withoutCodec.has(extension)) return because('no_codec', { extension: `.${extension}` })
  const isMail = mailExtensions[extension] !== undefined
  if (shownKind(extension) === undefined && !isMail)
    return because('unsupported_type', { extension: extension === '' ? '(none)' : `.${extension}` })
  if (sizeBytes === null) return null
  if (sizeBytes === 0) return because('empty_file')
  if (sizeBytes > maxFileBytes) return because('file_too_large', { size: sizeText(sizeBytes) })
  return isMail ? because('mail') : null
}

function because(code: SkipCode, details: ErrorDetails = {}): Refusal {
  return { code, details }
}

/** The size of a file in megabytes, as people read it. */
export function sizeText(bytes: number): string {
  const mebibytes = bytes / (1024 * 1024)
  // One byte over the limit must not read «36 MB».
  return `${mebibytes < 100 ? Math.ceil(mebibytes * 100) / 100 : Math.round(mebibytes)} MB`
}
