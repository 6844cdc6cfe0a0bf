import { meaningOf } from '../../../shared/domain/meaning.ts'
import { dateOrderEvidence, parseDate } from '../../../shared/domain/parse-date.ts'
import { decimalEvidence, parseNumber } from '../../../shared/domain/parse-number.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { Formats } from '../../messages/formats.ts'

/**
 * What printed words mean as the value of a field: a number by the signs of its document, a date as YYYY-MM-DD where
 * the field is one, the words themselves otherwise. `problem` where the field cannot hold it. `words`: all of the
 * document, which tell how it writes its numbers and dates. Pure.
 */
export function valueOfPrinted(
  text: string,
  element: SchemaElement,
  words: readonly { text: string }[],
  formats: Formats,
): { value: string | number } | { problem: 'number' } {
  const trimmed = text.trim()
  if (element.format === 'number') {
    const evidence = decimalEvidence(all(words))
    const value = printedNumber(trimmed, evidence ?? (formats.numberSigns.decimal === ',' ? ',' : '.'))
    return value === null ? { problem: 'number' } : { value }
  }
  if (meaningOf(element) !== 'date') return { value: trimmed }
  const order = dateOrderEvidence(all(words), formats.dayOrder.startsWith('m') ? 'MDY' : 'DMY')
  return { value: parseDate(trimmed, { order }) ?? trimmed }
}

/**
 * `decimal`: how the document writes numbers. Words around the number, as of a currency or a label, are passed over.
 */
function printedNumber(text: string, decimal: ',' | '.'): number | null {
  const bare = text.replace(/[^\d.,'’\s()−–+-]/g, '').trim()
  return parseNumber(text, { decimal }) ?? parseNumber(bare.replace(/[.,]$/, ''), { decimal })
}

function all(words: readonly { text: string }[]): string {
  return words.map(({ text }) => text).join(' ')
}
