import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { exportSpec } from '../../shared/contract/exports.ts'
import { documentFilter } from '../../shared/contract/documents.ts'
import type { DocumentDetail } from '../../shared/contract/documents.ts'
import type { DocumentReview } from '../../shared/contract/review.ts'
import type { ReviewState } from '../../shared/domain/document-status.ts'
import { parseSchema } from '../../shared/domain/schema.ts'
import type { Rule } from '../../shared/domain/review.ts'
import { addFolder, pdfBytes, startTestCore, temporaryDir, until } from '../helpers/core.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { Vendor } from '../helpers/vendor.ts'

const elements = parseSchema([
  { name: 'Number', format: 'text', description: '' },
  { name: 'Date', format: 'text', description: '' },
  { name: 'Net', format: 'number', description: '' },
  { name: 'VAT', format: 'number', description: '' },
  { name: 'Total', format: 'number', description: '' },
  {
    name: 'Items',
    format: 'list',
    description: '',
    items: [
      { name: 'Text', format: 'text', description: '' },
      { name: 'Amount', format: 'number', description: '' },
    ],
  },
])
const rules: Rule[] = [
  { kind: 'required', field: ['Number'] },
  { kind: 'sum', terms: [['Net'], ['VAT']], total: ['Total'] },
  { kind: 'unique', fields: [['Number']] },
]
type Records = Record<string, unknown>[]
const right: Records = [
  {
    Number: 'RE-1',
    Date: '2026-11-17',
    Net: 100,
    VAT: 19,
    Total: 119,
    Items: [
      { Text: 'a', Amount: 60 },
      { Text: 'b', Amount: 40 },
    ],
  },
]

let dir: ReturnType<typeof temporaryDir>
let vendor: Vendor
let core: Core
let now: number
let answers: Map<string, Records>
const at = (...parts: string[]): string => join(dir.path, ...parts)

async function start(): Promise<void> {
  core = await startTestCore(at('data'), { now: () => now, person: 'Ada' })
}

beforeEach(async () => {
  dir = temporaryDir()
  answers = new Map()
  vendor = await startVendor((document) => ({
    body: JSON.stringify({
      status: 'success',
      data: answers.get(document.filename),
      metadata: { filename: document.filename },
    }),
  }))
  mkdirSync(at('in'))
  now = Date.parse('2026-11-21T11:39:00')
  await start()
  const { id } = core.context.tables.schemas.save(null, 'Invoice', elements, now)
  await core.handlers['schemas.save']({ id, name: 'Invoice', elements, rules })
  addFolder(core, vendor, { path: at('in') })
  await core.run()
})
afterEach(async () => {
  await core.stop({ atOnce: true })
  await vendor.close()
  dir.remove()
})

/** Puts a document into the folder and resolves with its id once it is done. */
async function received(name: string, records: Records): Promise<number> {
  answers.set(name, records)
  writeFileSync(at('in', name), pdfBytes(name))
  const find = () => core.context.tables.documents.withStatus('done').find((document) => document.name === name)
  await until(() => find() !== undefined, `${name} to be done`)
  now += 60_000
  return find()!.id
}

const detail = (id: number): Promise<DocumentDetail> =>
  core.handlers['documents.get']({ id }) as Promise<DocumentDetail>
const check = async (id: number): Promise<DocumentReview> => (await detail(id)).check
const correct = (id: number, pointer: string, value: unknown): Promise<unknown> =>
  core.handlers['review.correct']({ id, changes: [{ pointer, value: value as string }] })
const counts = async (): Promise<Record<string, number>> => {
  const { flagged, ready, approved } = (await core.handlers['documents.counts'](documentFilter.parse({}))).counts
  return { flagged, ready, approved }
}
const schemaId = (): number => core.context.tables.schemas.list()[0]!.id

