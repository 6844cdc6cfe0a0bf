import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CallInput, CallOutput } from '../../shared/contract/contract.ts'
import { exportSpec } from '../../shared/contract/exports.ts'
import { documentFilter } from '../../shared/contract/documents.ts'
import { setUpFolder } from '../faults/folder-rig.ts'
import type { Rig } from '../faults/folder-rig.ts'
import { pdfBytes, until } from '../helpers/core.ts'
import type { VendorReply } from '../helpers/vendor.ts'

/** A service that answers each schema with its own field. */
const bySchema = (document: { params: unknown }): VendorReply => {
  const [field] = document.params as { name: string }[]
  return {
    body: JSON.stringify({
      status: 'success',
      data: [{ [field!.name]: `a ${field!.name}` }],
      metadata: { tokens_consumed: 3 },
    }),
  }
}
const receiptFields = [{ name: 'shop', format: 'text', description: 'who sold it' }] as const

async function withReceipts(given: Parameters<typeof setUpFolder>[0] = {}): Promise<{
  rig: Rig
  receipts: number
  ask: (
    ids: number[],
    other?: Partial<CallInput<'documents.extractWith'>>,
  ) => Promise<CallOutput<'documents.extractWith'>>
}> {
  const rig = await setUpFolder({ reply: bySchema, ...given })
  const { tables, now } = rig.core.context
  const receipts = tables.schemas.save(null, 'Receipt', [...receiptFields], now()).id
  const ask = (ids: number[], other: Partial<CallInput<'documents.extractWith'>> = {}) =>
    rig.core.handlers['documents.extractWith']({
      ids,
      schemaId: receipts,
      connectionId: rig.folder.connectionId,
      ...other,
    })
  return { rig, receipts, ask }
}

async function done(rig: Rig, name: string): Promise<number> {
  await until(() => rig.document(name)?.status === 'done', `${name} to be done`)
  return rig.document(name)!.id
}
const documentOf = (rig: Rig, id: number) => rig.core.context.tables.documents.get(id)!
const settled = (rig: Rig, id: number): Promise<void> =>
  until(() => documentOf(rig, id).status === 'done', `document ${id} to be done`)
const estimate = (rig: Rig, receipts: number, documentIds: number[]) =>
  rig.core.handlers['usage.estimate']({
    schemaId: receipts,
    connectionId: rig.folder.connectionId,
    source: { documentIds },
  })

