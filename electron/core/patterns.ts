import type { FilePatterns } from '../../shared/domain/file-patterns.ts'

/**
 * Texts that a person describes by a pattern: names of files that a folder takes, forms of values that a rule asks for.
 */

/**
 * Whether a text matches a pattern: `*` takes any number of characters, and `fits` says what else a sign of the pattern
 * takes. Steps grow with the product of both lengths only. What libraries make of a pattern with some stars, a regular
 * expression, takes a minute for one unlucky text, and texts come from others.
 */
function matchesPattern(
  text: readonly string[],
  pattern: readonly string[],
  fits: (character: string, sign: string) => boolean,
): boolean {
  let [at, inPattern] = [0, 0]
  /** The last star, and up to where it has taken the text so far. */
  let [star, taken] = [-1, 0]
  while (at < text.length) {
    if (pattern[inPattern] === '*') {
      star = inPattern
      taken = at
      inPattern += 1
    } else if (inPattern < pattern.length && fits(text[at]!, pattern[inPattern]!)) {
      at += 1
      inPattern += 1
    } else if (star >= 0) {
      taken += 1
      at = taken
      inPattern = star + 1
    } else return false
  }
  while (pattern[inPattern] === '*') inPattern += 1
  return inPattern === pattern.length
}

/**
 * Tells whether patterns leave a file of this name out; without any they leave out none. `?` is one character,
 * everything else itself: «Rechnung (1)*.pdf» and «[copy]*» mean what they look like. Pure.
 */
export function leftOutBy({ include, exclude }: FilePatterns): (name: string) => boolean {
  const [wanted, unwanted] = [include.map(folded), exclude.map(folded)]
  if (wanted.length === 0 && unwanted.length === 0) return () => false
  return (name) => {
    const characters = folded(name)
    const isMatch = (pattern: readonly string[]): boolean =>
      matchesPattern(characters, pattern, (character, sign) => sign === '?' || sign === character)
    return (wanted.length > 0 && !wanted.some(isMatch)) || unwanted.some(isMatch)
  }
}

/** As people compare names: letters of either case, and accents in either spelling, are one. */
function folded(text: string): string[] {
  return [...text.normalize('NFC').toLowerCase()]
}

/** What is longer than any number or code matches no pattern of a rule. */
const maxTextChars = 1000

/**
 * Whether a text has the form that the pattern of a rule describes: `#` one digit, `@` one letter, `?` any character,
 * `*` any number of them, everything else itself (letters in any case). Pure.
 */
export function matchesRulePattern(text: string, pattern: string): boolean {
  if (text.length > maxTextChars) return false
  return matchesPattern([...text], [...pattern], (character, sign) => {
    if (sign === '?') return true
    if (sign === '#') return /\p{Nd}/u.test(character)
    if (sign === '@') return /\p{L}/u.test(character)
    return character.toLowerCase() === sign.toLowerCase()
  })
}
