import { isKnownLabel } from './field.ts'
import type { Field } from './field.ts'
import type { Column } from './list-content.ts'
import type { Header } from './list-header.ts'
import type { Row } from './list-rows.ts'
import type { Word } from './layout.ts'
import { meanings } from './words.ts'

/** Of the rows that have something in the column so many begin with a code, and at least so many do. */
const leastShare = 0.8
const leastRows = 2

/** The columns and rows of a table. */
type Body = { header: Header; rows: readonly Row[] }

/**
 * «V5473454383 Ölfilter» under one head where the text is asked for: two columns, of which the code is the first. The
 * head is that of the number or the text, or names a number that nobody asks for. Any other table is given back as it
 * is.
 */
export function withCodesApart(table: Body, fields: readonly Field[]): Body {
  const { header, rows } = table
  const [code, text] = ['articleNumber', 'description'].map((concept) =>
    fields.findIndex((field) => field.concept === concept),
  ) as [number, number]
  const place = sharedColumn(header.columns, code, text)
  const filled = rows.map(({ cells }) => cells.get(place) ?? []).filter((words) => words.length > 0)
  const coded = filled.filter(beginsWithCode)
  if (coded.length < leastRows || coded.length < leastShare * filled.length) return table
  const left = coded.reduce((least, words) => Math.min(least, words[1]!.box.x), Infinity)
  const columns = header.columns.flatMap((column, at) => (at === place ? halvesOf(column, left, code, text) : [column]))
  return { header: { ...header, columns }, rows: rows.map((row) => withHalves(row, place)) }
}

/** The column that may hold the number of an article and its text, -1 for none. */
function sharedColumn(columns: readonly Column[], code: number, text: number): number {
  const [ofCode, ofText] = [code, text].map((field) => columns.findIndex((column) => column.field === field))
  const isStacked = columns.some(({ below }) => below !== undefined && (below === code || below === text))
  if (text < 0 || isStacked || (ofCode! >= 0 && ofText! >= 0)) return -1
  if (code >= 0) return Math.max(ofCode!, ofText!)
  return columns.findIndex(
    ({ field, text: head }, at) => (ofText! >= 0 ? at === ofText : field === undefined) && isOfCodes(head),
  )
}

const codeWords = new Set(['nr', 'code', 'reference'])
const isOfCodes = (head: string): boolean => /\bsku\b/i.test(head) || meanings(head).some((word) => codeWords.has(word))

function halvesOf({ body, field: _own, ...rest }: Column, left: number, code: number, text: number): Column[] {
  const words = rest.text.split(' ')
  const at = words.findIndex((_, index) => {
    const end = words.slice(index).join(' ')
    return index > 0 && isKnownLabel(end) && !isOfCodes(end)
  })
  const names = at < 0 ? [rest.text, ''] : [words.slice(0, at).join(' '), words.slice(at).join(' ')]
  return [
    {
      ...rest,
      text: names[0]!,
      right: left,
      ...(code >= 0 && { field: code }),
      ...(body && { body: { ...body, right: left } }),
    },
    { ...rest, text: names[1]!, left, field: text, ...(body && { body: { ...body, left } }) },
  ]
}

function withHalves(row: Row, place: number): Row {
  const cells = new Map<number, Word[]>()
  for (const [at, words] of row.cells) {
    if (at !== place) cells.set(at < place ? at : at + 1, words)
    else if (beginsWithCode(words)) cells.set(at, words.slice(0, 1)).set(at + 1, words.slice(1))
    else cells.set(at + 1, words)
  }
  return { ...row, cells }
}

/** In characters, and in figures among them. */
const shortestCode = 5
const fewestFigures = 3
/** What begins texts as well: a quantity or a year («1.000», «2026»), a size («500ml»), a day («15/03/2026»). */
const noCode = /^(?:\d{1,4}|\d[\d.,']*[.,]\d+|\d+\p{Ll}+|\d{1,4}([./-])\d{1,2}\1\d{1,4})$/u

function beginsWithCode([first, second]: readonly Word[]): boolean {
  return (
    first !== undefined &&
    second !== undefined &&
    first.text.length >= shortestCode &&
    first.text.replace(/\D/g, '').length >= fewestFigures &&
    /^[\p{L}\d][\p{L}\d./_-]*$/u.test(first.text) &&
    !noCode.test(first.text) &&
    /\p{L}{2}/u.test(second.text)
  )
}
