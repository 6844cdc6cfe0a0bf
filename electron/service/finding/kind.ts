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

/** The kinds of paper that the titles of a document name, as words of `meanings`. */
export function titleWords(layout: Layout): Set<string> {
  const titles = layout.lines
    .filter((line) => line.page === 1)
    .slice(0, titleLines)
    .flatMap((line) => line.cells.filter((cell) => cell.words.length <= longestTitle && !/\d|:/.test(cell.text)))
  return new Set(titles.flatMap(({ text }) => meanings(text).filter(isKindWord)))
}

/** The groups of kinds that words of `meanings` name. */
export function kindsIn(words: Iterable<string>): Set<number> {
  return new Set([...words].flatMap((word) => groupOf.get(word) ?? []))
}
