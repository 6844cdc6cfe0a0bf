import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { structureFault } from './check.ts'

/** One copy of a database to be made: `to` appears whole and checked, or not at all. */
export type CopyTask = { from: string; to: string }
/** `fault`: the copy is whole as a file and its content is broken, and so is the original. */
export type CopyOutcome = { kind: 'copied' } | { kind: 'broken'; fault: string } | { kind: 'failed'; code: string; message: string }

/** What a copy is called until it is whole. */
export const partialEnding = '.partial'

/** 2 MB. What a file system has not written yet is waited for by every commit, also those of the database itself. */
const pagesAtOnce = 500

/** Entry of the thread: copying, checking and flushing a large file is nothing for the thread that answers the window. */
async function copy({ from, to }: CopyTask): Promise<CopyOutcome> {
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
      // One state of the database, whatever is written meanwhile: a copy of a moving one would begin again and again.
      source.exec('BEGIN')
      source.prepare('SELECT count(*) FROM sqlite_master').get()
      await source.backup(partial, { progress: flush })
    } finally {
      if (made !== null) closeSync(made)
      source.close()
    }
    const copied = new Sqlite(partial)
    try {
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
    renameSync(partial, to)
    flushFolder(dirname(to))
    return { kind: 'copied' }
  } catch (error) {
    removeCopy(partial)
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return /^SQLITE_(CORRUPT|NOTADB)/.test(code)
      ? { kind: 'broken', fault: code }
      : { kind: 'failed', code, message: error instanceof Error ? error.message : String(error) }
  }
}

function removeCopy(path: string): void {
  for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(path + ending, { force: true })
}

/** A rename is on the disk only once its folder is; Windows has no such thing. */
function flushFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

parentPort?.postMessage(await copy(workerData as CopyTask))
