import { mkdir, lstat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import type { Folder } from '../../electron/core/db/tables/folders.ts'
import { candidateAt } from '../../electron/core/pipeline/files/file-rules.ts'
import { takeIn } from '../helpers/take-in.ts'
import { startHost } from '../../electron/host.ts'
import { isServiceRunning } from '../../electron/service/database.ts'
import { sheaf } from '../helpers/sheaf.ts'
import { pdfBytes, simpleSchema, startTestCore, temporaryDir, until } from '../helpers/core.ts'
import { gate } from '../helpers/vendor-questions.ts'
import { startVendor, vendorCredentials } from '../helpers/vendor.ts'
import type { Vendor } from '../helpers/vendor.ts'
import { isLong } from '../helpers/scale.ts'

const family = 'Switch Test Sans'
beforeAll(() => {
  const fonts = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  GlobalFonts.registerFromPath(join(fonts, 'standard_fonts/LiberationSans-Regular.ttf'), family)
})

const noSecrets = { get: async () => null, set: async () => undefined, remove: async () => undefined }

/** A folder whose documents are read on this computer; it may be there already. */
async function folderHere(core: Core, path: string): Promise<Folder> {
  await mkdir(path, { recursive: true })
  const { tables, now } = core.context
  const schemaId = tables.schemas.save(
    null,
    'Invoice',
    [...simpleSchema, { name: 'supplier', format: 'text', description: 'Name of the supplier' }],
    now(),
  ).id
  const connectionId = tables.connections.local().id
  return tables.folders.findOrAdd(
    {
      kind: 'watched',
      path,
      name: 'Here',
      schemaId,
      connectionId,
      agentReference: null,
      mode: 'sync',
      includeSubfolders: true,
    },
    now(),
  )
}

async function take(core: Core, folder: Folder, name: string, content: Uint8Array = pdfBytes(name)): Promise<number> {
  const path = join(folder.path, name)
  await writeFile(path, content)
  const known = new Set(core.context.tables.documents.inFolder(folder.id).map(({ id }) => id))
  await takeIn(core.context, folder, candidateAt(path, await lstat(path)))
  core.queue.wake()
  return core.context.tables.documents.inFolder(folder.id).find(({ id }) => !known.has(id))!.id
}

const statusOf = (core: Core, id: number): string => core.context.tables.documents.get(id)!.status
const rowOf = async (core: Core, id: number) => (await core.handlers['documents.get']({ id })).reason
const set = (core: Core, change: Parameters<Core['handlers']['settings.update']>[0]): Promise<unknown> =>
  core.handlers['settings.update'](change)

/** The service of this computer, whose part the vendor plays: what it is asked. */
function playedBy(vendor: Vendor) {
  const asked = { started: [] as string[], rested: 0 }
  const local = {
    start: async (languages: readonly string[]) => {
      asked.started.push(languages.join())
      return {
        baseUrl: vendor.baseUrl,
        ...vendorCredentials,
        control: { url: 'http://127.0.0.1:9/', key: 'none' },
        privateCallbacks: true,
      }
    },
    suspend: async () => void (asked.rested += 1),
    stop: async () => undefined,
  }
  return { asked, local }
}

async function setUp(reply?: Parameters<typeof startVendor>[0]) {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  const vendor = await startVendor(reply)
  onTestFinished(vendor.close)
  return { dir, vendor, ...playedBy(vendor) }
}

describe('the switch of this computer’s service', () => {
  it('off: nothing starts the service, documents wait and say why, also after a restart; on: they go', async () => {
    const { dir, asked, local } = await setUp()
    const first = await startTestCore(join(dir.path, 'data'), { localService: local })
    await set(first, { localService: false })
    const folder = await folderHere(first, join(dir.path, 'in'))
    const one = await take(first, folder, 'one.pdf')
    const state = await first.handlers['app.state']({})
    expect(state.settings.localService).toBe(false)
    expect(state.connections.find(({ kind }) => kind === 'local')!.pausedReason).toEqual({
      code: 'service_off',
      details: {},
    })
    expect(await rowOf(first, one)).toEqual({ code: 'service_off', details: {} })
    for (const refused of [
      first.handlers['models.server']({}),
      first.handlers['agents.list']({ connectionId: folder.connectionId }),
    ])
      await expect(refused).rejects.toMatchObject({ code: 'service_off' })
    await first.handlers['connections.resume']({ id: folder.connectionId })
    expect(first.context.tables.connections.local().pausedReason?.code).toBe('service_off')
    await first.stop({ atOnce: true })

    const core = await startTestCore(join(dir.path, 'data'), { localService: local })
    onTestFinished(() => core.stop({ atOnce: true }))
    await core.run()
    const two = await take(core, folder, 'two.pdf')
    await until(() => core.queue.idle, 'the queue to rest')
    expect([statusOf(core, one), statusOf(core, two), asked.started]).toEqual(['queued', 'queued', []])
    expect(await rowOf(core, two)).toEqual({ code: 'service_off', details: {} })

    await set(core, { localService: true })
    await until(() => statusOf(core, one) === 'done' && statusOf(core, two) === 'done', 'both documents')
    expect([await rowOf(core, one), core.context.tables.connections.local().pausedReason]).toEqual([null, null])
  })

  it('is not undone by what the service still answers while it ends', async () => {
    const held = gate()
    const { dir, vendor, local } = await setUp(async (_document, index) => {
      if (index > 0) return {}
      await held.opened
      return { status: 503, body: '{"status":"error","error":"ending"}', headers: { 'retry-after': '3600' } }
    })
    const core = await startTestCore(join(dir.path, 'data'), { localService: local })
    onTestFinished(() => core.stop({ atOnce: true }))
    const one = await take(core, await folderHere(core, join(dir.path, 'in')), 'one.pdf')
    await until(() => vendor.received.length === 1, 'the document to be under way')
    await set(core, { localService: false })
    held.open()
    await until(() => core.queue.idle, 'the refusal')
    const connection = core.context.tables.connections.local()
    expect([statusOf(core, one), connection.pausedReason?.code, connection.throttledUntil]).toEqual([
      'queued',
      'service_off',
      null,
    ])
    await set(core, { localService: true })
    await until(() => statusOf(core, one) === 'done', 'the document')
  })

  it('holds in a terminal too, which says so instead of waiting', async () => {
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    const dataDir = join(dir.path, 'data')
    const core = await startTestCore(dataDir)
    await set(core, { localService: false })
    await core.stop({ atOnce: true })
    await writeFile(join(dir.path, 'one.pdf'), pdfBytes('one'))
    await writeFile(join(dir.path, 'schema.json'), JSON.stringify(simpleSchema))
    const run = await sheaf(['extract', join(dir.path, 'one.pdf'), '--schema', join(dir.path, 'schema.json')], {
      SHEAF_DATA_DIR: dataDir,
    })
    expect(run.code).toBe(1)
    expect(run.stderr).toContain('This computer’s service is off')
    expect(isServiceRunning(join(dataDir, 'service'))).toBe(false)
  })

  it('ends a service that was just starting', async () => {
    const { dir, asked, local } = await setUp()
    const starting = gate()
    const slow = {
      ...local,
      start: async (languages: readonly string[]) => (await starting.opened, local.start(languages)),
    }
    const core = await startTestCore(join(dir.path, 'data'), { localService: slow })
    onTestFinished(() => core.stop({ atOnce: true }))
    const server = core.handlers['models.server']({})
    await set(core, { localService: false })
    const before = asked.rested
    starting.open()
    await expect(server).rejects.toMatchObject({ code: 'service_off' })
    expect(asked.rested).toBe(before + 1)
  })
})

describe('the languages in the settings', () => {
  it('are told with each use of the service, and survive a restart', async () => {
    const { dir, vendor, asked, local } = await setUp()
    const first = await startTestCore(join(dir.path, 'data'), { localService: local })
    const folder = await folderHere(first, join(dir.path, 'in'))
    const one = await take(first, folder, 'one.pdf')
    await until(() => statusOf(first, one) === 'done', 'the first document')
    expect(new Set(asked.started.splice(0))).toEqual(new Set(['deu,fra,eng,spa']))
    await set(first, { readingLanguages: ['spa', 'eng'] })
    await first.stop({ atOnce: true })

    const core = await startTestCore(join(dir.path, 'data'), { localService: local })
    onTestFinished(() => core.stop({ atOnce: true }))
    expect((await core.handlers['app.state']({})).settings.readingLanguages).toEqual(['eng', 'spa'])
    const two = await take(core, folder, 'two.pdf')
    await until(() => statusOf(core, two) === 'done', 'the second document')
    expect(new Set(asked.started)).toEqual(new Set(['eng,spa']))
    // The first is not read again on its own.
    expect(vendor.received).toHaveLength(2)
  })
})

it('the local service is started again while a document waits for it, in case it has ended', async () => {
  const { dir, asked, local } = await setUp(() => ({ body: '{"extract_id":"e1"}' }))
  const core = await startTestCore(join(dir.path, 'data'), { localService: local, timings: { callbackCheckMs: 30 } })
  onTestFinished(() => core.stop({ atOnce: true }))
  await core.run()
  const folder = await folderHere(core, join(dir.path, 'in'))
  await core.handlers['folders.update']({ id: folder.id, mode: 'async' })
  const document = await take(core, core.context.tables.folders.get(folder.id)!, 'one.pdf')
  await until(() => statusOf(core, document) === 'waiting', 'the document to wait')
  const before = asked.started.length
  await until(() => asked.started.length > before, 'the service to be started again')
})

describe('the real service', () => {
  async function scan(supplier: string, pages = 1): Promise<Uint8Array> {
    const canvas = createCanvas(1700, 1200 * pages)
    const context = canvas.getContext('2d')
    context.fillStyle = '#ffffff'
    context.fillRect(0, 0, 1700, 1200 * pages)
    context.fillStyle = '#000000'
    context.font = `44px "${family}"`
    const lines = [
      'Invoice',
      `Supplier: ${supplier}`,
      'Invoice number: INV-2026-77',
      'Total amount: 1,234.50',
      'Please pay within thirty days',
    ]
    for (const [index, line] of lines.entries()) context.fillText(line, 250, 200 + index * 90)
    return new Uint8Array(await canvas.encode('png'))
  }

  async function start(): Promise<{ core: Core; folder: Folder; serviceDir: string }> {
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    const dataDir = join(dir.path, 'data')
    const core = await startHost({ dataDir, secrets: noSecrets, desktop: null })
    onTestFinished(() => core.stop({ atOnce: true }))
    return { core, folder: await folderHere(core, join(dir.path, 'in')), serviceDir: join(dataDir, 'service') }
  }

  it('ends when it is switched off in the middle of a document, which is read when it is on again', async () => {
    const { core, folder, serviceDir } = await start()
    const document = await take(core, folder, 'scan.png', await scan('Kestrel Ltd'))
    await until(() => statusOf(core, document) === 'submitting', 'the document to be under way')
    await set(core, { localService: false })
    await until(() => !isServiceRunning(serviceDir) && core.queue.idle, 'the service to end')
    expect(statusOf(core, document)).toBe('queued')
    expect(await rowOf(core, document)).toEqual({ code: 'service_off', details: {} })
    await set(core, { localService: true })
    await until(() => statusOf(core, document) === 'done', 'the document', 60_000)
    const { attempts, records } = await core.handlers['documents.get']({ id: document })
    expect(records).toMatchObject([{ invoice_number: 'INV-2026-77', total_amount: 1234.5 }])
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['succeeded', 'returned'])
  })

  // What a reader does with other languages is in test/unit/reading/reading-languages.test.ts.
  it.runIf(isLong)('reads the next picture in the languages that were chosen, without a restart', async () => {
    const { core, folder } = await start()
    const supplierIn = async (name: string): Promise<unknown> => {
      const document = await take(core, folder, name, await scan(`Brückner ${name} GmbH`))
      await until(() => statusOf(core, document) === 'done', name, 60_000)
      return (await core.handlers['documents.get']({ id: document })).records[0]!['supplier']
    }
    await set(core, { readingLanguages: ['eng'] })
    const inEnglish = await supplierIn('one.png')
    expect(inEnglish).toContain('ckner')
    expect(inEnglish).not.toContain('ü')
    await set(core, { readingLanguages: ['deu', 'eng'] })
    expect(await supplierIn('two.png')).toContain('Brückner')
  })
})
