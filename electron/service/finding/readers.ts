import type { Word } from '../extraction/layout.ts'
import type { Sure } from './model.ts'

/** How sure the reader is of the word that it is least sure of, 0..1; 1 where the file says the text itself. */
export function confidenceOf(words: readonly Word[]): number {
  return Math.min(...words.map((word) => word.confidence ?? 1))
}

/** From which trust on a value of these words needs no look: a picture may have been read for one of them. */
export function sureTrust(words: readonly Word[], { text, picture }: Sure): number {
  return words.some(({ confidence }) => confidence !== undefined) ? picture : text
}

/** 1 where a second reader saw all words the same, 0 where it saw one otherwise, 0.5 where none looked. */
export function agreementOf(words: readonly Word[]): number {
  return Math.min(...words.map((word) => (word.agreed ? 1 : word.alternative === undefined ? 0.5 : 0)))
}
