import type { Value } from '../../../shared/domain/result.ts'
import type { Evidence } from './evidence.ts'
import { isDescription, type Field } from './field.ts'
import { textOf, type Word } from './layout.ts'
import { asBirth, parseBoolean } from './parse-value.ts'
import { readValue } from './read-value.ts'
import { withSign } from './sign.ts'
import { meanings } from './words.ts'

/** What a cell of a table answers, and the words that say so. */
export type CellValue = { value: Exclude<Value, null>; words: Word[] }

/** What was found for each row, in the order of the sub-fields. */
export type CellValues = (CellValue | undefined)[][]

/** What the words of a cell answer to a sub-field, or undefined. */
export function cellValue(field: Field, words: readonly Word[] | undefined, evidence: Evidence): CellValue | undefined {
  const { format } = field.element
  if (!words || words.length === 0 || format === 'list') return undefined
  if (format === 'boolean') {
    const value = parseBoolean(textOf(words))
    return value === null ? undefined : { value, words: [...words] }
  }
  if (format === 'text' && field.kind === 'number' && words.length <= 3)
    return { value: textOf(words), words: [...words] }
  const reading = readValue(field.kind, format, words, evidence)
  if (!reading) return otherValue(field, words, evidence)
  const { value, words: read } = reading
  if (typeof value === 'number')
    return { value: withSign(value, field.element.description, textOf(words)), words: read }
  if (field.kind === 'date' && field.asPrinted) return { value: textOf(read), words: read }
  return { value: field.concept === 'birthDate' ? asBirth(String(value), textOf(read)) : value, words: read }
}

/** What a cell holds in place of a value of the field's kind: a share for a discount or tax, a few words for a code. */
function otherValue(field: Field, words: readonly Word[], evidence: Evidence): CellValue | undefined {
  const isShare = field.concept === 'discount' || (field.concept === 'tax' && !asksForAmount(field))
  if (isShare && field.element.format === 'number') {
    const share = readValue('percent', 'number', words, evidence)
    if (share) return { value: share.value, words: share.words }
  }
  // What a row is named by is seldom a name of a person or company («Bill name» over «Excavating & filling»).
  if (field.kind === 'party') return plainText(words, longestName)
  return takesWords(field) ? plainText(words, longestCode) : undefined
}

/** «VAT» over «19 %» may be the rate, «VAT amount» may not. */
function asksForAmount({ element: { name } }: Field): boolean {
  return meanings(name).includes('amount')
}

/** In words. */
const longestCode = 3
const longestName = 16

function takesWords(field: Field): boolean {
  if (field.kind === 'text') return !isDescription(field)
  // «Von 07:30 bis 16:00» asks for times, although such names mostly ask for dates.
  if (field.kind === 'date') return !field.phrases[0]!.words.some((word) => word === 'date' || word === 'day')
  return field.kind === 'code'
}

function plainText(words: readonly Word[], longest: number): CellValue | undefined {
  const text = textOf(words)
  return text === '' || /^[-–—]+$/.test(text) || words.length > longest ? undefined : { value: text, words: [...words] }
}

/** Whether a sub-field asks for what a row comes to. */
export function isRowAmount(field: Field): boolean {
  return (
    field.kind === 'money' &&
    field.element.format === 'number' &&
    (field.concept === 'lineAmount' || field.concept === 'gross' || field.concept === undefined)
  )
}