describe('a document that is done', () => {
  it('is ready for approval where every rule holds, and to be checked where one does not', async () => {
    const fine = await received('fine.pdf', right)
    const wrong = await received('wrong.pdf', [{ ...right[0], Number: null, Total: 120 }])
    expect(await check(fine)).toEqual({ state: 'ready', flags: [], corrections: [], approved: null })
    const { state, flags } = await check(wrong)
    expect([state, flags.map(({ code, pointer }) => [code, pointer])]).toEqual([
      'flagged',
      [
        ['required', '/0/Number'],
        ['sum', '/0/Total'],
      ],
    ])
    const { rows } = await core.handlers['documents.list']({
      ...documentFilter.parse({ reviews: ['flagged'] }),
      sort: 'receivedAt',
      descending: true,
      offset: 0,
      limit: 10,
    })
    expect(rows.map(({ id, review, flagCount }) => [id, review, flagCount])).toEqual([[wrong, 'flagged', 2]])
    expect(await counts()).toEqual({ flagged: 1, ready: 1, approved: 0 })
  })

  it('has its flags again where a person takes back that a value is right, also after a restart', async () => {
    const id = await received('wrong.pdf', [{ ...right[0], Total: 120 }])
    const told = async () => (await check(id)).flags.map(({ code }) => code)
    expect(await told()).toEqual(['sum'])
    const places = { id, pointers: ['/0/Total'] }
    await core.handlers['review.confirm'](places)
    expect(await told()).toEqual([])
    await core.handlers['review.unconfirm'](places)
    expect(await told()).toEqual(['sum'])
    await core.stop({ atOnce: true })
    await start()
    expect(await told()).toEqual(['sum'])
    await core.handlers['review.confirm'](places)
    expect(await told()).toEqual([])
  })

  it('misses no value that the schema did not ask for when the document was extracted', async () => {
    const old = await received('old.pdf', right)
    const [schema] = core.context.tables.schemas.list()
    const renamed = elements.map((each) => (each.name === 'Number' ? { ...each, name: 'Invoice number' } : each))
    const changed = rules.map((rule) => (rule.kind === 'required' ? { ...rule, field: ['Invoice number'] } : rule))
    await core.handlers['schemas.save']({
      ...{ id: schema!.id, name: 'Invoice', elements: renamed, rules: changed, columns: null },
    })
    await until(() => core.context.tables.schemas.toReassess().length === 0, 'documents to be assessed again')
    expect((await check(old)).flags).toEqual([])
    const next = await received('next.pdf', [{ Net: 100, VAT: 19, Total: 119, 'Invoice number': null }])
    expect((await check(next)).flags).toMatchObject([{ code: 'required', pointer: '/0/Invoice number' }])
  })

  it('says where a number was already seen, until one of the two has another number', async () => {
    const first = await received('first.pdf', right)
    const second = await received('second.pdf', [{ ...right[0], Number: 're-1 ' }])
    expect((await check(first)).flags).toEqual([])
    expect((await check(second)).flags).toEqual([
      {
        code: 'unique',
        pointer: '/0/Number',
        value: 're-1 ',
        documentId: first,
        name: 'first.pdf',
        at: Date.parse('2026-11-21T11:39:00'),
      },
    ])
    await correct(first, '/0/Number', 'RE-2')
    expect((await check(second)).state).toBe('ready')
    await correct(first, '/0/Number', 'RE-1')
    expect((await check(second)).state).toBe('flagged')
  })
})

