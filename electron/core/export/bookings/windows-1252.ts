const upper = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 128 }, (_, at) => at + 128))
const bytes = new Map([...upper].map((sign, at) => [sign, at + 128]))

/** What the code page does not have is written without its accents, or as a question mark. Pure. */
export function inWindows1252(text: string): Buffer {
  const byteOf = (sign: string): number | undefined => (sign < '\u0080' ? sign.charCodeAt(0) : bytes.get(sign))
  return Buffer.from(
    [...text.normalize('NFC')].flatMap((sign) => {
      const byte = byteOf(sign)
      return byte === undefined ? [...withoutAccents(sign)].map((part) => byteOf(part) ?? 63) : [byte]
    }),
  )
}

/** A text in the letters that have no accents. Pure. */
export function withoutAccents(text: string): string {
  return text.replaceAll('ß', 'ss').normalize('NFD').replace(/\p{M}/gu, '')
}
