import type { ValueKind } from '../../electron/service/extraction/concept.ts'
import { understand } from '../../electron/service/extraction/field.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import type { TrainingCase } from './cases.ts'
import { bestLabelOf, prepare } from './fields.ts'
import type { Prepared } from './fields.ts'
import { hash } from './hash.ts'

/** So many fields that a document does not have are asked of it beside its own. */
const absentFields = 3
/** What a label on the pages is as like as this may be there after all. */
const maxLikeness = 0.5

/** What stands on papers without a label, whoever asks for it. */
const unlabelled: ReadonlySet<ValueKind> = new Set(['party', 'currency', 'address', 'postcode', 'city', 'state'])

/**
 * Header fields of all cases that a document either names or does not have: what it holds without a label (parties and
 * their addresses, the number and the day of the document, its sums) is left out, since nobody can tell that it is
 * absent.
 */
export function fieldsToMiss(cases: readonly TrainingCase[]): SchemaElement[] {
  const found = new Map<string, SchemaElement>()
  for (const element of cases.flatMap(({ schema }) => schema)) {
    if (element.format === 'list' || found.has(element.name)) continue
    const { side, role, kind, concept } = understand(element, 'document')
    if (side === undefined && role === undefined && !unlabelled.has(kind) && concept !== 'street')
      found.set(element.name, element)
  }
  return [...found.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1))
}

/** The document, asked for fields that it does not have as well: only these teach. */
export function prepareAbsent(one: TrainingCase, pool: readonly SchemaElement[]): Prepared {
  const own = new Set(one.schema.map(({ name }) => name))
  const place = (name: string): number => hash(`${one.file} ${name}`)
  const absent = pool
    .filter(({ name }) => !own.has(name))
    .map((element) => ({ element, place: place(element.name) }))
    .toSorted((left, right) => left.place - right.place)
    .slice(0, absentFields)
  // They stand anywhere among its own: the judge sees whether values stand in the order of the fields.
  const schema = [...one.schema]
  for (const { element, place: at } of absent) schema.splice(at % (schema.length + 1), 0, element)
  const expected = { ...one.expected, ...Object.fromEntries(absent.map(({ element }) => [element.name, null])) }
  const prepared = prepare({ ...one, schema, expected })
  const names = new Set(absent.map(({ element }) => element.name))
  const usable = prepared.usable.map(
    (_, field) =>
      names.has(prepared.described.fields[field]!.element.name) && bestLabelOf(prepared, field) < maxLikeness,
  )
  return { ...prepared, usable }
}
