/** What the rest of the document says about its numbers; decides readings such as `1.234`. */
export type NumberHints = {
  /** The decimal sign that the document uses elsewhere. */
  decimal?: ',' | '.'
  /** Allows a unit after the number: «20 Stk», «3 m²», «5 Unit(s)». */
  unit?: boolean
  /** Thousands are grouped by a comma: figures a space apart are two numbers («1 200.00» is one at 200.00). */
  groupsByComma?: boolean
}

const spaces = /[\s\u00A0\u2007\u2009\u202F]/gu
const currencyCodes = 'SEK|NOK|DKK|PLN|CZK|HUF|JPY|CAD|AUD|MXN|CNY|INR|MYR|SGD|HKD|NZD|ZAR|TRY|BRL|AED'
const currencyMarks = new RegExp(
  [
    String.raw`€|\b(?:US|HK|NT|MX|AU|CA|S|A|C|R)\$|\$|£|¥|₣|₹|₺|₩|฿|₱`,
    String.raw`\bEUR\b|\bEuro\b|\bUSD\b|\bCHF\b|\bGBP\b|\bSFr\.?|\bFr\.(?=\s|\d|$)|\b(?:${currencyCodes})\b`,
    // «R», «Rs» and «kr» are currencies only beside an amount.
    String.raw`\bRs\.?(?=\s?\d)|\bRM?(?=\s?\d[\d ,]*\.\d{2}$)|\bkr\.?(?=\s?\d|$)|\bzł|\bKč`,
  ].join('|'),
  'giu',
)

/**
 * Reads a printed number in the manner of English, German, French, Spanish, Swiss and Indian offices.
 * `1.234,56`, `1,234.56`, `1 234,56`, `1'234.56`, `12,5-`, `(12.50)`, `−5`, `120.00 DR`, `€ 12,-` and `19 %` are
 * numbers; text with anything else in it is not. Returns the number, or null.
 */
