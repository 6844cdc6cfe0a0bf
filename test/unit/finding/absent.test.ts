import { expect, it } from 'vitest'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { fieldsToMiss, prepareAbsent } from '../../train/absent.ts'
import type { TrainingCase } from '../../train/cases.ts'
import { typedDocument } from '../extraction/typed-page.ts'

const text = (name: string): SchemaElement => ({ name, format: 'text', description: '' })

const membership: TrainingCase = {
  kind: 'form',
  language: 'en',
  group: 'club',
  set: 'typed',
  file: '1',
  schema: [text('first name')],
  expected: { 'first name': 'Annika' },
  document: typedDocument('First name: Annika\nPhone number: 06462 555 123\nMember since: 2019\n'),
  isAnsweredInside: false,
}

it('a document teaches that what no label of it resembles is not there, and nothing of what one names', () => {
  const { described, usable, one } = prepareAbsent(membership, ['phone number', 'vessel name'].map(text))
  const teaches = described.fields.slice(0, described.asked).map(({ element }, field) => [element.name, usable[field]])
  expect(Object.fromEntries(teaches)).toEqual({ 'first name': false, 'phone number': false, 'vessel name': true })
  expect(one.expected).toEqual({ 'first name': 'Annika', 'phone number': null, 'vessel name': null })
})

it('names of parties, their addresses and sums are not said to be missing: they may stand there without a label', () => {
  const parties = ['seller name', 'address', 'city', 'zip', 'state', 'street'].map(text)
  const schema = [...parties, { ...text('net total'), format: 'number' as const }, text('vessel name')]
  expect(fieldsToMiss([{ ...membership, schema }]).map(({ name }) => name)).toEqual(['vessel name'])
})
