import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Core, CoreOptions } from '../../electron/core/core.ts'
import type { Folder, FolderValues } from '../../electron/core/db/tables/folders.ts'
import { diskAccess } from '../../electron/core/files/file-access.ts'
import { addFolder, onThisComputer, pdfBytes, startTestCore, temporaryDir, until } from '../helpers/core.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { Received, Vendor, VendorOptions, VendorReply } from '../helpers/vendor.ts'

type Rig = {
  core: Core
  vendor: Vendor
  folder: Folder
  put: (name: string) => Promise<void>
  statusOf: (name: string) => string | null
  reasonOf: (name: string) => string | null
  sent: () => string[]
}
type Given = {
  reply?: (document: Received) => VendorReply | Promise<VendorReply>
  vendor?: VendorOptions
  folder?: Partial<FolderValues>
  core?: (vendor: Vendor) => Partial<CoreOptions>
}

/** Core that watches one folder, of which it sends one document at a time to a vendor. */
async function setUp({
  reply = () => ({}),
  vendor: options = {},
  folder: values = {},
  core: more = () => ({}),
}: Given): Promise<Rig> {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  const vendor = await startVendor(reply, options)
  onTestFinished(vendor.close)
  const documents = temporaryDir('sheaf-watched-')
  onTestFinished(documents.remove)
  const given = more(vendor)
  const core = await startTestCore(dir.path, {
    concurrency: 1,
    ...given,
    timings: { sweepIntervalMs: 50, quietMs: 30, graceMs: 200, firstRetryMs: 20, longestRetryMs: 50, ...given.timings },
  })
  onTestFinished(() => core.stop({ atOnce: true }))
  const folder = addFolder(core, vendor, { path: documents.path, ...values })
  await core.run()
  const documentOf = (name: string) => core.context.tables.documents.latestAt(folder.id, join(documents.path, name))
  return {
    core,
    vendor,
    folder,
    put: (name) => writeFile(join(documents.path, name), pdfBytes(name)),
    statusOf: (name) => documentOf(name)?.status ?? null,
    reasonOf: (name) => documentOf(name)?.reasonCode ?? null,
    sent: () => vendor.received.map(({ filename }) => filename),
  }
}

describe('a document that is about to be sent', () => {
  const stops: [string, (rig: Rig) => void, (rig: Rig) => void][] = [
    ['sending was paused', ({ core }) => core.queue.pause(), ({ core }) => core.queue.resume()],
    [
      'its connection was paused',
      ({ core, folder }) => core.context.tables.connections.pause(folder.connectionId, 'credentials_refused', {}),
      ({ core, folder }) => void core.handlers['connections.resume']({ id: folder.connectionId }),
    ],
    [
      'its folder was paused',
      ({ core, folder }) => core.context.tables.folders.pause(folder.id),
      ({ core, folder }) => void core.handlers['folders.update']({ id: folder.id, paused: false }),
    ],
    [
      'its service asked to wait',
      ({ core, folder }) => core.context.tables.connections.throttleUntil(folder.connectionId, Date.now() + 600_000),
      ({ core, folder }) => {
        core.context.tables.connections.throttleUntil(folder.connectionId, Date.now())
        core.queue.wake()
      },
    ],
  ]

  it.each(stops)('waits where %s while its token was fetched, and goes afterwards', async (_what, stop, goOn) => {
    const asked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const token: VendorOptions['token'] = async () => {
      asked.resolve()
      await released.promise
      return null
    }
    const rig = await setUp({ vendor: { token } })
    await rig.put('a.pdf')
    await asked.promise
    stop(rig)
    released.resolve()
    await until(() => rig.core.queue.idle, 'the document to be laid back')
    expect([rig.statusOf('a.pdf'), rig.sent()]).toEqual(['queued', []])
    goOn(rig)
    await until(() => rig.statusOf('a.pdf') === 'done', 'the document')
    expect(rig.sent()).toEqual(['a.pdf'])
  })

  it('is not sent any more once Sheaf is told to end, however long a share takes to answer', async () => {
    const moving = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    // A share without links, where the copy is not answered.
    const link = async (): Promise<never> => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' }))
    const copyFile = async (): Promise<never> => {
      moving.resolve()
      return new Promise(() => undefined)
    }
    const rig = await setUp({
      reply: async ({ filename }) => {
        if (filename !== 'b.pdf') return {}
        asked.resolve()
        await answered.promise
        return {}
      },
      folder: { afterwards: 'move' },
      core: () => ({ files: { ...diskAccess, link, copyFile }, timings: { fileAccessMs: 1000 } }),
    })
    await rig.put('a.pdf')
    await until(() => rig.statusOf('a.pdf') === 'done', 'the first document')
    await moving.promise
    for (const name of ['b.pdf', 'c.pdf']) await rig.put(name)
    await asked.promise
    await until(() => rig.statusOf('c.pdf') === 'queued', 'the last document')
    const stopped = rig.core.stop()
    answered.resolve()
    await stopped
    expect(rig.sent()).toEqual(['a.pdf', 'b.pdf'])
  })
})

