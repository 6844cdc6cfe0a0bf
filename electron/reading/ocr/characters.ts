import { cleanText } from '../symbols.ts'

/** A character that the line model saw: how sure it is, and from where to where in the line (0..1 of its width). */
export type Character = { text: string; confidence: number; start: number; end: number; afterSpace: boolean }

/** Which of the model's classes is which character; null is a class that no Latin text has. 0 is «nothing here». */
export type Alphabet = readonly (string | null)[]

/** From the model's list, one character a line. Wide forms of Latin signs count as the sign itself. */
export function alphabetOf(list: string): Alphabet {
  const characters = list.split('\n').filter((character) => character !== '')
  return ['', ...characters.map((character) => latin(character)), ' ']
}

function latin(character: string): string | null {
  const sign = cleanText(character.normalize('NFKC')).replace('∶', ':').replace('′', "'").replace('″', '"')
  return /^[!-~\u00a1-\u024f–—‘’“”•…‰€™]+$/.test(sign) ? sign : null
}

/**
 * The text that the model saw in a line (CTC): the likeliest class of each time step, repetitions and gaps left out.
 * `scores` holds `steps` rows of as many classes as the alphabet has.
 */
export function charactersOf(scores: Float32Array, steps: number, alphabet: Alphabet): Character[] {
  const usable = alphabet.flatMap((character, index) => (character === null ? [] : [index]))
  const characters: Character[] = []
  let before = 0
  let afterSpace = false
  for (let step = 0; step < steps; step++) {
    const row = step * alphabet.length
    let best = 0
    for (const index of usable) if (scores[row + index]! > scores[row + best]!) best = index
    const text = alphabet[best]!
    const last = characters.at(-1)
    if (text === ' ') afterSpace = true
    else if (best !== 0 && best === before && last !== undefined) {
      last.end = (step + 1) / steps
      last.confidence = Math.max(last.confidence, scores[row + best]!)
    } else if (best !== 0) {
      const start = step / steps
      characters.push({ text, confidence: scores[row + best]!, start, end: (step + 1) / steps, afterSpace })
      afterSpace = false
    }
    before = best
  }
  return characters
}

/** The text of a line. */
export function textOf(characters: readonly Character[]): string {
  return characters.map(({ text, afterSpace }) => (afterSpace ? ` ${text}` : text)).join('')
}
