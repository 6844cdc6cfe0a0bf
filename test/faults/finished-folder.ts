import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { addFolder, pdfBytes, startTestCore, statuses, temporaryDir, until } from '../helpers/core.ts'
import { startVendor, successBody } from '../helpers/vendor.ts'
import type { Vendor } from '../helpers/vendor.ts'
import { copyOf } from './damaged-folder.ts'

const timings = { sweepIntervalMs: 50, quietMs: 50 }
export const names = ['a.pdf', 'b.pdf', 'c.pdf']
export const allValues = names.map((name) => name.replace('.pdf', ''))

/** One bit of a stored answer. */
export const flipAnswer =
  "UPDATE answers SET body = CAST(replace(CAST(body AS TEXT), 'success', 'succe3s') AS BLOB) WHERE id = 2"

/**
 * `data`: a copy, new for each test, of a data folder with three documents that are done and a snapshot of before the
 * first.
 */
export type Finished = { vendor: Vendor; dir: string; documents: string; data: string }

/** For the tests of a file: makes the folder once, and gives each its copy by `begin`. */
export function finishedFolder(begin: (finished: Finished) => void) {
  const dir = temporaryDir()
  const [documents, finished, data] = ['documents', 'finished', 'data'].map((name) => join(dir.path, name)) as [
    string,
    string,
    string,
  ]
  let vendor: Vendor

  beforeAll(async () => {
    mkdirSync(documents)
    vendor = await startVendor(({ filename }) => ({ body: successBody(filename) }))
    const core = await startTestCore(finished, { timings })
    await core.handlers['storage.backUp']({})
    addFolder(core, vendor, { path: documents })
    for (const name of names) writeFileSync(join(documents, name), pdfBytes(name))
    await core.run()
    await until(() => statuses(core)['done'] === names.length, 'the documents')
    await core.stop()
  })
  afterAll(async () => {
    await vendor.close()
    dir.remove()
  })
  beforeEach(() => begin({ vendor, dir: dir.path, documents, data: copyOf(finished, data) }))
  afterEach(() => rmSync(data, { recursive: true }))

  return {
    paths: (): string[] => names.map((name) => join(documents, name)),
    asides: (): string[] => (existsSync(join(data, 'broken')) ? readdirSync(join(data, 'broken')) : []),
    /** Core on the copy while `look` lasts; `isRun`: with its folders watched and its queue at work. */
    async started(look: (core: Core) => void | Promise<void>, isRun = false): Promise<void> {
      const core = await startTestCore(data, { timings })
      try {
        if (isRun) await core.run()
        await look(core)
      } finally {
        await core.stop({ atOnce: true })
      }
    },
  }
}

/** Changes a closed database as nothing of SQLite's own would notice. */
export function change(path: string, sql: string): void {
  const db = new Sqlite(path)
  db.pragma('foreign_keys = OFF')
  db.exec(sql)
  db.close()
}

export const pausesOf = (core: Core) =>
  core.context.tables.connections
    .list()
    .flatMap(({ kind, pausedReason }) => (kind === 'platform' ? [pausedReason?.code ?? null] : []))
export const recoveryOf = async (core: Core) => (await core.handlers['app.state']({})).recovery

export async function valuesOf(core: Core): Promise<unknown[]> {
  const { tables } = core.context
  const documents = tables.folders.list().flatMap(({ id }) => tables.documents.inFolder(id))
  return Promise.all(
    documents.map(async ({ id }) => (await core.handlers['documents.get']({ id })).records[0]?.['invoice_number']),
  )
}
