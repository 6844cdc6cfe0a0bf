import { describe, expect, it, onTestFinished } from 'vitest'
import { setUp } from '../faults/answers-setup.ts'
import { result, started, waitingRig } from '../faults/callback-rig.ts'
import { pdfBytes, until } from '../helpers/core.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { VendorReply } from '../helpers/vendor.ts'

const refusal: VendorReply = { status: 422, body: '{"status":"error","error":"no"}' }

async function rigThat(reply: (index: number) => VendorReply, options: Parameters<typeof setUp>[1] = {}) {
  const vendor = await startVendor((_document, index) => reply(index))
  onTestFinished(vendor.close)
  const rig = await setUp(vendor.baseUrl, options)
  const { handlers } = rig.core
  const connectionId = rig.core.context.tables.connections.list().find(({ kind }) => kind === 'platform')!.id
  return Object.assign(rig, {
    vendor,
    handlers,
    connectionId,
    ended: (id: number, status: string) => until(() => rig.document(id).status === status, status),
  })
}

describe('a document that has its result by now', () => {
  it('is not sent again by a retry that was chosen when it had none', async () => {
    const rig = await rigThat((index) => (index === 0 ? {} : refusal), { concurrency: 1 })
    const done = await rig.send('a.pdf')
    await rig.ended(done, 'done')
    const failed = await rig.send('b.pdf')
    await rig.ended(failed, 'failed')
    rig.core.queue.pause()
    expect(await rig.handlers['documents.retry']({ ids: [done, failed] })).toMatchObject({ retried: 1 })
    expect([done, failed].map((id) => rig.document(id).status)).toEqual(['done', 'queued'])
    rig.check(2)
  })

  it('is not sent again although its newest attempt was lost: a late callback brought what came of an earlier one', async () => {
    const rig = await waitingRig({
      reply: (_document, index) => (index === 0 ? { body: started() } : { drop: true }),
    })
    const { id } = rig.document()
    const { handlers } = rig.core()
    await handlers['documents.cancel']({ ids: [id] })
    await handlers['documents.resend']({ ids: [id] })
    await until(() => rig.document().status === 'unknown', 'the second answer to be lost')
    expect(await rig.vendor.callBack(rig.callback(), result())).toBe(200)
    await until(() => rig.document().status === 'done', 'the result of the first attempt')
    expect((await handlers['documents.get']({ id })).mayBeBilled).toBe(true)
    expect(await handlers['documents.resend']({ ids: [id] })).toEqual({ sent: 0 })
    expect(rig.document().status).toBe('done')
    expect(rig.vendor.received).toHaveLength(2)
    rig.check(1)
  })
})

describe('a document whose connection was removed', () => {
  it('stays as it is when it is asked for again, and says why it cannot go', async () => {
    const rig = await rigThat((index) => (index === 0 ? refusal : { drop: true }), { concurrency: 1 })
    const failed = await rig.send('a.pdf')
    await rig.ended(failed, 'failed')
    const unknown = await rig.send('b.pdf')
    await rig.ended(unknown, 'unknown')
    await rig.handlers['connections.remove']({ id: rig.connectionId })
    await expect(rig.handlers['documents.retry']({ ids: [failed] })).rejects.toMatchObject({
      code: 'connection_removed',
    })
    await expect(rig.handlers['documents.resend']({ ids: [unknown] })).rejects.toMatchObject({
      code: 'connection_removed',
    })
    await expect(rig.handlers['documents.resend']({ ids: null })).rejects.toMatchObject({ code: 'connection_removed' })
    expect([failed, unknown].map((id) => rig.document(id).status)).toEqual(['failed', 'unknown'])
    rig.check(2)
  })

  it('does not keep others from going, and goes itself once its folder has another connection', async () => {
    const rig = await rigThat(() => refusal)
    const { tables } = rig.core.context
    const [first, second] = [await rig.send('a.pdf'), await rig.send('b.pdf')]
    for (const id of [first, second]) await rig.ended(id, 'failed')
    const folder = tables.folders.get(rig.document(first).folderId)!
    const local = tables.connections.local().id
    const stranded = tables.folders.add({ ...folder, path: 'elsewhere' }, 0)
    const { id: _id, ...document } = rig.document(first)
    const third = tables.documents.insert(
      { ...document, folderId: stranded.id, path: 'elsewhere/c.pdf', status: 'skipped', reason: null },
      0,
    )
    tables.folders.save({ ...folder, connectionId: local })
    await rig.handlers['connections.remove']({ id: rig.connectionId })
    rig.core.queue.pause()
    expect(await rig.handlers['documents.retry']({ ids: [first, second, third] })).toMatchObject({ retried: 2 })
    expect([first, second].map((id) => rig.document(id).connectionId)).toEqual([local, local])
    expect(rig.document(third).status).toBe('skipped')
  })

  it('does not wait for ever in the queue: it is cancelled with the reason, and those of other connections are not', async () => {
    const rig = await rigThat(() => ({}))
    const { tables } = rig.core.context
    rig.core.queue.pause()
    const queued = [await rig.send('a.pdf'), await rig.send('b.pdf')]
    const folder = tables.folders.get(rig.document(queued[0]!).folderId)!
    const other = tables.folders.add({ ...folder, path: 'elsewhere', connectionId: tables.connections.local().id }, 0)
    const { id: _id, ...document } = rig.document(queued[0]!)
    const third = tables.documents.insert(
      {
        ...document,
        folderId: other.id,
        connectionId: other.connectionId,
        path: 'elsewhere/c.pdf',
        status: 'queued',
        reason: null,
      },
      0,
    )
    await rig.handlers['connections.remove']({ id: rig.connectionId })
    expect(queued.map((id) => [rig.document(id).status, rig.document(id).reasonCode])).toEqual(
      Array.from(queued, () => ['cancelled', 'connection_removed']),
    )
    expect(rig.document(third).status).toBe('queued')
  })
})

