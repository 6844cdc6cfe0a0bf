import type { Random } from './random.ts'
import type { Language } from './words.ts'

/** How a sender prints numbers, dates and money. */
export type Formats = {
  country: string
  language: Language
  thousands: string
  decimal: string
  date: DateFormat
  currency: string
  symbol: string
  /** How an amount below zero is printed: `-12.50`, `12.50-` or `(12.50)`. */
  negative: 'before' | 'after' | 'brackets'
  /** Where the currency stands with an amount: not at all, before or after, with or without a space. */
  money: 'none' | 'before' | 'before-space' | 'after' | 'after-space' | 'code-before' | 'code-after'
}

type DateFormat = 'd.m.y' | 'd.m.yy' | 'd/m/y' | 'm/d/y' | 'd-m-y' | 'y-m-d' | 'long' | 'short' | 'd/m/yy' | 'y/m/d'

type Country = {
  language: Language
  thousands: string[]
  decimal: string
  dates: DateFormat[]
  currency: string
  symbol: string
}

const english = (currency: string, symbol: string, dates: DateFormat[], thousands = [',', ',']): Country => ({
  language: 'en',
  thousands,
  decimal: '.',
  dates,
  currency,
  symbol,
})

const countries: Record<string, Country> = {
  GB: english('GBP', '£', ['d/m/y', 'd/m/yy', 'long', 'short', 'y-m-d'], [',', ',', '']),
  US: english('USD', '$', ['m/d/y', 'm/d/y', 'long', 'short', 'y-m-d'], [',', ',', '']),
  IE: english('EUR', '€', ['d/m/y', 'long', 'd-m-y']),
  MY: english('MYR', 'RM', ['d/m/y', 'd-m-y', 'd/m/yy', 'd.m.y', 'short']),
  SG: english('SGD', 'S$', ['d/m/y', 'short', 'd-m-y']),
  AU: english('AUD', '$', ['d/m/y', 'long', 'd/m/yy']),
  IN: english('INR', 'Rs.', ['d/m/y', 'd-m-y', 'd.m.y', 'short'], [',', '']),
  CA: english('CAD', '$', ['y-m-d', 'm/d/y', 'long', 'y/m/d']),
  DE: {
    language: 'de',
    thousands: ['.', '.', ''],
    decimal: ',',
    dates: ['d.m.y', 'd.m.y', 'd.m.yy', 'long', 'y-m-d'],
    currency: 'EUR',
    symbol: '€',
  },
  AT: { language: 'de', thousands: ['.', ' '], decimal: ',', dates: ['d.m.y', 'long'], currency: 'EUR', symbol: '€' },
  CH: {
    language: 'de',
    thousands: ["'", '’'],
    decimal: '.',
    dates: ['d.m.y', 'long', 'd.m.yy'],
    currency: 'CHF',
    symbol: 'CHF',
  },
  FR: {
    language: 'fr',
    thousands: [' ', ' ', '', '.'],
    decimal: ',',
    dates: ['d/m/y', 'd/m/y', 'long', 'd/m/yy', 'd-m-y'],
    currency: 'EUR',
    symbol: '€',
  },
  BE: {
    language: 'fr',
    thousands: ['.', ' '],
    decimal: ',',
    dates: ['d/m/y', 'd-m-y', 'long'],
    currency: 'EUR',
    symbol: '€',
  },
  ES: {
    language: 'es',
    thousands: ['.', '.', ''],
    decimal: ',',
    dates: ['d/m/y', 'd/m/y', 'd-m-y', 'long'],
    currency: 'EUR',
    symbol: '€',
  },
  MX: {
    language: 'es',
    thousands: [','],
    decimal: '.',
    dates: ['d/m/y', 'long', 'y-m-d'],
    currency: 'MXN',
    symbol: '$',
  },
  IT: {
    language: 'it',
    thousands: ['.', '.', ''],
    decimal: ',',
    dates: ['d/m/y', 'd/m/y', 'd-m-y', 'long', 'd.m.y'],
    currency: 'EUR',
    symbol: '€',
  },
  NL: {
    language: 'nl',
    thousands: ['.', '.', ''],
    decimal: ',',
    dates: ['d-m-y', 'd-m-y', 'long', 'd/m/y', 'y-m-d'],
    currency: 'EUR',
    symbol: '€',
  },
}

export function formatsFor(language: Language, random: Random): Formats {
  const country = random.pick(Object.keys(countries).filter((code) => countries[code]!.language === language))
  const { thousands, decimal, dates, currency, symbol } = countries[country]!
  return {
    country,
    language,
    thousands: random.pick(thousands),
    decimal,
    date: random.pick(dates),
    currency,
    symbol,
    negative: random.pick(
      language === 'en' ? ['before', 'before', 'after', 'brackets'] : ['before', 'before', 'before', 'after'],
    ),
    money: random.pick(
      country === 'US' || country === 'GB' || country === 'MX'
        ? (['none', 'before', 'before', 'code-before', 'code-after'] as const)
        : (['none', 'none', 'after-space', 'after', 'before-space', 'code-after', 'code-before'] as const),
    ),
  }
}

/** A text of digits with the sign that its value has. */
export function signed(text: string, value: number, { negative }: Formats): string {
  if (value >= 0) return text
  return { before: `-${text}`, after: `${text}-`, brackets: `(${text})` }[negative]
}

/** A number as the sender prints it, e.g. `1.234,50`. */
export function printNumber(value: number, formats: Formats, decimals: number): string {
  return signed(printDigits(value, formats, decimals), value, formats)
}

/** Without a sign. */
export function printDigits(value: number, formats: Formats, decimals: number): string {
  const [whole = '', rest] = Math.abs(value).toFixed(decimals).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, formats.thousands)
  return `${grouped}${rest === undefined ? '' : formats.decimal + rest}`
}

const months: Record<Language, string> = {
  en: 'January February March April May June July August September October November December',
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  es: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  it: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  nl: 'januari februari maart april mei juni juli augustus september oktober november december',
}

/** A day (`YYYY-MM-DD`) as the sender prints it. */
export function printDate(iso: string, formats: Formats): string {
  const [year = '', month = '', day = ''] = iso.split('-')
  const name = months[formats.language].split(' ')[Number(month) - 1]!
  switch (formats.date) {
    case 'd.m.y':
    case 'd/m/y':
    case 'd-m-y':
      return [day, month, year].join(formats.date[1])
    case 'd.m.yy':
    case 'd/m/yy':
      return [day, month, year.slice(2)].join(formats.date[1])
    case 'm/d/y':
      return `${month}/${day}/${year}`
    case 'y-m-d':
    case 'y/m/d':
      return [year, month, day].join(formats.date[1])
    case 'short':
      return `${day} ${name.slice(0, 3)} ${year}`
    case 'long':
      return longDate(formats, name, Number(day), year)
  }
}

function longDate({ language, country }: Formats, month: string, day: number, year: string): string {
  if (country === 'US') return `${month} ${day}, ${year}`
  if (language === 'de') return `${day}. ${month} ${year}`
  return language === 'es' ? `${day} de ${month} de ${year}` : `${day} ${month} ${year}`
}

/** The day that many days after another, `YYYY-MM-DD`. */
export function addDays(iso: string, days: number): string {
  return new Date(Date.parse(iso) + days * 86_400_000).toISOString().slice(0, 10)
}
