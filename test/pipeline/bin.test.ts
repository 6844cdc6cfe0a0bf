import { readFileSync, statSync } from 'node:fs'
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { exportSpec } from '../../shared/contract/exports.ts'
import { documentFilter } from '../../shared/contract/documents.ts'
import type { DocumentFilter } from '../../shared/contract/documents.ts'
import { setUpFolder } from '../faults/folder-rig.ts'
import type { Rig } from '../faults/folder-rig.ts'
import { pdfBytes, until } from '../helpers/core.ts'

async function done(rig: Rig, name: string): Promise<number> {
  await rig.put(name, pdfBytes(name))
  await until(() => rig.document(name)?.status === 'done', `${name} to be done`)
  return rig.document(name)!.id
}
const listed = async (core: Core, filter: Partial<DocumentFilter> = {}): Promise<string[]> =>
  (
    await core.handlers['documents.list']({
      ...documentFilter.parse(filter),
      sort: 'name',
      descending: false,
      offset: 0,
      limit: 100,
    })
  ).rows.map(({ name }) => name)
const counts = async (core: Core, filter: Partial<DocumentFilter> = {}) =>
  (await core.handlers['documents.counts'](documentFilter.parse(filter))).counts
const documentOf = (rig: Rig, id: number) => rig.core.context.tables.documents.get(id)!
const bin = (rig: Rig, ...ids: number[]) => rig.core.handlers['documents.bin']({ ids })
const restore = (rig: Rig, ...ids: number[]) => rig.core.handlers['documents.restore']({ ids })
const exported = async (rig: Rig, folderId: number | null = null): Promise<unknown[]> => {
  const { tables } = await rig.core.handlers['exports.preview']({
    ...exportSpec.parse({ schemaId: rig.folder.schemaId, folderId, format: 'csv', locale: 'en', lists: 'sheets' }),
    limit: 9,
  })
  return (tables[0]?.rows ?? []).map((row) => (row as unknown[]).find((cell) => String(cell).endsWith('.pdf')))
}

