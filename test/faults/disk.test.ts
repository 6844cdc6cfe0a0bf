import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { Storage } from '../../electron/core/db/durability/storage.ts'
import { addFolder, pdfBytes, startTestCore, statuses, temporaryDir, until } from '../helpers/core.ts'
import { sheaf } from '../helpers/sheaf.ts'
import { startVendor, successBody } from '../helpers/vendor.ts'
import type { Vendor, VendorReply } from '../helpers/vendor.ts'
import { expectInvariants } from './invariants.ts'

const timings = { sweepIntervalMs: 50, quietMs: 50, storageRetryMs: 50 }
const diskBytes = 6 * 1024 * 1024

/** A disk of a few megabytes; null where this user may not mount one, as in a container without rights. */
function mountSmallDisk(path: string): { unmount: () => void; mode: (mode: 'ro' | 'rw') => void } | null {
  mkdirSync(path)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    return null
  }
  return {
    unmount: () => void execFileSync('umount', [path]),
    mode: (mode) => void execFileSync('mount', ['-o', `remount,${mode}`, path]),
  }
}

const canMount = (() => {
  const dir = temporaryDir()
  const disk = mountSmallDisk(join(dir.path, 'disk'))
  disk?.unmount()
  dir.remove()
  return disk !== null
})()

