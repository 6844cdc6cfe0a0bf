import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportSpec } from '../../shared/contract/exports.ts'
import { until } from '../helpers/core.ts'
import { textsOf } from '../helpers/typed-pdf.ts'
import { fieldsSent, idOf, inBin, setUpSorting, settled, shown } from './sorting-rig.ts'

describe('a folder with several schemas', () => {
  it('asks each document by the schema that fits, and sends nothing before it is known', async () => {
    const { rig, put } = await setUpSorting()
    await put('a.pdf', 'INVOICE 1')
    await put('b.pdf', 'STATEMENT 1')
    await put('c.pdf', 'maybe either')
    expect(await settled(rig, 'a.pdf')).toEqual(['done Invoice'])
    expect(await settled(rig, 'b.pdf')).toEqual(['done Statement'])
    expect(await settled(rig, 'c.pdf')).toEqual(['skipped kind_unsure'])
    expect(fieldsSent(rig).toSorted()).toEqual(['iban', 'invoice_number'])
  })

  it('lists what waits, and goes on as soon as a person says what it is', async () => {
    const { rig, put, statement } = await setUpSorting()
    await put('c.pdf', 'maybe either')
    await settled(rig, 'c.pdf')
    const { total, documents } = await rig.core.handlers['sorting.list']({ limit: 500 })
    expect({ total, documents }).toMatchObject({ total: 1, documents: [{ name: 'c.pdf', asks: 'kind', pages: null }] })
    expect(rig.vendor.received).toEqual([])
    const ids = [documents[0]!.id]
    expect(await rig.core.handlers['documents.setSchema']({ ids, schemaId: statement })).toMatchObject({ queued: 1 })
    expect(await settled(rig, 'c.pdf')).toEqual(['done Statement'])
    expect((await rig.core.handlers['sorting.list']({ limit: 500 })).total).toBe(0)
  })

  it('tells the next document what a person said of the ones before', async () => {
    const { rig, put, asked, statement } = await setUpSorting()
    await put('c.pdf', 'maybe either')
    await settled(rig, 'c.pdf')
    await rig.core.handlers['documents.setSchema']({ ids: [idOf(rig, 'c.pdf')], schemaId: statement })
    await settled(rig, 'c.pdf')
    await put('d.pdf', 'INVOICE')
    await settled(rig, 'd.pdf')
    expect(asked.at(-1)!.examples).toEqual([{ schemaId: statement, print: [1] }])
  })

  it('uses the answer that is there when a person changes the schema back', async () => {
    const { rig, put, invoice, statement } = await setUpSorting()
    await put('a.pdf', 'INVOICE 1')
    await settled(rig, 'a.pdf')
    const first = idOf(rig, 'a.pdf')
    const there = await rig.core.handlers['documents.setSchema']({ ids: [first], schemaId: statement })
    expect(await settled(rig, 'a.pdf')).toEqual(['done Statement'])
    const second = idOf(rig, 'a.pdf')
    expect(there.replaced).toEqual([{ id: first, by: second }])
    const back = await rig.core.handlers['documents.setSchema']({ ids: [second], schemaId: invoice })
    expect(back).toMatchObject({ queued: 0, known: 1, replaced: [{ id: second, by: first }] })
    expect(await settled(rig, 'a.pdf')).toEqual(['done Invoice'])
    expect(idOf(rig, 'a.pdf')).toBe(first)
    expect(fieldsSent(rig)).toEqual(['invoice_number', 'iban'])
  })

  it('follows a renamed document, whatever its schema', async () => {
    const { rig, put } = await setUpSorting()
    const path = await put('b.pdf', 'STATEMENT 1')
    await settled(rig, 'b.pdf')
    const id = idOf(rig, 'b.pdf')
    await rename(path, join(rig.inbox, 'renamed.pdf'))
    await until(() => rig.document('renamed.pdf') !== null, 'the new name')
    expect(rig.document('renamed.pdf')).toMatchObject({ id, status: 'done' })
    expect(rig.vendor.received).toHaveLength(1)
  })

  it('takes a copy for one, and sends it not', async () => {
    const { rig, put } = await setUpSorting()
    await put('b.pdf', 'STATEMENT 1')
    await settled(rig, 'b.pdf')
    await rig.put('copy.pdf', await readFile(join(rig.inbox, 'b.pdf')))
    expect(await settled(rig, 'copy.pdf')).toEqual(['skipped duplicate'])
    expect(rig.vendor.received).toHaveLength(1)
  })

  it('sorts anew what waits when the folder is given other schemas', async () => {
    const { rig, put, invoice } = await setUpSorting()
    await put('c.pdf', 'maybe either')
    await settled(rig, 'c.pdf')
    await rig.core.handlers['folders.update']({ id: rig.folder.id, otherSchemaIds: [], cuts: 'never' })
    expect(await settled(rig, 'c.pdf')).toEqual(['done Invoice'])
    expect(rig.document('c.pdf')!.folderId).toBe(rig.folder.id)
    expect(invoice).toBe(rig.folder.schemaId)
  })
})