describe('a document of a folder that was removed while it was under way', () => {
  it('is cancelled like those that waited there when the service did not take it', async () => {
    const asked = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    const rig = await setUp({
      reply: async () => {
        asked.resolve()
        await answered.promise
        return { status: 503, body: '{"status":"error","error":"busy"}' }
      },
    })
    await rig.put('a.pdf')
    await asked.promise
    await rig.core.handlers['folders.remove']({ id: rig.folder.id })
    answered.resolve()
    await until(() => rig.statusOf('a.pdf') === 'cancelled', 'the document to be cancelled')
    expect([rig.reasonOf('a.pdf'), rig.sent()]).toEqual(['folder_removed', ['a.pdf']])
  })
})

describe('a document over whose answer Sheaf stumbles', () => {
  it('may be billed and says so; its answer is kept and can be read again', async () => {
    const rig = await setUp({})
    const { results, documents } = rig.core.context.tables
    const insert = results.insert.bind(results)
    results.insert = () => {
      throw new Error('nobody foresaw this')
    }
    await rig.put('a.pdf')
    await until(() => rig.statusOf('a.pdf') === 'unknown', 'the document')
    expect(rig.reasonOf('a.pdf')).toBe('outcome_unread')
    results.insert = insert
    const { id } = documents.withStatus('unknown')[0]!
    await rig.core.handlers['documents.readAgain']({ ids: [id] })
    expect([rig.statusOf('a.pdf'), rig.sent()]).toEqual(['done', ['a.pdf']])
  })
})

async function useThisComputer({ core, folder }: Rig): Promise<void> {
  const { tables } = core.context
  tables.folders.save({ ...folder, connectionId: tables.connections.local().id })
  await core.watchers.follow()
}

describe('a service on this computer that dies', () => {
  const names = Array.from({ length: 8 }, (_, index) => `${index}.pdf`)

  /** Eight documents, four at once; `dies` says whether the service dies of a document, and of all that it has then. */
  async function eightDocuments(dies: (name: string) => boolean): Promise<Rig> {
    const underWay = new Set<(reply: VendorReply) => void>()
    const rig = await setUp({
      reply: ({ filename }) =>
        new Promise((resolve) => {
          underWay.add(resolve)
          setTimeout(() => {
            if (!underWay.has(resolve)) return
            const isDead = dies(filename)
            for (const end of isDead ? [...underWay] : [resolve]) {
              underWay.delete(end)
              end(isDead ? { drop: true } : {})
            }
          }, 50)
        }),
      core: (vendor) => ({ localService: onThisComputer(vendor), concurrency: 4 }),
    })
    await useThisComputer(rig)
    rig.core.queue.pause()
    for (const name of names) await rig.put(name)
    await until(() => names.every((name) => rig.statusOf(name) === 'queued'), 'the queue')
    rig.core.queue.resume()
    const isOver = (name: string) => ['done', 'failed'].includes(rig.statusOf(name) ?? '')
    await until(() => names.every(isOver), 'all documents')
    return rig
  }

  it('four times because it is killed fails no document', async () => {
    let requests = 0
    const killed = [1, 2, 3, 4]
    const rig = await eightDocuments(() => killed.includes((requests += 1)))
    expect(names.map((name) => rig.statusOf(name))).toEqual(names.map(() => 'done'))
  })

  it.each([0, 5, 7])('of one document reads all others, and ends that one with a reason: %i', async (index) => {
    const rig = await eightDocuments((name) => name === `${index}.pdf`)
    for (const name of names) expect(rig.statusOf(name)).toBe(name === `${index}.pdf` ? 'failed' : 'done')
    expect(rig.reasonOf(`${index}.pdf`)).toBe('service_gave_up')
  })
})

