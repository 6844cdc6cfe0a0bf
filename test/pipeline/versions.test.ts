import { lstat, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { StoredDocument } from '../../electron/core/db/tables/documents.ts'
import { candidateAt } from '../../electron/core/pipeline/files/file-rules.ts'
import { takeIn } from '../helpers/take-in.ts'
import { result, startCallbackRig, waitingRig } from '../faults/callback-rig.ts'
import type { CallbackRig } from '../faults/callback-rig.ts'
import { setUpFolder } from '../faults/folder-rig.ts'
import { pdfBytes, until } from '../helpers/core.ts'
import { raw } from '../helpers/mailbox.ts'

const corrected = pdfBytes('corrected scan', 2500)

function hash(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

async function takeInAt(rig: CallbackRig, path: string, bytes: Buffer): Promise<number> {
  await writeFile(path, bytes)
  const { context } = rig.core()
  return takeIn(context, context.tables.folders.get(rig.document().folderId)!, candidateAt(path, await lstat(path)))
}

/** A document that was sent and waits to be sent again, while nothing is sent. */
async function queuedAgain(rig: CallbackRig): Promise<void> {
  rig.core().queue.pause()
  await rig.core().handlers['documents.cancel']({ ids: [rig.document().id] })
  await rig.core().handlers['documents.resend']({ ids: [rig.document().id] })
  expect(rig.document().status).toBe('queued')
}

const answer = (rig: CallbackRig, index: number, value: string, id: string): Promise<unknown> =>
  raw(rig.callback(index), { method: 'POST', body: result(value, id) })

describe('F03 a file that was sent and then replaced', () => {
  it('stays the document it was: the newer version is one of its own, and each has its own values', async () => {
    const rig = await waitingRig()
    await queuedAgain(rig)
    const newer = await takeInAt(rig, rig.document().path, corrected)
    expect(newer).not.toBe(rig.document().id)
    await answer(rig, 0, 'first', '6f1c')
    expect(rig.document()).toMatchObject({ status: 'done', sha256: hash(pdfBytes('a.pdf')) })
    rig.core().queue.resume()
    await until(() => rig.document(newer).status === 'waiting', 'the newer version accepted')
    await answer(rig, 1, 'second', '6f1c-1')
    expect(rig.document(newer)).toMatchObject({ status: 'done', sha256: hash(corrected) })
    expect([await rig.records(), await rig.records(newer)]).toEqual([
      [{ invoice_number: 'first' }],
      [{ invoice_number: 'second' }],
    ])
    // Beside its values the file of another version is not shown.
    const fileOf = (id: number): Promise<{ file: string }> => rig.core().handlers['documents.file']({ id })
    expect([await fileOf(rig.document().id), await fileOf(newer)]).toEqual([{ file: 'replaced' }, { file: 'there' }])
    rig.check()
  })

  it('is shown beside its values when it was only touched, and not when other content has its size', async () => {
    const rig = await waitingRig()
    await answer(rig, 0, 'first', '6f1c')
    const { id, path } = rig.document()
    const fileOf = (): Promise<{ file: string }> => rig.core().handlers['documents.file']({ id })
    await utimes(path, new Date(2026, 0, 1), new Date(2026, 0, 1))
    expect(await fileOf()).toEqual({ file: 'there' })
    const bytes = await readFile(path)
    bytes[bytes.length - 20]! ^= 1
    await writeFile(path, bytes)
    expect(await fileOf()).toEqual({ file: 'replaced' })
    rig.check()
  })

  it('is not sent in the place of the version that was, and says so', async () => {
    const rig = await waitingRig()
    await queuedAgain(rig)
    await writeFile(rig.document().path, corrected)
    rig.core().queue.resume()
    await until(() => rig.document().status === 'failed', 'the end of the earlier version')
    expect(rig.document()).toMatchObject({ reasonCode: 'file_replaced', sha256: hash(pdfBytes('a.pdf')) })
    expect(rig.vendor.received).toHaveLength(1)
    // What the service still has to say about it is accepted.
    await answer(rig, 0, 'first', '6f1c')
    expect(await rig.records()).toEqual([{ invoice_number: 'first' }])
    expect(rig.document().status).toBe('done')
    rig.check()
  })

  it('is taken in anew by the folder, and once only', async () => {
    const rig = await setUpFolder({ reply: (_document, index) => (index === 0 ? { drop: true } : {}) })
    await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.document('a.pdf')?.status === 'unknown', 'the lost answer')
    const earlier = rig.document('a.pdf')!.id
    rig.core.queue.pause()
    await rig.core.handlers['documents.resend']({ ids: [earlier] })
    await rig.put('a.pdf', corrected)
    await until(() => rig.document('a.pdf')!.id !== earlier, 'the newer version')
    rig.core.queue.resume()
    await until(() => rig.documents().every(({ status }) => status === 'done' || status === 'failed'), 'the ends')
    expect(rig.documents().map(({ status, reasonCode }) => [status, reasonCode])).toEqual([
      ['failed', 'file_replaced'],
      ['done', null],
    ])
    expect(rig.vendor.received).toHaveLength(2)
    rig.check([rig.document('a.pdf')!.path], 2)
  })

  it('keeps what was sent as it was when its place is refused, again and again', async () => {
    const rig = await waitingRig()
    await queuedAgain(rig)
    const { path } = rig.document()
    await writeFile(path, '')
    rig.core().queue.resume()
    await until(() => rig.document().status === 'skipped', 'the empty file')
    const newer = await takeInAt(rig, path, Buffer.from('no document'))
    expect(newer).not.toBe(rig.document().id)
    expect(rig.document()).toMatchObject({
      status: 'skipped',
      reasonCode: 'empty_file',
      sha256: hash(pdfBytes('a.pdf')),
    })
    expect(rig.document(newer)).toMatchObject({ status: 'skipped', reasonCode: 'file_damaged' })
    expect(await takeInAt(rig, path, Buffer.from(''))).toBe(newer)
    expect(rig.document(newer)).toMatchObject({ status: 'skipped', reasonCode: 'empty_file', sizeBytes: 0 })
  })

  it('is not revived with other content after it was missed', async () => {
    const rig = await setUpFolder({ reply: (_document, index) => (index === 0 ? { drop: true } : {}) })
    const path = await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.document('a.pdf')?.status === 'unknown', 'the lost answer')
    await rm(path)
    await rig.core.handlers['documents.resend']({ ids: [rig.document('a.pdf')!.id] })
    await until(() => rig.document('a.pdf')!.reasonCode === 'file_missing', 'the missing file')
    await rig.put('a.pdf', corrected)
    await until(() => rig.document('a.pdf')!.status === 'done', 'the newer version')
    expect(rig.documents().map(({ status, sha256 }) => [status, sha256])).toEqual([
      ['failed', hash(pdfBytes('a'))],
      ['done', hash(corrected)],
    ])
    rig.check([path], 2)
  })

  it('is what a failed one names, which is said not to go again; so is that a file is gone', async () => {
    const rig = await setUpFolder({
      reply: ({ filename }, index) =>
        filename === 'a.pdf' && index > 0 ? {} : { status: 422, body: '{"error":"no"}' },
    })
    const path = await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.document('a.pdf')?.status === 'failed', 'the refusal')
    const earlier = rig.document('a.pdf')!.id
    const newerDocumentId = async (): Promise<number | null> =>
      (await rig.core.handlers['documents.get']({ id: earlier })).newerDocumentId
    expect(await newerDocumentId()).toBeNull()
    const told: number[] = []
    rig.core.onEvent((name, payload) => name === 'document.changed' && told.push((payload as { id: number }).id))
    await rig.put('a.pdf', corrected)
    await until(() => rig.document('a.pdf')!.status === 'done', 'the newer version')
    expect(await newerDocumentId()).toBe(rig.document('a.pdf')!.id)
    expect(told).toContain(earlier)
    expect(await rig.core.handlers['documents.retry']({ ids: [earlier] })).toEqual({
      retried: 1,
      replaced: 1,
      missing: 0,
    })
    await until(() => rig.documents()[0]!.reasonCode === 'file_replaced', 'the end of the earlier version')

    const gone = await rig.put('b.pdf', pdfBytes('b'))
    await until(() => rig.document('b.pdf')?.status === 'failed', 'the other refusal')
    await rm(gone)
    expect(await rig.core.handlers['documents.retry']({ ids: [earlier, rig.document('b.pdf')!.id] })).toEqual({
      retried: 2,
      replaced: 1,
      missing: 1,
    })
    rig.check([path], 3)
  })
})