describe('F11 a copy of a document whose outcome is unknown', () => {
  it('says that only the original can be sent again, is not itself, and shares the result then', async () => {
    const rig = await rigThat((index) => (index === 0 ? { drop: true } : {}))
    const original = await rig.send('a.pdf')
    const before = await rig.send('before.pdf', pdfBytes('a.pdf'))
    await rig.ended(original, 'unknown')
    const after = await rig.send('after.pdf', pdfBytes('a.pdf'))
    for (const copy of [before, after])
      expect(rig.document(copy)).toMatchObject({
        status: 'skipped',
        reasonCode: 'duplicate_unknown',
        reasonDetails: { original: 'a.pdf' },
      })
    expect(await rig.handlers['documents.retry']({ ids: [before, after] })).toMatchObject({ retried: 0 })
    expect(await rig.handlers['documents.resend']({ ids: [before, after] })).toEqual({ sent: 0 })
    expect(await rig.handlers['documents.resend']({ ids: [original] })).toEqual({ sent: 1 })
    await rig.ended(original, 'done')
    for (const copy of [before, after])
      expect(rig.document(copy)).toMatchObject({ status: 'skipped', reasonCode: 'duplicate' })
    expect((await rig.handlers['documents.get']({ id: after })).records).toEqual(
      (await rig.handlers['documents.get']({ id: original })).records,
    )
    rig.check(2, 1)
  })
})

describe('F11 a copy of a document that was cancelled after its answer was lost', () => {
  it('is not sent, since that one may be billed; only the original can be, after the question', async () => {
    const rig = await rigThat((index) => (index === 0 ? { drop: true } : {}))
    const original = await rig.send('a.pdf')
    await rig.ended(original, 'unknown')
    await rig.handlers['documents.cancel']({ ids: [original] })
    const copy = await rig.send('copy.pdf', pdfBytes('a.pdf'))
    expect(rig.document(original).status).toBe('cancelled')
    expect(rig.document(copy)).toMatchObject({
      status: 'skipped',
      reasonCode: 'duplicate_unknown',
      originalDocumentId: original,
    })
    expect(await rig.handlers['documents.resend']({ ids: [original] })).toEqual({ sent: 1 })
    await rig.ended(original, 'done')
    rig.check(2, 1)
  })
})

describe('a thousand documents that are asked for again', () => {
  it.each(['documents.retry', 'documents.resend'] as const)(
    'are a few commits, between which others have their turn and hear of them (%s)',
    async (call) => {
      const rig = await rigThat(() => (call === 'documents.retry' ? refusal : { drop: true }))
      const first = await rig.send('a.pdf')
      const status = call === 'documents.retry' ? 'failed' : 'unknown'
      await rig.ended(first, status)
      rig.core.queue.pause()
      const { tables } = rig.core.context
      const { id: _id, ...document } = rig.document(first)
      const ids = tables.transaction(() =>
        Array.from({ length: 1200 }, (_, n) =>
          tables.documents.insert({ ...document, path: `${document.path}.${n}`, status: 'queued', reason: null }, 0),
        ),
      )
      tables.transaction(() =>
        ids.forEach((id) => tables.documents.apply(id, call === 'documents.retry' ? 'fail' : 'lose', {}, 0)),
      )
      const { transaction } = tables
      let commits = 0
      tables.transaction = (work) => {
        commits += 1
        return transaction(work)
      }
      let [heard, most] = [0, 0]
      rig.core.onEvent((name) => void (heard += Number(name === 'document.changed')))
      const others = setInterval(() => {
        most = Math.max(most, heard)
        heard = 0
      }, 0)
      const said = await rig.handlers[call]({ ids })
      clearInterval(others)
      expect(said).toMatchObject(call === 'documents.retry' ? { retried: 1200 } : { sent: 1200 })
      expect(commits).toBe(3)
      expect(most).toBeGreaterThan(0)
      expect(most).toBeLessThan(1200)
      expect(ids.every((id) => rig.document(id).status === 'queued')).toBe(true)
    },
  )
})
