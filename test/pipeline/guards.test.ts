import { lstat, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Core, CoreOptions } from '../../electron/core/core.ts'
import type { Folder } from '../../electron/core/db/tables/folders.ts'
import type { StoredDocument } from '../../electron/core/db/tables/documents.ts'
import { candidateAt } from '../../electron/core/pipeline/files/file-rules.ts'
import { takeIn } from '../helpers/take-in.ts'
import { FolderWatcher } from '../../electron/core/pipeline/watch.ts'
import { diskAccess } from '../../electron/core/files/file-access.ts'
import { defaultTimings } from '../../electron/core/timings.ts'
import { calls } from '../../shared/contract/contract.ts'
import { dispatch } from '../../shared/contract/dispatch.ts'
import { addFolder, pdfBytes, startTestCore, statuses, temporaryDir, until } from '../helpers/core.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { Vendor, VendorReply } from '../helpers/vendor.ts'

type Setup = {
  core: Core
  vendor: Vendor
  dir: string
  folder: Folder
  document: (id: number) => StoredDocument
  take: (path: string) => Promise<number>
}

async function setUp(
  reply: (index: number) => VendorReply | Promise<VendorReply> = () => ({}),
  options: Partial<CoreOptions> = {},
): Promise<Setup> {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  const vendor = await startVendor((_document, index) => reply(index))
  onTestFinished(vendor.close)
  const core = await startTestCore(join(dir.path, 'data'), options)
  onTestFinished(() => core.stop({ atOnce: true }))
  const inbox = join(dir.path, 'in')
  await mkdir(inbox)
  const folder = addFolder(core, vendor, { path: inbox })
  return {
    core,
    vendor,
    dir: dir.path,
    folder,
    document: (id) => core.context.tables.documents.get(id)!,
    take: async (path) => {
      const id = await takeIn(
        core.context,
        core.context.tables.folders.get(folder.id)!,
        candidateAt(path, await lstat(path)),
      )
      core.queue.wake()
      return id
    },
  }
}

describe('a change of one thing', () => {
  it('leaves the other settings as they are', async () => {
    const { core } = await setUp()
    await dispatch(calls, core.handlers, 'settings.update', { language: 'de', concurrency: 7, firstRunDone: true })
    expect(await dispatch(calls, core.handlers, 'settings.update', { theme: 'dark' })).toEqual({
      ok: true,
      value: {
        language: 'de',
        concurrency: 7,
        firstRunDone: true,
        theme: 'dark',
        dailyDocumentCap: null,
        dailyTokenCap: null,
        resendUnknown: false,
        notifyWhenDone: false,
        updates: true,
        staysInTray: true,
        startsAtLogin: false,
        documentColumns: { shown: null, widths: {} },
        localService: true,
        readingLanguages: ['deu', 'fra', 'eng', 'spa'],
      },
    })
  })

  it('leaves agent, way and subfolders of a folder as they are when it is paused', async () => {
    const { core, folder } = await setUp()
    await dispatch(calls, core.handlers, 'folders.update', {
      id: folder.id,
      agentReference: 'inv-1',
      mode: 'sync',
      includeSubfolders: false,
    })
    await dispatch(calls, core.handlers, 'folders.update', { id: folder.id, paused: true })
    expect(core.context.tables.folders.get(folder.id)).toMatchObject({
      agentReference: 'inv-1',
      mode: 'sync',
      includeSubfolders: false,
      paused: true,
    })
  })

  it('of a folder’s agent holds for what already waits', async () => {
    const { core, vendor, folder, dir, take, document } = await setUp((index) =>
      index === 0 ? { status: 404, body: '{}' } : {},
    )
    await dispatch(calls, core.handlers, 'folders.update', { id: folder.id, agentReference: 'wrong' })
    await writeFile(join(dir, 'in', 'a.pdf'), pdfBytes('a'))
    const id = await take(join(dir, 'in', 'a.pdf'))
    await until(() => document(id).reasonCode === 'agent_not_found', 'the refusal')
    await dispatch(calls, core.handlers, 'folders.update', { id: folder.id, agentReference: 'right', paused: false })
    await until(() => document(id).status === 'done', 'the result')
    expect(vendor.received.map((document) => document.path)).toEqual(['/v2/extractor/wrong', '/v2/extractor/right'])
  })
})

describe('slots', () => {
  it('are all used: one slot works through everything, four are busy at once', async () => {
    for (const concurrency of [1, 4]) {
      let arrived = 0
      const all = async (): Promise<VendorReply> => {
        arrived += 1
        // No answer before every slot has sent something.
        await until(() => arrived >= concurrency, 'every slot to be used')
        return {}
      }
      const { core, vendor, dir, take } = await setUp(all, { concurrency })
      for (let index = 0; index < 12; index += 1) {
        const path = join(dir, 'in', `${index}.pdf`)
        await writeFile(path, pdfBytes(`${concurrency} ${index}`))
        await take(path)
      }
      await until(() => statuses(core)['done'] === 12, 'all twelve')
      expect(vendor.maxAtOnce()).toBe(concurrency)
    }
  })
})

