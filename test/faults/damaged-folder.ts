import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Core } from '../../electron/core/core.ts'
import type { DocumentStatus } from '../../shared/domain/document-status.ts'
import { addFolder, pdfBytes, startTestCore, temporaryDir, until } from '../helpers/core.ts'
import { startVendor, successBody } from '../helpers/vendor.ts'
import type { Vendor } from '../helpers/vendor.ts'

/** What became of each document when its data folder was copied, and what has to be known of it after any damage. */
export const outcomes: Record<string, DocumentStatus> = {
  'before-done.pdf': 'done',
  'before-lost.pdf': 'unknown',
  'after-done-1.pdf': 'done',
  'after-done-2.pdf': 'done',
  'after-failed.pdf': 'failed',
  'after-lost.pdf': 'unknown',
  'on-its-way.pdf': 'unknown',
}

export type Worked = {
  vendor: Vendor
  documents: string
  /** A data folder as a crash left it: a document was with the service, the database's last commits are in its WAL. */
  crashed: string
  /** The same work, closed as it should be. */
  closed: string
  close: () => Promise<void>
}

/**
 * Runs real work through core, with a snapshot in the middle of it, and keeps the data folder as a crash and as an end
 * leave it.
 */
export async function workedFolder(): Promise<Worked> {
  const dir = temporaryDir()
  const documents = join(dir.path, 'documents')
  const [live, crashed, closed] = ['live', 'crashed', 'closed'].map((name) => join(dir.path, name)) as [
    string,
    string,
    string,
  ]
  mkdirSync(documents)
  const held: (() => void)[] = []
  const vendor = await startVendor(async ({ filename }) => {
    if (filename.includes('lost')) return { drop: true }
    if (filename.includes('failed')) return { status: 422, body: '{"status":"error","error":"unreadable scan"}' }
    if (filename.includes('on-its-way')) await new Promise<void>((resolve) => held.push(resolve))
    return { body: successBody(filename) }
  })
  const put = (name: string): void => writeFileSync(join(documents, name), pdfBytes(name))
  const core = await startTestCore(live, { timings: { sweepIntervalMs: 50, quietMs: 50 } })
  for (const name of ['before-done.pdf', 'before-lost.pdf']) put(name)
  addFolder(core, vendor, { path: documents })
  await core.run()
  const settled = (prefix: string): boolean =>
    Object.keys(outcomes).every(
      (name) => !name.startsWith(prefix) || statusOf(core, join(documents, name)) === outcomes[name],
    )
  await until(() => settled('before'), 'the first documents')
  await core.handlers['storage.backUp']({})
  for (const name of Object.keys(outcomes)) if (name.startsWith('after')) put(name)
  await until(() => settled('after'), 'the other documents')
  put('on-its-way.pdf')
  await until(() => held.length === 1, 'the document that is on its way')
  cpSync(live, crashed, { recursive: true })
  await core.stop({ atOnce: true })
  for (const answer of held) answer()
  cpSync(live, closed, { recursive: true })
  return {
    vendor,
    documents,
    crashed,
    closed,
    close: async () => {
      await vendor.close()
      dir.remove()
    },
  }
}

/** The status of the newest document at a path, in whatever folder. */
export function statusOf(core: Core, path: string): DocumentStatus | null {
  const folder = core.context.tables.folders
    .list()
    .find((each) => core.context.tables.documents.latestAt(each.id, path) !== null)
  return folder === undefined ? null : core.context.tables.documents.latestAt(folder.id, path)!.status
}

/** Numbers that are the same for the same seed (mulberry32), from 0 up to but without `below`. */
export function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

export type Page = { number: number; table: string; kind: string }

/** The pages of a database by what they hold. */
export function pagesOf(path: string): { sizeBytes: number; pages: Page[] } {
  const db = new Sqlite(path, { readonly: true })
  try {
    const pages = db
      .prepare<[], Page>('SELECT pageno AS number, name AS "table", pagetype AS kind FROM dbstat ORDER BY pageno')
      .all()
    return { sizeBytes: db.pragma('page_size', { simple: true }) as number, pages }
  } finally {
    db.close()
  }
}

/** Flips one bit in each of `count` bytes of the file between two places. */
export function flipBits(
  path: string,
  from: number,
  to: number,
  count: number,
  random: (below: number) => number,
): void {
  const bytes = readFileSync(path)
  for (let n = 0; n < count; n += 1) bytes[from + random(to - from)]! ^= 1 << random(8)
  writeFileSync(path, bytes)
}

/** Puts the pages of the WAL into the file itself, as an end does. */
export function closeProperly(path: string): void {
  const db = new Sqlite(path)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

export function copyOf(folder: string, to: string): string {
  cpSync(folder, to, { recursive: true })
  return to
}

/** Other bytes in the place of a database; what was in its WAL is gone. */
export function overwrite(path: string, bytes: Buffer): void {
  for (const ending of ['-wal', '-shm']) rmSync(path + ending, { force: true })
  writeFileSync(path, bytes)
}
