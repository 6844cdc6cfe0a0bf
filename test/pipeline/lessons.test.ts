import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Core, CoreOptions } from '../../electron/core/core.ts'
import { readDocument } from '../../electron/reading/read.ts'
import type { DocumentDetail } from '../../shared/contract/documents.ts'
import type { FieldSource } from '../../shared/domain/result.ts'
import { parseSchema } from '../../shared/domain/schema.ts'
import { addFolder, onThisComputer, startTestCore, temporaryDir, until } from '../helpers/core.ts'
import { invoiceElements, invoicesOf } from '../helpers/senders.ts'
import type { Invoice } from '../helpers/senders.ts'
import { startVendor } from '../helpers/vendor.ts'

const seed = 7
let twelve: Invoice[]
let [firsts, others]: Invoice[][] = []
beforeAll(async () => {
  twelve = await invoicesOf(3, seed)
  firsts = twelve.filter((_invoice, index) => index % 3 === 0)
  others = twelve.filter((_invoice, index) => index % 3 !== 0)
})

/** What the service is not sure of: a value that is right, and one that is not. */
const doubts = ['/0/tax_amount', '/0/total_amount'].map((pointer) => ({ pointer, code: 'unsure', alternatives: [] }))

type Rig = {
  core: Core
  /** How many documents were read so far. */
  reads: () => number
  /** Nothing is read from now on until the function that it returns is called. */
  hold: () => () => void
  /** Puts invoices into the folder and waits until each has a result that was compared with what was learned. */
  receive: (invoices: readonly Invoice[]) => Promise<void>
  /** The same without waiting for more than the result. */
  put: (invoices: readonly Invoice[]) => Promise<void>
  detail: (invoice: Invoice) => Promise<DocumentDetail>
  /** Puts what is right in the place of what is wrong, and waits until that was learned. */
  correct: (invoice: Invoice) => Promise<void>
  restart: (options?: Partial<CoreOptions>) => Promise<void>
}

/** A service, on this computer or elsewhere, that answers wrongly or with nothing, for one folder. */
async function setUp(where: 'here' | 'elsewhere', sources: readonly FieldSource[] = []): Promise<Rig> {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  const answers = new Map<string, Invoice>()
  const vendor = await startVendor(({ filename }) => ({
    body: JSON.stringify({
      status: 'success',
      data: answers.get(filename)!.wrong,
      metadata: { filename, doubts, sources },
    }),
  }))
  onTestFinished(vendor.close)
  let reads = 0
  let held = Promise.resolve()
  const start = (options: Partial<CoreOptions> = {}): Promise<Core> =>
    startTestCore(join(dir.path, 'data'), {
      // What a search does when nothing else is to be done would be counted.
      timings: { quietMs: 40, sweepIntervalMs: 100, textFillIdleMs: 3_600_000 },
      read: async (content, kind) => {
        reads += 1
        await held
        return readDocument(content, kind, () => Promise.reject(new Error('no picture')))
      },
      localService: onThisComputer(vendor),
      ...options,
    })
  const inbox = join(dir.path, 'in')
  mkdirSync(inbox)
  let core = await start()
  const { tables, now } = core.context
  tables.schemas.save(null, 'Invoice', parseSchema(invoiceElements), now())
  const folder = addFolder(core, vendor, { path: inbox })
  if (where === 'here') tables.folders.save({ ...folder, connectionId: tables.connections.local().id })
  await core.run()
  onTestFinished(() => core.stop({ atOnce: true }))
  const find = (name: string) =>
    core.context.tables.documents.inFolder(folder.id).findLast((document) => document.name === name)
  const isCompared = ({ name }: Invoice): boolean => !core.context.tables.lessons.isComparing(find(name)!.id)
  const detail = (invoice: Invoice) => core.handlers['documents.get']({ id: find(invoice.name)!.id })
  const put = async (invoices: readonly Invoice[]): Promise<void> => {
    for (const invoice of invoices) {
      answers.set(invoice.name, invoice)
      writeFileSync(join(inbox, invoice.name), invoice.content)
    }
    await until(() => invoices.every(({ name }) => find(name)?.status === 'done'), 'the results')
  }
  return {
    get core() {
      return core
    },
    reads: () => reads,
    hold: () => {
      let release = (): void => undefined
      held = new Promise((resolve) => (release = resolve))
      return release
    },
    put,
    receive: async (invoices) => {
      await put(invoices)
      await until(() => invoices.every(isCompared), 'the comparisons')
    },
    detail,
    correct: async (invoice) => {
      const { id, records } = await detail(invoice)
      const changes = Object.entries(invoice.values)
        .filter(([name, value]) => records[0]![name] !== value)
        .map(([name, value]) => ({ pointer: `/0/${name}`, value }))
      await core.handlers['review.correct']({ id, changes })
      await core.handlers['review.approve']({ ids: [id] })
      await until(() => core.context.tables.lessons.nextLesson() === null, 'the lesson')
    },
    restart: async (options) => {
      await core.stop({ atOnce: true })
      core = await start(options)
      await core.run()
    },
  }
}