describe('a retry', () => {
  it('does not get a file past the rules of intake', async () => {
    const { core, vendor, dir, take, document } = await setUp()
    const secret = join(dir, 'secret.pdf')
    await writeFile(secret, pdfBytes('secret'))
    await symlink(secret, join(dir, 'in', 'link.pdf'))
    await writeFile(join(dir, 'in', 'notes.txt'), 'text')
    const ids = [await take(join(dir, 'in', 'link.pdf')), await take(join(dir, 'in', 'notes.txt'))]
    await core.handlers['documents.retry']({ ids })
    await until(() => ids.every((id) => document(id).status === 'skipped'), 'both to be skipped again')
    expect(ids.map((id) => document(id).reasonCode)).toEqual(['symbolic_link', 'unsupported_type'])
    expect(vendor.received).toHaveLength(0)
  })

  it('of a copy does not send it while its original is there', async () => {
    const { core, vendor, dir, take, document } = await setUp()
    await writeFile(join(dir, 'in', 'a.pdf'), pdfBytes('same'))
    await writeFile(join(dir, 'in', 'b.pdf'), pdfBytes('same'))
    const original = await take(join(dir, 'in', 'a.pdf'))
    await until(() => document(original).status === 'done', 'the original')
    const copy = await take(join(dir, 'in', 'b.pdf'))
    await core.handlers['documents.retry']({ ids: [copy] })
    await until(() => document(copy).status === 'skipped', 'the copy to be skipped again')
    expect(document(copy).originalDocumentId).toBe(original)
    expect(vendor.received).toHaveLength(1)
  })
})

describe('what was received', () => {
  it('is read after a restart when the process ended between storing and reading it', async () => {
    const { core, vendor, dir, take, document, folder } = await setUp(() => ({
      body: '{"status":"started","extract_id":"x1"}',
    }))
    core.context.tables.folders.save({ ...folder, mode: 'async' })
    await writeFile(join(dir, 'in', 'a.pdf'), pdfBytes('a'))
    const id = await take(join(dir, 'in', 'a.pdf'))
    await until(() => document(id).status === 'waiting', 'the acceptance')
    const attempt = core.context.tables.attempts.ofDocument(id)[0]!
    const body = '{"status":"success","extract_id":"x1","data":{"invoice_number":"7"},"metadata":{}}'
    core.context.tables.attempts.storeAnswer(
      {
        attemptId: attempt.id,
        source: 'callback',
        httpStatus: null,
        contentType: null,
        body: Buffer.from(body),
        complete: true,
      },
      1,
    )
    // The service, not having heard 200, sends it again.
    expect(await vendor.callBack(vendor.received[0]!.callback!, body)).toBe(200)
    expect(document(id).status).toBe('done')

    const second = join(dir, 'in', 'b.pdf')
    await writeFile(second, pdfBytes('b'))
    const other = await take(second)
    await until(() => document(other).status === 'waiting', 'the second acceptance')
    const open = core.context.tables.attempts.ofDocument(other)[0]!
    core.context.tables.attempts.storeAnswer(
      {
        attemptId: open.id,
        source: 'callback',
        httpStatus: null,
        contentType: null,
        body: Buffer.from(body.replace('7', '8')),
        complete: true,
      },
      1,
    )
    await core.stop({ atOnce: true })
    const again = await startTestCore(join(dir, 'data'))
    onTestFinished(() => again.stop({ atOnce: true }))
    expect(again.context.tables.documents.get(other)!.status).toBe('done')
  })

  it('for another extract_id than the accepted one is kept and not applied', async () => {
    const { core, vendor, dir, take, document, folder } = await setUp(() => ({
      body: '{"status":"started","extract_id":"x1"}',
    }))
    core.context.tables.folders.save({ ...folder, mode: 'async' })
    await writeFile(join(dir, 'in', 'a.pdf'), pdfBytes('a'))
    const id = await take(join(dir, 'in', 'a.pdf'))
    await until(() => document(id).status === 'waiting', 'the acceptance')
    expect(
      await vendor.callBack(
        vendor.received[0]!.callback!,
        '{"status":"success","extract_id":"x2","data":{},"metadata":{}}',
      ),
    ).toBe(200)
    expect(document(id).status).toBe('waiting')
    expect(core.context.tables.attempts.answers(core.context.tables.attempts.ofDocument(id)[0]!.id)).toHaveLength(2)
  })

  it('is kept also when it is a refusal without words', async () => {
    const { core, dir, take, document } = await setUp(() => ({ status: 422, body: '{"error":{"message":"no"}}' }))
    await writeFile(join(dir, 'in', 'a.pdf'), pdfBytes('a'))
    const id = await take(join(dir, 'in', 'a.pdf'))
    await until(() => document(id).status === 'failed', 'the refusal')
    expect(core.context.tables.attempts.answers(core.context.tables.attempts.ofDocument(id)[0]!.id)).toHaveLength(1)
  })

  it('is held until there is room to store it, and then recorded without a second request', async () => {
    const { core, vendor, dir, take, document } = await setUp()
    const { results } = core.context.tables
    const insert = results.insert.bind(results)
    let refusals = 0
    results.insert = (...values) => {
      refusals += 1
      if (refusals === 1) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
      return insert(...values)
    }
    await writeFile(join(dir, 'in', 'a.pdf'), pdfBytes('a'))
    const id = await take(join(dir, 'in', 'a.pdf'))
    await until(() => document(id).status === 'done', 'the result')
    expect(core.queue.paused).toBe(false)
    expect(vendor.received).toHaveLength(1)
  })
})

