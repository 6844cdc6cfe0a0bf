import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, vi } from 'vitest'
import { Storage } from '../../electron/core/db/durability/storage.ts'
import { pdfBytes, statuses, until } from '../helpers/core.ts'
import { result, waitingRig } from './callback-rig.ts'
import {
  allValues,
  change,
  finishedFolder,
  flipAnswer,
  names,
  pausesOf,
  recoveryOf,
  valuesOf,
} from './finished-folder.ts'
import type { Finished } from './finished-folder.ts'
import { expectInvariants } from './invariants.ts'

let { vendor, documents, data } = {} as Finished
const { paths, asides, started } = finishedFolder((finished) => void ({ vendor, documents, data } = finished))

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
        if (n === 1)
          expect(await recoveryOf(core)).toMatchObject({ how: 'repaired', journalLost: false, attempts: 0, answers: 0 })
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
    expectInvariants(data, {
      paths: paths(),
      billable: vendor.received.length,
      filesSent: names.length,
      approvedResends: 0,
    })
  })

  it('is no reason to go back: every snapshot has it, but one of before the first document', async () => {
    const [old] = readdirSync(join(data, 'backups'))
    change(join(data, 'sheaf.db'), flipAnswer)
    for (const n of [2, 3])
      cpSync(join(data, 'sheaf.db'), join(data, 'backups', `00000${n}-hourly-2026-01-01T00-00-0${n}.000Z.db`))
    // The database itself cannot be read any more.
    writeFileSync(join(data, 'sheaf.db'), 'garbage')
    await started((core) => {
      expect(statuses(core)).toEqual({ done: names.length })
    })
    expect(existsSync(join(data, 'backups', old!))).toBe(true)
    expect(asides()).toHaveLength(1)
  })

  it('in stored values: they are read from their answer again', async () => {
    change(
      join(data, 'sheaf.db'),
      "UPDATE results SET records = '[{' WHERE id = 1; UPDATE results SET summary = '}' WHERE id = 3",
    )
    await started(async (core) => {
      expect(statuses(core)).toEqual({ done: names.length })
      expect((await valuesOf(core)).sort()).toEqual(allValues)
    }, true)
    expectInvariants(data, {
      paths: paths(),
      billable: vendor.received.length,
      filesSent: names.length,
      approvedResends: 0,
    })
  })

  it('in stored values and in their answer, of which there is no copy: the document says so', async () => {
    rmSync(join(data, 'journal.db'))
    change(join(data, 'sheaf.db'), `${flipAnswer}; UPDATE results SET records = '[{' WHERE answer_id = 2`)
    for (const n of [1, 2]) {
      await started((core) => {
        expect(statuses(core), `start ${n}`).toEqual({ done: names.length - 1, unknown: 1 })
        expect(core.context.tables.documents.withStatus('unknown')).toMatchObject([{ reasonCode: 'result_damaged' }])
      })
    }
    expectInvariants(data, {
      paths: paths(),
      billable: vendor.received.length,
      filesSent: names.length,
      approvedResends: 0,
    })
  })

  it.each([
    ['is read from it when the service sends it again', false],
    ['is read from it also where only the journal could take it at first', true],
  ])('in stored values and in their callback, of which there is no copy: the document %s', async (_what, isHeld) => {
    const rig = await waitingRig()
    const { id } = rig.document()
    expect(await rig.vendor.callBack(rig.callback(), result())).toBe(200)
    await rig.stop()
    rmSync(join(rig.dataDir, 'journal.db'))
    change(
      join(rig.dataDir, 'sheaf.db'),
      "UPDATE answers SET body = CAST('no JSON' AS BLOB) WHERE source = 'callback'; UPDATE results SET records = '[{'",
    )
    const open = vi.spyOn(Storage, 'open')
    await rig.start()
    const storage = (await open.mock.results[0]!.value) as Storage
    open.mockRestore()
    expect(rig.document(id)).toMatchObject({ status: 'unknown', reasonCode: 'result_damaged' })
    if (isHeld) storage.db.pragma('query_only = ON')
    expect(await rig.vendor.callBack(rig.callback(), result())).toBe(isHeld ? 503 : 200)
    storage.db.pragma('query_only = OFF')
    await until(() => rig.document(id).status === 'done', 'the result')
    expect(await rig.records(id)).toEqual([{ invoice_number: '9' }])
    expect(rig.kept(id).map(String)).toEqual([result()])
    rig.check()
  })

  it('in the fields of a schema: the journal knows what was asked for', async () => {
    rmSync(join(data, 'backups'), { recursive: true })
    change(join(data, 'sheaf.db'), "UPDATE schema_versions SET elements = '[{' WHERE id = 1")
    await started((core) => {
      expect(core.context.tables.schemas.list()[0]!.elements.map(({ name }) => name)).toEqual([
        'invoice_number',
        'total_amount',
      ])
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
        const [failed] = core.context.tables.documents.withStatus('failed')
        expect(failed).toMatchObject({ reasonCode: 'schema_damaged' })
        expect(vendor.received).toHaveLength(before)
        const [schema] = core.context.tables.schemas.list()
        await core.handlers['schemas.save']({
          id: schema!.id,
          name: schema!.name,
          elements: [{ name: 'invoice_number', format: 'text', description: 'number' }],
        })
        await core.handlers['documents.retry']({ ids: [failed!.id] })
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
    change(
      join(data, 'sheaf.db'),
      'UPDATE results SET answer_id = 999 WHERE id = 1; UPDATE folders SET connection_id = 999; UPDATE attempts SET resend_of = 999 WHERE id = 1',
    )
    for (const n of [1, 2]) {
      await started(async (core) => {
        expect(statuses(core), `start ${n}`).toEqual({ done: names.length })
        expect((await valuesOf(core)).sort()).toEqual(allValues)
        expect(core.context.tables.folders.list()).toMatchObject([{ paused: true }])
      })
    }
    expect(asides()).toHaveLength(1)
  })

  it('in the key by which a row refers to another: the row goes', async () => {
    change(
      join(data, 'sheaf.db'),
      `INSERT INTO archive_originals VALUES (999, 'a', 'b');
       INSERT INTO exports (schema_id, paths, format, rows, documents, created_at) SELECT min(id), '[]', 'csv', 1, 1, 1 FROM schemas;
       INSERT INTO booked_bills (export_id, document_id, record, content) SELECT max(id), 999, 0, x'00' FROM exports`,
    )
    await started((core) => expect(statuses(core)).toEqual({ done: names.length }))
    const db = new Sqlite(join(data, 'sheaf.db'), { readonly: true })
    for (const table of ['archive_originals', 'booked_bills'])
      expect(db.prepare(`SELECT count(*) AS rows FROM ${table}`).get()).toEqual({ rows: 0 })
    db.close()
  })
})