/**
 * One document of a sender taught what another one says wrongly, which is read and not compared with it before
 * `release`.
 */
async function setUpComparing(): Promise<{ rig: Rig; second: Invoice; id: number; release: () => void }> {
  const rig = await setUp('here')
  const [first, second] = twelve as [Invoice, Invoice]
  await rig.receive([first])
  await rig.correct(first)
  const release = rig.hold()
  await rig.put([second])
  return { rig, second, id: (await rig.detail(second)).id, release }
}

/** The share of fields that are right. */
async function rightShare(rig: Rig, invoices: readonly Invoice[]): Promise<number> {
  let [right, all] = [0, 0]
  for (const invoice of invoices) {
    const { records } = await rig.detail(invoice)
    for (const { name } of invoiceElements) {
      all += 1
      if (records[0]![name] === invoice.values[name]) right += 1
    }
  }
  return right / all
}
const flagsOf = async (rig: Rig, invoice: Invoice) =>
  (await rig.detail(invoice)).check.flags.map(({ code, pointer }) => `${code} ${pointer}`)
const learnedForms = async ({ core }: Rig) => (await core.handlers['lessons.list']({})).forms

describe('documents of a sender whose form was corrected once', () => {
  it('have their values in the places where that document had them', async () => {
    const rig = await setUp('here')
    await rig.receive(firsts!)
    expect(await rightShare(rig, firsts!)).toBeLessThan(0.3)
    for (const invoice of firsts!) await rig.correct(invoice)
    await rig.receive(others!)
    expect(await rightShare(rig, others!)).toBeGreaterThanOrEqual(0.98)
    expect(await learnedForms(rig)).toMatchObject(
      firsts!.toReversed().map(({ values }) => ({ name: values.seller, schemaName: 'Invoice', documents: 1 })),
    )
    await rig.core.handlers['lessons.forget']({ form: null })
    const later = await invoicesOf(1, seed + 1)
    await rig.receive(later)
    expect(await rightShare(rig, later)).toBeLessThan(0.3)
  })
})

