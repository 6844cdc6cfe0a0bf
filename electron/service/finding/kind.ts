import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { Layout } from '../extraction/layout.ts'
import { meanings } from '../extraction/words.ts'

/** Kinds of papers by the words that name them; those in one group are asked for by the same schema. */
const groups: readonly (readonly string[])[] = [
  ['invoice', 'creditnote', 'receipt'],
  ['deliverynote', 'waybill'],
  ['order', 'quote'],
  ['statement'],
  ['payslip'],
  ['contract'],
  ['policy'],
  ['dunning'],
]
const groupOf = new Map(groups.flatMap((words, group) => words.map((word) => [word, group] as const)))

/** A title has few words, and stands above the fold. */
const longestTitle = 4
const titleLines = 15

/**
 * Whether a document calls itself another kind of paper than the schema asks for: its titles name kinds, the names of
 * the schema's fields name kinds, and none of those is named on the first page. Says nothing where either names none.
 */
export function isOtherKind(layout: Layout, schema: readonly SchemaElement[]): boolean {
  const asked = new Set(schema.flatMap((element) => kindsIn(meanings(element.name))))
  if (asked.size === 0) return false
  const short = layout.lines
    .filter((line) => line.page === 1)
    .flatMap((line, index) =>
      line.cells.map((cell) => ({ cell, isTitle: index < titleLines && !/\d|:/.test(cell.text) })),
    )
    .filter(({ cell }) => cell.words.length <= longestTitle)
    .map(({ cell, isTitle }) => ({ kinds: kindsIn(meanings(cell.text)), isTitle }))
  const titled = short.filter((one) => one.isTitle).flatMap((one) => one.kinds)
  return titled.length > 0 && !short.some((one) => one.kinds.some((kind) => asked.has(kind)))
}

function kindsIn(words: readonly string[]): number[] {
  return words.flatMap((word) => groupOf.get(word) ?? [])
}