describe('a file that holds several documents', () => {
  const stack = ['INVOICE 1', 'page two of it', 'STATEMENT 7', 'INVOICE 2']

  it('is cut where that is sure and allowed; each part is sent once, with its pages only', async () => {
    const { rig, put } = await setUpSorting()
    await put('stack.pdf', ...stack)
    expect(await settled(rig, 'stack.pdf')).toEqual([
      'skipped cut',
      'done 1-2 Invoice',
      'done 3-3 Statement',
      'done 4-4 Invoice',
    ])
    expect(fieldsSent(rig).toSorted()).toEqual(['iban', 'invoice_number', 'invoice_number'])
    const shownPages = await textsOf(await readFile(await rig.core.shownPath(idOf(rig, 'stack.pdf', 1))))
    expect(shownPages).toEqual(['INVOICE 1', 'page two of it'])
  })

  it('has a row of a spreadsheet for each part, with its pages beside the name of the file', async () => {
    const { rig, put, invoice } = await setUpSorting()
    await put('stack.pdf', ...stack)
    await settled(rig, 'stack.pdf')
    const { tables } = await rig.core.handlers['exports.preview']({
      ...exportSpec.parse({ schemaId: invoice, format: 'csv', locale: 'en', lists: 'sheets' }),
      limit: 5,
    })
    expect(tables[0]!.rows.map(([name]) => name)).toEqual(['stack.pdf (1–2)', 'stack.pdf (4)'])
  })

  it('is proposed where a person wants to be asked, and cut as the person says', async () => {
    const { rig, put, invoice, statement } = await setUpSorting({ cuts: 'ask' })
    await put('stack.pdf', ...stack)
    expect(await settled(rig, 'stack.pdf')).toEqual(['skipped cut_proposed'])
    expect(rig.vendor.received).toEqual([])
    const { documents } = await rig.core.handlers['sorting.list']({ limit: 5 })
    expect(documents).toMatchObject([{ name: 'stack.pdf', asks: 'cut', parts: 3 }])
    const id = idOf(rig, 'stack.pdf')
    const file = await rig.core.handlers['sorting.get']({ id })
    expect(file).toMatchObject({ id, pageCount: 4, canCut: true, bills: true })
    expect(file.parts.map(({ pages, schemaId }) => [pages.first, pages.last, schemaId])).toEqual([
      [1, 2, invoice],
      [3, 3, statement],
      [4, 4, invoice],
    ])
    const parts = [
      { pages: { first: 1, last: 2 }, schemaId: invoice },
      { pages: { first: 3, last: 4 }, schemaId: statement },
    ]
    expect(await rig.core.handlers['sorting.apply']({ id, parts })).toMatchObject({ queued: 2 })
    expect(await settled(rig, 'stack.pdf')).toEqual(['skipped cut', 'done 1-2 Invoice', 'done 3-4 Statement'])
    expect((await rig.core.handlers['documents.get']({ id })).parts).toEqual([
      { id: idOf(rig, 'stack.pdf', 1), firstPage: 1, lastPage: 2 },
      { id: idOf(rig, 'stack.pdf', 3), firstPage: 3, lastPage: 4 },
    ])
  })

  it('is cut otherwise later: what stays as it was is not sent again, and what is no part any more is in the bin', async () => {
    const { rig, put, invoice, statement } = await setUpSorting()
    await put('stack.pdf', ...stack)
    await settled(rig, 'stack.pdf')
    const kept = idOf(rig, 'stack.pdf', 1)
    const parts = [
      { pages: { first: 1, last: 2 }, schemaId: invoice },
      { pages: { first: 3, last: 4 }, schemaId: statement },
    ]
    const id = idOf(rig, 'stack.pdf', 4)
    expect(await rig.core.handlers['sorting.apply']({ id, parts })).toEqual({ queued: 1, linked: 0, known: 0, kept: 1 })
    expect(await settled(rig, 'stack.pdf')).toEqual(['skipped cut', 'done 1-2 Invoice', 'done 3-4 Statement'])
    expect(idOf(rig, 'stack.pdf', 1)).toBe(kept)
    expect(rig.vendor.received).toHaveLength(4)
    expect(rig.documents().filter(inBin)).toHaveLength(2)
  })

  it('is one document again where a person joins it, and its parts are found when it is cut once more', async () => {
    const { rig, put, invoice, statement } = await setUpSorting()
    await put('stack.pdf', 'INVOICE 1', 'STATEMENT 2')
    await settled(rig, 'stack.pdf')
    const id = idOf(rig, 'stack.pdf')
    await rig.core.handlers['sorting.apply']({ id, parts: [{ pages: { first: 1, last: 2 }, schemaId: invoice }] })
    expect(await settled(rig, 'stack.pdf')).toEqual(['done Invoice'])
    expect(rig.vendor.received).toHaveLength(3)
    const parts = [
      { pages: { first: 1, last: 1 }, schemaId: invoice },
      { pages: { first: 2, last: 2 }, schemaId: statement },
    ]
    expect(await rig.core.handlers['sorting.apply']({ id: idOf(rig, 'stack.pdf'), parts })).toMatchObject({ known: 2 })
    expect(await settled(rig, 'stack.pdf')).toEqual(['skipped cut', 'done 1-1 Invoice', 'done 2-2 Statement'])
    expect(rig.vendor.received).toHaveLength(3)
  })

  it('is found as it is now by who comes with the document that it was before, which is in the bin', async () => {
    const { rig, put, invoice, statement } = await setUpSorting({ cuts: 'never' })
    await put('blended.pdf', 'INVOICE 1', 'STATEMENT 2')
    expect(await settled(rig, 'blended.pdf')).toEqual(['done Invoice'])
    const id = idOf(rig, 'blended.pdf')
    const proposed = await rig.core.handlers['sorting.get']({ id })
    expect(proposed.parts.map(({ pages, schemaId }) => [pages.first, schemaId])).toEqual([
      [1, invoice],
      [2, statement],
    ])
    const parts = proposed.parts.map(({ pages, schemaId }) => ({ pages, schemaId: schemaId! }))
    await rig.core.handlers['sorting.apply']({ id, parts })
    expect(await settled(rig, 'blended.pdf')).toEqual(['skipped cut', 'done 1-1 Invoice', 'done 2-2 Statement'])
    const cut = await rig.core.handlers['sorting.get']({ id })
    expect(cut.id).toBe(idOf(rig, 'blended.pdf'))
    expect(cut.parts.map(({ document }) => document?.status)).toEqual(['done', 'done'])
    expect(rig.vendor.received).toHaveLength(3)
  })

  it('stands in lists and spreadsheets once, whatever is taken out of the bin', async () => {
    const { rig, put, invoice } = await setUpSorting()
    await put('stack.pdf', 'INVOICE 1', 'INVOICE 2')
    await settled(rig, 'stack.pdf')
    const id = idOf(rig, 'stack.pdf')
    await rig.core.handlers['sorting.apply']({ id, parts: [{ pages: { first: 1, last: 2 }, schemaId: invoice }] })
    expect(await settled(rig, 'stack.pdf')).toEqual(['done Invoice'])
    const ids = rig
      .documents()
      .filter(inBin)
      .map((document) => document.id)
    expect(await rig.core.handlers['documents.restore']({ ids })).toEqual({ restored: 0, cutOtherwise: 2 })
    expect(shown(rig, 'stack.pdf')).toEqual(['done Invoice'])
    // What a person only put away comes back.
    await rig.core.handlers['documents.bin']({ ids: [id] })
    expect(await rig.core.handlers['documents.restore']({ ids: [id] })).toEqual({ restored: 1, cutOtherwise: 0 })
  })

  it('is left out where a person says that it is no document, also of a copy', async () => {
    const { rig, put, invoice } = await setUpSorting()
    await put('logo.pdf', 'maybe a logo')
    await settled(rig, 'logo.pdf')
    const none = [{ pages: { first: 1, last: 1 }, schemaId: null }]
    await rig.core.handlers['sorting.apply']({ id: idOf(rig, 'logo.pdf'), parts: none })
    expect(shown(rig, 'logo.pdf')).toEqual([])
    await put('stack.pdf', 'INVOICE 1', 'maybe a blank page')
    await settled(rig, 'stack.pdf')
    const parts = [
      { pages: { first: 1, last: 1 }, schemaId: invoice },
      { ...none[0]!, pages: { first: 2, last: 2 } },
    ]
    const id = idOf(rig, 'stack.pdf')
    expect(await rig.core.handlers['sorting.apply']({ id, parts })).toMatchObject({ kept: 1, queued: 0 })
    expect(await settled(rig, 'stack.pdf')).toEqual(['skipped cut', 'done 1-1 Invoice'])
    const { parts: after } = await rig.core.handlers['sorting.get']({ id })
    expect(after.map(({ isNone }) => isNone)).toEqual([false, true])
    expect((await rig.core.handlers['sorting.list']({ limit: 5 })).total).toBe(0)
    await rig.put('copy.pdf', await readFile(join(rig.inbox, 'stack.pdf')))
    expect(await settled(rig, 'copy.pdf')).toEqual(['skipped cut', 'skipped 1-1 duplicate'])
    expect(rig.vendor.received).toHaveLength(1)
  })

  it('asks only for the part whose schema is not sure', async () => {
    const { rig, put, statement } = await setUpSorting()
    await put('stack.pdf', 'INVOICE 1', 'maybe either')
    expect(await settled(rig, 'stack.pdf')).toEqual(['skipped cut', 'done 1-1 Invoice', 'skipped 2-2 kind_unsure'])
    const { documents } = await rig.core.handlers['sorting.list']({ limit: 500 })
    expect(documents).toMatchObject([{ pages: { first: 2, last: 2 }, asks: 'kind' }])
    await rig.core.handlers['documents.setSchema']({ ids: [documents[0]!.id], schemaId: statement })
    expect(await settled(rig, 'stack.pdf')).toEqual(['skipped cut', 'done 1-1 Invoice', 'done 2-2 Statement'])
  })

  it('waits for a person where it is not sure that it is one document', async () => {
    const { rig, put } = await setUpSorting()
    await put('torn.pdf', 'INVOICE torn')
    expect(await settled(rig, 'torn.pdf')).toEqual(['skipped cut_proposed'])
  })

  it('takes its parts along when it is renamed, and a copy of it sends nothing', async () => {
    const { rig, put } = await setUpSorting()
    const path = await put('stack.pdf', ...stack)
    await settled(rig, 'stack.pdf')
    const ids = rig.documents().map(({ id }) => id)
    await rename(path, join(rig.inbox, 'renamed.pdf'))
    await until(() => rig.document('renamed.pdf') !== null, 'the new name')
    expect(rig.documents().map(({ id, name }) => [id, name])).toEqual(ids.map((id) => [id, 'renamed.pdf']))
    await rig.put('copy.pdf', await readFile(join(rig.inbox, 'renamed.pdf')))
    expect(await settled(rig, 'copy.pdf')).toEqual([
      'skipped cut',
      'skipped 1-2 duplicate',
      'skipped 3-3 duplicate',
      'skipped 4-4 duplicate',
    ])
    expect(rig.vendor.received).toHaveLength(3)
  })

  it('is another file when another version lies in its place: the parts of before keep their values', async () => {
    const { rig, put } = await setUpSorting()
    await put('stack.pdf', 'INVOICE 1', 'STATEMENT 2')
    await settled(rig, 'stack.pdf')
    await put('stack.pdf', 'INVOICE 9', 'second page')
    await until(() => rig.vendor.received.length === 3, 'the new version to be sent')
    expect(await settled(rig, 'stack.pdf')).toEqual([
      'skipped cut',
      'done Invoice',
      'done 1-1 Invoice',
      'done 2-2 Statement',
    ])
  })

  it('goes where its parts ended once all of them are over', async () => {
    const { rig, put } = await setUpSorting({ afterwards: 'move' })
    await put('stack.pdf', 'INVOICE 1', 'STATEMENT 2')
    await until(
      () => rig.documents().every(({ path }) => path.includes('Done')) && rig.documents().length === 3,
      'Done',
    )
    expect(shown(rig, 'stack.pdf')).toEqual(['skipped cut', 'done 1-1 Invoice', 'done 2-2 Statement'])
  })

  it('keeps its parts when the database is made again from the journal, and pays for none twice', async () => {
    const { rig, put } = await setUpSorting()
    await put('stack.pdf', 'INVOICE 1', 'STATEMENT 2')
    await settled(rig, 'stack.pdf')
    await rig.core.stop({ atOnce: true })
    for (const end of ['', '-wal', '-shm']) await rm(join(rig.dataDir, `sheaf.db${end}`), { force: true })
    await rm(join(rig.dataDir, 'backups'), { recursive: true, force: true })
    await rig.restart()
    const { tables } = rig.core.context
    const parts = tables.folders.list().flatMap(({ id }) => tables.documents.inFolder(id))
    const inOrder = parts.toSorted((one, other) => one.firstPage! - other.firstPage!)
    expect(inOrder.map(({ status, firstPage, lastPage }) => [status, firstPage, lastPage])).toEqual([
      ['done', 1, 1],
      ['done', 2, 2],
    ])
    expect(rig.vendor.received).toHaveLength(2)
  })
})