describe('a correction', () => {
  it('stands beside what the service said, with person and time, and settles its flag', async () => {
    const id = await received('wrong.pdf', [{ ...right[0], Total: 120 }])
    const outcome = (await correct(id, '/0/Total', 119)) as DocumentReview
    expect(outcome).toEqual({
      state: 'ready',
      flags: [],
      corrections: [{ pointer: '/0/Total', extracted: 120, person: 'Ada', at: now }],
      approved: null,
    })
    const { records, values } = await detail(id)
    expect(records).toEqual([{ ...right[0], Total: 119 }])
    expect(values.find(({ name }) => name === 'Total')?.value).toBe(119)
    expect(core.context.tables.results.get(core.context.tables.documents.get(id)!.resultId!).extracted).toEqual([
      { ...right[0], Total: 120 },
    ])
  })

  it('goes into exports', async () => {
    const id = await received('wrong.pdf', [{ ...right[0], Total: 120 }])
    await correct(id, '/0/Total', 119)
    const { tables } = await core.handlers['exports.preview']({
      ...exportSpec.parse({ schemaId: schemaId(), format: 'csv', locale: 'en', lists: 'sheets' }),
      limit: 5,
    })
    expect(tables[0]!.rows[0]).toContain('119')
  })

  it('leaves an export with one document less that needs a look', async () => {
    const id = await received('wrong.pdf', [{ ...right[0], Total: 120 }])
    await received('right.pdf', [{ ...right[0], Number: 'R-2' }])
    const preview = (reviews: ReviewState[]) =>
      core.handlers['exports.preview']({
        ...exportSpec.parse({ schemaId: schemaId(), format: 'csv', locale: 'en', reviews }),
        limit: 5,
      })
    expect(await preview([])).toMatchObject({ documents: 2, flagged: 1 })
    expect(await preview(['flagged'])).toMatchObject({ documents: 1, flagged: 1 })
    // It says how many are left out.
    expect(await preview(['ready', 'approved'])).toMatchObject({ documents: 1, flagged: 1 })
    expect(await preview(['approved'])).toMatchObject({ documents: 0, flagged: 0 })
    await correct(id, '/0/Total', 119)
    expect(await preview([])).toMatchObject({ documents: 2, flagged: 0 })
  })

  it('changes rows of a list, one cell or all of them', async () => {
    const id = await received('rows.pdf', right)
    await correct(id, '/0/Items/1/Amount', 41)
    await correct(id, '/0/Items', [{ Text: 'only', Amount: 100 }])
    await correct(id, '/0/Items/0/Text', 'the only one')
    expect((await detail(id)).records[0]!['Items']).toEqual([{ Text: 'the only one', Amount: 100 }])
  })

  it('is answered with the corrections that it may have changed, and no others', async () => {
    const id = await received('rows.pdf', right)
    const touched = async (pointer: string, value: unknown): Promise<string[]> =>
      ((await correct(id, pointer, value)) as DocumentReview).corrections.map((each) => each.pointer)
    expect(await touched('/0/Total', 1)).toEqual(['/0/Total'])
    expect(await touched('/0/Items/1/Amount', 41)).toEqual(['/0/Items/1/Amount'])
    // What lies in a list, and the list that something lies in.
    expect(await touched('/0/Items', [{ Text: 'only', Amount: 100 }])).toEqual(['/0/Items/1/Amount', '/0/Items'])
    expect(await touched('/0/Items/0/Amount', 99)).toEqual(['/0/Items', '/0/Items/0/Amount'])
    const answer = (await core.handlers['review.confirm']({ id, pointers: ['/0/Total'] })) as DocumentReview
    expect(answer.corrections).toEqual([])
    expect((await check(id)).corrections.map(({ pointer }) => pointer)).toEqual([
      '/0/Total',
      '/0/Items/1/Amount',
      '/0/Items',
      '/0/Items/0/Amount',
    ])
  })

  it('back to what the service said is none', async () => {
    const id = await received('wrong.pdf', [{ ...right[0], Total: 120 }])
    await correct(id, '/0/Total', 119)
    await correct(id, '/0/Total', 120)
    expect(await check(id)).toMatchObject({ state: 'flagged', corrections: [] })
  })

  it('is refused where there is no such place, and then changes nothing at all', async () => {
    const id = await received('fine.pdf', right)
    const changes = [
      { pointer: '/0/Total', value: 1 },
      { pointer: '/0/Items/9/Amount', value: 1 },
    ]
    await expect(core.handlers['review.correct']({ id, changes })).rejects.toMatchObject({ code: 'place_missing' })
    expect(await check(id)).toMatchObject({ corrections: [], state: 'ready' })
  })

  it('holds after the answer was read again, and after a restart', async () => {
    const id = await received('wrong.pdf', [{ ...right[0], Total: 120 }])
    await correct(id, '/0/Total', 119)
    await core.handlers['documents.readAgain']({ ids: [id] })
    await core.stop()
    await start()
    expect((await detail(id)).records[0]!['Total']).toBe(119)
    await core.run()
  })

  it('counts only as long as the service says what was corrected', async () => {
    const id = await received('wrong.pdf', [{ ...right[0], Total: 120 }])
    await correct(id, '/0/Total', 119)
    await core.handlers['review.approve']({ ids: [id] })
    answers.set('wrong.pdf', [{ ...right[0], Net: 200, Total: 219, Items: [{ Text: 'a', Amount: 200 }] }])
    const { tables } = core.context
    tables.documents.apply(id, 'requeue', {}, now)
    core.queue.wake()
    await until(
      () => tables.documents.get(id)!.status === 'done' && tables.attempts.ofDocument(id).length === 2,
      'the second answer',
    )
    expect((await detail(id)).records[0]).toMatchObject({ Net: 200, Total: 219 })
    expect(await check(id)).toMatchObject({ state: 'ready', corrections: [], approved: null })
  })
})