export function parseNumber(text: string, hints: NumberHints = {}): number | null {
  const plain = text
    .trim()
    .replace(/[−–—‒]/gu, '-')
    .replace(/[’‘´`]/gu, "'")
  if (plain === '' || plain.length > 60) return null
  const { rest, sign } = withoutSign(plain.replace(currencyMarks, ' ').trim())
  const digits = readDigits(hints.unit ? withoutUnit(withoutMarks(rest)) : withoutMarks(rest), hints)
  // Never -0.
  return digits === null || digits === 0 ? digits : sign * digits
}

/** Takes debit and credit, brackets, plus and minus off a number. */
function withoutSign(text: string): { rest: string; sign: number } {
  let rest = text
  let sign = 1
  const side = /\s*\b(CR|DR|S|H)\.?$|^(CR|DR)\b\.?\s*/i.exec(rest)
  if (side && /\d/.test(rest)) {
    if (/^(?:DR|S)$/i.test(side[1] ?? side[2] ?? '')) sign = -1
    rest = rest.replace(side[0], ' ').trim()
  }
  const bracketed = /^\(\s*(.*?)\s*\)$/.exec(rest)
  if (bracketed) {
    sign = -sign
    rest = bracketed[1]!
  }
  rest = rest.replace(/[,.]\s?-{1,2}$/, '').trim()
  const mark = /^[-+]/.exec(rest)?.[0] ?? /\d\s*([-+])$/.exec(rest)?.[1]
  if (mark === undefined) return { rest, sign }
  rest = /^[-+]/.test(rest) ? rest.slice(1) : rest.slice(0, -1)
  return { rest: rest.trim(), sign: mark === '-' ? -sign : sign }
}

/**
 * Takes percent signs, the asterisks of footnotes and tills, and what keeps an amount from being added to
 * («****1,851.15») off a number. «****4821» is a card.
 */
function withoutMarks(text: string): string {
  return text
    .replace(/\s*[%‰]$/, '')
    .replace(/^%\s*/, '')
    .replace(/\*+[A-Z]?$/, '')
    .replace(/^[*=]+(?=\d[\d.,' ]*[.,]\d{2}=*$)/, '')
    .replace(/=+$/, '')
    .trim()
}

function withoutUnit(text: string): string {
  return text
    .replace(
      /^(?:x\s*)?(\d[\d.,' \u00A0\u202F]*?)\s*(?:x|[\p{L}²³µ°/()]{1,14}\.?(?:\s?[\p{L}²³()]{1,12}\.?)?|°C)$/iu,
      '$1',
    )
    .trim()
}

function readDigits(text: string, hints: NumberHints): number | null {
  if (!/^[\d.,'\s\u00A0\u2007\u2009\u202F]+$/u.test(text) || !/\d/.test(text)) return null
  // A space groups thousands or, in OCR, stands beside the separator; anything else is two numbers.
  const joined = text.replace(/([.,])[\s\u00A0]+(?=\d)/gu, '$1').replace(/(?<=\d\d)[\s\u00A0](?=[.,]\d{2}$)/u, '')
  if (
    /[\s\u00A0\u2007\u2009\u202F]/u.test(joined) &&
    (hints.groupsByComma || !/^\d{1,3}(?:[\s\u00A0\u2007\u2009\u202F]\d{3})+(?:[.,]\d+)?$/u.test(joined))
  )
    return null
  const plain = joined.replace(spaces, '').replaceAll("'", '')
  // «3, 12, 500» are three numbers.
  if (joined !== text && lakhs.test(plain)) return null
  const decimal = decimalSign(plain, hints)
  return decimal === null ? null : valueOf(plain, decimal)
}

/** In India only the last group has three figures («2,38,372»). */
const lakhs = /^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/
const thousands = /^\d{1,3}(?:[.,]\d{3})+$/
const isGrouped = (whole: string): boolean => thousands.test(whole) || lakhs.test(whole)

function valueOf(plain: string, decimal: ',' | '.'): number | null {
  const group = decimal === ',' ? '.' : ','
  const [whole = '', fraction, ...more] = plain.split(decimal)
  if (more.length > 0 || fraction?.includes(group)) return null
  if (whole.includes(group) && !isGrouped(whole)) return null
  const value = Number(`${whole.replaceAll(group, '') || '0'}.${fraction ?? '0'}`)
  return Number.isFinite(value) ? value : null
}

function decimalSign(plain: string, hints: NumberHints): ',' | '.' | null {
  const lastComma = plain.lastIndexOf(',')
  const lastPoint = plain.lastIndexOf('.')
  if (lastComma >= 0 && lastPoint >= 0) return lastComma > lastPoint ? ',' : '.'
  const sign = lastComma >= 0 ? ',' : '.'
  const at = Math.max(lastComma, lastPoint)
  if (at < 0) return '.'
  const other = sign === ',' ? '.' : ','
  if (plain.indexOf(sign) !== at) return isGrouped(plain) ? other : null
  const behind = plain.length - at - 1
  if (behind !== 3 || at === 0 || at > 3 || plain.startsWith('0')) return sign
  // `1.234`: what the document does elsewhere decides; without evidence it is a thousand.
  return hints.decimal === sign ? sign : other
}

// At most seven groups, and what follows only up to its first digit: without both, a column of numbers is read again
// from each of them to its end.
const withComma = /(?<![\d.,])\d{1,3}(?:[.\s'’]?\d{3}){0,6},\d{1,2}(?![.,/]*\d)/gu
const withPoint = /(?<![\d.,])\d{1,3}(?:[,\s'’]?\d{3}){0,6}\.\d{2}(?![.,/]*\d|\.|\s?(?:uhr|h)\b)/giu

/** Whether a text groups thousands by commas («1,675.00»), and not only a number that it quotes. */
export function groupsByComma(text: string): boolean {
  return (text.match(/(?<![\d.,])\d{1,3}(?:,\d{3}){1,6}\.\d{2}(?![.,/]*\d)/gu)?.length ?? 0) > 1
}

// Millions without decimals: what groups them is no decimal sign. Not «CHE-123.456.789», «12.345.678/0001».
const groupedByComma = /(?<![\p{L}\d.,/-]|\bCHE\s)\d{1,3}(?:,\d{3}){2,6}(?![.,/-]?[\p{L}\d])/gu
const groupedByPoint = /(?<![\p{L}\d.,/-]|\bCHE\s)\d{1,3}(?:\.\d{3}){2,6}(?![.,/-]?[\p{L}\d])/gu

/**
 * The decimal sign that a text's unmistakable numbers use («12,50», «1.234,56», «2.807.912»), or undefined without a
 * majority.
 */
export function decimalEvidence(text: string): ',' | '.' | undefined {
  const count = (...patterns: RegExp[]): number =>
    patterns.reduce((sum, pattern) => sum + (text.match(pattern)?.length ?? 0), 0)
  const commas = count(withComma, groupedByPoint)
  const points = count(withPoint, groupedByComma)
  return commas === points ? undefined : commas > points ? ',' : '.'
}
