import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { addFolder, pdfBytes, startTestCore, statuses, temporaryDir, until } from '../helpers/core.ts'
import { startVendor, successBody } from '../helpers/vendor.ts'
import type { Vendor } from '../helpers/vendor.ts'
import { copyOf } from './damaged-folder.ts'
import { expectInvariants } from './invariants.ts'

const timings = { patrolMs: 50, quietMs: 50 }
const names = ['a.pdf', 'b.pdf', 'c.pdf']

let vendor: Vendor
let dir: ReturnType<typeof temporaryDir>
let documents: string
/** Three documents that are done, with a snapshot of before the first and one of after the last. */
let finished: string
let data: string

beforeAll(async () => {
  dir = temporaryDir()
  documents = join(dir.path, 'documents')
  finished = join(dir.path, 'finished')
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

beforeEach(() => {
  data = copyOf(finished, join(dir.path, 'data'))
})
afterEach(() => rmSync(data, { recursive: true }))

/** Changes a closed database as nothing of SQLite's own would notice. */
function change(path: string, sql: string): void {
  const db = new Sqlite(path)
  db.pragma('foreign_keys = OFF')
  db.exec(sql)
  db.close()
}

const paths = (): string[] => names.map((name) => join(documents, name))
const pausesOf = (core: Core) => core.context.tables.connections.list().flatMap(({ kind, pausedReason }) => (kind === 'platform' ? [pausedReason?.code ?? null] : []))
const asides = (): string[] => (existsSync(join(data, 'broken')) ? readdirSync(join(data, 'broken')) : [])

async function started(look: (core: Core) => void | Promise<void>, isRun = false): Promise<void> {
  const core = await startTestCore(data, { timings })
  try {
    if (isRun) await core.run()
    await look(core)
  } finally {
    await core.stop({ atOnce: true })
  }
}

const recoveryOf = async (core: Core) => (await core.handlers['app.state']({})).recovery

async function valuesOf(core: Core): Promise<unknown[]> {
  const { tables } = core.context
  const jobs = tables.folders.list().flatMap(({ id }) => tables.jobs.inFolder(id))
  return Promise.all(jobs.map(async ({ id }) => (await core.handlers['jobs.get']({ id })).records[0]?.['invoice_number']))
}

const flipAnswer = "UPDATE answers SET body = CAST(replace(CAST(body AS TEXT), 'success', 'succe3s') AS BLOB) WHERE id = 2"
const allValues = names.map((name) => name.replace('.pdf', ''))

describe('F38 a bit that flipped in a value', () => {
  it.each([
    ['is put right from the journal where it was in an answer', () => undefined, 0],
    ['is said once where no copy has the answer, and costs no other row', () => rmSync(join(data, 'journal.db')), 1],
  ])('%s', async (_what, before, damaged) => {
    before()
    change(join(data, 'sheaf.db'), flipAnswer)
    for (const n of [1, 2, 3]) {
      await started(async (core) => {
        expect(statuses(core), `start ${n}`).toEqual({ done: names.length })
        expect((await valuesOf(core)).sort()).toEqual(allValues)
        if (n === 1) expect(await recoveryOf(core)).toMatchObject({ how: 'repaired', journalLost: false, attempts: 0, answers: 0 })
        else expect(await recoveryOf(core)).toBeNull()
        // Nothing that was sent is unknown.
        expect(pausesOf(core)).toEqual([null])
        await core.handlers['storage.dismissRecovery']({})
      })
    }
    expect(asides()).toHaveLength(1)
    const db = new Sqlite(join(data, 'sheaf.db'), { readonly: true })
    expect(db.prepare('SELECT count(*) AS damaged FROM answers WHERE damaged = 1').get()).toEqual({ damaged })
    db.close()
    expectInvariants(data, { paths: paths(), billable: vendor.received.length, filesSent: names.length, approvedResends: 0 })
  })

  it('is no reason to go back: every snapshot has it, but one of before the first document', async () => {
    const [old] = readdirSync(join(data, 'backups'))
    change(join(data, 'sheaf.db'), flipAnswer)
    for (const n of [2, 3]) cpSync(join(data, 'sheaf.db'), join(data, 'backups', `00000${n}-hourly-2026-01-01T00-00-0${n}.000Z.db`))
    // The database itself cannot be read any more.
    writeFileSync(join(data, 'sheaf.db'), 'garbage')
    await started((core) => {
      expect(statuses(core)).toEqual({ done: names.length })
    })
    expect(existsSync(join(data, 'backups', old!))).toBe(true)
    expect(asides()).toHaveLength(1)
  })

  it('in stored values: they are read from their answer again', async () => {
    change(join(data, 'sheaf.db'), "UPDATE results SET records = '[{' WHERE id = 1; UPDATE results SET summary = '}' WHERE id = 3")
    await started(async (core) => {
      expect(statuses(core)).toEqual({ done: names.length })
      expect((await valuesOf(core)).sort()).toEqual(allValues)
    }, true)
    expectInvariants(data, { paths: paths(), billable: vendor.received.length, filesSent: names.length, approvedResends: 0 })
  })

  it('in stored values and in their answer, of which there is no copy: the document says so', async () => {
    rmSync(join(data, 'journal.db'))
    change(join(data, 'sheaf.db'), `${flipAnswer}; UPDATE results SET records = '[{' WHERE answer_id = 2`)
    for (const n of [1, 2]) {
      await started((core) => {
        expect(statuses(core), `start ${n}`).toEqual({ done: names.length - 1, unknown: 1 })
        expect(core.context.tables.jobs.withStatus('unknown')).toMatchObject([{ reasonCode: 'result_damaged' }])
      })
    }
    expectInvariants(data, { paths: paths(), billable: vendor.received.length, filesSent: names.length, approvedResends: 0 })
  })

  it('in the fields of a schema: the journal knows what was asked for', async () => {
    rmSync(join(data, 'backups'), { recursive: true })
    change(join(data, 'sheaf.db'), "UPDATE schema_versions SET elements = '[{' WHERE id = 1")
    await started((core) => {
      expect(core.context.tables.schemas.list()[0]!.elements.map(({ name }) => name)).toEqual(['invoice_number', 'total_amount'])
    })
  })

  it('in the fields of a schema that nothing else knows: nothing is sent without fields, until they are saved again', async () => {
    for (const name of ['backups', 'journal.db']) rmSync(join(data, name), { recursive: true })
    change(join(data, 'sheaf.db'), "UPDATE schema_versions SET elements = '[{' WHERE id = 1")
    const late = join(documents, 'late.pdf')
    writeFileSync(late, pdfBytes('late'))
    try {
      const before = vendor.received.length
      await started(async (core) => {
        await until(() => statuses(core)['failed'] === 1, 'the document that cannot go')
        const [failed] = core.context.tables.jobs.withStatus('failed')
        expect(failed).toMatchObject({ reasonCode: 'schema_damaged' })
        expect(vendor.received).toHaveLength(before)
        const [schema] = core.context.tables.schemas.list()
        await core.handlers['schemas.save']({ id: schema!.id, name: schema!.name, elements: [{ name: 'invoice_number', format: 'text', description: 'number' }] })
        await core.handlers['jobs.retry']({ ids: [failed!.id] })
        await until(() => statuses(core)['done'] === names.length + 1, 'the document with its fields')
      }, true)
      expect(vendor.received).toHaveLength(before + 1)
      vendor.received.length = before
    } finally {
      rmSync(late)
    }
  })

  it('in a setting: it is as the newest snapshot has it, and at its default where none does', async () => {
    await started(async (core) => {
      await core.handlers['settings.update']({ concurrency: 7 })
      await core.handlers['storage.backUp']({})
    })
    change(join(data, 'sheaf.db'), "UPDATE settings SET value = '{' WHERE key = 'settings'")
    await started((core) => {
      expect(core.context.tables.settings.get().concurrency).toBe(7)
    })
    rmSync(join(data, 'backups'), { recursive: true })
    change(join(data, 'sheaf.db'), "UPDATE settings SET value = '{' WHERE key = 'settings'")
    await started((core) => {
      expect(core.context.tables.settings.get().concurrency).not.toBe(7)
      expect(statuses(core)).toEqual({ done: names.length })
    })
  })

  it('in what a row refers to: it is settled once', async () => {
    change(join(data, 'sheaf.db'), "UPDATE results SET answer_id = 999 WHERE id = 1; UPDATE folders SET connection_id = 999; UPDATE attempts SET resend_of = 999 WHERE id = 1")
    for (const n of [1, 2]) {
      await started(async (core) => {
        expect(statuses(core), `start ${n}`).toEqual({ done: names.length })
        expect((await valuesOf(core)).sort()).toEqual(allValues)
        expect(core.context.tables.folders.list()).toMatchObject([{ paused: true }])
      })
    }
    expect(asides()).toHaveLength(1)
  })
})

describe('F38 an earlier database in the place of a later one', () => {
  it('is told by the journal, which does not reach back so far', async () => {
    const earlier = join(data, 'backups', readdirSync(join(data, 'backups'))[0]!)
    // A snapshot of later: what was before it is pruned.
    await started(async (core) => {
      await core.backUpIfDue()
    })
    cpSync(earlier, join(data, 'sheaf.db'))
    await started(async (core) => {
      expect(await recoveryOf(core)).toMatchObject({ how: 'earlier', setAsideIn: null, journalLost: true })
    })
    await started(async (core) => {
      // Said until it is read, and no second time.
      expect(await recoveryOf(core)).toMatchObject({ how: 'earlier' })
    })
  })

  it('pauses the connections that it knows', async () => {
    await started(async (core) => {
      await core.handlers['storage.backUp']({})
    })
    const manual = join(data, 'backups', readdirSync(join(data, 'backups')).sort().at(-1)!)
    const late = join(documents, 'z.pdf')
    writeFileSync(late, pdfBytes('z'))
    try {
      await started(async (core) => {
        await until(() => statuses(core)['done'] === names.length + 1, 'one more document')
        await core.backUpIfDue()
      }, true)
      const before = vendor.received.length
      cpSync(manual, join(data, 'sheaf.db'))
      await started(async (core) => {
        expect(await recoveryOf(core)).toMatchObject({ how: 'earlier' })
        expect(pausesOf(core)).toEqual(['restored_from_snapshot'])
        await until(() => statuses(core)['queued'] === 1, 'the document that it does not know')
      }, true)
      expect(vendor.received).toHaveLength(before)
      vendor.received.length = names.length
      expectInvariants(data, { paths: [...paths(), late], billable: vendor.received.length, filesSent: names.length, approvedResends: 0 })
    } finally {
      rmSync(late)
    }
  })

  it('is told by the journal also where it is of another data folder', async () => {
    const other = join(dir.path, 'other')
    const core = await startTestCore(other, { timings })
    await core.stop()
    cpSync(join(other, 'sheaf.db'), join(data, 'sheaf.db'))
    await started(async (next) => {
      expect(await recoveryOf(next)).toMatchObject({ how: 'earlier', journalLost: true })
    })
    rmSync(other, { recursive: true })
  })
})
