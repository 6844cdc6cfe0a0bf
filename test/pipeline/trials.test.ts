import { lstat, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Core, CoreOptions } from '../../electron/core/core.ts'
import type { Folder } from '../../electron/core/db/tables/folders.ts'
import { startHost } from '../../electron/host.ts'
import { candidateAt } from '../../electron/core/pipeline/files/file-rules.ts'
import { takeIn } from '../helpers/take-in.ts'
import { calls } from '../../shared/contract/contract.ts'
import type { Trial } from '../../shared/contract/schemas.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { addFolder, pdfBytes, simpleSchema, startTestCore, statuses, temporaryDir, until } from '../helpers/core.ts'
import { gate } from '../helpers/vendor-questions.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { Received, Vendor, VendorReply } from '../helpers/vendor.ts'

const draft: SchemaElement[] = [...simpleSchema, { name: 'buyer', format: 'text', description: 'who pays' }]
const isDraft = ({ params }: Received): boolean => JSON.stringify(params).includes('buyer')
const answered = (buyer: string): VendorReply => ({
  body: JSON.stringify({ status: 'success', data: { buyer }, metadata: { tokens_consumed: 30 } }),
})

type Rig = {
  core: () => Core
  vendor: Vendor
  folder: Folder
  dir: string
  documents: number[]
  begin: (documentIds?: number[], elements?: SchemaElement[]) => Promise<number>
  get: (id: number) => Promise<Trial>
  /** Waits until nothing of it moves by itself any more. */
  settled: (id: number) => Promise<Trial>
  send: (id: number, documentIds?: number[]) => Promise<unknown>
  restart: (between?: (core: Core) => void) => Promise<void>
  drafts: () => number
}

/**
 * Documents with a result of the first version each, at a service that bills; `reply` answers drafts, in their order.
 */
async function setUp(
  count: number,
  reply: (index: number, document: Received) => VendorReply | Promise<VendorReply> = () => answered('Ridley'),
  options: Partial<CoreOptions> = {},
): Promise<Rig> {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  let seen = 0
  const vendor = await startVendor((document) => (isDraft(document) ? reply(seen++, document) : {}))
  onTestFinished(vendor.close)
  const dataDir = join(dir.path, 'data')
  const now = { core: await startTestCore(dataDir, options) }
  onTestFinished(() => now.core.stop({ atOnce: true }))
  const core = (): Core => now.core
  await mkdir(join(dir.path, 'in'))
  const folder = addFolder(core(), vendor, { path: join(dir.path, 'in') })
  const documents: number[] = []
  for (const name of ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf', 'e.pdf'].slice(0, count)) {
    const path = join(dir.path, 'in', name)
    await writeFile(path, pdfBytes(name))
    documents.push(await takeIn(core().context, folder, candidateAt(path, await lstat(path))))
  }
  core().queue.wake()
  await until(() => statuses(core())['done'] === count, 'the results')
  const get = async (id: number): Promise<Trial> =>
    calls['trials.get'].output.parse(await core().handlers['trials.get']({ id }))
  return {
    core,
    vendor,
    folder,
    dir: dir.path,
    documents,
    get,
    begin: async (documentIds = documents, elements = draft) =>
      (
        await core().handlers['trials.begin']({
          schemaId: folder.schemaId,
          connectionId: folder.connectionId,
          elements,
          documentIds,
        })
      ).id,
    settled: (id) => whenSettled(core, id),
    send: (id, documentIds = documents) => core().handlers['trials.send']({ id, documentIds }),
    restart: async (between = () => undefined) => {
      between(now.core)
      await now.core.stop({ atOnce: true })
      now.core = await startTestCore(dataDir, options)
    },
    drafts: () => vendor.received.filter(isDraft).length,
  }
}

async function whenSettled(core: () => Core, id: number): Promise<Trial> {
  let trial: Trial | null = null
  await until(() => {
    void core()
      .handlers['trials.get']({ id })
      .then((answer) => (trial = answer))
    return trial !== null && trial.columns.every(({ state }) => !['looking', 'waiting', 'sending'].includes(state))
  }, 'the trial')
  return trial!
}

const states = ({ columns }: Trial): string[] => columns.map(({ state }) => state)
const today = async (core: Core): Promise<{ documentsToday: number; tokensToday: number }> =>
  core.handlers['app.state']({}).then((state) => state.cap)

