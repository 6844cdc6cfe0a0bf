import { inKind } from '../../shared/domain/in-kind.ts'
import type { SchemaElement, TextKind } from '../../shared/domain/schema.ts'
import type { Formats } from '../messages/formats.ts'
import { isAmount } from '../messages/values.ts'

/** What a person typed, as a value for a field; `problem` where the field cannot hold it. */
type Typed = { value: string | number | boolean | null } | { problem: 'number' | 'twofold' | TextKind }

const isoDay = /^(\d{4})-(\d{2})-(\d{2})$/

/** A value as it is typed: numbers without groups, ISO days as the language writes them. Pure. */
export function editText(value: unknown, formats: Formats, minDecimals = 0): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return formats.typedNumber(value, minDecimals)
  if (typeof value !== 'string') return JSON.stringify(value)
  const day = isoDay.exec(value)
  return day ? formats.day(Number(day[1]), Number(day[2]), Number(day[3])) : value
}

/** The value that a typed text means in a field. Empty is nothing. Of an amount «1.514» may mean thousands. Pure. */
export function parseTyped(
  text: string,
  { format, kind, name = '' }: Pick<SchemaElement, 'format' | 'kind'> & { name?: string },
  formats: Formats,
): Typed {
  const trimmed = text.trim()
  if (trimmed === '') return { value: null }
  if (format === 'number') {
    if (isAmount(name) && isThousands(trimmed, formats.numberSigns.decimal)) return { problem: 'twofold' }
    const value = parseNumber(trimmed, formats.numberSigns)
    return value === null ? { problem: 'number' } : { value }
  }
  if (kind !== undefined) {
    const value = inKind(kind, trimmed, formats.dayOrder.startsWith('m') ? 'MDY' : 'DMY')
    return value === null ? { problem: kind } : { value }
  }
  return { value: parseDay(trimmed, formats.dayOrder) ?? trimmed }
}

/**
 * A number as people of a language type it, with or without groups and currency; or as the other language writes it,
 * where its signs say that: a document from abroad is typed as it is printed. Null for anything else. Pure.
 */
export function parseNumber(text: string, { decimal, group }: { decimal: string; group: string }): number | null {
  const bare = text
    .replace(/[\s\u00a0\u202f'’]/g, '')
    .replace(/^(?:[A-Z]{3}|\p{Sc})|(?:[A-Z]{3}|\p{Sc})$/gu, '')
    .replace(/^[−–]/, '-')
    .replace(/^\+/, '')
  const groups = group === '.' || group === ',' ? `[${group}]` : '(?!)'
  const own = new RegExp(`^-?(?:\\d+|\\d{1,3}(?:${groups}\\d{3})+)?(?:[${decimal}]\\d*)?$`)
  const other = decimal === ',' ? '.' : ','
  if (/\d/.test(bare) && own.test(bare)) return Number(bare.replaceAll(other, '').replace(decimal, '.'))
  const isAbroad = new RegExp(`^-?(?:\\d+|\\d{1,3}(?:[${decimal}]\\d{3})+)[${other}]\\d+$`).test(bare)
  return isAbroad ? Number(bare.replaceAll(decimal, '').replace(other, '.')) : null
}

/** Whether three digits stand behind the only sign of decimals, which abroad is one of thousands. */
function isThousands(text: string, decimal: string): boolean {
  return new RegExp(`^\\D*[1-9]\\d{0,2}[${decimal}]\\d{3}\\D*$`).test(text)
}

/**
 * A day that is written out in full, as YYYY-MM-DD; null for any other text. `order`: of day, month and year in the
 * language. Pure.
 */
export function parseDay(text: string, order: string): string | null {
  const parts = /^(\d{1,4})([./-])\s?(\d{1,2})\2\s?(\d{1,4})$/.exec(text)
  if (parts === null) return null
  const numbers = [parts[1]!, parts[3]!, parts[4]!]
  // Points are never used month first.
  const written = parts[2] === '.' && order.startsWith('m') ? 'dmy' : order
  const named = Object.fromEntries(
    [...(numbers[0]!.length === 4 ? 'ymd' : written)].map((letter, index) => [letter, numbers[index]!]),
  )
  const { y, m, d } = named as { y: string; m: string; d: string }
  if (y.length !== 4 || m.length > 2 || d.length > 2) return null
  const day = `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`
  const date = new Date(`${day}T00:00:00Z`)
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day ? null : day
}
