type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown

/** Only a long row of digits or a large exponent can hold more than a number of JavaScript does. */
const mayBeInexact = /[\d.]{16}|\d[eE][+-]?\d{3}/

/**
 * JSON (RFC 8259) in which a number that JavaScript cannot hold (2^53+1, 1e999) is a text with the digits that were sent,
 * so that no value is another one than the service said. Throws SyntaxError for what is no JSON, RangeError for what is
 * nested too deeply.
 */
export function parseExact(text: string): unknown {
  const value: unknown = mayBeInexact.test(text) ? JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown) : JSON.parse(text)
  if (isDeeperThan(deepest, value)) throw new RangeError('nested too deeply')
  return value
}

const keepDigits: Reviver = (_key, value, context) => {
  const source = context?.source
  return typeof value !== 'number' || source === undefined || isExact(source, value) ? value : source
}

/** With as many digits as were sent the number reads as it was sent: 0.10000000000000001 is 0.1 as some languages write it. */
function isExact(source: string, value: number): boolean {
  const digits = significant(source)
  if (digits === '' || digits.length > 100 || !Number.isFinite(value)) return digits === ''
  return significant(value.toPrecision(digits.length)) === digits
}

function significant(number: string): string {
  return number.replace(/[eE].*$/, '').replaceAll(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '')
}

/** More than any list of lists has; what is deeper cannot be written down again either. */
const deepest = 200

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner))
}
