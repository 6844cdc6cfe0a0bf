import { meaningOf } from '../../../shared/domain/meaning.ts'
import { decimalEvidence, parseNumber } from '../../../shared/domain/parse-number.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { parseDay } from '../../grid/typed-values.ts'
import type { Formats } from '../../messages/formats.ts'

/** In whose names of months a date may be printed. */
const monthLocales = ['en', 'de', 'fr', 'es', 'it', 'nl']

/**
 * What printed words mean as the value of a field: a number by the signs of its document, a date as YYYY-MM-DD where
 * the field is one, the words themselves otherwise. `problem` where the field cannot hold it. `words`: all of the
 * document, which tell how it writes its numbers. Pure.
 */
export function valueOfPrinted(
  text: string,
  element: SchemaElement,
  words: readonly { text: string }[],
  formats: Formats,
): { value: string | number } | { problem: 'number' } {
  const trimmed = text.trim()
  if (element.format === 'number') {
    const evidence = decimalEvidence(words.map((word) => word.text).join(' '))
    const value = printedNumber(trimmed, evidence ?? (formats.numberSigns.decimal === ',' ? ',' : '.'))
    return value === null ? { problem: 'number' } : { value }
  }
  if (meaningOf(element) !== 'date') return { value: trimmed }
  return { value: parseDay(withFullYear(trimmed), formats.dayOrder) ?? parseNamedDay(trimmed) ?? trimmed }
}

/** `decimal`: how the document writes numbers. Words around the number, as of a currency or a label, are passed over. */
function printedNumber(text: string, decimal: ',' | '.'): number | null {
  const bare = text.replace(/[^\d.,'’\s()−–+-]/g, '').trim()
  return parseNumber(text, { decimal }) ?? parseNumber(bare.replace(/[.,]$/, ''), { decimal })
}

/** A year of two digits is one of this century. */
function withFullYear(text: string): string {
  return text.replace(/^(\d{1,2}[./-]\s?\d{1,2}[./-]\s?)(\d{2})$/, '$120$2')
}

/** A day with the name of its month, in any order; null for anything else. */
function parseNamedDay(text: string): string | null {
  const words = text.toLowerCase().match(/\p{L}+|\d+/gu) ?? []
  const month = words.map(monthOf).find((found) => found !== null)
  const numbers = words.filter((word) => /^\d+$/.test(word))
  const year = numbers.find((number) => number.length === 4)
  const day = numbers.find((number) => number.length <= 2)
  if (month === undefined || year === undefined || day === undefined) return null
  return parseDay(`${year}-${month}-${day}`, 'ymd')
}

/** The number of a month by its name, or by the first letters of it where they are no other's. */
function monthOf(word: string): number | null {
  if (word.length < 3) return null
  const found = new Set(
    monthNames.flatMap((names) => names.flatMap((name, index) => (name.startsWith(word) ? [index + 1] : []))),
  )
  return found.size === 1 ? [...found][0]! : null
}

const monthNames = monthLocales.map((locale) => {
  const format = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, month) => format.format(Date.UTC(2000, month)).toLowerCase())
})
