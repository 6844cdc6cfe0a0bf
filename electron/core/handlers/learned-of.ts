import { learnedInForce } from '../../../shared/domain/learned.ts'
import type { LearnedValue } from '../../../shared/domain/learned.ts'
import type { Alternative, ExtractedRecord, FieldSource, OtherValues } from '../../../shared/domain/result.ts'
import type { StoredDocument } from '../db/tables/documents.ts'
import type { HandlerContext } from './types.ts'

/** Of what stands nowhere. */
const nowhere = { page: 1, box: { x: 0, y: 0, width: 0, height: 0 }, text: '' }

/** What lessons say of a document, or of the one that it is a copy of. `records`: as they are shown. */
export function learnedOf(
  tables: HandlerContext['tables'],
  document: StoredDocument,
  records: readonly ExtractedRecord[],
): {
  /** The places of values, those of learned values among them. */
  sourcesWith: (sources: FieldSource[] | null) => FieldSource[] | null
  /** The other values of places that lessons say something of. */
  others: (sources: readonly FieldSource[] | null) => OtherValues[]
} {
  const checked = document.resultId === null ? document.originalDocumentId : document.id
  const learned = checked === null ? [] : tables.lessons.learnedOf(checked)
  const inForce = learnedInForce(learned, records)
  return {
    sourcesWith(sources) {
      if (sources === null || inForce.length === 0) return sources
      const replaced = new Set(inForce.map(({ pointer }) => pointer))
      const places = inForce.flatMap(({ pointer, place }) => (place === null ? [] : [{ pointer, ...place }]))
      return [...sources.filter(({ pointer }) => !replaced.has(pointer)), ...places]
    },
    others: (sources) =>
      learned.flatMap((each) => {
        const alternative = otherOf(each, sources)
        return alternative === null ? [] : [{ pointer: each.pointer, alternatives: [alternative] }]
      }),
  }
}

/** What was found where a lesson says something else, or what a lesson says where that stays. */
function otherOf(
  { kind, pointer, extracted, value, place }: LearnedValue,
  sources: readonly FieldSource[] | null,
): Alternative | null {
  if (kind === 'account' || kind === 'agrees') return null
  if (kind === 'differs') return value === null ? null : { value, ...(place ?? nowhere) }
  const source = sources?.find((each) => each.pointer === pointer)
  if (extracted === null) return null
  return source === undefined
    ? { value: extracted, ...nowhere }
    : { value: extracted, page: source.page, box: source.box, text: source.text }
}