describe('a document that is extracted with another schema', () => {
  it('has a document of its own for that, and the first one and its result stay as they are', async () => {
    const { rig, receipts, ask } = await withReceipts()
    await rig.put('a.pdf', pdfBytes('a'))
    const first = await done(rig, 'a.pdf')
    expect(await estimate(rig, receipts, [first])).toMatchObject({ documents: 1, skipped: 0, bills: true })
    const before = await rig.core.handlers['documents.get']({ id: first })

    const asked = await ask([first])
    expect(asked).toMatchObject({ queued: 1, linked: 0, known: 0, refused: 0, problem: null })
    await settled(rig, asked.id!)
    expect(await rig.core.handlers['documents.get']({ id: first })).toEqual(before)
    expect(await rig.core.handlers['documents.get']({ id: asked.id! })).toMatchObject({
      name: 'a.pdf',
      schemaName: 'Receipt',
      records: [{ shop: 'a shop' }],
    })
    expect(rig.vendor.received).toHaveLength(2)

    for (const [schemaId, value] of [
      [rig.folder.schemaId, 'a invoice_number'],
      [receipts, 'a shop'],
    ] as const) {
      const { tables } = await rig.core.handlers['exports.preview']({
        ...exportSpec.parse({ schemaId, format: 'csv', locale: 'en', lists: 'sheets' }),
        limit: 5,
      })
      expect(tables[0]!.rows).toEqual([expect.arrayContaining([value])])
    }
  })

  it('is not sent for the same a second time, however often it is asked', async () => {
    const { rig, receipts, ask } = await withReceipts()
    await rig.put('a.pdf', pdfBytes('a'))
    await rig.put('b.pdf', pdfBytes('b'))
    const [a, b] = [await done(rig, 'a.pdf'), await done(rig, 'b.pdf')]
    const { id } = await ask([a])
    await settled(rig, id!)
    expect(await ask([a])).toEqual({ queued: 0, linked: 0, known: 1, refused: 0, problem: null, id })
    expect(await ask([a], { schemaId: rig.folder.schemaId })).toMatchObject({ known: 1, id: a })
    expect(await estimate(rig, receipts, [a, b])).toMatchObject({ documents: 1, skipped: 1 })
    expect(await ask([a, b, id!])).toMatchObject({ queued: 1, known: 2 })
    await until(() => rig.documents().filter(({ status }) => status === 'done').length === 4, 'all to be done')
    expect(rig.vendor.received).toHaveLength(4)
    expect(rig.documents()).toHaveLength(4)
  })

  it('shares the result of another file with the same content that was asked before', async () => {
    const { rig, ask } = await withReceipts()
    await rig.put('a.pdf', pdfBytes('same'))
    const a = await done(rig, 'a.pdf')
    await rig.put('copy.pdf', pdfBytes('same'))
    await until(() => rig.document('copy.pdf')?.status === 'skipped', 'the copy')
    const { id } = await ask([a])
    await settled(rig, id!)
    const linked = await ask([rig.document('copy.pdf')!.id])
    expect(linked).toMatchObject({ queued: 0, linked: 1 })
    expect(documentOf(rig, linked.id!)).toMatchObject({
      status: 'skipped',
      reasonCode: 'duplicate',
      originalDocumentId: id,
    })
    expect(await ask([rig.document('copy.pdf')!.id])).toMatchObject({ linked: 0, known: 1, id: linked.id })
    expect(rig.vendor.received).toHaveLength(2)
  })

  it('goes again where it failed and cost nothing', async () => {
    let refusals = 1
    const { rig, ask } = await withReceipts({
      reply: (document) =>
        (document.params as { name: string }[])[0]!.name === 'shop' && refusals-- > 0
          ? { status: 422, body: '{"status":"error","error":"no","detail":"no"}' }
          : bySchema(document),
    })
    await rig.put('a.pdf', pdfBytes('a'))
    const a = await done(rig, 'a.pdf')
    const { id } = await ask([a])
    await until(() => documentOf(rig, id!).status === 'failed', 'the refusal')
    expect(await ask([a])).toMatchObject({ queued: 1, id })
    await settled(rig, id!)
  })

  it('says why where its file is gone, became another one, or is none that can be sent; the others go', async () => {
    const { rig, ask } = await withReceipts()
    for (const name of ['gone.pdf', 'other.pdf', 'there.pdf']) await rig.put(name, pdfBytes(name))
    await rig.put('notes.md', 'text')
    await until(() => rig.document('notes.md')?.status === 'skipped', 'the text')
    const [gone, other, there] = [
      await done(rig, 'gone.pdf'),
      await done(rig, 'other.pdf'),
      await done(rig, 'there.pdf'),
    ]
    await rm(join(rig.inbox, 'gone.pdf'))
    await rig.core.watchers.stop()
    await writeFile(join(rig.inbox, 'other.pdf'), pdfBytes('another one', 3000))
    const problem = async (id: number) => (await ask([id])).problem
    expect(await problem(gone)).toMatchObject({ code: 'file_missing', name: 'gone.pdf' })
    expect(await problem(other)).toMatchObject({ code: 'file_replaced', name: 'other.pdf' })
    expect(await problem(rig.document('notes.md')!.id)).toMatchObject({ code: 'unsupported_type', name: 'notes.md' })
    expect(await ask([gone, there, other])).toMatchObject({ queued: 1, refused: 2, problem: { code: 'file_missing' } })
  })

  it('does not make a sweep take its file in again, nor forget what its folder knows', async () => {
    const { rig, ask } = await withReceipts()
    const path = await rig.put('a.pdf', pdfBytes('a'))
    const a = await done(rig, 'a.pdf')
    const { id } = await ask([a])
    await settled(rig, id!)
    await rig.core.watchers.sweep(rig.folder.id)
    await rig.restart()
    await rig.core.watchers.sweep(rig.folder.id)
    expect(rig.documents()).toHaveLength(2)
    // Another version is a document for the schema of the folder alone.
    await writeFile(path, pdfBytes('a newer one', 3000))
    await until(
      () => rig.documents().length === 3 && rig.documents().every(({ status }) => status === 'done'),
      'the newer version',
    )
    expect(rig.document('a.pdf')).toMatchObject({ extra: false, schemaVersionId: documentOf(rig, a).schemaVersionId })
  })

  it('keeps the connection that was asked for, whatever its folder is given since', async () => {
    const { rig, ask } = await withReceipts()
    await rig.put('a.pdf', pdfBytes('a'))
    const a = await done(rig, 'a.pdf')
    const { id } = await ask([a])
    await settled(rig, id!)
    const local = rig.core.context.tables.connections.local().id
    await rig.core.handlers['folders.update']({ id: rig.folder.id, connectionId: local })
    rig.core.context.tables.documents.apply(id!, 'requeue', {}, 1)
    expect(documentOf(rig, id!).connectionId).toBe(rig.folder.connectionId)
  })
})

