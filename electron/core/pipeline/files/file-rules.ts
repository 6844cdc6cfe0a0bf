import type { Stats } from 'node:fs'
import { entryRefusal } from '../../../../shared/domain/file-rules.ts'
import type { Refusal } from '../../../../shared/domain/file-rules.ts'

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

/** The reasons that a name, a type or a size gives; null when the content may be looked at. Pure. */
export function refusalOf(name: string, candidate: Candidate): Refusal | null {
  const { type, sizeBytes, unreadable } = candidate
  return entryRefusal(name, { type, sizeBytes: unreadable === undefined ? sizeBytes : null })
}