describe('a document of this computer that had to wait for other reasons', () => {
  it('is not given up at the first breakdown of the service', async () => {
    let refusals = 0
    let breakdowns = 0
    const rig = await setUp({
      reply: () => {
        if (refusals++ < 4) return { status: 503, body: '{"status":"error","error":"busy"}' }
        return breakdowns++ < 2 ? { drop: true } : {}
      },
      core: (vendor) => ({ localService: onThisComputer(vendor) }),
    })
    await useThisComputer(rig)
    await rig.put('a.pdf')
    await until(() => ['done', 'failed'].includes(rig.statusOf('a.pdf') ?? ''), 'the document')
    expect([rig.statusOf('a.pdf'), rig.sent().length]).toEqual(['done', 7])
  })
})

describe('a document that this computer reads when Sheaf ends', () => {
  it('is broken off at once, however often, and read at the next start', async () => {
    const [dir, documents] = [temporaryDir(), temporaryDir('sheaf-watched-')]
    for (const { remove } of [dir, documents]) onTestFinished(remove)
    let isAnswered = false
    const vendor = await startVendor(() => (isAnswered ? {} : new Promise<VendorReply>(() => undefined)))
    onTestFinished(vendor.close)
    const start = () => startTestCore(dir.path, { localService: onThisComputer(vendor), timings: { graceMs: 600_000 } })
    await writeFile(join(documents.path, 'a.pdf'), pdfBytes('a'))
    for (let starts = 1; starts <= 6; starts += 1) {
      const core = await start()
      if (starts === 1)
        addFolder(core, vendor, { path: documents.path, connectionId: core.context.tables.connections.local().id })
      await core.run()
      await until(() => vendor.received.length === starts, 'the document to be sent')
      await core.stop()
    }
    isAnswered = true
    const core = await start()
    onTestFinished(() => core.stop({ atOnce: true }))
    const [document] = core.context.tables.documents.withStatus('queued')
    expect(document).toMatchObject({ name: 'a.pdf', reasonCode: null })
    await core.run()
    await until(() => core.context.tables.documents.get(document!.id)?.status === 'done', 'the document')
  })
})

describe('a computer that goes to sleep', () => {
  it('begins no document until it wakes up, and then looks for what came meanwhile', async () => {
    const rig = await setUp({ core: () => ({ timings: { sweepIntervalMs: 86_400_000 } }) })
    rig.core.sleep()
    await rig.put('a.pdf')
    await until(() => rig.statusOf('a.pdf') === 'queued', 'the document to be queued')
    rig.core.queue.wake()
    expect(rig.core.queue.idle).toBe(true)
    await rig.core.wakeUp()
    await until(() => rig.statusOf('a.pdf') === 'done', 'the document to be read')
  })

  it('keeps a pause of the person when it wakes up', async () => {
    const rig = await setUp({})
    rig.core.queue.pause()
    rig.core.sleep()
    await rig.core.wakeUp()
    await rig.put('a.pdf')
    await until(() => rig.statusOf('a.pdf') === 'queued', 'the document to be queued')
    rig.core.queue.wake()
    expect(rig.core.queue.idle).toBe(true)
  })
})
