import { createHash } from 'node:crypto'
import { fold } from '../../../shared/domain/fold.ts'
import { meanings, meaningsOf } from '../extraction/words.ts'

/** The words of a text in any script, folded (case, accents, ß); digits and letters are words of their own. */
export function wordsOf(text: string): string[] {
  return fold(text).match(/\p{L}+|\p{N}+/gu) ?? []
}

/**
 * The language-neutral words that office vocabulary stands for, without the word itself: «Gesamtbetrag» and «montant
 * total» share theirs, which is how a question finds a document in another language. Long runs of letters are no words.
 */
export function neutralWordsOf(word: string): string[] {
  if (word.length < 2 || word.length > 40 || !/^[a-z]+$/.test(word)) return []
  return meaningsOf(word).filter((meaning) => meaning !== word)
}

/** The same of a whole text, where two words can stand for one («amount due», «net à payer»). */
export function neutralWordsIn(text: string): string[] {
  return text.split('\n').flatMap(meanings)
}

/**
 * The word that every passage of an agent has in the index, so that one lookup there finds only its own. Letters and
 * digits in one word: nothing that a person asks for is ever split like that.
 */
export function agentToken(reference: string): string {
  return `a${createHash('sha256').update(reference).digest('hex').slice(0, 24)}`
}

/**
 * What the index holds of a text: its words in order, so that a number with parts is found as a phrase, then the
 * neutral ones.
 */
export function indexTermsOf(text: string): string {
  return [...wordsOf(text), ...neutralWordsIn(text)].join(' ')
}
