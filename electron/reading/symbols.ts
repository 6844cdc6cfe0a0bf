/** Check boxes as a document shows them, however the file spells them. */
export const boxTicked = '☒'
export const boxEmpty = '☐'

export function isCheckBox(text: string): boolean {
  return text === boxTicked || text === boxEmpty
}

// Wingdings and Wingdings 2 by character code (the low byte of the private-use code U+F0xx)
const tickedCodes: Readonly<Record<string, readonly number[]>> = {
  wingdings: [0x78, 0xfd, 0xfe],
  wingdings2: [0x51, 0x52, 0x53, 0x54],
}
const emptyCodes: Readonly<Record<string, readonly number[]>> = {
  wingdings: [0x6f, 0x70, 0x71, 0x72, 0xa8],
  wingdings2: [0x2a, 0x30, 0xa3],
}

/** The check box that a code of a symbol font draws, or null. `font` is the font's name, `code` the low byte. */
export function symbolFontBox(font: string, code: number): string | null {
  const name = /wingdings\s*-?2/i.test(font) ? 'wingdings2' : /wingdings/i.test(font) ? 'wingdings' : null
  if (name === null) return null
  if (tickedCodes[name]?.includes(code & 0xff)) return boxTicked
  return emptyCodes[name]?.includes(code & 0xff) ? boxEmpty : null
}

/** Maps the many ticked and empty boxes of Unicode to one of each and leaves everything else alone. */
export function unifyBoxes(text: string): string {
  return text.replace(/[☑☒🗹🗷🗵🅇⮽⊠]\uFE0F?/gu, boxTicked).replace(/[☐❏❐❑❒▢⬜🗆◻]\uFE0F?/gu, boxEmpty)
}

/**
 * White space unified, ligatures opened (NFKC of U+FB00 to U+FB06), letters and figures as wide as a Chinese character
 * narrowed (U+FF01 to U+FF5E, U+FFE0 to U+FFE6 but for the overline), invisible characters dropped.
 */
export function cleanText(text: string): string {
  return text
    .replace(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
    .replace(/[\ufb00-\ufb06\uff01-\uff5e\uffe0-\uffe2\uffe4-\uffe6]/g, (character) => character.normalize('NFKC'))
    .replace(/\u00ad/g, '-')
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g, '')
}
