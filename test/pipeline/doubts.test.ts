import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { documentFilter } from '../../shared/contract/documents.ts'
import type { DocumentDetail } from '../../shared/contract/documents.ts'
import { exportSpec } from '../../shared/contract/exports.ts'
import { parseSchema } from '../../shared/domain/schema.ts'
import { addFolder, pdfBytes, startTestCore, temporaryDir, until } from '../helpers/core.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { Vendor } from '../helpers/vendor.ts'

const elements = parseSchema([
  { name: 'number', format: 'text', description: '' },
  { name: 'total', format: 'number', description: '' },
  { name: 'iban', format: 'text', description: '' },
  {
    name: 'items',
    format: 'list',
    description: '',
    items: [
      { name: 'text', format: 'text', description: '' },
      { name: 'pieces', format: 'number', description: '' },
    ],
  },
])
const data = {
  number: 'R-1',
  total: 1190,
  iban: null,
  items: [
    { text: 'a', pieces: 1 },
    { text: 'b', pieces: 2 },
  ],
}
const box = { x: 0.7, y: 0.8, width: 0.1, height: 0.02 }
const other = (value: unknown, more = {}) => ({ value, page: 1, box, text: String(value), ...more })
const unsure = (pointer: string, ...alternatives: unknown[]) => ({ pointer, code: 'unsure', alternatives })

let dir: ReturnType<typeof temporaryDir>
let vendor: Vendor
let core: Core
let now: number
/** What the service says of the next document: literally the JSON of its answer. */
let answer: { data: unknown; doubts?: unknown; sources?: unknown }

async function start(): Promise<void> {
  core = await startTestCore(join(dir.path, 'data'), { now: () => now, person: 'Ada' })
}
beforeEach(async () => {
  dir = temporaryDir()
  vendor = await startVendor(({ filename }) => ({
    body: JSON.stringify({
      status: 'success',
      data: answer.data,
      metadata: { filename, sources: answer.sources, doubts: answer.doubts },
    }),
  }))
  mkdirSync(join(dir.path, 'in'))
  now = Date.parse('2026-11-21T11:39:00')
  await start()
  core.context.tables.schemas.save(null, 'Invoice', elements, now)
  addFolder(core, vendor, { path: join(dir.path, 'in') })
  await core.run()
})
afterEach(async () => {
  await core.stop({ atOnce: true })
  await vendor.close()
  dir.remove()
})

async function received(name: string, given: typeof answer): Promise<number> {
  answer = given
  writeFileSync(join(dir.path, 'in', name), pdfBytes(name))
  const find = () => core.context.tables.documents.withStatus('done').find((document) => document.name === name)
  await until(() => find() !== undefined, `${name} to be done`)
  now += 60_000
  return find()!.id
}
const detail = (id: number) => core.handlers['documents.get']({ id }) as Promise<DocumentDetail>
async function flags(id: number): Promise<string[]> {
  const { check } = await detail(id)
  return [...check.flags.map(({ code, pointer }) => `${code} ${pointer}`), check.state!]
}
const correct = (id: number, pointer: string, value: unknown) =>
  core.handlers['review.correct']({ id, changes: [{ pointer, value: value as string }] })

