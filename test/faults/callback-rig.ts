import { onTestFinished } from 'vitest'
import { lstat, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import Sqlite from 'better-sqlite3'
import type { Core, CoreOptions } from '../../electron/core/core.ts'
import type { Folder } from '../../electron/core/db/tables/folders.ts'
import type { StoredDocument } from '../../electron/core/db/tables/documents.ts'
import { candidateAt } from '../../electron/core/pipeline/files/file-rules.ts'
import { takeIn } from '../helpers/take-in.ts'
import { addFolder, pdfBytes, startTestCore, temporaryDir, until } from '../helpers/core.ts'
import { elsewhere } from '../helpers/elsewhere.ts'
import { startVendor, vendorCredentials } from '../helpers/vendor.ts'
import type { Received, Vendor, VendorOptions, VendorReply } from '../helpers/vendor.ts'
import { expectInvariants } from './invariants.ts'

export type CallbackRig = {
  /** The core that runs now. */
  core: () => Core
  vendor: Vendor
  dataDir: string
  /** Takes one more file in; resolves with its document's id. */
  add: (name: string, sizeBytes?: number) => Promise<number>
  document: (id?: number) => StoredDocument
  /** Where the vendor was told to send the result of the n-th document. */
  callback: (index?: number) => string
  records: (id?: number) => Promise<unknown[]>
  /** Bodies of callbacks that are kept for the first attempt of a document, oldest first. */
  kept: (id?: number) => Buffer[]
  stop: () => Promise<void>
  start: (options?: Partial<CoreOptions>) => Promise<void>
  /** The invariant of the fault catalogue; `billable` counts what the vendor read whole. */
  check: (approvedResends?: number) => void
}

export type CallbackRigOptions = {
  reply?: (document: Received, index: number) => VendorReply | Promise<VendorReply>
  vendor?: VendorOptions
  core?: Partial<CoreOptions>
  mode?: 'sync' | 'async' | 'auto'
  /** The vendor counts as a service elsewhere: it needs a public way back. */
  isElsewhere?: boolean
}

export const started = (extractId = '6f1c'): string => JSON.stringify({ status: 'started', extract_id: extractId })
export const result = (value = '9', extractId = '6f1c'): string =>
  JSON.stringify({
    status: 'success',
    extract_id: extractId,
    data: { invoice_number: value },
    metadata: { filename: 'a.pdf', duration: '40', tokens_consumed: 7 },
  })

/** Core and a vendor that takes documents asynchronously; nothing is sent before `add`. */
export async function startCallbackRig(options: CallbackRigOptions = {}): Promise<CallbackRig> {
  const dir = temporaryDir()
  const dataDir = join(dir.path, 'data')
  const vendor = await startVendor(
    options.reply ?? ((_document, index) => ({ body: started(index === 0 ? '6f1c' : `6f1c-${index}`) })),
    options.vendor,
  )
  const secrets = new Map<unknown, string>()
  const held: { core: Core | null; folder: Folder | null; paths: string[]; ids: number[] } = {
    core: null,
    folder: null,
    paths: [],
    ids: [],
  }
  const running = (): Core => {
    if (held.core === null) throw new Error('core does not run')
    return held.core
  }
  const rig: CallbackRig = {
    core: running,
    vendor,
    dataDir,
    add: async (name, sizeBytes = 2000) => {
      const path = join(dir.path, 'in', name)
      await writeFile(path, pdfBytes(name, sizeBytes))
      const id = await takeIn(running().context, held.folder!, candidateAt(path, await lstat(path)))
      held.paths.push(path)
      held.ids.push(id)
      running().queue.wake()
      return id
    },
    document: (id = held.ids[0]!) => running().context.tables.documents.get(id)!,
    callback: (index = 0) => vendor.received[index]!.callback!,
    records: async (id = held.ids[0]!) => (await running().handlers['documents.get']({ id })).records,
    kept: (id = held.ids[0]!) => {
      const { attempts } = running().context.tables
      return attempts
        .answers(attempts.ofDocument(id).at(-1)!.id)
        .filter(({ source }) => source === 'callback')
        .map(({ body }) => body)
    },
    stop: async () => {
      const core = running()
      held.core = null
      await core.stop({ atOnce: true })
    },
    start: async (more = {}) => {
      held.core = await startTestCore(dataDir, {
        secrets: {
          get: async (key) => secrets.get(key) ?? (key === 'mailbox' ? null : vendorCredentials.clientSecret),
          set: async (key, secret) => void secrets.set(key, secret),
          remove: async (key) => void secrets.delete(key),
        },
        ...options.core,
        ...more,
        timings: { callbackCheckMs: 20, callbackMissingMs: 200, ...options.core?.timings, ...more.timings },
      })
    },
    check: (approvedResends = 0) =>
      expectInvariants(dataDir, {
        paths: held.paths,
        billable: vendor.received.length,
        filesSent: new Set(vendor.received.map(({ sha256 }) => sha256)).size,
        approvedResends,
      }),
  }
  onTestFinished(dir.remove)
  onTestFinished(vendor.close)
  onTestFinished(() => held.core?.stop({ atOnce: true }))
  await mkdir(join(dir.path, 'in'))
  await rig.start()
  const address = options.isElsewhere === true ? { ...vendor, baseUrl: elsewhere(vendor.baseUrl) } : vendor
  held.folder = addFolder(running(), address, {
    kind: 'watched',
    path: join(dir.path, 'in'),
    mode: options.mode ?? 'async',
  })
  return rig
}

/** A rig whose first document was accepted and waits for its result. */
export async function waitingRig(options: CallbackRigOptions = {}): Promise<CallbackRig> {
  const rig = await startCallbackRig(options)
  await rig.add('a.pdf')
  await until(() => rig.document().status === 'waiting', 'the acceptance')
  return rig
}

/** Callbacks that are kept although no attempt is known for them. */
export function strays(dataDir: string): number {
  const db = new Sqlite(join(dataDir, 'sheaf.db'), { readonly: true })
  try {
    return db.prepare('SELECT count(*) FROM stray_answers').pluck().get() as number
  } finally {
    db.close()
  }
}

export type Passing = { path: string; body: Buffer }

/** A reverse proxy as an office has one; `pass` says what it makes of a request, a number is its own answer. */
export async function startProxy(
  target: () => number,
  pass: (request: Passing) => Passing | number | Promise<Passing | number> = (request) => request,
) {
  const seen: Passing[] = []
  const server = createServer((request, response) => {
    const forward = async (): Promise<void> => {
      const arrived = { path: request.url ?? '', body: await buffer(request) }
      seen.push(arrived)
      const passed = await pass(arrived)
      if (typeof passed === 'number') return void response.writeHead(passed).end('<h1>Welcome</h1>')
      const answer = await fetch(`http://127.0.0.1:${target()}${passed.path}`, {
        method: request.method ?? 'POST',
        body: new Uint8Array(passed.body),
      }).catch(() => null)
      response.writeHead(answer?.status ?? 502).end()
    }
    // Whoever asked may be gone before all of the question is here.
    forward().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://0.0.0.0:${(server.address() as AddressInfo).port}`, seen }
}
