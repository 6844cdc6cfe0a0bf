/**
 * Where a number may be that JavaScript cannot hold: only a long row of digits or a large exponent is more. Also found
 * in texts.
 */
const mayBeInexact = /\d[\d.]{15}|\d[eE][+-]?\d{3}/g

/**
 * JSON (RFC 8259) in which a number that JavaScript cannot hold (2^53+1, 1e999) is a text with the digits that were
 * sent, so that no value is another one than the service said. Throws SyntaxError for what is no JSON, RangeError for
 * what is nested too deeply.
 */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (isDeeperThan(maxDepth, value)) throw new RangeError('nested too deeply')
  const exact = withInexactQuoted(text)
  return exact === text ? value : JSON.parse(exact)
}

/**
 * The same JSON with such numbers between quotation marks. A reviver would be called for every value of a long result.
 */
function withInexactQuoted(json: string): string {
  const parts: string[] = []
  let copied = 0
  const isText = textsOf(json)
  for (const { index } of json.matchAll(mayBeInexact)) {
    if (index < copied || isText(index)) continue
    const [start, end] = numberAround(json, index)
    const number = json.slice(start, end)
    parts.push(json.slice(copied, start), isExact(number, Number(number)) ? number : `"${number}"`)
    copied = end
  }
  return copied === 0 ? json : parts.join('') + json.slice(copied)
}

const numberChars = '0123456789.+-eE'

/** From where to where the number goes that has a digit there. */
function numberAround(json: string, index: number): [start: number, end: number] {
  let [start, end] = [index, index]
  while (start > 0 && numberChars.includes(json[start - 1]!)) start -= 1
  while (end < json.length && numberChars.includes(json[end]!)) end += 1
  return [start, end]
}

/** Says of places in valid JSON, asked in their order, whether they lie in a text. */
function textsOf(json: string): (index: number) => boolean {
  let isText = false
  let next = json.indexOf('"')
  return (index) => {
    while (next !== -1 && next < index) {
      if (!isText || !isEscaped(json, next)) isText = !isText
      next = json.indexOf('"', next + 1)
    }
    return isText
  }
}

function isEscaped(json: string, index: number): boolean {
  let start = index
  while (json[start - 1] === '\\') start -= 1
  return (index - start) % 2 === 1
}

/** A number of JavaScript that is written out needs no more: the smallest has 323 zeros before its digits. */
const maxNumberChars = 500

/**
 * With as many digits as were sent the number reads as it was sent: 0.10000000000000001 is 0.1 as some languages write
 * it.
 */
function isExact(source: string, value: number): boolean {
  if (source.length > maxNumberChars) return false
  const digits = significant(source)
  if (digits === '' || digits.length > 100 || !Number.isFinite(value)) return digits === ''
  return significant(value.toPrecision(digits.length)) === digits
}

function significant(number: string): string {
  return number
    .replace(/[eE].*$/, '')
    .replaceAll(/[-.]/g, '')
    .replace(/^0+/, '')
    .replace(/0+$/, '')
}

/** More than any list of lists has; what is deeper cannot be written down again either. */
const maxDepth = 200

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  // Asked before the call: most of what a long result holds is no list and no object.
  if (Array.isArray(value))
    return value.some((inner: unknown) => typeof inner === 'object' && isDeeperThan(levels - 1, inner))
  for (const key in value) {
    const inner: unknown = value[key as keyof typeof value]
    if (typeof inner === 'object' && isDeeperThan(levels - 1, inner)) return true
  }
  return false
}