describe('what was learned of a sender', () => {
  it('says from how many documents it is, and asks for a look and settles no doubt as long as that is one', async () => {
    const rig = await setUp('here')
    const [first, second, third] = twelve as [Invoice, Invoice, Invoice]
    await rig.receive([first])
    await rig.correct(first)
    await rig.receive([second])
    const { check, learned } = await rig.detail(second)
    expect(check.corrections.find(({ pointer }) => pointer === '/0/total_amount')).toMatchObject({
      extracted: second.wrong.total_amount,
      learned: 1,
    })
    expect(learned.find(({ pointer }) => pointer === '/0/total_amount')?.alternatives).toMatchObject([
      { value: second.wrong.total_amount },
    ])
    expect(await flagsOf(rig, second)).toEqual(
      expect.arrayContaining(['learned_once /0/total_amount', 'unsure /0/tax_amount']),
    )
    await rig.correct(second)
    await rig.receive([third])
    expect(await rightShare(rig, [third])).toBe(1)
    expect((await rig.detail(third)).check).toMatchObject({ state: 'ready', flags: [] })
    expect((await rig.detail(third)).check.corrections.map(({ learned: documents }) => documents)).toEqual(
      Array.from({ length: 8 }, () => 2),
    )
  })

  it('says nothing of what a document is called, by which its sign goes', async () => {
    const rig = await setUp('here')
    const { tables, now } = rig.core.context
    const { id } = tables.schemas.list()[0]!
    const elements = invoiceElements.map((each) => (each.name === 'seller' ? { ...each, kind: 'document_type' } : each))
    tables.schemas.save(id, 'Invoice', parseSchema(elements), now())
    const [first, second, third] = twelve as [Invoice, Invoice, Invoice]
    for (const one of [first, second]) {
      await rig.receive([one])
      await rig.correct(one)
    }
    await rig.receive([third])
    const [record] = (await rig.detail(third)).records
    expect(record).toMatchObject({ seller: third.wrong.seller, total_amount: third.values.total_amount })
  })

  it('asks for a look where the value of another field was found in its place', async () => {
    const page = { x: 0, y: 0, width: 1, height: 1 }
    const rig = await setUp('here', [{ pointer: '/0/tax_amount', page: 1, box: page, text: '' }])
    const [first, second, third] = twelve as [Invoice, Invoice, Invoice]
    for (const one of [first, second]) {
      await rig.receive([one])
      await rig.correct(one)
    }
    await rig.receive([third])
    expect(await rightShare(rig, [third])).toBe(1)
    expect(await flagsOf(rig, third)).toContain('unsure /0/total_amount')
    expect(await flagsOf(rig, third)).not.toContain('unsure /0/tax_amount')
  })

  it('shows where it stands in the document', async () => {
    const rig = await setUp('here')
    const [first, second] = twelve as [Invoice, Invoice]
    await rig.receive([first])
    await rig.correct(first)
    await rig.receive([second])
    const { sources } = await rig.core.handlers['documents.sources']({ id: (await rig.detail(second)).id })
    const source = sources.filter(({ pointer }) => pointer === '/0/invoice_number')
    expect(source).toMatchObject([{ page: 1, text: second.values.invoice_number }])
  })

  it('stays where a person confirmed it, whatever is learned later', async () => {
    const rig = await setUp('here')
    const [first, second, third] = twelve as [Invoice, Invoice, Invoice]
    await rig.receive([first])
    await rig.correct(first)
    await rig.receive([second, third])
    const { id } = await rig.detail(second)
    await rig.core.handlers['review.confirm']({ id, pointers: ['/0/total_amount'] })
    await rig.correct(third)
    await rig.core.learner.settled()
    await rig.core.handlers['lessons.applyOffers']({})
    expect(await rightShare(rig, [second])).toBe(1)
    expect(await flagsOf(rig, second)).not.toContain('learned_once /0/total_amount')
  })

  it('is taken back like a correction', async () => {
    const rig = await setUp('here')
    const [first, second] = twelve as [Invoice, Invoice]
    await rig.receive([first])
    await rig.correct(first)
    await rig.receive([second])
    const { id, check } = await rig.detail(second)
    const { extracted } = check.corrections.find(({ pointer }) => pointer === '/0/issue_date')!
    await rig.core.handlers['review.correct']({
      id,
      changes: [{ pointer: '/0/issue_date', value: extracted as string }],
    })
    const after = await rig.detail(second)
    expect(after.records[0]!['issue_date']).toBe(second.wrong.issue_date)
    expect(after.check.corrections.map(({ pointer }) => pointer)).not.toContain('/0/issue_date')
  })

  it('changes nothing of what a person corrected or confirmed meanwhile', async () => {
    const { rig, second, id, release } = await setUpComparing()
    await rig.core.handlers['review.correct']({ id, changes: [{ pointer: '/0/seller', value: 'By hand' }] })
    await rig.core.handlers['review.confirm']({ id, pointers: ['/0/total_amount'] })
    release()
    await until(() => !rig.core.context.tables.lessons.isComparing(id), 'the comparison')
    expect((await rig.detail(second)).records[0]).toMatchObject({
      seller: 'By hand',
      total_amount: second.wrong.total_amount,
      invoice_number: second.values.invoice_number,
    })
  })

  it('leaves alone what a person approved before it was compared', async () => {
    const { rig, second, id, release } = await setUpComparing()
    await rig.core.handlers['review.approve']({ ids: [id] })
    release()
    await until(() => !rig.core.context.tables.lessons.isComparing(id), 'the comparison')
    expect(await rig.detail(second)).toMatchObject({ records: [second.wrong], check: { state: 'approved' } })
  })

  it('holds a result back from all that is ready until it was compared, also over a restart', async () => {
    const { rig, second, id } = await setUpComparing()
    expect(await flagsOf(rig, second)).toEqual(['comparing /0', 'unsure /0/tax_amount', 'unsure /0/total_amount'])
    expect(await rig.core.handlers['review.approveReady']({ folderId: null, schemaId: null })).toMatchObject({
      approved: 0,
    })
    rig.hold()()
    await rig.restart()
    await until(() => !rig.core.context.tables.lessons.isComparing(id), 'the comparison')
    expect(await rightShare(rig, [second])).toBe(1)
    expect(await flagsOf(rig, second)).not.toContain('comparing /0')
  })

  it('leaves alone what the file says exactly', async () => {
    const box = { x: 0, y: 0, width: 0, height: 0 }
    const rig = await setUp('here', [{ pointer: '/0/issue_date', page: 1, box, text: '', from: 'e-invoice' }])
    const [first, second] = twelve as [Invoice, Invoice]
    await rig.receive([first])
    await rig.correct(first)
    await rig.receive([second])
    expect((await rig.detail(second)).records[0]).toMatchObject({
      issue_date: second.wrong.issue_date,
      invoice_number: second.values.invoice_number,
    })
  })

  it('is read from a document only where its schema has lessons', async () => {
    const rig = await setUp('here')
    await rig.receive(twelve.slice(0, 2))
    expect(rig.reads()).toBe(0)
  })

  it('is forgotten with one form, and others stay', async () => {
    const rig = await setUp('here')
    await rig.receive(firsts!)
    for (const invoice of firsts!) await rig.correct(invoice)
    const [last] = await learnedForms(rig)
    await rig.core.handlers['lessons.forget']({ form: last!.form })
    await rig.receive(others!)
    expect(await rightShare(rig, others!.slice(0, 6))).toBe(1)
    expect(await rightShare(rig, others!.slice(6))).toBeLessThan(0.3)
    expect(await learnedForms(rig)).toHaveLength(3)
  })

  it('goes with the approval that taught it, when that is taken back', async () => {
    const rig = await setUp('here')
    const [first] = twelve as [Invoice]
    await rig.receive([first])
    const { id } = await rig.detail(first)
    const { batch } = await rig.core.handlers['review.approve']({ ids: [id] })
    await until(() => rig.core.context.tables.lessons.forms().length === 1, 'the lesson')
    await rig.core.handlers['review.takeBack']({ batch })
    await until(() => rig.core.context.tables.lessons.forms().length === 0, 'the end of the lesson')
  })
})

