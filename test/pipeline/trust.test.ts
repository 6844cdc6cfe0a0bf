import { describe, expect, it } from 'vitest'
import { calls } from '../../shared/contract/contract.ts'
import type { CallInput } from '../../shared/contract/contract.ts'
import { dispatch } from '../../shared/contract/dispatch.ts'
import { consumed, startBatch } from '../helpers/batch.ts'
import type { Batch } from '../helpers/batch.ts'
import { until } from '../helpers/core.ts'
import { vendorCredentials } from '../helpers/vendor.ts'

const noon = new Date(2026, 8, 17, 12).getTime()
const dayMs = 24 * 3600_000

/** Core on a clock that the test moves, with three documents that went to a platform on this computer. */
async function setUp(): Promise<Batch & { clock: { now: number }; documents: number[] }> {
  const clock = { now: noon }
  const batch = await startBatch(() => consumed(1), { now: () => clock.now })
  await batch.take(3)
  const { documents } = batch.core.context.tables
  await until(
    () => documents.inFolder(batch.folder.id).filter(({ status }) => status === 'done').length === 3,
    'three documents',
  )
  return { ...batch, clock, documents: documents.inFolder(batch.folder.id).map(({ id }) => id) }
}

/** An attempt of a document as it stands after so many bytes of it went to a host. */
function sendTo(
  batch: Batch,
  documentId: number,
  host: string,
  bytesSent: number,
  outcome: 'succeeded' | 'lost' | 'returned',
  at: number,
): void {
  const { attempts } = batch.core.context.tables
  const id = attempts.open(documentId, 'sync', host, null, at)
  attempts.finish(id, outcome, { httpStatus: null, code: null, bytesSent, tokens: null }, at + 1000)
}

/** A draft of the folder's schema that was tried on a document. */
function tryOn({ core, folder }: Batch, documentId: number, host: string, bytesSent: number, at: number): void {
  const { trials } = core.context.tables
  const id = trials.open(
    {
      schemaId: folder.schemaId,
      documentId,
      connectionId: folder.connectionId,
      elements: [],
      sha256: Buffer.alloc(32),
      host,
    },
    at,
  )
  trials.setSent(id, bytesSent)
}

const list = async (
  { core }: Batch,
  input: Partial<CallInput<'ledger.list'>> = {},
): Promise<ReturnType<(typeof calls)['ledger.list']['output']['parse']>> =>
  calls['ledger.list'].output.parse(
    await core.handlers['ledger.list']({ from: '2026-09-11', to: '2026-09-17', limit: 100, ...input }),
  )

