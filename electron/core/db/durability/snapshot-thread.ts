import { closeSync, fsyncSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { flushFolderSync } from '../../../system/flush-folder.ts'
import { makeDatabasePrivate } from '../../../system/private-files.ts'
import { structureFault } from './check.ts'
import { smallCache } from '../open.ts'
import { isDamage } from './storage-trouble.ts'

/**
 * One copy of a database to be made: `to` appears whole and checked, or not at all; also where it would be the same as
 * `last`.
 */
export type CopyTask = { from: string; to: string; last: string | null }
/** `fault`: the copy is whole as a file and its content is broken, and so is the original. */
export type CopyOutcome =
  | { kind: 'copied' }
  | { kind: 'same' }
  | { kind: 'broken'; fault: string }
  | { kind: 'failed'; code: string; message: string }

/** What a copy is called until it is whole. */
const partialEnding = '.partial'

/** 2 MB. What a file system has not written yet is waited for by every commit, also those of the database itself. */
const pagesAtOnce = 500

/**
 * Entry of the thread: copying, checking and flushing a large file is nothing for the thread that answers the window.
 */
async function copy({ from, to, last }: CopyTask): Promise<CopyOutcome> {
  const partial = to + partialEnding
  let made: number | null = null
  const flush = (): number => {
    made ??= openSync(partial, 'r+')
    fsyncSync(made)
    return pagesAtOnce
  }
  try {
    const source = new Sqlite(from, { readonly: true, fileMustExist: true })
    try {
      source.pragma(smallCache)
      // One state of the database, whatever is written meanwhile: a copy of a moving one would begin again and again.
      source.exec('BEGIN')
      source.prepare('SELECT count(*) FROM sqlite_master').get()
      makeDatabasePrivate(partial)
      await source.backup(partial, { progress: flush })
    } finally {
      if (made !== null) closeSync(made)
      source.close()
    }
    const copied = new Sqlite(partial)
    try {
      copied.pragma(smallCache)
      // So that it can be opened for reading without other files beside it.
      copied.pragma('journal_mode = DELETE')
      const fault = structureFault(copied)
      if (fault !== null) {
        copied.close()
        removeCopy(partial)
        return { kind: 'broken', fault }
      }
    } finally {
      copied.close()
    }
    if (last !== null && isSame(partial, last)) {
      removeCopy(partial)
      return { kind: 'same' }
    }
    renameSync(partial, to)
    flushFolderSync(dirname(to))
    return { kind: 'copied' }
  } catch (error) {
    removeCopy(partial)
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return isDamage(error)
      ? { kind: 'broken', fault: code }
      : { kind: 'failed', code, message: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * SQLite's file format, «Database Header»: it ends here, and counts commits, also those that left everything as it was.
 */
const headerBytes = 100
const blockBytes = 1024 * 1024

/** True when two databases have the same pages. */
function isSame(one: string, other: string): boolean {
  const sizeBytes = statSync(one).size
  if (statSync(other).size !== sizeBytes) return false
  const [a, b] = [openSync(one, 'r'), openSync(other, 'r')]
  try {
    const [ofA, ofB] = [Buffer.alloc(blockBytes), Buffer.alloc(blockBytes)]
    for (let at = headerBytes; at < sizeBytes; at += blockBytes) {
      const length = Math.min(blockBytes, sizeBytes - at)
      if (readSync(a, ofA, 0, length, at) !== length || readSync(b, ofB, 0, length, at) !== length) return false
      if (!ofA.subarray(0, length).equals(ofB.subarray(0, length))) return false
    }
    return true
  } finally {
    closeSync(a)
    closeSync(b)
  }
}

function removeCopy(path: string): void {
  for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(path + ending, { force: true })
}

parentPort?.postMessage(await copy(workerData as CopyTask))