describe('documents that wait for a person when something is learned', () => {
  const offersOf = async ({ core }: Rig) => (await core.handlers['lessons.offers']({})).documents

  it('are changed in one go when a person says so, and that is undone in one go', async () => {
    const rig = await setUp('here')
    await rig.receive(twelve)
    for (const invoice of firsts!) await rig.correct(invoice)
    const offered = (): Promise<number> => offersOf(rig).then(({ length }) => length)
    await expect.poll(offered, { timeout: 20_000 }).toBe(others!.length)
    expect(await rightShare(rig, others!)).toBeLessThan(0.3)
    const [, second] = twelve as [Invoice, Invoice]
    const offer = (await offersOf(rig)).find(({ name }) => name === second.name)
    expect(offer?.changes).toContainEqual({
      field: 'total_amount',
      from: second.wrong.total_amount,
      to: second.values.total_amount,
      isFlag: false,
    })
    expect(await rig.core.handlers['lessons.applyOffers']({})).toEqual({ changed: others!.length })
    expect(await rightShare(rig, others!)).toBeGreaterThanOrEqual(0.98)
    expect(await offered()).toBe(0)
    expect(await rig.core.handlers['lessons.takeBackOffers']({})).toEqual({ changed: others!.length })
    expect(await rightShare(rig, others!)).toBeLessThan(0.3)
  })

  it('keep what a person corrected or approved', async () => {
    const rig = await setUp('here')
    const [first, second, third] = twelve as [Invoice, Invoice, Invoice]
    await rig.receive([first, second, third])
    const { id } = await rig.detail(second)
    await rig.core.handlers['review.correct']({ id, changes: [{ pointer: '/0/seller', value: 'By hand' }] })
    await rig.correct(first)
    await expect.poll(() => offersOf(rig).then(({ length }) => length), { timeout: 20_000 }).toBe(2)
    await rig.core.handlers['review.approve']({ ids: [(await rig.detail(third)).id] })
    await rig.core.handlers['lessons.applyOffers']({})
    expect((await rig.detail(second)).records[0]).toMatchObject({
      seller: 'By hand',
      invoice_number: second.values.invoice_number,
    })
    expect((await rig.detail(third)).records).toEqual([third.wrong])
  })
})

