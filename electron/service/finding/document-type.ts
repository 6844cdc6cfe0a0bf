import type { Layout, Word } from '../extraction/layout.ts'
import { meanings } from '../extraction/words.ts'
import { isKindWord } from './kind.ts'

/** What a document calls itself, and whether nothing on its first page says otherwise. */
export type DocumentType = { words: readonly Word[]; isSure: boolean; others: readonly (readonly Word[])[] }

/** A document says above the fold what it is; below it names others («your order», «receipt of payment»). */
const headShare = 0.5
const longestTitle = 4

/** «Your order» names another paper than this one. */
const possessive = /^(your|our|ihre?|unsere?|votre|vos|notre|su|nuestra|vostr[ao]|uw|onze)$/i
/** What may stand before the kind: «Tax invoice». */
const kindsOfTax = new Set(['tax', 'vat'])
/** «PO», «Inv»: abbreviations are labels. */
const shortestTitle = 4

/** Smaller texts than so much of the title are labels and heads of columns. */
const titleSize = 0.8

type Title = { words: Word[]; kinds: string[]; isAlone: boolean; size: number }

/**
 * The title of a document: the largest text that names a kind of paper and nothing else; without one that with a number
 * behind it («Rechnung Nr. 17» says «Rechnung»). Null where neither is there.
 */
export function typeOfDocument(layout: Layout): DocumentType | null {
  const found = layout.lines
    .filter(({ page, box }) => page === 1 && box.y < headShare)
    .flatMap(({ cells }) => cells.flatMap(({ words }) => titleIn(words) ?? []))
  const alone = found.filter(({ isAlone }) => isAlone)
  const [best, ...others] = (alone.length > 0 ? alone : found).toSorted((one, other) => other.size - one.size)
  if (best === undefined) return null
  const against = others.filter(
    ({ kinds, size }) => size >= best.size * titleSize && !kinds.some((kind) => best.kinds.includes(kind)),
  )
  return { words: best.words, isSure: against.length === 0, others: against.map(({ words }) => words) }
}

function titleIn(words: readonly Word[]): Title | null {
  const number = words.findIndex(({ text }) => /\d/.test(text))
  if (number === -1 && /:\s*$/.test(words.at(-1)!.text)) return null
  const before = (number === -1 ? words : words.slice(0, number)).filter(({ text }) => /\p{L}/u.test(text))
  const end = before.findLastIndex(({ text }) => meanings(text).some(isKindWord))
  // «No.» stands between the title and its number, and nothing else.
  if (number !== -1 && !before.slice(end + 1).every(({ text }) => isNumberWord(text))) return null
  const title = number === -1 || end === -1 ? before : before.slice(0, end + 1)
  if (title.length === 0 || title.length > longestTitle || title.some(({ text }) => possessive.test(text))) return null
  const text = title.map((word) => word.text).join(' ')
  const found = meanings(text)
  const kinds = found.filter(isKindWord)
  const isTitle = kinds.length > 0 && found.every((word) => isKindWord(word) || kindsOfTax.has(word))
  if (!isTitle || text.replace(/\P{L}/gu, '').length < shortestTitle) return null
  return { words: title, kinds, isAlone: number === -1, size: Math.max(...title.map(({ fontSize }) => fontSize)) }
}

function isNumberWord(text: string): boolean {
  return meanings(text).includes('nr') || text.replace(/\P{L}/gu, '').length <= 2
}
