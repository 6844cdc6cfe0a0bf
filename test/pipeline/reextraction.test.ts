import { lstat, mkdir, writeFile } from 'node:fs/promises'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { candidateAt } from '../../electron/core/pipeline/files/file-rules.ts'
import { calls } from '../../shared/contract/contract.ts'
import type { ReextractionState } from '../../shared/contract/reextraction.ts'
import { addFolder, pdfBytes, simpleSchema, startTestCore, statuses, temporaryDir, until } from '../helpers/core.ts'
import { takeIn } from '../helpers/take-in.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { Received, VendorReply } from '../helpers/vendor.ts'

const withBuyer = [...simpleSchema, { name: 'buyer', format: 'text', description: 'who pays' }]
const isLater = ({ params }: Received): boolean => JSON.stringify(params).includes('buyer')
const answered = (data: Record<string, unknown>): VendorReply => ({
  body: JSON.stringify({ status: 'success', data, metadata: { tokens_consumed: 30 } }),
})
const numberOf = ({ filename }: Received): string => filename.replace('.pdf', '')
/** The later fields of a document, of which the total is read otherwise than before. */
const later = (document: Received): VendorReply =>
  answered({ invoice_number: numberOf(document), total_amount: 15, buyer: 'Ridley' })

/** Documents with a result of the first version each at a service that bills, and a schema that gained a field. */
async function setUp(count: number, reply: (document: Received) => VendorReply = later) {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  const vendor = await startVendor((document) => (isLater(document) ? reply(document) : {}))
  onTestFinished(vendor.close)
  const data = join(dir.path, 'data')
  const now = { core: await startTestCore(data) }
  onTestFinished(() => now.core.stop({ atOnce: true }))
  const core = (): Core => now.core
  await mkdir(join(dir.path, 'in'))
  const folder = addFolder(core(), vendor, { path: join(dir.path, 'in') })
  const ids: number[] = []
  for (let index = 1; index <= count; index += 1) {
    const path = join(dir.path, 'in', `${index}.pdf`)
    await writeFile(path, pdfBytes(String(index)))
    ids.push(await takeIn(core().context, folder, candidateAt(path, await lstat(path))))
  }
  core().queue.wake()
  await until(() => statuses(core())['done'] === count, 'the results')
  const schemaId = folder.schemaId
  const get = async (): Promise<ReextractionState | null> =>
    calls['reextraction.get'].output.parse(await core().handlers['reextraction.get']({ schemaId })).state
  const settled = async (): Promise<ReextractionState> => {
    for (;;) {
      const state = await get()
      if (state !== null && state.underWay === 0) return state
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  return {
    core,
    folder,
    ids,
    dir: dir.path,
    data,
    get,
    settled,
    sent: () => vendor.received.length,
    gain: () => core().handlers['schemas.save']({ id: schemaId, name: 'Invoice', elements: withBuyer }),
    begin: () => core().handlers['reextraction.begin']({ schemaId }),
    send: () => core().handlers['reextraction.send']({ schemaId, connectionId: folder.connectionId }),
    apply: async () => (await core().handlers['reextraction.apply']({ schemaId })).changed,
    takeBack: async () => (await core().handlers['reextraction.takeBack']({ schemaId })).changed,
    earlier: async () =>
      (await core().handlers['schemas.list']({})).schemas.find(({ id }) => id === schemaId)!.earlierCount,
    correct: (id: number, pointer: string, value: string | number) =>
      core().handlers['review.correct']({ id, changes: [{ pointer, value }] }),
    recordOf: async (id: number) => (await core().handlers['documents.get']({ id })).records[0],
    restart: async (between: () => void) => {
      await now.core.stop({ atOnce: true })
      between()
      now.core = await startTestCore(data)
    },
  }
}

describe('documents of a schema that gained a field', () => {
  it('are 50 rows with all corrections once they were extracted again, and none of them is sent before a person says so', async () => {
    const rig = await setUp(50)
    const [first, second, third] = rig.ids as [number, number, number]
    await rig.correct(first, '/0/total_amount', 20)
    await rig.correct(second, '/0/invoice_number', 'A-2')
    await rig.correct(third, '/0/total_amount', 15)
    expect(await rig.earlier()).toBe(0)
    await rig.gain()
    expect(await rig.earlier()).toBe(50)

    await rig.begin()
    const asking = await rig.settled()
    expect(asking).toMatchObject({ documents: 50, answered: 0, changed: 0, failed: 0 })
    expect(asking.asking).toMatchObject([
      { connectionId: rig.folder.connectionId, estimate: { documents: 50, bills: true } },
    ])
    expect(rig.sent()).toBe(50)

    await rig.send()
    const done = await rig.settled()
    expect(rig.sent()).toBe(100)
    // The third was corrected to what is read now.
    expect(done).toMatchObject({ documents: 50, answered: 50, changed: 50, corrections: 2, asking: [], failed: 0 })
    expect(done.changes.find(({ documentId }) => documentId === first)).toEqual({
      documentId: first,
      name: '1.pdf',
      changes: [{ place: ['buyer'], from: null, to: 'Ridley', isRows: false }],
      more: 0,
    })
    expect(done.changes.find(({ documentId }) => documentId === second)!.changes).toEqual([
      { place: ['total_amount'], from: 12.5, to: 15, isRows: false },
      { place: ['buyer'], from: null, to: 'Ridley', isRows: false },
    ])
    expect(await rig.recordOf(second)).toEqual({ invoice_number: 'A-2', total_amount: 12.5 })

    expect(await rig.apply()).toBe(50)
    expect(await rig.get()).toBeNull()
    expect(await rig.earlier()).toBe(0)
    expect(statuses(rig.core())).toEqual({ done: 50 })
    expect(await Promise.all([first, second, third, rig.ids[3]!].map(rig.recordOf))).toEqual([
      { invoice_number: '1', total_amount: 20, buyer: 'Ridley' },
      { invoice_number: 'A-2', total_amount: 15, buyer: 'Ridley' },
      { invoice_number: '3', total_amount: 15, buyer: 'Ridley' },
      { invoice_number: '4', total_amount: 15, buyer: 'Ridley' },
    ])
    const { rows, total } = await rig
      .core()
      .handlers['documents.list'](calls['documents.list'].input.parse({ schemaId: rig.folder.schemaId, limit: 100 }))
    expect([total, rows.length]).toEqual([50, 50])
    expect((await rig.core().handlers['documents.get']({ id: first })).schemaVersion).toBe(2)
    const preview = await rig.core().handlers['exports.preview'](
      calls['exports.preview'].input.parse({
        schemaId: rig.folder.schemaId,
        format: 'csv',
        locale: 'en',
        limit: 100,
      }),
    )
    expect(preview.tables[0]!.totalRows).toBe(50)
    // Each was sent and billed twice, and counts twice.
    expect((await rig.core().handlers['app.state']({})).cap).toMatchObject({ documentsToday: 100 })
  })

  it('are as they were after an undo, with versions, corrections and approvals', async () => {
    const rig = await setUp(2)
    const [first, second] = rig.ids as [number, number]
    await rig.correct(first, '/0/total_amount', 20)
    await rig.core().handlers['review.approve']({ ids: [second] })
    const before = await Promise.all(rig.ids.map((id) => rig.core().handlers['documents.get']({ id })))
    await rig.gain()
    await rig.begin()
    await rig.settled()
    await rig.send()
    expect(await rig.settled()).toMatchObject({ answered: 2, approved: 1 })
    await rig.apply()
    // An approval is of the values that were there.
    expect(await rig.core().handlers['documents.get']({ id: second })).toMatchObject({
      records: [{ total_amount: 15 }],
      review: 'ready',
      check: { approved: null },
    })

    expect(await rig.takeBack()).toBe(2)
    const after = await Promise.all(rig.ids.map((id) => rig.core().handlers['documents.get']({ id })))
    expect(after.map(({ records, review, check, schemaVersion }) => [records, review, check, schemaVersion])).toEqual(
      before.map(({ records, review, check, schemaVersion }) => [records, review, check, schemaVersion]),
    )
    expect(await rig.takeBack()).toBe(0)
  })

  it('are not paid for twice where answers were not taken at first, and stay as they are where none came', async () => {
    const rig = await setUp(3, (document) =>
      document.filename === '2.pdf' ? { status: 422, body: '{}' } : later(document),
    )
    await rig.gain()
    await rig.begin()
    await rig.settled()
    await rig.send()
    await rig.settled()
    expect(rig.sent()).toBe(6)
    await rig.core().handlers['reextraction.discard']({ schemaId: rig.folder.schemaId })
    expect(await rig.get()).toBeNull()

    await rig.begin()
    const again = await rig.settled()
    expect(again).toMatchObject({ documents: 3, answered: 2, changed: 2, failed: 1, asking: [] })
    expect(again.problems).toMatchObject([{ documentId: rig.ids[1]!, name: '2.pdf' }])
    expect(await rig.apply()).toBe(2)
    expect(rig.sent()).toBe(6)
    expect(await rig.earlier()).toBe(1)
    expect(await rig.recordOf(rig.ids[1]!)).toEqual({ invoice_number: '2', total_amount: 12.5 })
  })

  it('keep an answer to themselves that is about another version of their file', async () => {
    const rig = await setUp(1)
    await rig.gain()
    await rig.begin()
    await rig.settled()
    await writeFile(join(rig.dir, 'in', '1.pdf'), pdfBytes('another one', 3000))
    await rig.send()
    expect(await rig.settled()).toMatchObject({
      answered: 0,
      failed: 1,
      problems: [{ name: '1.pdf', reason: { code: 'file_replaced' } }],
    })
    expect(await rig.apply()).toBe(0)
    expect(await rig.recordOf(rig.ids[0]!)).toEqual({ invoice_number: '1', total_amount: 12.5 })
  })

  it('keep the name that their sender has among the partners, and an approval where nothing else changes', async () => {
    const sellers = [{ name: 'seller', format: 'text', description: '' }]
    const rig = await setUp(2, (document) =>
      answered({ invoice_number: numberOf(document), total_amount: 12.5, seller: 'RIDLEY LTD', buyer: null }),
    )
    const save = (elements: unknown[]) =>
      rig.core().handlers['schemas.save']({ id: rig.folder.schemaId, name: 'Invoice', elements })
    await save([...withBuyer, ...sellers])
    await rig.begin()
    await rig.settled()
    await rig.send()
    await rig.settled()
    await rig.apply()
    const partner = { vatId: null, accounts: [], number: null, bookAccount: null, isOwn: false }
    await rig.core().handlers['partners.save']({ id: null, name: 'Ridley', ...partner })
    await until(() => rig.core().context.tables.schemas.toReassess().length === 0, 'the names')
    await rig.core().handlers['review.approve']({ ids: [rig.ids[0]!] })
    await save([...withBuyer, ...sellers, { name: 'note', format: 'text', description: '' }])
    await rig.begin()
    await rig.settled()
    await rig.send()
    expect(await rig.settled()).toMatchObject({ answered: 2, changed: 0, approved: 0 })
    await rig.apply()
    expect((await rig.recordOf(rig.ids[0]!))?.['seller']).toBe('Ridley')
    expect((await rig.core().handlers['documents.get']({ id: rig.ids[0]! })).review).toBe('approved')
  })

  it('are not asked again about what a person confirmed, where its field is called otherwise by then', async () => {
    let [field, value] = ['', '1']
    const rig = await setUp(1, () => answered({ [field]: value, total_amount: 12.5 }))
    const [id] = rig.ids as [number]
    const saveWith = (name: string) => {
      field = name
      return rig.core().handlers['schemas.save']({
        id: rig.folder.schemaId,
        name: 'Invoice',
        elements: [{ ...simpleSchema[0]!, name: field, description: 'Field of the buyer' }, ...simpleSchema.slice(1)],
        rules: [{ kind: 'pattern', field: [field], pattern: 'RE-*' }],
      })
    }
    const again = async (): Promise<void> => {
      await rig.begin()
      await rig.settled()
      await rig.send()
      await rig.settled()
      await rig.apply()
    }
    const flags = async () => (await rig.core().handlers['documents.get']({ id })).check.flags
    await saveWith('number')
    await again()
    expect(await flags()).toMatchObject([{ code: 'pattern', pointer: '/0/number' }])
    await rig.core().handlers['review.confirm']({ id, pointers: ['/0/number'] })
    expect(await flags()).toEqual([])
    await saveWith('invoice')
    await again()
    expect(await rig.recordOf(id)).toMatchObject({ invoice: '1' })
    expect(await flags()).toEqual([])
    // Another value is another question, and what is undone confirms nothing.
    value = '2'
    await saveWith('bill')
    await again()
    expect(await flags()).toMatchObject([{ code: 'pattern', pointer: '/0/bill' }])
    expect(await rig.takeBack()).toBe(1)
    expect(await flags()).toEqual([])
  })

  it('come back from the journal with what was extracted last and with their corrections', async () => {
    const rig = await setUp(2)
    await rig.correct(rig.ids[0]!, '/0/total_amount', 20)
    await rig.gain()
    await rig.begin()
    await rig.settled()
    await rig.send()
    await rig.settled()
    expect(await rig.apply()).toBe(2)
    await rig.restart(() => {
      for (const name of ['sheaf.db', 'sheaf.db-wal', 'sheaf.db-shm']) rmSync(join(rig.data, name), { force: true })
      rmSync(join(rig.data, 'backups'), { recursive: true, force: true })
    })
    const { rows } = await rig.core().handlers['documents.list'](calls['documents.list'].input.parse({ limit: 10 }))
    expect(rows.map(({ name, status }) => [name, status]).toSorted()).toEqual([
      ['1.pdf', 'done'],
      ['2.pdf', 'done'],
    ])
    // What persons did is judged once the program runs.
    await rig.core().run()
    await expect
      .poll(async () =>
        (await Promise.all(rows.map(({ id }) => rig.recordOf(id)))).map((record) => JSON.stringify(record)).toSorted(),
      )
      .toEqual([
        JSON.stringify({ invoice_number: '1', total_amount: 20, buyer: 'Ridley' }),
        JSON.stringify({ invoice_number: '2', total_amount: 15, buyer: 'Ridley' }),
      ])
    expect(rig.sent()).toBe(4)
  })
})
