import { StandardFontEmbedder, StandardFonts } from 'pdf-lib'

export const fontFamilies = {
  Helvetica: { regular: StandardFonts.Helvetica, bold: StandardFonts.HelveticaBold },
  Times: { regular: StandardFonts.TimesRoman, bold: StandardFonts.TimesRomanBold },
  Courier: { regular: StandardFonts.Courier, bold: StandardFonts.CourierBold },
} as const
export type FontFamily = keyof typeof fontFamilies

type FontName = Parameters<typeof StandardFontEmbedder.for>[0]
const widths = new Map<string, Map<string, number>>()

/** How wide a text is, as a multiple of its type size. Characters that the font has not count as a letter. */
export function widthOf(text: string, family: FontFamily, bold: boolean): number {
  const name = fontFamilies[family][bold ? 'bold' : 'regular']
  let known = widths.get(name)
  if (!known) widths.set(name, (known = new Map<string, number>()))
  let sum = 0
  for (const character of text) {
    let width = known.get(character)
    if (width === undefined) known.set(character, (width = measure(name, character)))
    sum += width
  }
  return sum
}

function measure(name: StandardFonts, character: string): number {
  try {
    return StandardFontEmbedder.for(name as unknown as FontName).widthOfTextAtSize(character, 1)
  } catch {
    return 0.6
  }
}
