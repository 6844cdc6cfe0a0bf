import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { addFolder, pdfBytes, startTestCore, statuses, temporaryDir, until } from '../helpers/core.ts'
import { forNight, scaled } from '../helpers/scale.ts'
import { platformOf, sheaf, startSheaf } from '../helpers/sheaf.ts'
import { startVendor, successBody } from '../helpers/vendor.ts'
import type { Vendor } from '../helpers/vendor.ts'
import { expectInvariants } from './invariants.ts'

const count = scaled(20, 200)
/** So many have been sent when something happens to the folder; others are under way. */
const sentBefore = count * 0.3
const timings = { sweepIntervalMs: 50, quietMs: 50, storageRetryMs: 50 }

let dir: ReturnType<typeof temporaryDir>
let disk: string
let data: string
let documents: string
let vendor: Vendor
let core: Core | null = null

beforeEach(async () => {
  dir = temporaryDir()
  disk = join(dir.path, 'disk')
  data = join(disk, 'data')
  documents = join(dir.path, 'documents')
  mkdirSync(documents)
  mkdirSync(disk)
  vendor = await startVendor(({ filename }) => ({ body: successBody(filename), delayMs: 10 }))
})
afterEach(async () => {
  await core?.stop({ atOnce: true })
  core = null
  await vendor.close()
  dir.remove()
})

const paths = (): string[] => Array.from({ length: count }, (_, n) => join(documents, `${n}.pdf`))

async function start(): Promise<Core> {
  core = await startTestCore(data, { timings, roomBytes: 0 })
  return core
}

async function stop(): Promise<void> {
  await core!.stop()
  core = null
}

const troubleOf = async (running: Core): Promise<string | null> =>
  (await running.handlers['app.state']({})).storageTrouble

/** Begins to send, and resolves in the middle of it. */
async function sendSome(): Promise<Core> {
  for (const path of paths()) writeFileSync(path, pdfBytes(path))
  const running = await start()
  addFolder(running, vendor, { path: documents })
  await running.run()
  await until(() => vendor.received.length >= sentBefore, 'some to be sent')
  return running
}

/** Nothing is sent any more, what was under way has its answer, and the window says why. */
async function expectHeld(running: Core): Promise<void> {
  let trouble: string | null = null
  await until(() => {
    void troubleOf(running).then((now) => (trouble = now))
    return trouble === 'moved' && running.queue.idle
  }, 'the word that the folder was moved')
  const sent = vendor.received.length
  expect(sent).toBeLessThan(count)
  running.queue.wake()
  await until(() => running.queue.idle, 'the queue to be idle')
  expect(vendor.received).toHaveLength(sent)
  expect(statuses(running)['done']).toBe(sent)
}

/** A next start sends what was never sent, and nothing else. */
async function expectTheRest(): Promise<void> {
  const running = await start()
  await running.run()
  for (const { id, pausedReason } of running.context.tables.connections.list())
    if (pausedReason !== null) running.context.tables.connections.resume(id)
  running.queue.wake()
  await until(() => statuses(running)['done'] === count, 'all documents')
  expect(await troubleOf(running)).toBeNull()
  await stop()
  expectInvariants(data, { paths: paths(), billable: vendor.received.length, filesSent: count, approvedResends: 0 })
}