describe('a folder that is out of reach', () => {
  it('leaves its queued files waiting and goes on when it is back', async () => {
    const { core, vendor, dir, take, document } = await setUp()
    const inbox = join(dir, 'in')
    core.queue.pause()
    await writeFile(join(inbox, 'a.pdf'), pdfBytes('a'))
    const id = await take(join(inbox, 'a.pdf'))
    await rename(inbox, `${inbox}-gone`)
    core.queue.resume()
    await until(() => document(id).reasonCode === 'folder_offline', 'the folder to be offline')
    expect(document(id).status).toBe('queued')
    await rename(`${inbox}-gone`, inbox)
    await until(() => document(id).status === 'done', 'the result')
    expect(vendor.received).toHaveLength(1)
  })

  it('fails a file that is gone from a folder that is there', async () => {
    const { core, dir, take, document } = await setUp()
    core.queue.pause()
    await writeFile(join(dir, 'in', 'a.pdf'), pdfBytes('a'))
    const id = await take(join(dir, 'in', 'a.pdf'))
    await rm(join(dir, 'in', 'a.pdf'))
    core.queue.resume()
    await until(() => document(id).status === 'failed', 'the failure')
    expect(document(id).reasonCode).toBe('file_missing')
  })
})

describe('refusals', () => {
  it('with Retry-After 0 are not a storm of uploads', async () => {
    const refused: number[] = []
    const { vendor, dir, take, document } = await setUp((index) => {
      refused.push(Date.now())
      return index < 2 ? { status: 429, body: '{}', headers: { 'retry-after': '0' } } : {}
    })
    await writeFile(join(dir, 'in', 'a.pdf'), pdfBytes('a'))
    const id = await take(join(dir, 'in', 'a.pdf'))
    await until(() => document(id).status === 'done', 'the result')
    expect(vendor.received).toHaveLength(3)
    expect(refused[1]! - refused[0]!).toBeGreaterThanOrEqual(900)
  })

  it('of several files at once are one refusal for the back-off', async () => {
    const { core, dir, take, folder } = await setUp(
      (index) => (index < 4 ? { status: 503, body: '{}', delayMs: 50 } : {}),
      { concurrency: 4 },
    )
    for (const name of ['a', 'b', 'c', 'd']) {
      await writeFile(join(dir, 'in', `${name}.pdf`), pdfBytes(name))
      await take(join(dir, 'in', `${name}.pdf`))
    }
    await until(() => core.queue.failuresOf(folder.connectionId) > 0 && core.queue.idle, 'the refusals')
    expect(core.queue.failuresOf(folder.connectionId)).toBe(1)
    await until(() => statuses(core)['done'] === 4, 'all four')
  })

  it('because the secret cannot be read pause the connection and fail nothing', async () => {
    const { core, dir, take, document } = await setUp(() => ({}), {
      secrets: {
        get: () => Promise.reject(new Error('locked')),
        set: async () => undefined,
        remove: async () => undefined,
      },
    })
    await writeFile(join(dir, 'in', 'a.pdf'), pdfBytes('a'))
    const id = await take(join(dir, 'in', 'a.pdf'))
    await until(
      () =>
        core.context.tables.connections
          .list()
          .some((connection) => connection.pausedReason?.code === 'secret_unavailable'),
      'the pause',
    )
    expect(document(id).status).toBe('queued')
  })
})

describe('a half-copied file', () => {
  it('is not taken although the clock of its share is far behind', async () => {
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    const bytes = pdfBytes('half')
    await writeFile(join(dir.path, 'a.pdf'), bytes.subarray(0, 1000))
    const taken: number[] = []
    const clock = { skewMs: 60_000 }
    const watcher = new FolderWatcher({
      path: dir.path,
      includeSubfolders: false,
      files: diskAccess,
      timings: defaultTimings,
      known: () => new Map(),
      onPresent: () => undefined,
      ignores: () => false,
      isLeftOut: () => false,
      take: async (candidates) => void taken.push(...candidates.map(({ sizeBytes }) => sizeBytes)),
      onOnline: () => undefined,
      onLeftOut: () => undefined,
      onArriving: () => undefined,
      onTrouble: (error) => {
        throw error
      },
      now: () => Date.now() + clock.skewMs,
    })
    await watcher.sweep()
    await watcher.sweep()
    expect(taken).toEqual([])
    await writeFile(join(dir.path, 'a.pdf'), bytes)
    await watcher.sweep()
    await watcher.stop()
    expect(taken).toEqual([bytes.length])
  })
})