describe('F13 a disk that is full or read-only', () => {
  let dir: ReturnType<typeof temporaryDir>
  let disk: ReturnType<typeof mountSmallDisk>
  let data: string
  let documents: string
  let vendor: Vendor
  let core: Core | null = null
  let storage: Storage
  let reply: (filename: string) => VendorReply

  beforeEach(async () => {
    dir = temporaryDir()
    documents = join(dir.path, 'documents')
    mkdirSync(documents)
    disk = mountSmallDisk(join(dir.path, 'disk'))
    data = join(dir.path, 'disk', 'data')
    reply = (filename) => ({ body: successBody(filename) })
    vendor = await startVendor(({ filename }) => reply(filename))
  })
  afterEach(async () => {
    await core?.stop({ atOnce: true })
    core = null
    await vendor.close()
    disk?.unmount()
    dir.remove()
  })

  async function start(roomBytes = 0): Promise<Core> {
    const open = vi.spyOn(Storage, 'open')
    core = await startTestCore(data, { timings, roomBytes })
    storage = (await open.mock.results[0]!.value) as Storage
    open.mockRestore()
    addFolder(core, vendor, { path: documents })
    await core.run()
    return core
  }

  /** Not a byte more fits; without a disk of its own the database may have no more pages. */
  function fill(): void {
    if (disk === null) {
      storage.db.pragma(`max_page_count = ${String(storage.db.pragma('page_count', { simple: true }))}`)
      return
    }
    const ballast = join(dir.path, 'disk', 'ballast')
    writeFileSync(ballast, '')
    for (let size = 1024 * 1024; size >= 512; size = size / 2) {
      try {
        for (;;) appendFileSync(ballast, Buffer.alloc(size))
      } catch {
        // Smaller pieces may still fit.
      }
    }
  }

  function free(): void {
    if (disk === null) storage.db.pragma('max_page_count = 1073741823')
    else rmSync(join(dir.path, 'disk', 'ballast'))
  }

  const names = Array.from({ length: 6 }, (_, n) => `file-${n}.pdf`)
  const putAll = (): void => names.forEach((name) => writeFileSync(join(documents, name), pdfBytes(name)))
  const troubleOf = async (running: Core): Promise<string | null> =>
    (await running.handlers['app.state']({})).storageTrouble
  async function waitForTrouble(running: Core, expected: 'full' | 'read_only'): Promise<void> {
    let trouble: string | null = null
    await until(() => {
      void troubleOf(running).then((now) => (trouble = now))
      return trouble === expected
    }, `the word that it is ${expected}`)
  }
  async function finish(running: Core, sent: number): Promise<void> {
    await until(() => statuses(running)['done'] === sent, 'all documents')
    expect(await troubleOf(running)).toBeNull()
    await running.stop()
    core = null
    expectInvariants(data, {
      paths: names.slice(0, sent).map((name) => join(documents, name)),
      billable: vendor.received.length,
      filesSent: sent,
      approvedResends: 0,
    })
  }

  it('sends nothing while it is full, says so, and goes on by itself when there is room', async () => {
    const running = await start()
    fill()
    putAll()
    await waitForTrouble(running, 'full')
    expect(vendor.received).toHaveLength(0)
    free()
    await finish(running, names.length)
  })

  it.runIf(canMount)(
    'sends nothing while it has less room than results need, and goes on by itself when there is more',
    async () => {
      const running = await start(diskBytes / 2)
      const { bavail, bsize } = statfsSync(join(dir.path, 'disk'))
      writeFileSync(join(dir.path, 'disk', 'ballast'), Buffer.alloc(bavail * bsize - diskBytes / 3))
      putAll()
      await waitForTrouble(running, 'full')
      expect(vendor.received).toHaveLength(0)
      free()
      await finish(running, names.length)
    },
  )

  it('keeps a result that comes while it is full, and asks for it once', async () => {
    // Larger than what a database has room for without growing.
    const padding = 'x'.repeat(300_000)
    reply = (filename) => {
      fill()
      return { body: successBody(filename).replace('"status"', `"note":"${padding}","status"`) }
    }
    const running = await start()
    writeFileSync(join(documents, names[0]!), pdfBytes(names[0]!))
    await waitForTrouble(running, 'full')
    expect(vendor.received).toHaveLength(1)
    expect(statuses(running)).toEqual({ submitting: 1 })
    free()
    await finish(running, 1)
  })

  it('keeps a callback that the journal took and the database could not, and reads it as soon as there is room', async () => {
    reply = () => ({ body: '{"status":"started","extract_id":"e-1"}' })
    const open = vi.spyOn(Storage, 'open')
    const running = (core = await startTestCore(data, { timings: { ...timings, callbackCheckMs: 50 }, roomBytes: 0 }))
    storage = (await open.mock.results[0]!.value) as Storage
    open.mockRestore()
    addFolder(running, vendor, { path: documents, mode: 'async' })
    await running.run()
    writeFileSync(join(documents, names[0]!), pdfBytes(names[0]!))
    await until(() => statuses(running)['waiting'] === 1, 'the receipt')
    storage.db.pragma(`max_page_count = ${String(storage.db.pragma('page_count', { simple: true }))}`)
    const answer = { extract_id: 'e-1', note: 'x'.repeat(300_000), ...(JSON.parse(successBody(names[0]!)) as object) }
    // It may come again, or not.
    expect(await vendor.callBack(vendor.received[0]!.callback!, JSON.stringify(answer))).toBeGreaterThanOrEqual(500)
    await waitForTrouble(running, 'full')
    expect(statuses(running)).toEqual({ waiting: 1 })
    storage.db.pragma('max_page_count = 1073741823')
    await until(() => running.queue.storageTrouble === null, 'room')
    await finish(running, 1)
  })

  it('sends nothing while the database cannot be written, says so, and goes on by itself', async () => {
    const running = await start()
    // A disk cannot be made read-only under open files: SQLite's own refusal stands in, with the same code.
    storage.db.pragma('query_only = ON')
    putAll()
    await waitForTrouble(running, 'read_only')
    expect(vendor.received).toHaveLength(0)
    storage.db.pragma('query_only = OFF')
    await finish(running, names.length)
  })

  it.runIf(canMount)('is said at the start when it is read-only, and nothing is written', async () => {
    const first = await start()
    await first.stop()
    core = null
    disk!.mode('ro')
    await expect(startTestCore(data)).rejects.toMatchObject({ code: 'storage_read_only' })
    disk!.mode('rw')
    await (await start()).stop()
    core = null
  })

  it.runIf(canMount)(
    'is not filled by snapshots: none is made without room for the work, and nothing of it stays',
    async () => {
      const running = await start()
      const { bavail, bsize } = statfsSync(join(dir.path, 'disk'))
      writeFileSync(join(dir.path, 'disk', 'ballast'), Buffer.alloc(bavail * bsize - 150_000))
      await expect(running.handlers['storage.backUp']({})).rejects.toMatchObject({ code: 'storage_full' })
      expect(readdirSync(join(data, 'backups'))).toEqual([])
      free()
      expect((await running.handlers['storage.backUp']({})).snapshots).toHaveLength(1)
    },
  )
})

describe('F15 a second instance', () => {
  it('is told of the first one and changes no byte of the data folder', async () => {
    const dir = temporaryDir()
    const data = join(dir.path, 'data')
    const core = await startTestCore(data)
    // Read by another process: closing a file that SQLite has open here would give up its locks
    // (sqlite.org/howtocorrupt.html, 2.2).
    const bytes = (): string =>
      execFileSync(
        'sha256sum',
        readdirSync(data, { recursive: true, encoding: 'utf8' })
          .filter((name) => statSync(join(data, name)).isFile())
          .sort(),
        { cwd: data, encoding: 'utf8' },
      )
    const before = bytes()
    const { code, stderr } = await sheaf(['serve'], { SHEAF_DATA_DIR: data })
    expect(code).not.toBe(0)
    await expect(startTestCore(data)).rejects.toMatchObject({ code: 'already_running', details: { path: data } })
    expect(stderr).toContain('already running')
    expect(bytes()).toBe(before)
    expect((await core.handlers['app.state']({})).recovery).toBeNull()
    await core.stop()
    dir.remove()
  })
})
