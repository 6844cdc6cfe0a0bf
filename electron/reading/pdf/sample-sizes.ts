const keys = [Buffer.from('/BitsPerComponent'), Buffer.from('/BPC')]
/** The value after a key: a number that is no reference to another object. */
const value = /^[\s]*([+\-.\d]+)(?!\s+\d+\s+R)/
const looksAhead = 400
const most = 16

/**
 * A copy in which pictures with impossible sample sizes have 8 bits: ISO 32000-1, Table 89 knows 1, 2, 4, 8 and 16, and
 * pdf.js counts up to whatever is written there, for hours. Offsets stay: the number is overwritten where it stands.
 */
export function withPossibleSampleSizes(bytes: Uint8Array): Uint8Array {
  const own = new Uint8Array(bytes)
  const copy = Buffer.from(own.buffer)
  for (const key of keys) {
    for (let at = copy.indexOf(key); at >= 0; at = copy.indexOf(key, at + key.length)) {
      const begin = at + key.length
      const found = value.exec(copy.toString('latin1', begin, begin + looksAhead))
      if (found === null || Math.abs(Number(found[1])) <= most) continue
      const digits = found[1]!
      copy.write('8'.padEnd(digits.length), begin + found[0].length - digits.length, 'latin1')
    }
  }
  return own
}