describe('a result of a platform', () => {
  it('is not changed: what differs from what was learned is flagged, with the learned value beside it', async () => {
    const rig = await setUp('elsewhere')
    const [first, second] = twelve as [Invoice, Invoice]
    await rig.receive([first])
    await rig.correct(first)
    await rig.receive([second])
    const { records, check, learned } = await rig.detail(second)
    expect(records).toEqual([second.wrong])
    expect(check.corrections).toEqual([])
    const wrong = Object.keys(second.values).filter(
      (name) => (second.values as Record<string, unknown>)[name] !== (second.wrong as Record<string, unknown>)[name],
    )
    expect((await flagsOf(rig, second)).toSorted()).toEqual(
      [...wrong.map((name) => `learned_differs /0/${name}`), 'unsure /0/tax_amount'].toSorted(),
    )
    expect(learned.map(({ pointer, alternatives }) => [pointer, alternatives[0]!.value]).toSorted()).toEqual(
      wrong.map((name) => [`/0/${name}`, second.values[name as 'iban']]).toSorted(),
    )
  })
})

describe('another bank account than the one that is known for a sender', () => {
  const other = 'AT611904300234573201'

  it.each(['here', 'elsewhere'] as const)('is flagged, of a result from %s', async (where) => {
    const rig = await setUp(where)
    const [first] = twelve as [Invoice]
    const [changed] = (await invoicesOf(1, seed + 2, { iban: other })) as [Invoice]
    await rig.receive([first])
    await rig.correct(first)
    await rig.receive([changed])
    const { check } = await rig.detail(changed)
    // On this computer the value is filled in; a platform's stays empty, so that the whole record has the flag.
    expect(check.flags.filter(({ code }) => code === 'account_differs')).toEqual([
      { code: 'account_differs', pointer: where === 'here' ? '/0/iban' : '/0', account: other },
    ])
  })

  it('is known once a person approved it', async () => {
    const rig = await setUp('here')
    const [first] = twelve as [Invoice]
    const [changed] = (await invoicesOf(1, seed + 2, { iban: other })) as [Invoice]
    const [again] = (await invoicesOf(1, seed + 3, { iban: other })) as [Invoice]
    await rig.receive([first])
    await rig.correct(first)
    await rig.receive([changed])
    await rig.correct(changed)
    await rig.receive([again])
    expect((await flagsOf(rig, again)).filter((flag) => flag.startsWith('account_differs'))).toEqual([])
  })
})
