import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Page } from '@playwright/test'
import { totalOf } from '../../shared/domain/document-status.ts'
import { callCore, expect, folderWith } from './host.ts'
import type { Host } from './host.ts'

export type ForgetfulPlatform = { baseUrl: string; bodies: () => number; stop: () => void }

/** A platform that takes documents whole and then hangs up without an answer. `bodies` counts what it took. */
export async function startForgetfulPlatform(): Promise<ForgetfulPlatform> {
  let bodies = 0
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/v2/token')) {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ access_token: 'token', token_type: 'x-api-key', expires_in: '3600' }))
      return
    }
    request.resume().on('end', () => {
      bodies += 1
      request.socket.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    bodies: () => bodies,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type Office = { schemaId: number; localId: number; platformId: number; good: string; lost: string }

/** The documents of an ordinary day: some that go well, some that cannot, and one whose answer never comes. */
export const officeFiles = {
  good: [
    'INV-20418.pdf',
    'Rechnung 2026-0917 Hartmann.pdf',
    'Credit Note CN-1022.docx',
    'Invoice 1058 Kestrel Landscaping.xlsx',
    'IMG_2231.JPG',
  ],
  duplicate: 'INV-20418 (copy).pdf',
  damaged: 'contract-signed.pdf',
  empty: 'scan_empty.pdf',
  unsupported: 'notes.txt',
  lost: 'invoice_8841_brightwater.pdf',
}

/** The invoice's template as a schema. Resolves with its number. */
async function addInvoiceSchema(page: Page): Promise<number> {
  const { templates } = await callCore(page, 'schemas.templates', { locale: 'en' })
  const invoice = templates.find(({ key }) => key === 'invoice')!
  const { elements, rules } = invoice
  return (await callCore(page, 'schemas.save', { id: null, name: 'Invoice', elements, rules })).id
}

/** A folder that is read by the platform, with one document. */
async function addLostFolder(
  host: Host,
  page: Page,
  platform: ForgetfulPlatform,
  schemaId: number,
): Promise<Pick<Office, 'platformId' | 'lost'>> {
  const { id: platformId } = await callCore(page, 'connections.save', {
    id: null,
    name: 'Head office',
    baseUrl: platform.baseUrl,
    clientId: 'client',
    clientSecret: 'secret',
  })
  const lost = folderWith(host, 'Head office', [officeFiles.lost])
  await callCore(page, 'folders.add', { path: lost, schemaId, connectionId: platformId })
  return { platformId, lost }
}

/** Sets up a host with one document whose answer never comes, and waits until that is known. */
export async function furnishLost(host: Host, page: Page, platform: ForgetfulPlatform): Promise<void> {
  await callCore(page, 'settings.update', { firstRunDone: true })
  await addLostFolder(host, page, platform, await addInvoiceSchema(page))
  await settled(page, 1)
}

/** Sets up a host with two folders, one read here and one by the platform, and waits until everything is settled. */
export async function furnish(host: Host, page: Page, platform: ForgetfulPlatform): Promise<Office> {
  // A photograph is recognised in each language that is on; this one needs no other.
  await callCore(page, 'settings.update', { readingLanguages: ['eng'] })
  const schemaId = await addInvoiceSchema(page)
  const localId =
    (await callCore(page, 'connections.list', {})).connections.find(({ kind }) => kind === 'local')?.id ?? 0
  const good = folderWith(host, 'Supplier invoices', officeFiles.good)
  writeFileSync(join(good, officeFiles.damaged), readFileSync(join(good, 'INV-20418.pdf')).subarray(0, 900))
  writeFileSync(join(good, officeFiles.empty), '')
  writeFileSync(join(good, officeFiles.unsupported), 'call the printer')
  await callCore(page, 'folders.add', { path: good, schemaId, connectionId: localId })
  await callCore(page, 'settings.update', { firstRunDone: true })
  await settled(page, officeFiles.good.length + 3)
  // Only now: whichever of two equal files came first would be the original.
  copyFileSync(join(good, 'INV-20418.pdf'), join(good, officeFiles.duplicate))
  const { platformId, lost } = await addLostFolder(host, page, platform, schemaId)
  await settled(page, officeFiles.good.length + 5)
  return { schemaId, localId, platformId, good, lost }
}

/** A Documentalist of this computer that was asked, and a question that the platform left without an answer. */
export async function furnishAnswers(host: Host, page: Page, { localId, platformId }: Office): Promise<void> {
  const folder = folderWith(host, 'Delivery notes', ['20261103 delivery note TilePort.pdf', 'Lieferschein 44190.docx'])
  writeFileSync(
    join(folder, 'agreement.pdf'),
    readFileSync(join(folder, '20261103 delivery note TilePort.pdf')).subarray(0, 900),
  )
  const { reference } = await callCore(page, 'agents.save', {
    reference: 'deliveries',
    kind: 'documentalist',
    name: 'Delivery notes',
  })
  await callCore(page, 'agents.addDocuments', { reference, paths: [folder] })
  const { schemas } = await callCore(page, 'schemas.list', {})
  await callCore(page, 'agents.save', {
    reference: 'invoices',
    kind: 'extractor',
    name: 'Invoices',
    visibility: 'Public',
    schemaId: schemas[0]?.id ?? null,
  })
  await expect
    .poll(async () => (await callCore(page, 'agents.list', { connectionId: localId })).agents[0], { timeout: 120_000 })
    .toMatchObject({ ready: 2, reading: 0, failed: 1 })
  // One after the other: the conversation that was answered last is on top.
  const questions = [
    { connectionId: platformId, agentReference: 'contracts', text: 'How long is the notice period?' },
    { connectionId: localId, agentReference: reference, text: 'What did TilePort deliver?' },
  ]
  for (const [index, question] of questions.entries()) {
    await callCore(page, 'ask.send', { conversationId: null, kind: 'documentalist', ...question })
    await expect
      .poll(async () => (await callCore(page, 'ask.list', {})).conversations.filter(({ writing }) => !writing).length, {
        timeout: 120_000,
      })
      .toBe(index + 1)
  }
}

/** Makes what went to platforms on this computer look as if they were elsewhere: a test has no other computer. */
export function pretendElsewhere(host: Host, name: string): void {
  const db = new Sqlite(join(host.home, 'data', 'sheaf.db'))
  try {
    const platforms = "(SELECT id FROM connections WHERE kind = 'platform')"
    db.prepare(`UPDATE attempts SET host = ? WHERE connection_id IN ${platforms}`).run(name)
    db.prepare(
      `INSERT INTO exchanges (connection_id, host, bytes_sent, created_at) SELECT id, ?, 412, ? FROM connections WHERE kind = 'platform' LIMIT 1`,
    ).run(name, Date.now())
  } finally {
    db.close()
  }
}

/** Waits until this many documents are there and none of them is on its way. */
export async function settled(page: Page, count: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const { counts } = await callCore(page, 'app.state', {})
        const open = (counts.queued ?? 0) + (counts.submitting ?? 0) + (counts.waiting ?? 0)
        return { total: totalOf(counts), open }
      },
      { timeout: 120_000 },
    )
    .toEqual({ total: count, open: 0 })
}
