import type { TermsOf } from './terms.ts'

/** Of a search so many words count: nobody types more, and each costs time. */
const maxWords = 32

/**
 * What the index of words takes for part of a word; everything else stands between them (unicode61,
 * sqlite.org/fts5.html).
 */
const inWords = /[\p{L}\p{N}\p{Co}]/u
const lastWord = /[\p{L}\p{N}\p{M}\p{Co}]+(?=[^\p{L}\p{N}\p{Co}]*$)/u

/**
 * How a value that is searched as it is printed or shown may be kept: numbers with a decimal point and no grouping,
 * dates as YYYY-MM-DD, codes without or with spaces in fours (IBAN, ISO 13616). Pure.
 */
export function spellings(search: string): string[] {
  const found = new Set([search])
  const date = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(search)
  if (date !== null) {
    const [day, month, year] = [date[1]!.padStart(2, '0'), date[2]!.padStart(2, '0'), date[3]!]
    found.add(`${year}-${month}-${day}`).add(`${year}-${day}-${month}`)
  } else if (/^-?[\d.,'\u00a0\u202f ]*\d$/.test(search)) {
    const bare = search.replace(/['\u00a0\u202f ]/g, '')
    const last = Math.max(bare.lastIndexOf(','), bare.lastIndexOf('.'))
    const decimals = last < 0 ? '' : bare.slice(last + 1).replace(/0+$/, '')
    const whole = (last < 0 ? bare : bare.slice(0, last)).replace(/[.,]/g, '')
    found.add(decimals === '' ? whole : `${whole}.${decimals}`)
    found.add(bare.replace(/[.,]/g, ''))
  } else if (/^[a-z]{2}\d{2}[a-z\d ]{8,}$/i.test(search)) {
    const bare = search.replaceAll(' ', '')
    found.add(bare).add(bare.replace(/(.{4})(?=.)/g, '$1 '))
  }
  return [...found]
}

/**
 * What a document must have to be found: each of some words, in one of its spellings; or one of the spellings of the
 * whole search.
 */
export type SearchQuery = { words: string[][]; whole: string[] }

/** The words of a search; null when it has none, but signs only. Pure. */
export function parseSearch(search: string): SearchQuery | null {
  const spelled = (text: string): string[] => spellings(text).filter((spelling) => inWords.test(spelling))
  const words = search
    .split(/\s+/)
    .slice(0, maxWords)
    .map(spelled)
    .filter((word) => word.length > 0)
  if (words.length === 0) return null
  return {
    words,
    whole: words.length === 1 ? [] : spelled(search.trim()).filter((spelling) => spelling !== search.trim()),
  }
}

/**
 * What is searched in which columns of the index of words, in its language (sqlite.org/fts5.html, «Full-text Query
 * Syntax»).
 */
export function matchExpression({ words, whole }: SearchQuery, scopes: string[][], termsOf: TermsOf): string {
  // A phrase: its words in this order, whatever signs stand between them.
  const phrase = (text: string): string => `"${text.replaceAll('\0', ' ').replaceAll('"', '""')}"`
  const any = (phrases: string[]): string => `(${phrases.join(' OR ')})`
  // The last word may go on.
  const begun = (text: string): string[] => {
    const last = lastWord.exec(text)
    const terms = last === null ? null : termsOf(last[0])
    return last === null || terms === null || terms.length === 0
      ? [`${phrase(text)}*`]
      : terms.map((term) => phrase(text.slice(0, last.index) + term))
  }
  const all = words.map((word) => any(word.flatMap(begun))).join(' AND ')
  const found = whole.length === 0 ? all : `(${all}) OR ${any(whole.flatMap(begun))}`
  return [`{name place value text} : (${found})`, ...scopes.map((scope) => `scope : ${any(scope.map(phrase))}`)].join(
    ' AND ',
  )
}

/**
 * A text as the index of words compares it, without marks and in lower case, and the place of each of its letters in
 * the text.
 */
type Folded = { text: string; placeOf: (at: number) => number }

/** Pure. */
export function folded(text: string): Folded {
  if (/^[\0-\x7f]*$/.test(text)) return { text: text.toLowerCase(), placeOf: (at) => at }
  let bare = ''
  const places: number[] = []
  let at = 0
  for (const letter of text) {
    const plain = letter < '\x80' ? letter.toLowerCase() : letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
    for (let index = 0; index < plain.length; index += 1) places.push(at)
    bare += plain
    at += letter.length
  }
  places.push(at)
  return { text: bare, placeOf: (index) => places[index]! }
}

/**
 * Gives where one of these stands in a text, from the beginning of a word on: places in UTF-16 units; null when none
 * does. Pure.
 */
export function phraseFinder(spelled: readonly string[]): (text: Folded) => [number, number] | null {
  const patterns = spelled
    .map((spelling) => folded(spelling).text.match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [])
    .filter((parts) => parts.length > 0)
    .map((parts) => new RegExp(`(?<![\\p{L}\\p{N}\\p{Co}])${parts.join('[^\\p{L}\\p{N}\\p{Co}]+')}`, 'u'))
  return ({ text, placeOf }) => {
    for (const pattern of patterns) {
      const found = pattern.exec(text)
      if (found !== null) return [placeOf(found.index), placeOf(found.index + found[0].length)]
    }
    return null
  }
}