describe('F43 the data folder of a run', () => {
  it('that is deleted stops sending, is written down again, and nothing is sent twice', async () => {
    const running = await sendSome()
    rmSync(data, { recursive: true })
    await expectHeld(running)
    await stop()
    await expectTheRest()
  })

  it('of which the database alone is deleted stops sending, and nothing is sent twice', async () => {
    const running = await sendSome()
    for (const ending of ['', '-wal', '-shm']) rmSync(join(data, `sheaf.db${ending}`))
    await expectHeld(running)
    await stop()
    await expectTheRest()
  })

  it('that is renamed stops sending, and nothing is sent twice', async () => {
    const running = await sendSome()
    renameSync(data, join(disk, 'elsewhere'))
    await expectHeld(running)
    await stop()
    await expectTheRest()
  })

  it('that is renamed and put back goes on by itself', async () => {
    const running = await sendSome()
    renameSync(data, join(disk, 'elsewhere'))
    await expectHeld(running)
    rmSync(data, { recursive: true, force: true })
    renameSync(join(disk, 'elsewhere'), data)
    await until(() => statuses(running)['done'] === count, 'all documents')
    expect(await troubleOf(running)).toBeNull()
    await stop()
    expectInvariants(data, { paths: paths(), billable: vendor.received.length, filesSent: count, approvedResends: 0 })
  })

  it('that is replaced by an older copy stops sending; a start tells, and pauses what bills until a person has looked', async () => {
    const running = await sendSome()
    const copy = join(dir.path, 'copy')
    cpSync(data, copy, { recursive: true })
    await until(() => vendor.received.length >= sentBefore * 2, 'more to be sent')
    renameSync(data, join(dir.path, 'replaced'))
    renameSync(copy, data)
    await expectHeld(running)
    await stop()
    const before = vendor.received.length
    const next = await start()
    await next.run()
    expect((await next.handlers['storage.get']({})).recovery).toMatchObject({ how: 'earlier' })
    await until(() => next.queue.idle, 'the queue to be idle')
    expect(vendor.received).toHaveLength(before)
    await stop()
    await expectTheRest()
  })

  it('whose disk is unmounted stops sending, and nothing is sent twice', async ({ skip }) => {
    try {
      execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', disk], { stdio: 'ignore' })
    } catch {
      skip('this user may not mount a disk')
    }
    const running = await sendSome()
    execFileSync('umount', ['--lazy', disk])
    expect(existsSync(data)).toBe(false)
    await expectHeld(running)
    await stop()
    await expectTheRest()
  })
})

describe('F43 in a terminal', () => {
  it('sheaf watch says that the data folder is gone, and the next run sends the rest and nothing twice', async () => {
    const platform = { SHEAF_DATA_DIR: data, ...platformOf(vendor) }
    const schema = join(dir.path, 'schema.json')
    writeFileSync(schema, JSON.stringify([{ name: 'number', format: 'text', description: 'number of the invoice' }]))
    const args = ['watch', documents, '--schema', schema, '--out', join(dir.path, 'out.csv')]
    writeFileSync(join(documents, '0.pdf'), pdfBytes('0'))
    const first = startSheaf(args, platform)
    await until(() => vendor.received.length === 1 && existsSync(join(dir.path, 'out.csv')), 'the first file')
    rmSync(data, { recursive: true })
    writeFileSync(join(documents, '1.pdf'), pdfBytes('1'))
    await until(() => first.output.stderr.includes('The data folder was moved, deleted or replaced'), 'the reason')
    first.child.kill('SIGINT')
    await first.ended
    expect(vendor.received.map(({ filename }) => filename)).toEqual(['0.pdf'])
    const second = await sheaf([...args, '--once'], platform)
    expect({ code: second.code, stderr: second.stderr }).toMatchObject({ code: 0 })
    expect(vendor.received.map(({ filename }) => filename)).toEqual(['0.pdf', '1.pdf'])
  })

  it('sheaf serve says it as well', forNight, async () => {
    const running = await start()
    addFolder(running, vendor, { path: documents })
    await stop()
    const served = startSheaf(['serve', '--port', '0'], { SHEAF_DATA_DIR: data })
    await until(() => served.output.stdout.includes('READY'), 'the host')
    rmSync(data, { recursive: true })
    writeFileSync(join(documents, '0.pdf'), pdfBytes('0'))
    await until(() => served.output.stderr.includes('The data folder was moved, deleted or replaced'), 'the reason')
    served.child.kill('SIGINT')
    await served.ended
    expect(vendor.received).toHaveLength(0)
  })
})