describe('what a service doubts', () => {
  it('makes the document one to be checked, with the next best values beside it', async () => {
    const id = await received('doubted.pdf', {
      data,
      sources: [{ pointer: '/0/total', page: 1, box, text: '1,190.00' }],
      doubts: [
        { pointer: '/0', code: 'other_kind', alternatives: [] },
        { pointer: '/0', code: 'several_documents', alternatives: [] },
        { pointer: '/0/total', code: 'sources_differ', alternatives: [other(1109, { from: 'e-invoice' })] },
        unsure('/0/iban', other('DE89370400440532013000')),
        unsure('/0/items/1/pieces', other(7)),
        { pointer: '/0/items', code: 'rows_missing', alternatives: [] },
      ],
    })
    expect(await flags(id)).toEqual([
      'other_kind /0',
      'several_documents /0',
      'sources_differ /0/total',
      'unsure /0/iban',
      'unsure /0/items/1/pieces',
      'rows_missing /0/items',
      'unsure /0/number',
      'flagged',
    ])
    const { check, doubts } = await detail(id)
    expect(check.flags[2]).toEqual({
      code: 'sources_differ',
      pointer: '/0/total',
      value: 1190,
      from: 'page',
      other: 1109,
      otherFrom: 'e-invoice',
    })
    expect(doubts.find(({ pointer }) => pointer === '/0/iban')?.alternatives).toMatchObject([
      { value: 'DE89370400440532013000', page: 1, box },
    ])
    const { rows } = await core.handlers['documents.list']({
      ...documentFilter.parse({ reviews: ['flagged'] }),
      sort: 'receivedAt',
      descending: true,
      offset: 0,
      limit: 10,
    })
    expect(rows.map(({ id: listed, flagCount }) => [listed, flagCount])).toEqual([[id, 7]])
  })

  it('is every value of a file that may hold several documents, until a person says that it is one', async () => {
    const id = await received('stack.pdf', {
      data,
      doubts: [{ pointer: '/0', code: 'several_documents', alternatives: [] }],
    })
    const values = ['unsure /0/number', 'unsure /0/total', 'rows_unsure /0/items']
    expect(await flags(id)).toEqual(['several_documents /0', ...values, 'flagged'])
    await correct(id, '/0/total', 1109)
    await core.handlers['review.confirm']({ id, pointers: ['/0/number'] })
    expect(await flags(id)).toEqual(['several_documents /0', 'rows_unsure /0/items', 'flagged'])
    await core.handlers['review.confirm']({ id, pointers: ['/0'] })
    expect(await flags(id)).toEqual(['ready'])
  })

  it('keeps a document out of what is approved or exported unlooked at', async () => {
    await received('sure.pdf', { data })
    await received('doubted.pdf', { data, doubts: [unsure('/0/total')] })
    const { counts } = await core.handlers['documents.counts'](documentFilter.parse({}))
    expect(counts).toMatchObject({ flagged: 1, ready: 1, approved: 0 })
    const schemaId = core.context.tables.schemas.list()[0]!.id
    const preview = await core.handlers['exports.preview']({
      ...exportSpec.parse({ schemaId, format: 'xlsx', locale: 'en', reviews: ['ready', 'approved'] }),
      limit: 5,
    })
    expect(preview.documents).toBe(1)
    expect((await core.handlers['review.approveReady']({ folderId: null, schemaId: null })).approved).toBe(1)
  })

  it('is settled by a person’s word, which holds after the answer was read again and after a restart', async () => {
    const id = await received('doubted.pdf', { data, doubts: [unsure('/0/total', other(1109)), unsure('/0/iban')] })
    await core.handlers['review.confirm']({ id, pointers: ['/0/total'] })
    expect(await flags(id)).toEqual(['unsure /0/iban', 'flagged'])
    await core.handlers['review.confirm']({ id, pointers: ['/0/iban'] })
    await core.handlers['documents.readAgain']({ ids: [id] })
    await core.stop()
    await start()
    expect(await flags(id)).toEqual(['ready'])
    await core.run()
  })

  it('is settled by one of the other values, and doubted again when that is taken back', async () => {
    const id = await received('doubted.pdf', { data, doubts: [unsure('/0/total', other(1109))] })
    await correct(id, '/0/total', 1109)
    expect(await flags(id)).toEqual(['ready'])
    expect((await detail(id)).check.corrections).toMatchObject([
      { pointer: '/0/total', extracted: 1190, person: 'Ada' },
    ])
    await core.handlers['documents.readAgain']({ ids: [id] })
    expect(await flags(id)).toEqual(['ready'])
    await correct(id, '/0/total', 1190)
    expect(await flags(id)).toEqual(['unsure /0/total', 'flagged'])
  })

  it('is told anew about another value, and not about the same', async () => {
    const id = await received('doubted.pdf', { data, doubts: [unsure('/0/total')] })
    await core.handlers['review.confirm']({ id, pointers: ['/0/total'] })
    const { tables } = core.context
    const again = async (total: number): Promise<string[]> => {
      answer = { data: { ...data, total }, doubts: [unsure('/0/total', other(1))] }
      const { length } = tables.attempts.ofDocument(id)
      tables.documents.apply(id, 'requeue', {}, now)
      core.queue.wake()
      await until(
        () => tables.documents.get(id)!.status === 'done' && tables.attempts.ofDocument(id).length > length,
        'the next answer',
      )
      return flags(id)
    }
    expect(await again(1190)).toEqual(['ready'])
    expect(await again(2000)).toEqual(['unsure /0/total', 'flagged'])
  })

  it('moves with its row, and goes with it', async () => {
    const id = await received('doubted.pdf', { data, doubts: [unsure('/0/items/1/pieces', other(7))] })
    await correct(id, '/0/items', [{ text: 'b', pieces: 2 }])
    expect(await flags(id)).toEqual(['unsure /0/items/0/pieces', 'flagged'])
    expect((await detail(id)).doubts).toMatchObject([{ pointer: '/0/items/0/pieces', alternatives: [{ value: 7 }] }])
    await correct(id, '/0/items', [{ text: 'a', pieces: 1 }])
    expect(await flags(id)).toEqual(['ready'])
  })

  it('stays approved with the document', async () => {
    const id = await received('doubted.pdf', { data, doubts: [unsure('/0/total')] })
    await core.handlers['review.approve']({ ids: [id] })
    await core.handlers['documents.readAgain']({ ids: [id] })
    expect((await detail(id)).check.state).toBe('approved')
  })

  it('is left out where it is malformed, and takes nothing along', async () => {
    const id = await received('odd.pdf', {
      data,
      doubts: [
        'unsure',
        null,
        { pointer: 7, code: 'unsure', alternatives: [] },
        { pointer: '/0/total', code: 'afraid', alternatives: [] },
        unsure('/9/total'),
        { pointer: '/0/iban', code: 'unsure' },
        unsure('/0/number', other({ a: 1 }), other('R-7'), { value: 'R-8' }),
      ],
    })
    expect(await flags(id)).toEqual(['unsure /0/iban', 'unsure /0/number', 'flagged'])
    expect((await detail(id)).doubts.map(({ alternatives }) => alternatives.map(({ value }) => value))).toEqual([
      [],
      ['R-7'],
    ])
    expect(await flags(await received('none.pdf', { data, doubts: { total: true } }))).toEqual(['ready'])
  })
})

