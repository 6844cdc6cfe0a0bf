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

/** Whether a word of `meanings` names a kind of paper. */
export function isKindWord(word: string): boolean {
  return groupOf.has(word)
}

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
  const short = shortTexts(layout).map(({ words, isTitle }) => ({ kinds: kindsIn(words), isTitle }))
  const titled = short.filter((one) => one.isTitle).flatMap((one) => one.kinds)
  return titled.length > 0 && !short.some((one) => one.kinds.some((kind) => asked.has(kind)))
}

/** The kinds of paper that the titles of a document name, as words of `meanings`. */
export function titleWords(layout: Layout): Set<string> {
  const titles = shortTexts(layout).filter(({ isTitle }) => isTitle)
  return new Set(titles.flatMap(({ words }) => words.filter(isKindWord)))
}

/** The short texts of the first page as words of `meanings`, and whether each may be a title. */
function shortTexts(layout: Layout): { words: readonly string[]; isTitle: boolean }[] {
  return layout.lines
    .filter((line) => line.page === 1)
    .flatMap((line, index) =>
      line.cells
        .filter((cell) => cell.words.length <= longestTitle)
        .map((cell) => ({ words: meanings(cell.text), isTitle: index < titleLines && !/\d|:/.test(cell.text) })),
    )
}

function kindsIn(words: readonly string[]): number[] {
  return words.flatMap((word) => groupOf.get(word) ?? [])
}