describe('a flag', () => {
  it('is gone once a person confirmed the value, until something else speaks against it', async () => {
    const id = await received('wrong.pdf', [{ ...right[0], Total: 120 }])
    expect(await core.handlers['review.confirm']({ id, pointers: ['/0/Total'] })).toMatchObject({
      state: 'ready',
      flags: [],
    })
    await correct(id, '/0/Net', 99)
    expect((await check(id)).flags).toMatchObject([{ code: 'sum', expected: 118 }])
    await correct(id, '/0/Net', 100)
    expect((await check(id)).state).toBe('ready')
  })
})

describe('approval', () => {
  it('names the person and the time, and ends with a correction', async () => {
    const id = await received('fine.pdf', right)
    await core.handlers['review.approve']({ ids: [id] })
    expect(await check(id)).toMatchObject({ state: 'approved', approved: { person: 'Ada', at: now } })
    await correct(id, '/0/Number', 'RE-9')
    expect(await check(id)).toMatchObject({ state: 'ready', approved: null })
  })

  it('of everything without flags leaves the rest alone, and is taken back in one go', async () => {
    const ids = [await received('a.pdf', right), await received('b.pdf', [{ ...right[0], Number: 'RE-2' }])]
    await received('flagged.pdf', [{ ...right[0], Number: 'RE-3', Total: 5 }])
    await core.handlers['review.approve']({ ids: [ids[0]!] })
    const all = await core.handlers['review.approveReady']({ folderId: null, schemaId: null })
    expect(all.approved).toBe(1)
    expect(await counts()).toEqual({ flagged: 1, ready: 0, approved: 2 })
    expect(await core.handlers['review.takeBack']({ batch: all.batch })).toEqual({ reopened: 1 })
    expect(await core.handlers['review.takeBack']({ batch: all.batch })).toEqual({ reopened: 0 })
    expect(await counts()).toEqual({ flagged: 1, ready: 1, approved: 1 })
  })

  it('tells how many flags were open, of one document and of several', async () => {
    const wrong = await received('wrong.pdf', [{ ...right[0], Total: 120 }])
    const other = await received('other.pdf', [{ ...right[0], Number: 'RE-2', Total: 5 }])
    const fine = await received('fine.pdf', [{ ...right[0], Number: 'RE-3' }])
    expect(await core.handlers['review.approve']({ ids: [wrong] })).toMatchObject({ approved: 1, flags: 1 })
    expect(await core.handlers['review.approve']({ ids: [wrong, other, fine] })).toMatchObject({
      approved: 2,
      flags: 1,
    })
  })

  it('ends when the document is sent again, and is no business of what has no result', async () => {
    const id = await received('fine.pdf', right)
    await core.handlers['review.approve']({ ids: [id] })
    core.queue.pause()
    core.context.tables.documents.apply(id, 'requeue', {}, now)
    expect(await counts()).toEqual({ flagged: 0, ready: 0, approved: 0 })
    expect((await core.handlers['review.approve']({ ids: [id] })).approved).toBe(0)
    await expect(correct(id, '/0/Total', 1)).rejects.toMatchObject({ code: 'place_missing' })
  })
})

