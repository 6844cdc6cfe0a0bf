import Sqlite from 'better-sqlite3'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { InstallationKey, makeToken } from '../../electron/core/callback/callback-token.ts'
import { Storage } from '../../electron/core/db/durability/storage.ts'
import type * as reading from '../../electron/core/platform/answer.ts'
import { until } from '../helpers/core.ts'
import { startVendor, successBody } from '../helpers/vendor.ts'
import { setUp } from './answers-setup.ts'
import type { Rig } from './answers-setup.ts'
import { strays, waitingRig } from './callback-rig.ts'

vi.mock('../../electron/core/platform/answer.ts', async (original) => {
  const actual = await original<typeof reading>()
  const readAnswer: typeof actual.readAnswer = (body, source) => {
    if (body.includes('what nobody foresaw')) throw new TypeError('it is not iterable')
    return actual.readAnswer(body, source)
  }
  return { ...actual, readAnswer }
})

async function rigThat(
  bodyOf: (filename: string) => string | Promise<string>,
): Promise<Rig & { received: () => number }> {
  const vendor = await startVendor(async ({ filename }) => ({ body: await bodyOf(filename) }))
  onTestFinished(vendor.close)
  const rig = await setUp(vendor.baseUrl, { timings: { storageRetryMs: 30 } })
  return Object.assign(rig, { received: () => vendor.received.length })
}

const sqliteError = (code: string) => Object.assign(new Error('not now'), { code })

describe('F13 a database that another program holds', () => {
  it('is waited for while an answer comes, which is kept', async () => {
    const open = vi.spyOn(Storage, 'open')
    const held: { other: Sqlite.Database | null } = { other: null }
    const rig = await rigThat((filename) => {
      held.other = new Sqlite(join(rig.dataDir, 'sheaf.db'))
      held.other.exec('BEGIN IMMEDIATE')
      return successBody(filename)
    })
    const storage = (await open.mock.results[0]!.value) as Storage
    open.mockRestore()
    // In place of five seconds.
    storage.db.pragma('busy_timeout = 10')
    const id = await rig.send('a.pdf')
    await until(() => rig.core.queue.storageTrouble !== null, 'the word that nothing can be written')
    expect(rig.document(id).status).toBe('submitting')
    held.other!.close()
    await until(() => rig.document(id).status === 'done' && rig.core.queue.storageTrouble === null, 'the result')
    rig.check(rig.received())
  })

  it('makes the window wait for a moment only, and is named as what it is', async () => {
    const rig = await rigThat(successBody)
    const other = new Sqlite(join(rig.dataDir, 'sheaf.db'))
    other.exec('BEGIN IMMEDIATE')
    const begun = performance.now()
    await expect(rig.core.handlers['settings.update']({ concurrency: 7 })).rejects.toMatchObject({
      code: 'SQLITE_BUSY',
    })
    expect(performance.now() - begun).toBeLessThan(2500)
    rig.core.queue.pause()
    expect(rig.core.queue.storageTrouble).toBe('busy')
    other.close()
    await until(() => rig.core.queue.storageTrouble === null, 'the database to be let go')
  })

  it.each(['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_CANTOPEN', 'SQLITE_NOMEM'])(
    'or a %s of its journal holds an answer back and loses none',
    async (code) => {
      const rig = await rigThat(successBody)
      const { attempts } = rig.core.context.tables
      const storeAnswer = attempts.storeAnswer.bind(attempts)
      let refusals = 2
      attempts.storeAnswer = (...values) => {
        if (refusals-- > 0) throw sqliteError(code)
        return storeAnswer(...values)
      }
      const id = await rig.send('a.pdf')
      await until(() => rig.document(id).status === 'done', 'the result')
      rig.check(rig.received())
    },
  )

  it('ends no process when not even a failure can be written', async () => {
    const rig = await rigThat(successBody)
    const { attempts, documents } = rig.core.context.tables
    const open = attempts.open.bind(attempts)
    const apply = documents.apply.bind(documents)
    let isDamaged = true
    attempts.open = (...values) => {
      if (isDamaged) throw sqliteError('SQLITE_ERROR')
      return open(...values)
    }
    documents.apply = Object.assign((...values: Parameters<typeof apply>) => {
      if (isDamaged && values[1] === 'fail') throw sqliteError('SQLITE_ERROR')
      return apply(...values)
    }, apply)
    const id = await rig.send('a.pdf')
    await until(() => rig.core.queue.storageTrouble !== null, 'the word that nothing can be written')
    isDamaged = false
    await until(() => rig.document(id).status === 'done', 'the result')
    rig.check(rig.received())
  })
})

describe('F27 an answer that nobody foresaw', () => {
  it('leaves no attempt open, keeps Sheaf from no start, and stays stored', async () => {
    const rig = await rigThat(() => '{"data":"what nobody foresaw"}')
    const id = await rig.send('a.pdf')
    await until(() => rig.document(id).status === 'unknown', 'the end of the attempt')
    expect(rig.attempts(id)).toMatchObject([{ outcome: 'lost' }])
    await rig.restart()
    expect(rig.document(id)).toMatchObject({ status: 'failed', reasonCode: 'answer_unreadable' })
    expect(rig.kept(id)).toHaveLength(1)
    await rig.restart()
    expect(rig.document(id)).toMatchObject({ status: 'failed' })
    rig.check(rig.received())
  })
})

describe('F27 a callback that nobody foresaw', () => {
  const body = '{"extract_id":"6f1c","data":"what nobody foresaw"}'

  it('is stored, so that whoever brought it may forget it, and ends its document with a reason', async () => {
    const rig = await waitingRig()
    expect(await rig.vendor.callBack(rig.callback(), body)).toBe(200)
    await until(() => rig.document().status === 'failed', 'the end of the document')
    expect(rig.document()).toMatchObject({ reasonCode: 'answer_unreadable' })
    expect(rig.kept().map(String)).toEqual([body])
    expect(await rig.vendor.callBack(rig.callback(), body)).toBe(200)
    rig.check()
  })

  it('is stored also where its attempt is not known, and keeps Sheaf from no start once it is', async () => {
    const rig = await waitingRig()
    const unknown = rig.callback().replace(/[^/]+$/, makeToken(new InstallationKey(rig.dataDir).get(), 'attempt'))
    expect(await rig.vendor.callBack(unknown, body)).toBe(200)
    expect(strays(rig.dataDir)).toBe(1)
    const { id } = rig.document()
    await rig.stop()
    const db = new Sqlite(join(rig.dataDir, 'sheaf.db'))
    db.exec('UPDATE stray_answers SET token_hash = (SELECT token_hash FROM attempts)')
    db.close()
    await rig.start()
    expect(rig.document(id)).toMatchObject({ status: 'failed', reasonCode: 'answer_unreadable' })
    expect(rig.kept(id).map(String)).toEqual([body])
    expect(rig.core().context.tables.callbacks.nextMatched()).toBeNull()
    await rig.stop()
    await rig.start()
    expect(rig.document(id)).toMatchObject({ status: 'failed' })
    rig.check()
  })
})