describe('F11 a copy', () => {
  async function withCopy(): Promise<{ rig: CallbackRig; copy: () => StoredDocument }> {
    const rig = await startCallbackRig()
    rig.core().queue.pause()
    await rig.add('a.pdf')
    const id = await takeInAt(rig, rig.document().path.replace('a.pdf', 'copy.pdf'), pdfBytes('a.pdf'))
    return { rig, copy: () => rig.document(id) }
  }

  it('claims no result of what was cancelled or lost, and shares it once there is one', async () => {
    const { rig, copy } = await withCopy()
    expect(copy()).toMatchObject({ status: 'skipped', reasonCode: 'duplicate' })
    await rig.core().handlers['documents.cancel']({ ids: [rig.document().id] })
    expect(copy()).toMatchObject({
      status: 'skipped',
      reasonCode: 'duplicate_unread',
      reasonDetails: { original: 'a.pdf' },
    })
    rig.core().queue.resume()
    await rig.core().handlers['documents.retry']({ ids: [rig.document().id] })
    await until(() => rig.document().status === 'waiting', 'the acceptance')
    await answer(rig, 0, 'first', '6f1c')
    expect(copy()).toMatchObject({ status: 'skipped', reasonCode: 'duplicate' })
    expect(await rig.records(copy().id)).toEqual([{ invoice_number: 'first' }])
    expect(rig.vendor.received).toHaveLength(1)
  })

  it('of a version that was replaced before it was sent is a document of its own', async () => {
    const { rig, copy } = await withCopy()
    expect(await takeInAt(rig, rig.document().path, corrected)).toBe(rig.document().id)
    rig.core().queue.resume()
    await until(() => rig.document().status === 'waiting' && copy().status === 'waiting', 'both accepted')
    expect(new Set(rig.vendor.received.map(({ sha256 }) => sha256)).size).toBe(2)
  })
})
