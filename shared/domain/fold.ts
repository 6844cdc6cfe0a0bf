/** Lower case without accents or typographic variants; «Straße», «STRASSE» and «strasse» become one. */
export function fold(text: string): string {
  return text
    .replace(/n\s*[°º]/giu, ' nr ')
    .replace(/[#№]/gu, ' nr ')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/œ/g, 'oe')
    .replace(/æ/g, 'ae')
    .replace(/[’`´]/g, "'")
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
}
