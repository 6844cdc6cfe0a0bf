/** Words that are spelled alike begin alike; a shorter beginning is chance. */
const leastBeginning = 2

/**
 * How much the words of a label are spelled like those of a name, 0..1, whatever is known of their meaning: «Texte» and
 * `text`, «Concepto» and `concept` begin alike.
 */
export function spelledLike(label: readonly string[], name: readonly string[]): number {
  const alike = name.map((wanted) =>
    best(label, (word) => {
      const same = commonBeginning(word, wanted)
      return same < leastBeginning ? 0 : same / Math.max(word.length, wanted.length)
    }),
  )
  return alike.reduce((sum, one) => sum + one, 0) / Math.max(1, name.length)
}

/** How many letters of a name's word a shorter word of a label consists of: «Arr.» of `arrivée`, «Kort.%» of `korting`. */
export function abbreviates(label: readonly string[], name: readonly string[]): number {
  return best(name, (wanted) =>
    best(label, (word) => {
      const same = commonBeginning(word, wanted)
      return same === word.length && same < wanted.length && same >= leastBeginning ? same : 0
    }),
  )
}

function best(words: readonly string[], score: (word: string) => number): number {
  return words.reduce((most, word) => Math.max(most, score(word)), 0)
}

function commonBeginning(one: string, other: string): number {
  let same = 0
  while (same < Math.min(one.length, other.length) && one[same] === other[same]) same++
  return same
}
