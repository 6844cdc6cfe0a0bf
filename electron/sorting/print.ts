import type { PageFacts, Placed } from './page-facts.ts'

/** Of the head and the foot of the first page, which say most of a sender; what is between is different each time. */
const [headWords, footWords, idWords] = [60, 25, 12]
/** Shorter words are articles and units. */
const shortestWord = 3

/** By what others of a document's kind and sender are known again: hashes of words and ids of its first page. */
export function printOf(page: PageFacts | undefined): number[] {
  if (page === undefined) return []
  const words = [...new Set(page.placed.filter(isWordy).map(({ key }) => key))]
  const kept =
    words.length <= headWords + footWords ? words : [...words.slice(0, headWords), ...words.slice(-footWords)]
  const all = [...kept, ...[...page.ids].slice(0, idWords)].map(hashOf)
  return [...new Set(all)].toSorted((left, right) => left - right)
}

function isWordy({ key, hasDigit }: Placed): boolean {
  return !hasDigit && key.length >= shortestWord
}

/** FNV-1a, as a signed number of 32 bits. */
function hashOf(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value | 0
}

/** How much of two prints is the same, 0..1; what many papers say counts little. */
export function alike(one: readonly number[], other: readonly number[], weightOf: (hash: number) => number): number {
  let [shared, ofOne, ofOther] = [0, 0, 0]
  let at = 0
  for (const hash of one) {
    const weight = weightOf(hash)
    ofOne += weight
    while (at < other.length && other[at]! < hash) ofOther += weightOf(other[at++]!)
    if (at < other.length && other[at] === hash) {
      shared += weight
      ofOther += weight
      at++
    }
  }
  for (; at < other.length; at++) ofOther += weightOf(other[at]!)
  return shared === 0 ? 0 : shared / Math.sqrt(ofOne * ofOther)
}
