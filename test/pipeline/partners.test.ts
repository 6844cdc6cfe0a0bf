import { lstat, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { candidateAt } from '../../electron/core/pipeline/files/file-rules.ts'
import { calls } from '../../shared/contract/contract.ts'
import type { Partner } from '../../shared/domain/partner.ts'
import { addFolder, pdfBytes, startTestCore, statuses, temporaryDir, until } from '../helpers/core.ts'
import { takeIn } from '../helpers/take-in.ts'
import { startVendor } from '../helpers/vendor.ts'

const elements = ['Seller', 'Seller VAT number', 'IBAN', 'Buyer', 'Invoice number'].map((name) => ({
  name,
  format: 'text' as const,
  description: '',
}))
const account = 'GB63 HBUK 4012 7688 2033 14'
const otherAccount = 'DE02 1203 0000 0000 2020 51'

const somewhere = { page: 1, box: { x: 0, y: 0, width: 0.1, height: 0.1 } }

type Values = Record<string, string | null>

/** A folder whose files are answered with the given records, one after the other. */
const setUp = (...records: Values[]) => setUpDoubted(...records.map((record) => ({ record, unsure: [] })))

/** The same with fields of which the service is not sure. */
async function setUpDoubted(...answers: { record: Values; unsure: string[]; offers?: string[] }[]) {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  const vendor = await startVendor((_, index) => ({
    body: JSON.stringify({
      status: 'success',
      data: answers[index]!.record,
      metadata: {
        tokens_consumed: 1,
        doubts: answers[index]!.unsure.map((name) => ({
          ...{ pointer: `/0/${name}`, code: 'unsure' },
          alternatives: (answers[index]!.offers ?? []).map((value) => ({ ...somewhere, value, text: value })),
        })),
      },
    }),
  }))
  onTestFinished(vendor.close)
  const core = await startTestCore(join(dir.path, 'data'), { concurrency: 1 })
  onTestFinished(() => core.stop({ atOnce: true }))
  core.context.tables.schemas.save(null, 'Invoice', elements, 1)
  await mkdir(join(dir.path, 'in'))
  const folder = addFolder(core, vendor, { path: join(dir.path, 'in') })
  const take = async (index: number): Promise<number> => {
    const path = join(dir.path, 'in', `${index}.pdf`)
    await writeFile(path, pdfBytes(String(index)))
    const id = await takeIn(core.context, folder, candidateAt(path, await lstat(path)))
    core.queue.wake()
    await until(() => statuses(core)['done'] === index, 'the result')
    return id
  }
  return {
    core,
    take,
    detail: (id: number) => core.handlers['documents.get']({ id }),
    partners: async (): Promise<Partner[]> =>
      calls['partners.list'].output.parse(await core.handlers['partners.list']({})).partners,
    approve: (id: number) => core.handlers['review.approve']({ ids: [id] }),
    save: (values: Partial<Partner> & { name: string }) =>
      core.handlers['partners.save']({
        ...calls['partners.save'].input.parse({
          id: null,
          vatId: null,
          accounts: [],
          number: null,
          bookAccount: null,
          isOwn: false,
          ...values,
        }),
      }),
    judged: () => until(() => core.context.tables.schemas.toReassess().length === 0, 'documents to be assessed again'),
  }
}

describe('partners', () => {
  it('come from what is approved, with the name that a person wrote, and the next document has it', async () => {
    const printed = { Seller: 'RIDLEY JOINERY SUPPLIES LTD', 'Seller VAT number': 'DE136695976', IBAN: account }
    const rig = await setUp(printed, { ...printed, 'Seller VAT number': 'DE 136 695 976', IBAN: null }, printed)
    const first = await rig.take(1)
    expect(await rig.partners()).toEqual([])
    await rig.core.handlers['review.correct']({
      id: first,
      changes: [{ pointer: '/0/Seller', value: 'Ridley Joinery' }],
    })
    await rig.approve(first)
    expect(await rig.partners()).toMatchObject([
      { name: 'Ridley Joinery', vatId: 'DE136695976', accounts: ['GB63HBUK40127688203314'], isNamed: true },
    ])

    const second = await rig.take(2)
    // What it was learned from cannot be read here, so it is ready once that was tried.
    await expect.poll(async () => (await rig.detail(second)).review).toBe('ready')
    const detail = await rig.detail(second)
    expect(detail.records[0]!['Seller']).toBe('Ridley Joinery')
    expect(detail.check.corrections).toMatchObject([
      { pointer: '/0/Seller', extracted: 'RIDLEY JOINERY SUPPLIES LTD', byPartners: true },
    ])
    // What a person puts there stays, also when it is what was printed.
    await rig.core.handlers['review.correct']({
      id: second,
      changes: [{ pointer: '/0/Seller', value: printed.Seller }],
    })
    expect((await rig.detail(second)).records[0]!['Seller']).toBe(printed.Seller)
  })

  it('have no VAT number that a digit is wrong of, or that is another tax’s number', async () => {
    const rig = await setUp(
      { Seller: 'Ridley', 'Seller VAT number': 'DE136695979' },
      { Seller: 'Elektro Maier', 'Seller VAT number': '143/211/50112' },
    )
    await rig.approve(await rig.take(1))
    await rig.approve(await rig.take(2))
    expect(await rig.partners()).toMatchObject([
      { name: 'Elektro Maier', vatId: null },
      { name: 'Ridley', vatId: null },
    ])
  })

  it('have an account flagged that they did not have, until it is approved', async () => {
    const rig = await setUp(
      { Seller: 'Ridley', IBAN: account },
      { Seller: 'Ridley Ltd', IBAN: otherAccount },
      { Seller: 'RIDLEY', IBAN: otherAccount },
    )
    await rig.approve(await rig.take(1))
    const second = await rig.take(2)
    expect((await rig.detail(second)).check).toMatchObject({
      state: 'flagged',
      flags: [{ code: 'account_differs', pointer: '/0/IBAN', account: 'DE02120300000000202051' }],
    })
    await rig.approve(second)
    expect((await rig.partners())[0]!.accounts).toHaveLength(2)
    expect((await rig.detail(await rig.take(3))).check).toMatchObject({ state: 'ready', flags: [] })
  })

  it('lose what turns out to be of the office’s own company, and what waits is judged by that', async () => {
    const printed = { Seller: 'City Gas', 'Seller VAT number': 'DE136695976', IBAN: account }
    const rig = await setUp(printed, printed)
    await rig.approve(await rig.take(1))
    const waiting = await rig.take(2)
    expect((await rig.detail(waiting)).check).toMatchObject({ flags: [] })
    const own = { name: 'Mossfield', isOwn: true, accounts: [account], vatId: 'DE 136 695 976' }
    const { id, takenFrom } = await rig.save(own)
    expect(takenFrom).toEqual(['City Gas'])
    await rig.judged()
    expect(await rig.partners()).toMatchObject([
      { name: 'City Gas', vatId: null, accounts: [], isOwn: false },
      { name: 'Mossfield', vatId: 'DE136695976', accounts: ['GB63HBUK40127688203314'], isOwn: true },
    ])
    expect((await rig.detail(waiting)).check.flags).toMatchObject([
      { code: 'own_company', pointer: '/0/Seller VAT number' },
      { code: 'own_company', pointer: '/0/IBAN' },
    ])
    expect((await rig.save({ ...own, id })).takenFrom).toEqual([])
  })

  it('that are named or brought along later change what waits, and not what is approved', async () => {
    const rig = await setUp({ Seller: 'RIDLEY' }, { Seller: 'RIDLEY' }, { Seller: 'Mossfield Ltd' })
    const [approved, waiting, own] = [await rig.take(1), await rig.take(2), await rig.take(3)]
    await rig.approve(approved)
    expect(
      await rig.core.handlers['partners.import']({
        source: { text: 'Name,Number,IBAN\nRidley Limited,70012,GB00 0000\n,70013,\n' },
      }),
    ).toEqual({ added: 0, changed: 1, skipped: 2 })
    await rig.save({ name: 'Mossfield', isOwn: true })
    await rig.judged()
    expect((await rig.detail(approved)).records[0]!['Seller']).toBe('RIDLEY')
    expect((await rig.detail(approved)).review).toBe('approved')
    expect((await rig.detail(waiting)).records[0]!['Seller']).toBe('Ridley Limited')
    const detail = await rig.detail(own)
    expect([detail.records[0]!['Seller'], detail.check.flags]).toEqual([
      null,
      [{ code: 'own_company', pointer: '/0/Seller', value: 'Mossfield Ltd' }],
    ])
    expect(await rig.partners()).toMatchObject([
      { name: 'Mossfield', isOwn: true },
      { name: 'Ridley Limited', number: '70012', accounts: [], isNamed: true },
    ])

    // A company of the office never becomes another partner.
    await rig.core.handlers['review.correct']({ id: own, changes: [{ pointer: '/0/Seller', value: 'Mossfield Ltd' }] })
    await rig.approve(own)
    expect(await rig.partners()).toHaveLength(2)
    await rig.core.handlers['partners.remove']({ id: (await rig.partners())[1]!.id })
    await rig.judged()
    expect((await rig.detail(waiting)).records[0]!['Seller']).toBe('RIDLEY')
  })

  it('need no look where a name and a number belong together, or a buyer is known', async () => {
    const printed = { Seller: 'Ridley Ltd', 'Seller VAT number': 'DE136695976', IBAN: account, Buyer: 'Mossfield LLP' }
    const everything = Object.keys(printed)
    const answer = (record: Partial<typeof printed>) => ({ record: { ...printed, ...record }, unsure: everything })
    const rig = await setUpDoubted(
      answer({}),
      answer({}),
      answer({ Seller: 'RIDLEY', Buyer: 'Mossfield' }),
      answer({ Seller: 'Brightwater', IBAN: otherAccount }),
      answer({ Buyer: 'Harbour Cafe' }),
    )
    const doubted = async (id: number): Promise<string[]> =>
      (await rig.detail(id)).check.flags.map(({ code, pointer }) => `${code} ${pointer.slice(3)}`)
    const all = everything.map((name) => `unsure ${name}`)
    const first = await rig.take(1)
    expect(await doubted(first)).toEqual(all)
    await rig.approve(first)
    const second = await rig.take(2)
    expect(await doubted(second)).toEqual(['unsure Buyer'])
    await rig.approve(second)
    expect(await doubted(await rig.take(3))).toEqual([])
    // Of another sender neither its name nor a number that is Ridley's is known.
    expect(await doubted(await rig.take(4))).toEqual(['unsure Seller', 'unsure IBAN', 'vat_of_other Seller VAT number'])
    const fifth = await rig.take(5)
    expect(await doubted(fifth)).toEqual(['unsure Buyer'])
    await rig.save({ name: 'Harbour Cafe Ltd', isOwn: true })
    await rig.judged()
    expect(await doubted(fifth)).toEqual([])
  })

  it('are known buyers as long as two other documents of theirs are approved, and what waits is judged by that', async () => {
    const printed = { Seller: 'Ridley', Buyer: 'Mossfield' }
    const rig = await setUpDoubted(...[1, 2, 3, 4].map(() => ({ record: printed, unsure: ['Buyer'] })))
    const [first, second, third] = [await rig.take(1), await rig.take(2), await rig.take(3)]
    const states = async () => {
      await rig.judged()
      return Promise.all([first, second, third].map(async (id) => (await rig.detail(id)).review))
    }
    await rig.approve(first)
    expect(await states()).toEqual(['approved', 'flagged', 'flagged'])
    await rig.approve(second)
    expect(await states()).toEqual(['approved', 'approved', 'ready'])
    // What is asked again does not speak for itself.
    await rig.core.handlers['review.reopen']({ ids: [second] })
    expect(await states()).toEqual(['approved', 'flagged', 'flagged'])
    await rig.approve(second)
    expect(await states()).toEqual(['approved', 'approved', 'ready'])
    await rig.core.handlers['review.correct']({ id: first, changes: [{ pointer: '/0/Invoice number', value: '7' }] })
    expect(await states()).toEqual(['flagged', 'approved', 'flagged'])
    await rig.approve(first)
    await rig.core.handlers['documents.bin']({ ids: [first] })
    expect((await rig.detail(await rig.take(4))).review).toBe('flagged')
  })

  it('are not known by a name that a person or the office’s own spelling put beside a number', async () => {
    const rig = await setUpDoubted(
      { record: { Seller: 'Ridley', 'Seller VAT number': 'DE136695976' }, unsure: [] },
      { record: { Seller: 'Ridley', 'Seller VAT number': 'DE136695976' }, unsure: ['Seller', 'Seller VAT number'] },
      { record: { Seller: 'Ridley North', 'Seller VAT number': 'DE136695976' }, unsure: ['Seller VAT number'] },
    )
    await rig.approve(await rig.take(1))
    const second = await rig.take(2)
    expect((await rig.detail(second)).check.flags).toEqual([])
    await rig.core.handlers['review.correct']({ id: second, changes: [{ pointer: '/0/Seller', value: 'Brightwater' }] })
    expect((await rig.detail(second)).check.flags).toMatchObject([
      { code: 'vat_of_other', pointer: '/0/Seller VAT number' },
    ])
    await rig.save({ name: 'Ridley', vatId: 'DE136695976', id: (await rig.partners())[0]!.id })
    expect((await rig.detail(await rig.take(3))).check.flags).toMatchObject([
      { code: 'unsure', pointer: '/0/Seller VAT number' },
    ])
  })

  it('are refused with a reason where an IBAN does not exist or a table has no names', async () => {
    const rig = await setUp()
    await expect(rig.save({ name: 'Ridley', accounts: ['GB63 HBUK 4012 7688 2033 15'] })).rejects.toMatchObject({
      code: 'partner_wrong',
      details: { detail: 'GB63 HBUK 4012 7688 2033 15' },
    })
    await expect(
      rig.core.handlers['partners.import']({ source: { text: 'Article,Price\nPump,12\n' } }),
    ).rejects.toMatchObject({ code: 'partners_unreadable' })
    expect(await rig.partners()).toEqual([])
  })

  it('stay two where two share an account, as those do that sell their invoices', async () => {
    const rig = await setUp({ Seller: 'Ridley', IBAN: account }, { Seller: 'Kestrel', IBAN: account })
    const [first, second] = [await rig.take(1), await rig.take(2)]
    for (const [id, name] of [
      [first, 'Ridley Joinery'],
      [second, 'Kestrel Landscaping'],
    ] as const) {
      await rig.core.handlers['review.correct']({ id, changes: [{ pointer: '/0/Seller', value: name }] })
      await rig.approve(id)
    }
    expect((await rig.partners()).map(({ name }) => name)).toEqual(['Kestrel Landscaping', 'Ridley Joinery'])
    expect((await rig.detail(first)).records[0]!['Seller']).toBe('Ridley Joinery')
  })

  it('give exports their number and account in the books, for every document that they sent', async () => {
    const rig = await setUp({ Seller: 'RIDLEY' }, { Seller: 'Somebody else' })
    await rig.save({ name: 'Ridley', number: '70012', bookAccount: '3400' })
    await rig.take(1)
    await rig.take(2)
    const { tables } = await rig.core.handlers['exports.preview'](
      calls['exports.preview'].input.parse({
        schemaId: 1,
        format: 'csv',
        locale: 'en',
        limit: 10,
        columns: [
          { kind: 'field', field: ['Seller'] },
          { kind: 'about', about: 'partnerNumber' },
          { kind: 'about', about: 'partnerAccount' },
        ],
      }),
    )
    expect([tables[0]!.columns.map(({ header }) => header), ...tables[0]!.rows.toSorted()]).toEqual([
      ['Seller', 'Partner number', 'Partner account'],
      ['Ridley', '70012', '3400'],
      ['Somebody else', '', ''],
    ])
  })

  it('of the office itself are not offered as who sent a document, and are as whom it is to', async () => {
    const rig = await setUpDoubted({
      record: { Seller: 'Ridley Joinery Ltd', Buyer: 'Hartmann GmbH' },
      unsure: ['Seller', 'Buyer', 'Seller VAT number'],
      offers: ['Nordhafen AG', 'Ridley', 'DE136695976'],
    })
    await rig.save({ name: 'Nordhafen AG', vatId: 'DE136695976', isOwn: true })
    const { doubts } = await rig.detail(await rig.take(1))
    const offered = (name: string) =>
      doubts.find(({ pointer }) => pointer === `/0/${name}`)!.alternatives.map(({ value }) => value)
    expect(offered('Seller')).toEqual(['Ridley', 'DE136695976'])
    expect(offered('Seller VAT number')).toEqual(['Nordhafen AG', 'Ridley'])
    expect(offered('Buyer')).toEqual(['Nordhafen AG', 'Ridley', 'DE136695976'])
  })
})