describe('what cannot well be right', () => {
  it('is flagged without a rule, and settled like any flag', async () => {
    const id = await received('odd.pdf', { data: { ...data, iban: 'DE98370400440532013000' } })
    expect(await flags(id)).toEqual(['implausible /0/iban', 'flagged'])
    await core.handlers['review.confirm']({ id, pointers: ['/0/iban'] })
    expect(await flags(id)).toEqual(['ready'])
    await correct(id, '/0/iban', 'DE97370400440532013000')
    expect(await flags(id)).toEqual(['implausible /0/iban', 'flagged'])
    await correct(id, '/0/iban', 'DE89370400440532013000')
    expect(await flags(id)).toEqual(['ready'])
  })

  it('is an amount a thousand times as large as in the documents before it', async () => {
    for (let index = 0; index < 5; index += 1) await received(`usual-${index}.pdf`, { data: { ...data, total: 80 } })
    const id = await received('large.pdf', { data: { ...data, total: 80_190.5 } })
    expect(await flags(id)).toEqual(['implausible /0/total', 'flagged'])
  })

  it('and was doubted as well is one flag and one word', async () => {
    const id = await received('odd.pdf', {
      data: { ...data, iban: 'DE98370400440532013000' },
      doubts: [unsure('/0/iban')],
    })
    expect(await flags(id)).toEqual(['implausible /0/iban', 'flagged'])
    await core.handlers['review.confirm']({ id, pointers: ['/0/iban'] })
    expect(await flags(id)).toEqual(['ready'])
  })
})