describe('a document in the bin', () => {
  it('is in no list, count, search, review or export but the bin’s own, and comes back as it was', async () => {
    const rig = await setUpFolder({})
    const [a, b] = [await done(rig, 'a.pdf'), await done(rig, 'b.pdf')]
    const before = await rig.core.handlers['documents.get']({ id: a })
    expect(await bin(rig, a)).toEqual({ moved: 1, underWay: 0 })
    expect(await listed(rig.core)).toEqual(['b.pdf'])
    expect(await listed(rig.core, { search: 'pdf' })).toEqual(['b.pdf'])
    expect(await listed(rig.core, { reviews: ['ready'] })).toEqual(['b.pdf'])
    expect(await listed(rig.core, { inBin: true })).toEqual(['a.pdf'])
    expect(await listed(rig.core, { inBin: true, search: 'a.pdf' })).toEqual(['a.pdf'])
    expect(await listed(rig.core, { inBin: true, search: 'b.pdf' })).toEqual([])
    for (const filter of [{}, { search: 'pdf' }, { receivedFrom: 0 }, { folderId: rig.folder.id }])
      expect(await counts(rig.core, filter)).toMatchObject({ done: 1, ready: 1, bin: 1 })
    expect((await rig.core.handlers['app.state']({})).counts).toMatchObject({ done: 1, ready: 1, bin: 1 })
    expect((await rig.core.handlers['folders.list']({})).folders[0]).toMatchObject({ total: 1, done: 1 })
    expect((await rig.core.handlers['schemas.list']({})).schemas[0]).toMatchObject({ resultCount: 1 })
    expect(await exported(rig)).toEqual(['b.pdf'])
    expect(await rig.core.handlers['review.approveReady']({ folderId: null, schemaId: null })).toMatchObject({
      approved: 1,
    })
    expect(await rig.core.handlers['review.approve']({ ids: [a, b] })).toMatchObject({ approved: 0 })

    expect(await restore(rig, a, b)).toEqual({ restored: 1, cutOtherwise: 0 })
    expect(await rig.core.handlers['documents.get']({ id: a })).toEqual(before)
    expect(await counts(rig.core)).toMatchObject({ done: 2, ready: 1, approved: 1, bin: 0 })
    expect(await exported(rig)).toEqual(['a.pdf', 'b.pdf'])
  })

  it('keeps its file, its result, its attempts and what was billed for it', async () => {
    const rig = await setUpFolder({})
    const a = await done(rig, 'a.pdf')
    const today = new Date().toLocaleDateString('sv')
    const usage = await rig.core.handlers['usage.report']({ from: today, to: today })
    const before = await rig.core.handlers['documents.get']({ id: a })
    await bin(rig, a)
    expect(readFileSync(join(rig.inbox, 'a.pdf'))).toEqual(pdfBytes('a.pdf'))
    expect(await rig.core.handlers['documents.get']({ id: a })).toEqual({ ...before, inBin: true })
    expect(before.attempts).toHaveLength(1)
    expect(await rig.core.handlers['usage.report']({ from: today, to: today })).toEqual(usage)
  })

  it('is not taken in anew by a sweep, not when its file is touched and not after a restart; another version of the file is', async () => {
    const rig = await setUpFolder({
      reply: (document) =>
        document.filename === 'bad.pdf' ? { status: 422, body: '{"status":"error","error":"no","detail":"no"}' } : {},
    })
    const a = await done(rig, 'a.pdf')
    await rig.put('bad.pdf', pdfBytes('bad.pdf'))
    await rig.put('notes.md', 'text')
    await until(
      () => rig.document('bad.pdf')?.status === 'failed' && rig.document('notes.md')?.status === 'skipped',
      'all to be settled',
    )
    await bin(rig, a, rig.document('bad.pdf')!.id, rig.document('notes.md')!.id)
    await utimes(join(rig.inbox, 'a.pdf'), new Date(), new Date())
    await rig.core.watchers.sweep(rig.folder.id)
    await rig.restart()
    const seen = (): boolean =>
      rig.document('a.pdf')!.mtimeMs === Math.trunc(statSync(join(rig.inbox, 'a.pdf')).mtimeMs)
    await until(seen, 'the touched file to be seen')
    expect(await listed(rig.core)).toEqual([])
    expect(rig.documents()).toHaveLength(3)
    await writeFile(join(rig.inbox, 'a.pdf'), pdfBytes('another version', 3000))
    await until(() => rig.document('a.pdf')!.id !== a && rig.document('a.pdf')!.status === 'done', 'the new version')
    expect(await listed(rig.core)).toEqual(['a.pdf'])
    expect(rig.vendor.received).toHaveLength(3)
  })

  it('cannot be put there while a service has it; the rest of a selection goes', async () => {
    let letGo = (): void => undefined
    const held = new Promise<void>((resolve) => (letGo = resolve))
    const rig = await setUpFolder({
      reply: async ({ filename }) => (filename === 'held.pdf' ? held.then(() => ({})) : {}),
    })
    const a = await done(rig, 'a.pdf')
    await rig.put('held.pdf', pdfBytes('held'))
    await until(() => rig.document('held.pdf')?.status === 'submitting', 'the document to be sent')
    expect(await bin(rig, a, rig.document('held.pdf')!.id)).toEqual({ moved: 1, underWay: 1 })
    letGo()
    await until(() => rig.document('held.pdf')?.status === 'done', 'its result')
    expect(await listed(rig.core)).toEqual(['held.pdf'])
  })

  it('is not sent while it is there, and waits for its turn again when it comes back', async () => {
    const rig = await setUpFolder({})
    rig.core.queue.pause()
    await rig.put('a.pdf', pdfBytes('same'))
    await until(() => rig.document('a.pdf')?.status === 'queued', 'the file to be queued')
    const a = rig.document('a.pdf')!.id
    expect(await bin(rig, a)).toEqual({ moved: 1, underWay: 0 })
    rig.core.queue.resume()
    await done(rig, 'b.pdf')
    expect(documentOf(rig, a)).toMatchObject({ status: 'cancelled', reasonCode: 'binned', inBin: true })
    expect(await rig.core.handlers['documents.retry']({ ids: [a] })).toMatchObject({ retried: 0 })
    expect(rig.vendor.received.map(({ filename }) => filename)).toEqual(['b.pdf'])
    await restore(rig, a)
    await until(() => documentOf(rig, a).status === 'done', 'the document to be sent')
    expect(rig.vendor.received).toHaveLength(2)
  })

  it('gives its place to a copy that waited for it, and is no second bill when it comes back', async () => {
    const rig = await setUpFolder({})
    rig.core.queue.pause()
    await rig.put('a.pdf', pdfBytes('same'))
    await until(() => rig.document('a.pdf')?.status === 'queued', 'the file to be queued')
    await rig.put('b.pdf', pdfBytes('same'))
    await until(() => rig.document('b.pdf')?.status === 'skipped', 'the copy')
    const a = rig.document('a.pdf')!.id
    await bin(rig, a)
    rig.core.queue.resume()
    await until(() => rig.document('b.pdf')?.status === 'done', 'the copy to be sent')
    await restore(rig, a)
    await until(() => documentOf(rig, a).status === 'skipped', 'the first one to be a copy')
    expect(documentOf(rig, a)).toMatchObject({ reasonCode: 'duplicate', originalDocumentId: rig.document('b.pdf')!.id })
    expect(rig.vendor.received).toHaveLength(1)
  })

  it('is still known as the original: the same content is not sent again, and a copy stands for it in exports', async () => {
    const rig = await setUpFolder({})
    const a = await done(rig, 'a.pdf')
    await bin(rig, a)
    await rig.put('copy.pdf', pdfBytes('a.pdf'))
    await until(() => rig.document('copy.pdf')?.status === 'skipped', 'the copy')
    expect(rig.vendor.received).toHaveLength(1)
    expect(await exported(rig)).toEqual(['copy.pdf'])
    expect(await exported(rig, rig.folder.id)).toEqual(['copy.pdf'])
    await bin(rig, rig.document('copy.pdf')!.id)
    expect(await exported(rig)).toEqual([])
    await restore(rig, a)
    expect(await exported(rig)).toEqual(['a.pdf'])
  })

  it('stays where it is in a folder that moves its files, and moves once it is back', async () => {
    const rig = await setUpFolder({})
    const a = await done(rig, 'a.pdf')
    await bin(rig, a)
    await rig.core.handlers['folders.update']({ id: rig.folder.id, afterwards: 'move' })
    await rig.put('b.pdf', pdfBytes('b.pdf'))
    await until(() => rig.documents().some(({ archivedAs }) => archivedAs === 'done'), 'b.pdf in Done')
    expect(documentOf(rig, a)).toMatchObject({ archivedAs: null, path: join(rig.inbox, 'a.pdf') })
    await restore(rig, a)
    await until(() => documentOf(rig, a).archivedAs === 'done', 'a.pdf in Done')
  })

  it('no longer makes another one look as if its number was seen before', async () => {
    const rig = await setUpFolder({
      reply: () => ({
        body: JSON.stringify({ status: 'success', data: { invoice_number: 'R-1', total_amount: 1 }, metadata: {} }),
      }),
    })
    const { elements } = rig.core.context.tables.schemas.get(rig.folder.schemaId)!
    await rig.core.handlers['schemas.save']({
      id: rig.folder.schemaId,
      name: 'Invoice',
      elements,
      rules: [{ kind: 'unique', fields: [['invoice_number']] }],
    })
    const a = await done(rig, 'a.pdf')
    const b = await done(rig, 'b.pdf')
    const reviewOf = async () => (await rig.core.handlers['documents.get']({ id: b })).review
    expect(await reviewOf()).toBe('flagged')
    await bin(rig, a)
    expect(await reviewOf()).toBe('ready')
    await restore(rig, a)
    expect(await reviewOf()).toBe('flagged')
  })

  it('comes back when a person wants the same extracted once more', async () => {
    const rig = await setUpFolder({})
    const a = await done(rig, 'a.pdf')
    await bin(rig, a)
    expect(
      await rig.core.handlers['documents.extractWith']({
        ids: [a],
        schemaId: rig.folder.schemaId,
        connectionId: rig.folder.connectionId,
      }),
    ).toMatchObject({ known: 1, id: a })
    expect(await listed(rig.core)).toEqual(['a.pdf'])
    expect(rig.vendor.received).toHaveLength(1)
  })

  it('leaves the workbook of its folder, and takes its row there again', async () => {
    const rig = await setUpFolder({})
    const { workbooks } = rig.core.context.tables
    workbooks.set({ folderId: rig.folder.id, on: true, path: null, lists: 'rows', locale: 'en' }, 1)
    const [a, b] = [await done(rig, 'a.pdf'), await done(rig, 'b.pdf')]
    await rig.core.handlers['review.approve']({ ids: [a, b] })
    const rows = (): string[] => {
      const frozen = workbooks.freeze(rig.folder.id)
      try {
        return frozen.schemaIds.flatMap((id) => [...frozen.documents(id)].map(({ fileName }) => fileName))
      } finally {
        frozen.end()
      }
    }
    expect(rows()).toEqual(['a.pdf', 'b.pdf'])
    const changeOf = (): number => {
      const frozen = workbooks.freeze(rig.folder.id)
      frozen.end()
      return frozen.change
    }
    const before = changeOf()
    await bin(rig, a)
    expect(rows()).toEqual(['b.pdf'])
    expect(changeOf()).toBeGreaterThan(before)
    await restore(rig, a)
    expect(rows()).toEqual(['a.pdf', 'b.pdf'])
  })
})
