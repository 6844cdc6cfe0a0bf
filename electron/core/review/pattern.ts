const longestText = 1000

/**
 * Whether a text has the form that a mask describes: `#` one digit, `@` one letter, `?` any character, `*` any number of
 * them, everything else itself (letters in any case). Takes at most time in proportion to the product of both lengths; what
 * is longer than any number or code fits no mask.
 */
export function fitsPattern(text: string, pattern: string): boolean {
  if (text.length > longestText) return false
  const characters = [...text]
  const mask = [...pattern]
  let at = 0
  let maskAt = 0
  let star = -1
  let starAt = 0
  while (at < characters.length) {
    if (mask[maskAt] === '*') {
      star = maskAt++
      starAt = at
    } else if (maskAt < mask.length && fits(characters[at]!, mask[maskAt]!)) {
      at += 1
      maskAt += 1
    } else if (star >= 0) {
      maskAt = star + 1
      at = ++starAt
    } else return false
  }
  while (mask[maskAt] === '*') maskAt += 1
  return maskAt === mask.length
}

function fits(character: string, mask: string): boolean {
  if (mask === '?') return true
  if (mask === '#') return /\p{Nd}/u.test(character)
  if (mask === '@') return /\p{L}/u.test(character)
  return character.toLowerCase() === mask.toLowerCase()
}
