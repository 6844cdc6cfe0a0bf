import { fold } from '../../shared/domain/fold.ts'
import { isKindWord } from '../service/finding/kind.ts'
import { isKnownWord, meanings, meaningsOf, surfaceWords } from '../service/extraction/words.ts'

/** Longer than any name or title that was written for a reader; the rest is not read. */
const maxLetters = 200

/** Endings of a plural, the longest first: folders are called «Rechnungen», «Belege», «Fatture». */
const plurals = ['en', 'es', 'er', 'n', 'e', 's', 'i']

/**
 * The folded words of a title or of the name of a schema, in the singular where that is a known word. Of a compound
 * whose end names a kind of paper («Inkooporder») that end.
 */
export function nameWords(text: string): string[] {
  return surfaceWords(text.slice(0, maxLetters))
    .filter((word) => !/^\d+$/.test(word))
    .map(singular)
}

/** The same as words of one vocabulary (`meanings`). */
export function nameMeanings(text: string): string[] {
  const words = nameWords(text)
  return words.length === 0 ? [] : meanings(words.join(' '))
}

/** A word that nobody knows without the ending that makes it a plural, if that one is known. */
function singular(word: string): string {
  if (isKnown(word)) return word
  for (const ending of plurals) {
    const short = word.slice(0, -ending.length)
    if (short.length >= 4 && word.endsWith(ending) && isKnown(short)) return short
  }
  return kindAtEnd(word) ?? word
}

/** «border» and «recorder» end like «order» as well. */
const [shortestBegin, shortestKind, longestCompound] = [4, 5, 30]

function kindAtEnd(word: string): string | null {
  if (word.length > longestCompound) return null
  for (let at = shortestBegin; at <= word.length - shortestKind; at++) {
    const end = word.slice(at)
    if (isKnownWord(end) && meaningsOf(end).some(isKindWord)) return end
  }
  return null
}

function isKnown(word: string): boolean {
  if (isKnownWord(word)) return true
  const found = meaningsOf(word)
  return found.length > 1 || (found[0] !== undefined && !word.startsWith(found[0]))
}

/** A token as it is compared between pages: folded, without the marks around it. */
export function keyOf(text: string): string {
  return fold(text.slice(0, 60)).replace(/[^a-z0-9@.]/g, '')
}