describe('what a person did', () => {
  it('outlives a database that broke', async () => {
    const [wrong, fine] = [
      await received('wrong.pdf', [{ ...right[0], Total: 120 }]),
      await received('fine.pdf', [{ ...right[0], Number: 'RE-2' }]),
    ]
    await correct(wrong, '/0/Total', 119)
    await core.handlers['review.approve']({ ids: [wrong, fine] })
    await core.handlers['review.reopen']({ ids: [fine] })
    await core.stop()
    writeFileSync(at('data', 'sheaf.db'), 'no database '.repeat(1000))
    await start()
    await core.run()
    const idOf = (name: string): number =>
      core.context.tables.documents.withStatus('done').find((document) => document.name === name)!.id
    await until(() => core.context.tables.schemas.toReassess().length === 0, 'documents to be assessed again')
    expect(await check(idOf('wrong.pdf'))).toMatchObject({
      state: 'approved',
      approved: { person: 'Ada' },
      corrections: [{ pointer: '/0/Total', extracted: 120 }],
    })
    expect((await detail(idOf('wrong.pdf'))).records[0]!['Total']).toBe(119)
    expect(await check(idOf('fine.pdf'))).toMatchObject({ state: 'ready', approved: null })
    expect(vendor.received).toHaveLength(2)
  })

  it('outlives an earlier copy of the database in its place, also where that copy has the document as approved', async () => {
    const id = await received('wrong.pdf', [{ ...right[0], Total: 120 }])
    await core.handlers['review.approve']({ ids: [id] })
    await core.stop()
    const earlier = readFileSync(at('data', 'sheaf.db'))
    await start()
    await core.run()
    await correct(id, '/0/Total', 119)
    await core.handlers['review.approve']({ ids: [id] })
    await core.stop()
    writeFileSync(at('data', 'sheaf.db'), earlier)
    await start()
    await core.run()
    await until(() => core.context.tables.schemas.toReassess().length === 0, 'documents to be assessed again')
    expect((await detail(id)).records[0]!['Total']).toBe(119)
    expect(await check(id)).toMatchObject({ state: 'approved', corrections: [{ pointer: '/0/Total', extracted: 120 }] })
  })

  it('is not done twice at the next start', async () => {
    const id = await received('wrong.pdf', [{ ...right[0], Total: 120 }])
    await correct(id, '/0/Total', 119)
    await core.handlers['review.confirm']({ id, pointers: ['/0/Total'] })
    await core.stop()
    await start()
    expect(core.context.tables.reviews.corrections(id)).toHaveLength(1)
    expect(core.context.tables.schemas.toReassess()).toEqual([])
    await core.run()
  })
})

describe('other rules', () => {
  it('judge anew what nobody approved, and leave approvals alone', async () => {
    const [one, other] = [await received('a.pdf', right), await received('b.pdf', [{ ...right[0], Number: 'RE-2' }])]
    await core.handlers['review.approve']({ ids: [other] })
    await core.handlers['schemas.save']({
      id: schemaId(),
      name: 'Invoice',
      elements,
      rules: [{ kind: 'pattern', field: ['Number'], pattern: 'INV-*' }],
    })
    await until(() => core.context.tables.schemas.toReassess().length === 0, 'the new rule to be applied')
    expect(await counts()).toEqual({ flagged: 1, ready: 0, approved: 1 })
    expect(core.context.tables.reviews.state(one)).toBe('flagged')
  })
})
