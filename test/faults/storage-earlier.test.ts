import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { pdfBytes, startTestCore, statuses, until } from '../helpers/core.ts'
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

let { vendor, dir, documents, data } = {} as Finished
const { paths, started } = finishedFolder((finished) => void ({ vendor, dir, documents, data } = finished))

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
      expectInvariants(data, {
        paths: [...paths(), late],
        billable: vendor.received.length,
        filesSent: names.length,
        approvedResends: 0,
      })
    } finally {
      rmSync(late)
    }
  })

  it('is told by the journal also where it is of another data folder', async () => {
    const other = join(dir, 'other')
    const core = await startTestCore(other)
    await core.stop()
    cpSync(join(other, 'sheaf.db'), join(data, 'sheaf.db'))
    await started(async (next) => {
      expect(await recoveryOf(next)).toMatchObject({ how: 'earlier', journalLost: true })
    })
    rmSync(other, { recursive: true })
  })

  /** The database as it is, as a program for backups copies it. */
  const copied = (to: string): string => {
    const db = new Sqlite(join(data, 'sheaf.db'), { readonly: true })
    db.exec(`VACUUM INTO '${to}'`)
    db.close()
    return to
  }
  const generation = (name: string, value: number): void => change(join(data, name), `PRAGMA application_id = ${value}`)

  it.each<[string, (core: Core) => Promise<unknown>]>([
    ['the newest hourly snapshot', (core) => core.backUpIfDue()],
    ['a copy made in the last run', async () => copied(join(dir, 'copy.db'))],
    [
      'a copy made in the last run, just after a snapshot',
      async (core) => {
        await core.backUpIfDue()
        copied(join(dir, 'copy.db'))
      },
    ],
  ])('pauses what bills also where the journal has all that was sent since: %s', async (_what, copy) => {
    const late = join(documents, 'z.pdf')
    const before = vendor.received.length
    try {
      await started(async (core) => {
        core.queue.pause()
        writeFileSync(late, pdfBytes('z'))
        await until(() => statuses(core)['queued'] === 1, 'one more document')
        await copy(core)
        await core.handlers['documents.cancel']({
          ids: core.context.tables.documents.withStatus('queued').map(({ id }) => id),
        })
        core.queue.resume()
      }, true)
      const path = join(dir, 'copy.db')
      const earlier = existsSync(path) ? path : join(data, 'backups', readdirSync(join(data, 'backups')).sort().at(-1)!)
      cpSync(earlier, join(data, 'sheaf.db'))
      await started(async (core) => {
        expect(statuses(core)).toEqual({ done: names.length, queued: 1 })
        expect(pausesOf(core)).toEqual(['restored_from_snapshot'])
        expect(await recoveryOf(core)).toMatchObject({ how: 'earlier', journalLost: false })
        core.queue.resume()
        core.queue.wake()
        expect(core.queue.idle).toBe(true)
      }, true)
      expect(vendor.received).toHaveLength(before)
    } finally {
      for (const path of [late, join(dir, 'copy.db')]) rmSync(path, { force: true })
    }
  })

  it('is told also where single values of it cannot be read', async () => {
    const path = copied(join(dir, 'copy.db'))
    await started(() => undefined)
    cpSync(path, join(data, 'sheaf.db'))
    rmSync(path)
    change(join(data, 'sheaf.db'), flipAnswer)
    await started(async (core) => {
      expect((await valuesOf(core)).sort()).toEqual(allValues)
      expect(pausesOf(core)).toEqual(['restored_from_snapshot'])
      expect(await recoveryOf(core)).toMatchObject({ how: 'earlier', journalLost: false })
    })
  })

  it.each([
    ['a crash came before the journal heard of it', () => generation('journal.db', 1)],
    [
      'an earlier Sheaf left the folder, which counted nothing',
      () => ['sheaf.db', 'journal.db'].forEach((name) => generation(name, 0)),
    ],
    ['the journal was begun anew', () => rmSync(join(data, 'journal.db'))],
  ])('is not seen where %s', async (_what, before) => {
    before()
    for (const n of [1, 2]) {
      await started(async (core) => {
        expect([n, await recoveryOf(core), pausesOf(core)]).toEqual([n, null, [null]])
      })
    }
  })
})
