import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCore } from '../../electron/core/core.ts'
import type { Core, CoreOptions } from '../../electron/core/core.ts'
import type { SecretKey } from '../../electron/core/platform/connect.ts'
import { entryPath } from '../../electron/entries.ts'
import type { Folder, FolderValues } from '../../electron/core/db/tables/folders.ts'
import { noPolicies } from '../../shared/domain/policies.ts'
import { vendorCredentials } from './vendor.ts'
import type { Vendor } from './vendor.ts'

export const simpleSchema = [
  { name: 'invoice_number', format: 'text', description: 'number of the invoice' },
  { name: 'total_amount', format: 'number', description: 'total with tax' },
] as const

/** An empty folder that is gone after `remove`. */
export function temporaryDir(prefix = 'sheaf-test-', base = tmpdir()): { path: string; remove: () => void } {
  const path = mkdtempSync(join(base, prefix))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/**
 * Core on a folder of its own, without the service on this computer (which a platform test never needs). A file is
 * taken as soon as it is quiet for a moment; `defaultTimings` is for a test of how long that is.
 */
export async function startTestCore(
  dataDir: string,
  { timings, ...options }: Partial<CoreOptions> = {},
): Promise<Core> {
  const secrets = new Map<SecretKey, string>()
  return startCore({
    dataDir,
    secrets: {
      get: async (key) => secrets.get(key) ?? (key === 'mailbox' ? null : vendorCredentials.clientSecret),
      set: async (key, secret) => void secrets.set(key, secret),
      remove: async (key) => void secrets.delete(key),
    },
    localService: {
      start: () => Promise.reject(new Error('not part of this test')),
      suspend: async () => undefined,
      stop: async () => undefined,
    },
    snapshotThread: entryPath('snapshot-thread'),
    fileThread: entryPath('file-thread'),
    read: () => Promise.reject(new Error('not part of this test')),
    convert: () => Promise.reject(new Error('not part of this test')),
    cut: () => Promise.reject(new Error('not part of this test')),
    sort: () => Promise.reject(new Error('not part of this test')),
    unpack: () => Promise.reject(new Error('not part of this test')),
    person: 'Test',
    version: '0.0.0',
    documentsDir: join(dataDir, 'documents'),
    samplesDir: null,
    desktop: null,
    policies: noPolicies,
    timings: { quietMs: 100, ...timings },
    ...options,
  })
}

/** A connection to the vendor and a folder that sends its files there. */
export function addFolder(core: Core, vendor: Vendor, values: Partial<FolderValues> & { path: string }): Folder {
  const { tables, now } = core.context
  const connection =
    tables.connections.findPlatform(vendor.baseUrl, vendorCredentials.clientId)?.id ??
    tables.connections.addPlatform('Vendor', vendor.baseUrl, vendorCredentials.clientId)
  const schema = tables.schemas.list()[0] ?? tables.schemas.save(null, 'Invoice', [...simpleSchema], now())
  return tables.folders.add(
    {
      kind: 'watched',
      name: 'Invoices',
      schemaId: schema.id,
      connectionId: connection,
      agentReference: null,
      mode: 'auto',
      includeSubfolders: true,
      afterwards: 'stay',
      ...values,
    },
    now(),
  )
}

/** Resolves when the condition holds, asked after every event of core and often. Throws when it does not come true. */
export async function until(condition: () => boolean, what: string, limitMs = 60_000): Promise<void> {
  const deadline = Date.now() + limitMs
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`waited in vain for: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Counts of the documents by status. */
export function statuses(core: Core): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const folder of core.context.tables.folders.list()) {
    for (const document of core.context.tables.documents.inFolder(folder.id))
      counts[document.status] = (counts[document.status] ?? 0) + 1
  }
  return counts
}

/** Exactly `sizeBytes` that look like a PDF from outside: a header, unique content, and the ending of a whole file. */
export function pdfBytes(seed: string, sizeBytes = 2000): Buffer {
  const head = Buffer.from(`%PDF-1.7\n% ${seed}\n`)
  const tail = Buffer.from('\n%%EOF\n')
  return Buffer.concat([head, Buffer.alloc(sizeBytes - head.length - tail.length, seed), tail])
}

/** A vendor that plays the service on this computer. */
export const onThisComputer = ({ baseUrl }: { baseUrl: string }): CoreOptions['localService'] => ({
  start: async () => ({
    baseUrl,
    ...vendorCredentials,
    control: { url: 'http://127.0.0.1:9/', key: 'none' },
    privateCallbacks: true,
  }),
  suspend: async () => undefined,
  stop: async () => undefined,
})
