import { expect, it } from 'vitest'
import { inKinds } from '../../electron/core/pipeline/answers/in-kinds.ts'
import { startBatch } from '../helpers/batch.ts'
import type { Batch } from '../helpers/batch.ts'
import { statuses, until } from '../helpers/core.ts'

const elements = [
  { name: 'Date', format: 'text' as const, description: 'Day of issue.', kind: 'date' as const },
  { name: 'IBAN', format: 'text' as const, description: '', kind: 'iban' as const },
  {
    name: 'Rows',
    format: 'list' as const,
    description: '',
    items: [{ name: 'Day', format: 'text' as const, description: '', kind: 'date' as const }],
  },
]

const answer = {
  Date: '5.3.24',
  IBAN: 'DE89 3704 0044 0532 0130 00',
  Rows: [{ Day: '19 april 2014' }, { Day: '31.02.2024' }],
}

/** One document of these fields, read by a platform that answers this. */
async function read(data: unknown, metadata: unknown = {}): Promise<Batch> {
  const batch = await startBatch(() => ({ body: JSON.stringify({ status: 'success', data, metadata }) }))
  const { core, folder, take } = batch
  const schema = { id: null, name: 'Kinds', elements, rules: [], columns: null }
  const { id: schemaId } = await core.handlers['schemas.save'](schema)
  await core.handlers['folders.update']({ id: folder.id, schemaId })
  await take(1)
  await until(() => statuses(core)['done'] === 1, 'the result')
  return batch
}

it('is written in one form as it is read and as it is typed, and flagged where it is none', async () => {
  const { core, vendor } = await read(answer)
  expect(vendor.received[0]!.params).toEqual([
    { name: 'Date', format: 'text', description: 'Day of issue. A date, written as YYYY-MM-DD.' },
    { name: 'IBAN', format: 'text', description: 'An IBAN, written without spaces.' },
    {
      name: 'Rows',
      format: 'list',
      description: '',
      items: [{ name: 'Day', format: 'text', description: 'A date, written as YYYY-MM-DD.' }],
    },
  ])
  const document = await core.handlers['documents.get']({ id: 1 })
  expect(document.records).toEqual([
    {
      Date: '2024-03-05',
      IBAN: 'DE89370400440532013000',
      Rows: [{ Day: '2014-04-19' }, { Day: '31.02.2024' }],
    },
  ])
  expect(document.check!.flags.map(({ pointer, ...flag }) => [pointer, 'reason' in flag && flag.reason])).toEqual([
    ['/0/Rows/1/Day', 'no_such_date'],
  ])

  const { flags } = await core.handlers['review.correct']({
    id: 1,
    changes: [
      { pointer: '/0/Date', value: '6. März 2024' },
      { pointer: '/0/Rows', value: [{ Day: '29.02.2024' }] },
    ],
  })
  expect(flags).toEqual([])
  const corrected = await core.handlers['documents.get']({ id: 1 })
  expect(corrected.records).toEqual([
    { Date: '2024-03-06', IBAN: 'DE89370400440532013000', Rows: [{ Day: '2024-02-29' }] },
  ])
})

it('keeps a doubt of the service where only the form of the value is another', async () => {
  const { core } = await read(
    { ...answer, Rows: [] },
    { doubts: [{ pointer: '/0/Date', code: 'unsure', alternatives: [{ value: '6.3.24', from: 'page' }] }] },
  )
  const document = await core.handlers['documents.get']({ id: 1 })
  expect(document.check!.flags).toEqual([{ code: 'unsure', pointer: '/0/Date', value: '2024-03-05' }])
  await core.handlers['review.correct']({ id: 1, changes: [{ pointer: '/0/Date', value: '6.3.24' }] })
  const settled = await core.handlers['documents.get']({ id: 1 })
  expect([settled.records![0]!['Date'], settled.check!.flags]).toEqual(['2024-03-06', []])
})

it('is no other result when the answer is read again', async () => {
  const { core } = await read(answer)
  const before = core.context.tables.documents.get(1)!.resultId
  expect(await core.handlers['documents.readAgain']({ ids: [1] })).toEqual({ read: 1, changed: 0 })
  expect(core.context.tables.documents.get(1)!.resultId).toBe(before)
})

it('is nothing where this computer found what cannot be of its kind; a platform’s value stays, with its flag', () => {
  const fields = [
    ...elements,
    { name: 'Mail', format: 'text' as const, description: '', kind: 'email' as const },
    { name: 'Currency', format: 'text' as const, description: '', kind: 'currency' as const },
  ]
  const record = {
    // A digit is misread: a person sees what was read.
    IBAN: 'DE89 3704 0044 0532 0130 01',
    Date: '31.02.2024',
    Mail: 'Casa Verde',
    Currency: '24,50',
    Rows: [{ Day: 'soon' }, { Day: '5.3.24' }],
  }
  const place = { page: 1, box: { x: 0, y: 0, width: 1, height: 1 }, text: '' }
  const result = {
    records: [record],
    sources: ['/0/Mail', '/0/Date'].map((pointer) => ({ pointer, ...place })),
    doubts: [
      { pointer: '/0/Mail', code: 'unsure' as const, alternatives: [{ value: 'a@b.de' }, { value: 'FR19448120663' }] },
    ],
    durationMs: null,
    tokensConsumed: null,
  }
  const tables = { schemas: { elementsOf: () => fields }, connections: { local: () => ({ id: 1 }) } }
  const stored = (connectionId: number) =>
    inKinds({ tables } as never, { connectionId, schemaVersionId: 1 } as never, result as never)
  expect(stored(1)).toMatchObject({
    records: [{ ...record, Mail: null, Currency: null, Rows: [{ Day: null }, { Day: '2024-03-05' }] }],
    sources: [{ pointer: '/0/Date' }],
    doubts: [{ pointer: '/0/Mail', alternatives: [{ value: 'a@b.de' }] }],
  })
  expect(stored(2).records).toEqual([{ ...record, Rows: [{ Day: 'soon' }, { Day: '2024-03-05' }] }])
})
