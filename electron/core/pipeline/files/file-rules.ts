import type { Stats } from 'node:fs'
import type { ErrorDetails, SkipCode } from '../../../../shared/domain/errors.ts'
import { extensionOf, maxFileBytes, supportedExtensions } from '../../../../shared/domain/limits.ts'

export type Candidate = {
  path: string
  type: 'file' | 'link' | 'other'
  sizeBytes: number
  mtimeMs: number
  /** The later of the times of content and of directory entry: a copy can bring an old `mtimeMs` along. */
  changedAt: number
  /** Why the directory entry says no more than its name, as the file system's code; size and times are 0 then. */
  unreadable?: string
}

/** A path as its directory entry describes it; links are not followed. */
export function candidateAt(path: string, stats: Stats): Candidate {
  return {
    path,
    type: stats.isSymbolicLink() ? 'link' : stats.isFile() ? 'file' : 'other',
    sizeBytes: stats.size,
    mtimeMs: Math.trunc(stats.mtimeMs),
    changedAt: Math.trunc(Math.max(stats.mtimeMs, stats.ctimeMs)),
  }
}

const systemNames = new Set(['thumbs.db', 'desktop.ini', 'ehthumbs.db', 'icon\r'])
const unfinishedExtensions = new Set(['part', 'crdownload', 'download', 'partial', 'tmp', 'opdownload'])

export type Refusal = { code: SkipCode; details: ErrorDetails }

/** The reasons that a name, a type or a size gives; null when the content may be looked at. Pure. */
export function refusalOf(name: string, candidate: Candidate): Refusal | null {
  const extension = extensionOf(name)
  const because = (code: SkipCode, details: ErrorDetails = {}): Refusal => ({ code, details })
  if (candidate.type === 'link') return because('symbolic_link')
  if (candidate.type === 'other') return because('not_a_file')
  if (name.startsWith('~$')) return because('lock_file')
  if (name.startsWith('.') || systemNames.has(name.toLowerCase())) return because('hidden_file')
  if (unfinishedExtensions.has(extension)) return because('unfinished_download')
  if (supportedExtensions[extension] === undefined)
    return because('unsupported_type', { extension: extension === '' ? '(none)' : `.${extension}` })
  if (candidate.unreadable !== undefined) return null
  if (candidate.sizeBytes === 0) return because('empty_file')
  if (candidate.sizeBytes > maxFileBytes) return because('file_too_large', { size: sizeText(candidate.sizeBytes) })
  return null
}

function sizeText(bytes: number): string {
  const mebibytes = bytes / (1024 * 1024)
  // One byte over the limit must not read «36 MB».
  return `${mebibytes < 100 ? Math.ceil(mebibytes * 100) / 100 : Math.round(mebibytes)} MB`
}