describe('a draft that is tried where it is billed', () => {
  it('sends nothing before a person says so, and then gives its values beside the result, which stays as it is', async () => {
    const rig = await setUp(2)
    const before = await rig.core().handlers['documents.get']({ id: rig.documents[0]! })
    const id = await rig.begin()
    const asking = await rig.settled(id)
    expect(states(asking)).toEqual(['asks', 'asks'])
    expect(asking.estimate).toMatchObject({ documents: 2, tokens: 14, measured: 2, bills: true, heldByCap: 0 })
    expect(rig.drafts()).toBe(0)

    await rig.send(id)
    const done = await rig.settled(id)
    expect(
      done.columns.map(({ state, records, isKept, stored }) => [
        state,
        records,
        isKept,
        stored?.version,
        stored?.records,
      ]),
    ).toEqual([
      ['answered', [{ buyer: 'Ridley' }], false, 1, [{ invoice_number: 'a', total_amount: 12.5 }]],
      ['answered', [{ buyer: 'Ridley' }], false, 1, [{ invoice_number: 'b', total_amount: 12.5 }]],
    ])
    expect(done.estimate).toBeNull()
    expect(
      rig.vendor.received.filter(isDraft).map(({ filename, params, callback }) => [filename, params, callback]),
    ).toEqual(
      expect.arrayContaining([
        ['a.pdf', draft, null],
        ['b.pdf', draft, null],
      ]),
    )
    expect(await rig.core().handlers['documents.get']({ id: rig.documents[0]! })).toEqual(before)
    expect(rig.core().context.tables.schemas.versions(rig.folder.schemaId)).toHaveLength(1)
  })

  it('counts in the report and in the daily cap as every document does', async () => {
    const rig = await setUp(1)
    const id = await rig.begin()
    await rig.send((await rig.settled(id)).id)
    await rig.settled(id)
    expect(await today(rig.core())).toMatchObject({ documentsToday: 2, tokensToday: 37 })
    const day = new Date(rig.core().context.now()).toLocaleDateString('sv')
    expect((await rig.core().handlers['usage.report']({ from: day, to: day })).folders).toEqual([
      { id: rig.folder.id, name: 'Invoices', documents: 2, tokens: 37, questions: 0 },
    ])
    await rig.core().handlers['settings.update']({ dailyDocumentCap: 2 })
    const other = await rig.begin(rig.documents, [...draft, { name: 'more', format: 'text', description: '' }])
    expect((await rig.settled(other)).estimate).toMatchObject({ documents: 1, heldByCap: 1 })
    await rig.send(other)
    expect((await rig.settled(other)).columns).toMatchObject([
      { state: 'failed', reason: { code: 'daily_cap_reached' }, wasSent: false },
    ])
    expect(rig.drafts()).toBe(1)
  })

  it('is kept below the cap when several go at once', async () => {
    const rig = await setUp(4)
    await rig.core().handlers['settings.update']({ dailyDocumentCap: 6 })
    const id = await rig.begin()
    await rig.settled(id)
    await rig.send(id)
    expect(states(await rig.settled(id)).sort()).toEqual(['answered', 'answered', 'failed', 'failed'])
    expect(rig.drafts()).toBe(2)
  })

  it('is not paid for twice: an answer that is there is used again, also after a restart and for a failure', async () => {
    const rig = await setUp(2, (index) =>
      index === 0 ? { status: 422, body: '{"error":"no text in it"}' } : answered('Aire'),
    )
    const id = await rig.begin([rig.documents[0]!])
    await rig.settled(id)
    await rig.send(id)
    expect((await rig.settled(id)).columns).toMatchObject([
      { state: 'failed', reason: { code: 'extraction_failed' }, wasSent: true },
    ])
    const both = await rig.begin()
    expect(states(await rig.settled(both))).toEqual(['failed', 'asks'])
    await rig.send(both, [rig.documents[1]!])
    expect(states(await rig.settled(both))).toEqual(['failed', 'answered'])
    await rig.restart()
    const again = await rig.settled(await rig.begin())
    expect(again.columns).toMatchObject([
      { state: 'failed', isKept: true },
      { state: 'answered', isKept: true, records: [{ buyer: 'Aire' }] },
    ])
    expect(rig.drafts()).toBe(2)
    // A person may want to pay for another try.
    await rig.send(again.id, [rig.documents[0]!])
    expect(states(await rig.settled(again.id))).toEqual(['answered', 'answered'])
    expect(rig.drafts()).toBe(3)
  })

  it('asks once when two windows try the same at the same time', async () => {
    const held = gate()
    const rig = await setUp(1, async () => held.opened.then(() => answered('Ridley')))
    const [one, other] = [await rig.begin(), await rig.begin()]
    await rig.settled(one)
    await rig.settled(other)
    await Promise.all([rig.send(one), rig.send(other)])
    await until(() => rig.drafts() === 1, 'the document at the service')
    held.open()
    expect([states(await rig.settled(one)), states(await rig.settled(other))]).toEqual([['answered'], ['answered']])
    expect(rig.drafts()).toBe(1)
  })

  it('takes the document’s own result where that answered just this', async () => {
    const rig = await setUp(1)
    const trial = await rig.settled(await rig.begin(rig.documents, [...simpleSchema]))
    expect(trial.columns).toMatchObject([
      { state: 'answered', isKept: true, records: [{ invoice_number: 'a', total_amount: 12.5 }] },
    ])
    expect(rig.vendor.received).toHaveLength(1)
  })

  it('says of an answer that was lost that it may be billed, and sends it again only when a person says so', async () => {
    const rig = await setUp(1, (index) => (index === 0 ? { drop: true } : answered('Ridley')))
    const id = await rig.begin()
    await rig.settled(id)
    await rig.send(id)
    const lost = { state: 'lost', reason: { code: 'connection_lost' }, wasSent: true }
    expect((await rig.settled(id)).columns).toMatchObject([lost])
    expect((await rig.settled(await rig.begin())).columns).toMatchObject([lost])
    await rig.restart()
    const again = await rig.begin()
    expect((await rig.settled(again)).columns).toMatchObject([lost])
    expect(await today(rig.core())).toMatchObject({ documentsToday: 2 })
    expect(rig.drafts()).toBe(1)
    await rig.send(again)
    expect(states(await rig.settled(again))).toEqual(['answered'])
    expect(rig.drafts()).toBe(2)
  })

  it('is lost when the program is stopped before its answer came', async () => {
    const held = gate()
    const rig = await setUp(1, async () => held.opened.then(() => answered('Ridley')))
    onTestFinished(held.open)
    const id = await rig.begin()
    await rig.settled(id)
    await rig.send(id)
    await until(() => rig.drafts() === 1, 'the document at the service')
    await rig.restart()
    expect((await rig.settled(await rig.begin())).columns).toMatchObject([
      { state: 'lost', reason: { code: 'connection_lost' }, wasSent: true },
    ])
    expect(rig.drafts()).toBe(1)
  })

  it('is lost when the program was killed while the service had it, and read when its bytes were here', async () => {
    const rig = await setUp(2)
    await rig.restart(({ context: { tables, now } }) => {
      const [one, other] = rig.documents.map((documentId) => {
        const { sha256, connectionId } = tables.documents.get(documentId)!
        return tables.trials.open(
          {
            schemaId: rig.folder.schemaId,
            documentId,
            connectionId,
            elements: draft,
            sha256: sha256!,
            host: 'vendor.test',
          },
          now(),
        )
      })
      expect(one).toBeDefined()
      tables.trials.storeAnswer(
        other!,
        { httpStatus: 200, body: Buffer.from(answered('Aire').body!), complete: true },
        3000,
      )
    })
    const trial = await rig.settled(await rig.begin())
    expect(trial.columns).toMatchObject([
      { state: 'lost', reason: { code: 'interrupted' } },
      { state: 'answered', records: [{ buyer: 'Aire' }] },
    ])
    expect(await today(rig.core())).toMatchObject({ documentsToday: 4, tokensToday: 14 + 30 })
    expect(rig.drafts()).toBe(0)
  })

  it('can be stopped: what was not sent is not, and what is at the service is waited for', async () => {
    const held = gate()
    const rig = await setUp(3, async () => held.opened.then(() => answered('Ridley')))
    // With a cap of tokens they go one at a time.
    await rig.core().handlers['settings.update']({ dailyTokenCap: 10_000 })
    const id = await rig.begin()
    await rig.settled(id)
    await rig.send(id)
    await until(() => rig.drafts() === 1, 'the first at the service')
    await rig.core().handlers['trials.stop']({ id })
    expect(states(await rig.get(id)).sort()).toEqual(['sending', 'stopped', 'stopped'])
    held.open()
    expect(states(await rig.settled(id)).sort()).toEqual(['answered', 'stopped', 'stopped'])
    expect(rig.drafts()).toBe(1)
    await rig.send(id)
    expect(states(await rig.settled(id))).toEqual(['answered', 'answered', 'answered'])
    expect(rig.drafts()).toBe(3)
  })

  it('says of each document why it gives nothing', async () => {
    const rig = await setUp(3, () => ({ status: 429, body: '{}' }))
    await rm(join(rig.dir, 'in', 'a.pdf'))
    await writeFile(join(rig.dir, 'in', 'b.pdf'), '')
    const id = await rig.begin()
    await rig.settled(id)
    await rig.send(id)
    expect((await rig.settled(id)).columns).toMatchObject([
      {
        state: 'failed',
        reason: { code: 'file_missing' },
        wasSent: false,
        stored: { records: [{ invoice_number: 'a' }] },
      },
      { state: 'failed', reason: { code: 'empty_file' }, wasSent: false },
      { state: 'failed', reason: { code: 'rate_limited' }, wasSent: false },
    ])
    expect(await today(rig.core())).toMatchObject({ documentsToday: 3 })
  })

  it('sends nothing while sending or the connection is paused', async () => {
    const rig = await setUp(1)
    rig.core().queue.pause()
    const id = await rig.begin()
    await rig.settled(id)
    await rig.send(id)
    expect((await rig.settled(id)).columns).toMatchObject([{ state: 'failed', reason: { code: 'sending_paused' } }])
    rig.core().queue.resume()
    rig.core().context.tables.connections.pause(rig.folder.connectionId, 'restored_from_snapshot', {})
    await rig.send(id)
    expect((await rig.settled(id)).columns).toMatchObject([
      { state: 'failed', reason: { code: 'restored_from_snapshot' } },
    ])
    expect(rig.drafts()).toBe(0)
  })

  it('is refused with what is wrong when it is none', async () => {
    const rig = await setUp(1)
    await expect(rig.begin(rig.documents, [])).rejects.toMatchObject({ code: 'schema_invalid' })
    await expect(rig.begin([99])).rejects.toMatchObject({ code: 'not_found' })
    await expect(rig.core().handlers['trials.get']({ id: 7 })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a draft that is tried on this computer', () => {
  it('runs at once, for nothing, and anew each time', async () => {
    const dir = temporaryDir()
    const core = await startHost({
      dataDir: join(dir.path, 'data'),
      secrets: { get: async () => null, set: async () => undefined, remove: async () => undefined },
      desktop: null,
    })
    onTestFinished(dir.remove)
    onTestFinished(() => core.stop({ atOnce: true }))
    const { tables, now } = core.context
    const connectionId = tables.connections.local().id
    const schemaId = tables.schemas.save(
      null,
      'Invoice',
      [{ name: 'Invoice number', format: 'text', description: 'Number of the invoice' }],
      now(),
    ).id
    const { PDFDocument } = await import('pdf-lib')
    const pdf = await PDFDocument.create()
    const page = pdf.addPage([595, 842])
    page.drawText('Invoice number: INV-2026-77', { x: 60, y: 760, size: 12 })
    page.drawText('Total amount: 1,234.50', { x: 60, y: 730, size: 12 })
    await mkdir(join(dir.path, 'in'))
    const path = join(dir.path, 'in', 'invoice.pdf')
    await writeFile(path, await pdf.save())
    const folder = tables.folders.add(
      {
        kind: 'watched',
        path: join(dir.path, 'in'),
        name: 'in',
        schemaId,
        connectionId,
        agentReference: null,
        mode: 'auto',
        includeSubfolders: true,
        afterwards: 'stay',
      },
      now(),
    )
    const document = await takeIn(core.context, folder, candidateAt(path, await lstat(path)))
    core.queue.wake()
    await until(() => statuses(core)['done'] === 1, 'the result')
    const elements = [{ name: 'Total amount', format: 'number', description: 'total with tax' }]
    for (const _time of [1, 2]) {
      const { id } = await core.handlers['trials.begin']({ schemaId, connectionId, elements, documentIds: [document] })
      expect((await whenSettled(() => core, id)).columns).toMatchObject([
        {
          state: 'answered',
          isKept: false,
          wasSent: false,
          records: [{ 'Total amount': 1234.5 }],
          stored: { records: [{ 'Invoice number': 'INV-2026-77' }] },
        },
      ])
    }
    const same = await core.handlers['trials.begin']({
      schemaId,
      connectionId,
      elements: tables.schemas.get(schemaId)!.elements,
      documentIds: [document],
    })
    expect((await whenSettled(() => core, same.id)).columns).toMatchObject([
      { state: 'answered', isKept: false, records: [{ 'Invoice number': 'INV-2026-77' }] },
    ])
    expect((await core.handlers['app.state']({})).cap).toMatchObject({ documentsToday: 0 })
    expect((await core.handlers['app.state']({})).bytesSentToday).toBe(0)
  })
})
