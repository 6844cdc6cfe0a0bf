export type Formats = {
  tag: string
  /** Grouped integer for counts. */
  count: (value: number) => string
  /** A count in little room, rounded: 36K. */
  compact: (value: number) => string
  /** A value of a document: all its decimals, at least `minDecimals` of them when it has any. */
  number: (value: number, minDecimals?: number) => string
  /** The same as it is typed: without groups. */
  typedNumber: (value: number, minDecimals?: number) => string
  /** What stands before decimals and between groups of thousands. */
  numberSigns: { decimal: string; group: string }
  /** The order of day, month and year: `dmy`, `mdy` or `ymd`. */
  dayOrder: string
  /** 0..1 as whole percent. */
  percent: (fraction: number) => string
  size: (bytes: number) => string
  date: (epochMs: number) => string
  dateTime: (epochMs: number) => string
  /** The time for today, else the date. */
  moment: (epochMs: number, nowMs?: number) => string
  /** A calendar day without a time zone, from year, month and day. */
  day: (year: number, month: number, day: number) => string
  /** Day and month of a day written as `2026-03-09`. */
  dayOfMonth: (day: string) => string
  /** Seconds or minutes, rounded for people. */
  duration: (ms: number) => string
  list: (items: string[]) => string
}

const cache = new Map<string, Formats>()

/**
 * Numbers, dates and sizes in the form of one language tag (BCP 47), by Intl. Kept, since formatters are expensive to
 * create.
 */
export function formatsFor(tag: string): Formats {
  const known = cache.get(tag)
  if (known) return known
  const made = makeFormats(tag)
  cache.set(tag, made)
  return made
}

function makeFormats(tag: string): Formats {
  const count = new Intl.NumberFormat(tag, { maximumFractionDigits: 0 })
  const compact = new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 1 })
  const dayOfMonth = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 0 })
  const time = new Intl.DateTimeFormat(tag, { timeStyle: 'short' })
  const date = new Intl.DateTimeFormat(tag, { dateStyle: 'medium' })
  const dateTime = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' })
  const day = new Intl.DateTimeFormat(tag, { year: 'numeric', month: '2-digit', day: '2-digit', timeZone: 'UTC' })
  const bytesFormat = new Intl.NumberFormat(tag, { style: 'unit', unit: 'byte', unitDisplay: 'long' })
  const list = new Intl.ListFormat(tag, { style: 'long', type: 'conjunction' })
  const numbers = new Map<string, Intl.NumberFormat>()
  const numberFormat = (key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat => {
    let format = numbers.get(key)
    if (!format) numbers.set(key, (format = new Intl.NumberFormat(tag, options)))
    return format
  }
  // Whole numbers are grouped from 10,000 on only, so that years and most codes read as printed.
  const whole = new Intl.NumberFormat(tag, { maximumFractionDigits: 0, useGrouping: 'min2' })

  const signs = new Intl.NumberFormat(tag, { useGrouping: true }).formatToParts(1234567.5)
  const sign = (type: string): string => signs.find((part) => part.type === type)?.value ?? ''

  function unit(value: number, name: string, digits = 0): string {
    return numberFormat(`${name} ${digits}`, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    }).format(value)
  }
  return {
    tag,
    count: (value) => count.format(value),
    compact: (value) => compact.format(value),
    number(value, minDecimals = 0) {
      if (Number.isInteger(value) && minDecimals === 0) return whole.format(value)
      return numberFormat(`shown ${minDecimals}`, {
        minimumFractionDigits: minDecimals,
        maximumFractionDigits: 10,
      }).format(value)
    },
    typedNumber: (value, minDecimals = 0) =>
      numberFormat(`typed ${minDecimals}`, {
        useGrouping: false,
        minimumFractionDigits: minDecimals,
        maximumFractionDigits: 10,
      }).format(value),
    numberSigns: { decimal: sign('decimal'), group: sign('group') },
    dayOrder: day
      .formatToParts(0)
      .flatMap(({ type }) => ({ day: 'd', month: 'm', year: 'y' })[type as string] ?? [])
      .join(''),
    percent: (fraction) => percent.format(fraction),
    size(bytes) {
      if (bytes < 1024) return bytesFormat.format(bytes)
      if (bytes < 1024 ** 2) return unit(bytes / 1024, 'kilobyte')
      if (bytes < 1024 ** 3) return unit(bytes / 1024 ** 2, 'megabyte', bytes < 10 * 1024 ** 2 ? 1 : 0)
      return unit(bytes / 1024 ** 3, 'gigabyte', 1)
    },
    date: (epochMs) => date.format(epochMs),
    dateTime: (epochMs) => dateTime.format(epochMs),
    moment: (epochMs, nowMs = Date.now()) =>
      (new Date(epochMs).toDateString() === new Date(nowMs).toDateString() ? time : date).format(epochMs),
    day: (year, month, dayOfMonth) => day.format(Date.UTC(year, month - 1, dayOfMonth)),
    dayOfMonth: (text) => dayOfMonth.format(Date.parse(`${text}T00:00:00Z`)),
    duration(ms) {
      if (ms < 1000) return unit(Math.max(1, Math.round(ms)), 'millisecond')
      if (ms < 60_000) return unit(ms / 1000, 'second', ms < 10_000 ? 1 : 0)
      if (ms < 3_600_000) return unit(Math.ceil(ms / 60_000), 'minute')
      return unit(ms / 3_600_000, 'hour', 1)
    },
    list: (items) => list.format(items),
  }
}
