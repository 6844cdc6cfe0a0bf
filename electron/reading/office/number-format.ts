/**
 * Shows a stored number roughly as Excel does (ECMA-376 Part 1, 18.8.30 and 18.8.31), in English
 * notation with dates as ISO 8601. What the format hides (a literal, a colour) is not needed here.
 */
type Shown = { text: string; date?: string }

const builtIn: Readonly<Record<number, string>> = {
  0: 'General',
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '#,##0',
  6: '#,##0',
  7: '#,##0.00',
  8: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm',
  19: 'h:mm:ss',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
  41: '#,##0',
  42: '#,##0',
  43: '#,##0.00',
  44: '#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
}

/** The code of a format by its id; ids 27 to 36 and 50 to 58 are dates in East Asian versions. */
export function formatCode(id: number, custom: ReadonlyMap<number, string>): string {
  return custom.get(id) ?? builtIn[id] ?? ((id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'yyyy-mm-dd' : 'General')
}

// Excel takes no longer one.
const maxCodeLength = 255

/** A number in its format. `date` is set (YYYY-MM-DD) when the format shows a day. */
export function showNumber(number: number, code: string, is1904: boolean): Shown {
  if (code.length > maxCodeLength) return { text: general(number) }
  const section = sectionFor(number, code)
  const bare = withoutLiterals(section)
  if (/\[(h+|m+|s+)\]/i.test(section)) return { text: elapsed(number, section) }
  if (!/general/i.test(section) && /[dmyhs]/i.test(bare)) return showDate(number, bare, is1904)
  if (/general/i.test(section) || section.trim() === '' || bare.includes('@')) return { text: general(number) }
  return { text: decorated(number, section, bare) }
}

// Positive; negative; zero. A conditional section is taken as it comes.
function sectionFor(number: number, code: string): string {
  const sections = splitSections(code)
  if (number < 0 && sections.length > 1) return sections[1] ?? ''
  if (number === 0 && sections.length > 2) return sections[2] ?? ''
  return sections[0] ?? 'General'
}

function splitSections(code: string): string[] {
  const marked = code.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, (literal) => literal.replaceAll(';', '\u0000'))
  return marked.split(';').map((section) => section.replaceAll('\u0000', ';'))
}

function withoutLiterals(section: string): string {
  return section.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '').replace(/AM\/PM|A\/P/gi, '')
}

function general(number: number): string {
  if (Number.isInteger(number) && Math.abs(number) < 1e15) return String(number)
  const rounded = Number(number.toPrecision(10))
  return Math.abs(rounded) >= 1e15 || (rounded !== 0 && Math.abs(rounded) < 1e-9)
    ? rounded.toExponential().toUpperCase()
    : String(rounded)
}

function decorated(number: number, section: string, bare: string): string {
  const digits = bare.match(/[0#?.,]+/)?.[0] ?? ''
  if (digits === '') return literalOf(section) || general(number)
  if (/E[+-]/i.test(bare)) return number.toExponential((bare.match(/\.(0+)/)?.[1] ?? '').length).toUpperCase()
  if (bare.includes('/')) return general(number)
  const percent = bare.includes('%')
  // a comma after the last digit divides by a thousand
  const scaled = number / 1000 ** (digits.match(/,+$/)?.[0].length ?? 0)
  const { text, isZero } = placedDigits(Math.abs(percent ? scaled * 100 : scaled), digits, bare)
  return withLiterals(percent ? `${text}%` : text, section, number < 0 && !isZero)
}

/** Digits between the literals of their section, with the sign of the number where the section shows none. */
function withLiterals(digits: string, section: string, isNegative: boolean): string {
  const first = section
    .replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, (literal) => ' '.repeat(literal.length))
    .search(/[0#?]/)
  const before = literalOf(section.slice(0, first))
  const after = literalOf(section.slice(first))
  const sign = isNegative && !before.includes('-') && !after.includes('-') ? '-' : ''
  return `${before}${sign}${digits}${after}`
    .replace(/\(([^()]*)\)/, isNegative ? '-$1' : '$1')
    .replace(/--/, '-')
    .replace(/\s+/g, ' ')
    .trim()
}

/** A number that is not negative with as many digits and groups of thousands as the placeholders ask for. */
function placedDigits(absolute: number, digits: string, bare: string): { text: string; isZero: boolean } {
  const maxDecimals = Math.min((bare.match(/\.([0#?]*)/)?.[1] ?? '').length, 20)
  const minDecimals = (bare.match(/\.(0*)/)?.[1] ?? '').length
  const minWhole = (digits.split('.')[0]?.match(/0/g) ?? []).length
  const rounded = absolute.toFixed(maxDecimals)
  const [whole = '0', fraction = ''] = rounded.split('.')
  const padded = whole.padStart(minWhole, '0')
  const grouped = /[0#?],[0#?]/.test(digits) ? padded.replace(/\B(?=(\d{3})+$)/g, ',') : padded
  const spare = fraction.length - minDecimals
  const cut = spare > 0 ? fraction.replace(new RegExp(`0{0,${spare}}$`), '') : fraction
  return { text: cut === '' ? grouped : `${grouped}.${cut}`, isZero: Number(rounded) === 0 }
}

// Text that stands around the digits: quoted, escaped, a currency in brackets, and a few bare signs.
function literalOf(part: string): string {
  return [...part.matchAll(/"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|(_.|\*.)|\[[^\]]*\]|([ $€£¥()+-])/g)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? (match[4] !== undefined ? ' ' : (match[5] ?? '')))
    .join('')
}

function showDate(serial: number, bare: string, is1904: boolean): Shown {
  const hasDay = /[dy]/i.test(bare) || /m{3,}/i.test(bare) || (/m/i.test(bare) && !/[hs]/i.test(bare))
  const hasTime = /[hs]/i.test(bare)
  const seconds = Math.round((serial - Math.floor(serial)) * 86_400)
  const time = clock(seconds, /s/i.test(bare))
  if (!hasDay) return { text: time }
  const date = dateOf(serial, is1904)
  if (date === null) return { text: general(serial) }
  return { text: hasTime ? `${date} ${time}` : date, date }
}

/**
 * The day of a serial number, YYYY-MM-DD, or null outside 1900 to 9999. The 1900 system counts a 29 February 1900 that
 * never was.
 */
function dateOf(serial: number, is1904: boolean): string | null {
  const day = Math.floor(serial + 1e-9)
  if (!Number.isFinite(day) || day < 0 || day > 2_958_465) return null
  const epoch = is1904 ? Date.UTC(1904, 0, 1) : day < 60 ? Date.UTC(1899, 11, 31) : Date.UTC(1899, 11, 30)
  return new Date(epoch + day * 86_400_000).toISOString().slice(0, 10)
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

function clock(seconds: number, withSeconds: boolean): string {
  const ofDay = seconds % 86_400
  const text = `${twoDigits(Math.floor(ofDay / 3600))}:${twoDigits(Math.floor((ofDay % 3600) / 60))}`
  return withSeconds ? `${text}:${twoDigits(ofDay % 60)}` : text
}

function elapsed(days: number, section: string): string {
  const total = Math.round(Math.abs(days) * 86_400)
  const sign = days < 0 ? '-' : ''
  if (/\[s/i.test(section)) return `${sign}${total}`
  if (/\[m/i.test(section)) return `${sign}${Math.floor(total / 60)}:${twoDigits(total % 60)}`
  const text = `${sign}${Math.floor(total / 3600)}:${twoDigits(Math.floor((total % 3600) / 60))}`
  return /s/i.test(section) ? `${text}:${twoDigits(total % 60)}` : text
}