describe('what left this computer', () => {
  it('says when which document went where and how large it was, the newest first, with the sum for each host', async () => {
    const batch = await setUp()
    const [first, second, third] = batch.documents as [number, number, number]
    sendTo(batch, first, 'api.platform.test', 5000, 'succeeded', noon - dayMs)
    sendTo(batch, second, 'api.platform.test', 7000, 'lost', noon - 1000)
    sendTo(batch, third, 'other.test:8443', 100, 'succeeded', noon - 2000)
    batch.core.context.tables.exchanges.addSent(batch.folder.connectionId, 'api.platform.test', 300, noon - 500)
    tryOn(batch, third, 'other.test:8443', 60, noon - 3000)
    expect(await list(batch)).toMatchObject({
      hosts: [
        { host: 'api.platform.test', documents: 2, questions: 1, bytes: 12_300 },
        { host: 'other.test:8443', documents: 2, questions: 0, bytes: 160 },
      ],
      rows: [
        { at: noon - 500, host: 'api.platform.test', document: null, bytes: 300, sizeBytes: null },
        { at: noon - 1000, host: 'api.platform.test', document: { documentId: second, name: '2.pdf' }, bytes: 7000 },
        { at: noon - 2000, host: 'other.test:8443', document: { documentId: third, name: '3.pdf' }, bytes: 100 },
        { at: noon - 3000, host: 'other.test:8443', document: { documentId: third, name: '3.pdf' }, bytes: 60 },
        { at: noon - dayMs, host: 'api.platform.test', document: { documentId: first, name: '1.pdf' }, bytes: 5000 },
      ],
      more: false,
    })
    expect((await batch.core.handlers['app.state']({})).bytesSentToday).toBe(7460)
  })

  it('takes no name for this computer that only begins like one of its own', async () => {
    const batch = await setUp()
    const document = batch.documents[0]!
    const here = [
      '127.0.0.1:8123',
      '127.1.2.3',
      'localhost',
      'localhost:80',
      'sheaf.localhost',
      'sheaf.localhost:81',
      '[::1]',
      '[::1]:8080',
    ]
    const elsewhere = [
      'localhost.example.com',
      '127.0.0.1.example.com',
      '[2001:db8::1]:80',
      '10.0.0.5:8080',
      'notlocalhost',
      '128.0.0.1',
    ]
    for (const host of [...here, ...elsewhere]) sendTo(batch, document, host, 10, 'succeeded', noon)
    expect((await list(batch)).hosts.map(({ host }) => host).sort()).toEqual([...elsewhere].sort())
  })

  it('leaves out what was refused before a byte left, and says of what nobody saw leave only how large it may have been', async () => {
    const batch = await setUp()
    const [first, second, third] = batch.documents as [number, number, number]
    sendTo(batch, first, 'api.platform.test', 0, 'returned', noon - 3000)
    sendTo(batch, second, 'api.platform.test', 4000, 'returned', noon - 2000)
    sendTo(batch, third, 'api.platform.test', 0, 'lost', noon - 1000)
    const { rows } = await list(batch)
    expect(rows.map(({ document, bytes }) => [document?.documentId, bytes])).toEqual([
      [third, null],
      [second, 4000],
    ])
    expect(rows[0]!.sizeBytes).toBeGreaterThan(0)
  })

  it('gives so many as it is asked for and says that there is more; days begin and end at midnight', async () => {
    const batch = await setUp()
    const midnight = new Date(2026, 8, 17).getTime()
    for (const at of [midnight - 1, midnight, midnight + 1])
      sendTo(batch, batch.documents[0]!, 'api.platform.test', 10, 'succeeded', at)
    const today = { from: '2026-09-17', to: '2026-09-17' }
    expect((await list(batch, today)).rows.map(({ at }) => at)).toEqual([midnight + 1, midnight])
    expect(await list(batch, { ...today, limit: 1 })).toMatchObject({
      rows: [{ at: midnight + 1 }],
      more: true,
      hosts: [{ documents: 2 }],
    })
    const refused = await dispatch(calls, batch.core.handlers, 'ledger.list', { from: '2026-09-17', to: '2026-09-16' })
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  })
})

describe('the report for whoever helps', () => {
  it('tells how things stand without a name, path, value, secret or account of anybody', async () => {
    const batch = await setUp()
    const { core, folder, vendor } = batch
    core.context.tables.schemas.save(
      null,
      'Secret project',
      [{ name: 'patient_name', format: 'text', description: 'who' }],
      noon,
    )
    core.context.tables.connections.pause(folder.connectionId, 'quota_reached', { host: 'canary-detail.test' })
    sendTo(batch, batch.documents[0]!, 'api.platform.test', 10, 'lost', noon)
    const { text } = await core.handlers['diagnostics.get']({})
    const report = JSON.parse(text) as Record<string, unknown>
    expect(report).toMatchObject({
      documents: { done: 3 },
      connections: [
        { kind: 'local' },
        { kind: 'platform', host: new URL(vendor.baseUrl).host, stoppedBy: 'quota_reached' },
      ],
      attemptsOfSevenDays: [
        { mode: 'sync', outcome: 'succeeded', code: null, httpStatus: 200, times: 3 },
        { mode: 'sync', outcome: 'lost', times: 1 },
      ],
    })
    const { clientId, clientSecret } = vendorCredentials
    for (const word of [
      'patient',
      'Secret project',
      'canary-detail',
      '.pdf',
      folder.path,
      batch.dataDir,
      clientId,
      clientSecret,
    ])
      expect(text.toLowerCase()).not.toContain(word.toLowerCase())
  })
})
