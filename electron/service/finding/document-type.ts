import { isCreditNote } from '../../../shared/domain/credit-note.ts'
import type { Layout, Word } from '../extraction/layout.ts'
import { meanings } from '../extraction/words.ts'
import { isKindWord } from './kind.ts'

/** What a document calls itself, and whether nothing on its first page says otherwise. */
export type DocumentType = { words: readonly Word[]; isSure: boolean; others: readonly (readonly Word[])[] }

/** A document says above the fold what it is; below it names others («your order», «receipt of payment»). */
const headShare = 0.5
const longestTitle = 4

/** «Your order» names another paper than this one. */
const possessive = /^(your|our|ihre?[mnrs]?|unsere?[mnrs]?|votre|vos|notre|su|nuestra|vostr[ao]|uw|onze)$/i
/** What may stand beside the kind: «Tax invoice», «Sales invoice», «Final invoice», «Facture d’acompte». */
const beside = new Set(['tax', 'vat', 'sale', 'commercial', 'end', 'deposit', 'partial'])
/** «Gutschrift Treuebonus … -10,00»: what is followed by an amount is a row. */
const endsInAmount = /(?:^|\s)[-–]?(?:\p{Sc}\s?)?\d{1,3}(?:[.,' ]?\d{3})*[.,]\d{2}(?:\s?(?:\p{Sc}|[A-Z]{3}))?-?$/u
/** «PO», «Inv»: abbreviations are labels. */
const shortestTitle = 4

/** Smaller texts than so much of the largest are labels and heads of columns. */
const titleSize = 0.8

/**
 * A title is larger than the usual text or has its line for itself; else it may be the label of another paper
 * («Order»). Of 600 drawn papers 333 were right and sure without this and 10 wrong, with it 322 and one
 * (27 November 2026).
 */
const aboveText = 1.1

type Title = { words: Word[]; kinds: string[]; isCredit: boolean; isAlone: boolean; size: number }

/**
 * The title of a document: of the largest texts that name a kind of paper and nothing else, but for a number behind it
 * («Rechnung Nr. 17» says «Rechnung»), the first. Null where there is none. It is doubted where as large a text names
 * another kind, or any says otherwise whether it is a credit note: that decides on a sign. What stands beside others
 * and is no larger than the usual text is doubted as well.
 */
export function typeOfDocument(layout: Layout): DocumentType | null {
  const found = layout.lines
    .filter(({ page, box, text }) => page === 1 && box.y < headShare && !endsInAmount.test(text))
    .flatMap(({ cells }) => cells.flatMap(({ words }) => titleIn(words, cells.length === 1) ?? []))
  const largest = found.reduce((most, { size }) => Math.max(most, size), 0)
  const titles = found.filter(({ size }) => size >= largest * titleSize)
  const best = titles[0]
  if (best === undefined) return null
  const against = found.filter(
    (other) =>
      other.isCredit !== best.isCredit ||
      (titles.includes(other) && !other.kinds.some((kind) => best.kinds.includes(kind))),
  )
  const usual = layout.pages[0]?.fontSize ?? 0
  const isSure = against.length === 0 && (best.isAlone || best.size >= aboveText * usual)
  return { words: best.words, isSure, others: against.map(({ words }) => words) }
}

function titleIn(words: readonly Word[], isAlone: boolean): Title | null {
  const title = wordsOfTitle(words)
  if (title.length === 0 || title.length > longestTitle || title.some(({ text }) => possessive.test(text))) return null
  const text = title.map((word) => word.text).join(' ')
  if (text.replace(/\P{L}/gu, '').length < shortestTitle) return null
  const found = meanings(text)
  const isCredit = isCreditNote(text)
  const kinds = isCredit ? ['creditnote'] : found.filter(isKindWord)
  // «Mobilfunkrechnung», «Schlussrechnung»: the end of a compound says what it is.
  const isCompound = title.length === 1 && found.length > 0 && isKindWord(found.at(-1)!)
  const isKind = kinds.length > 0 && (isCompound || found.every((word) => isKindWord(word) || beside.has(word)))
  if (!isCredit && !isKind) return null
  return {
    words: title,
    kinds,
    isCredit,
    isAlone: isAlone && title.length === words.length,
    size: Math.max(...title.map(({ fontSize }) => fontSize)),
  }
}

/** The words of a text that may be a title: none of a label, without a number and the «No.» before it. */
function wordsOfTitle(words: readonly Word[]): Word[] {
  const number = words.findIndex(({ text }) => /\d/.test(text))
  if (number === -1 && /:\s*$/.test(words.at(-1)!.text)) return []
  const before = (number === -1 ? words : words.slice(0, number)).filter(({ text }) => /\p{L}/u.test(text))
  const end = before.findLastIndex(({ text }) => !isNumberWord(text))
  return number === -1 ? before : before.slice(0, end + 1)
}

function isNumberWord(text: string): boolean {
  return meanings(text).includes('nr') || text.replace(/\P{L}/gu, '').length <= 3
}