describe('a folder that moves its files', () => {
  it('waits until all that was asked of a file has read it, and takes its other documents along', async () => {
    let letGo = (): void => undefined
    const held = new Promise<void>((resolve) => (letGo = resolve))
    const { rig, ask } = await withReceipts({
      folder: { afterwards: 'move' },
      reply: async (document) => {
        const isReceipt = (document.params as { name: string }[])[0]!.name === 'shop'
        if (!isReceipt) await held
        return bySchema(document)
      },
    })
    await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.document('a.pdf')?.status === 'submitting', 'the file to be sent')
    const first = rig.document('a.pdf')!.id
    rig.core.queue.pause()
    const { id } = await ask([first])
    letGo()
    await until(() => documentOf(rig, first).status === 'done', 'the first result')
    expect(documentOf(rig, id!).status).toBe('queued')
    rig.core.queue.resume()
    await settled(rig, id!)
    await until(() => documentOf(rig, first).archivedAs === 'done', 'the file in Done')
    expect(documentOf(rig, id!)).toMatchObject({ path: join(rig.inbox, 'Done/a.pdf'), archivedAs: null })
    expect(existsSync(join(rig.inbox, 'a.pdf'))).toBe(false)
    expect((await rig.core.handlers['documents.file']({ id: id! })).file).toBe('there')
  })

  it('sends nothing of a file that is on its way to Done, and finds it there afterwards', async () => {
    const { rig, ask } = await withReceipts()
    await rig.put('a.pdf', pdfBytes('a'))
    const a = await done(rig, 'a.pdf')
    rig.core.queue.pause()
    const { id } = await ask([a])
    // As if the move had been committed a moment before the other document was asked for.
    const { places, documents } = rig.core.context.tables
    documents.apply(id!, 'cancel', {}, 1)
    expect(places.begin(documentOf(rig, a), join(rig.inbox, 'Done/a.pdf'))).toBe(true)
    expect((await ask([a])).problem).toMatchObject({ code: 'file_unreadable' })
    documents.apply(id!, 'requeue', {}, 1)
    rig.core.queue.resume()
    await until(() => documentOf(rig, id!).reasonCode === 'file_unreadable', 'the other document to wait')
    expect(documentOf(rig, id!).status).toBe('queued')
    places.abandon(a)
    await settled(rig, id!)
  })

  it('finds the file in Done when something else is asked of it later', async () => {
    const { rig, ask } = await withReceipts({ folder: { afterwards: 'move' } })
    await rig.put('a.pdf', pdfBytes('a'))
    const first = () => rig.documents()[0]!
    await until(() => rig.documents().length === 1 && first().archivedAs === 'done', 'the file in Done')
    const { id } = await ask([first().id])
    await settled(rig, id!)
    expect((await rig.core.handlers['documents.counts'](documentFilter.parse({}))).counts.done).toBe(2)
    expect(first().path).toBe(join(rig.inbox, 'Done/a.pdf'))
  })
})