describe('F38 a bit that flipped in whether sending is paused', () => {
  it('leaves it paused, whatever a snapshot says', async () => {
    await started(async (core) => {
      core.queue.pause()
      core.queue.resume()
      await core.backUpIfDue()
    })
    change(join(data, 'sheaf.db'), "UPDATE settings SET value = 'tr5e' WHERE key = 'paused'")
    await started((core) => {
      expect(core.context.tables.settings.isPaused()).toBe(true)
    })
  })
})

describe('F38 a bit that flipped in a value of a large database', () => {
  /** More than is gone through at each start. */
  const grow =
    "INSERT INTO stray_answers (id, token_hash, received_at, body_sha256, body) VALUES (1, x'00', 1, x'00', zeroblob(70000000))"

  it.each([
    ['what the person set', "INSERT INTO settings VALUES ('settings', '{')"],
    ['a port', "INSERT OR REPLACE INTO settings VALUES ('callbackPort', '{')"],
    [
      'the reason of a document that waits',
      "UPDATE documents SET status = 'queued', reason_code = 'interrupted', reason_details = '{' WHERE id = 1",
    ],
    [
      'the reason of a document whose outcome is unknown',
      "UPDATE documents SET status = 'unknown', reason_code = 'interrupted', reason_details = '{' WHERE id = 1",
    ],
    ['why a connection is paused', "UPDATE connections SET paused_code = 'unauthorized', paused_details = '{'"],
    ['the fields of a schema', "UPDATE schema_versions SET elements = '[{' WHERE id = 1"],
  ])('is repaired where Sheaf could not work with it: %s', async (_what, flip) => {
    rmSync(join(data, 'backups'), { recursive: true })
    change(join(data, 'sheaf.db'), `${grow}; ${flip}`)
    await started(async (core) => {
      expect(await recoveryOf(core)).toMatchObject({ how: 'repaired' })
      await core.handlers['app.state']({})
      core.queue.wake()
      expect(Object.values(statuses(core)).reduce((sum, documents) => sum + documents)).toBe(names.length)
    })
    expect(asides()).toHaveLength(1)
  })
})

describe('F38 a value that is of another shape than it was', () => {
  it('costs that value and nothing else', async () => {
    await started(async (core) => {
      await core.handlers['settings.update']({ concurrency: 7, dailyDocumentCap: 50 })
    })
    change(
      join(data, 'sheaf.db'),
      `UPDATE settings SET value = replace(value, '7', '"q"') WHERE key = 'settings';
      INSERT OR REPLACE INTO settings VALUES ('recovery', '{"at":"soon"}'), ('paused', '[]'), ('callbackPort', '"x"')`,
    )
    await started(async (core) => {
      expect(core.context.tables.settings.get()).toMatchObject({ concurrency: 4, dailyDocumentCap: 50 })
      expect(await recoveryOf(core)).toBeNull()
      expect(statuses(core)).toEqual({ done: names.length })
    })
  })
})
