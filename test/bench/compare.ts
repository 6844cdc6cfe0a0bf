import { dirname } from 'node:path/posix'
import { pointerOf } from '../../shared/domain/pointer.ts'
import type { Doubt, DoubtCode, ExtractedRecord } from '../../shared/domain/result.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import type { Case } from './read-cases.ts'

type Rec = Record<string, unknown>

/** One header field or cell: what it should be, what it is, and the doubt that a person sees there. */
export type JudgedValue = {
  pointer: string
  expected: unknown
  got: unknown
  isRight: boolean
  doubt: DoubtCode | null
}

/** One row; a row that is missing has no `got`, one too many no `expected`. */
export type JudgedRow = {
  pointer: string
  expected: Rec | null
  got: Rec | null
  isRight: boolean
  doubt: DoubtCode | null
  cells: JudgedValue[]
}

export type JudgedList = { pointer: string; rows: JudgedRow[]; isExact: boolean }
export type Judgement = { fields: JudgedValue[]; lists: JudgedList[] }

/**
 * Judges one extracted record by what a person expects. Only fields that `expected` names are judged.
 *
 * - A number is right within half a cent (0.005).
 * - A text is right without regard to case, to how much white space there is, and to punctuation at its ends; in cases
 *   whose expected texts have lost their spaces (`spaces: missing`), without regard to any white space.
 * - A number of identification (letters and at least eight digits: an IBAN, a tax number) is right however it is
 *   grouped.
 * - A date is right in the format that the field's description asks for. Where it asks for none, another way to write
 *   the same day is right too.
 * - `null` is right for `null` only.
 * - A row is right when all of its expected cells are. Rows are paired in their order, so that most cells agree. A list
 *   is exact when every row is right and none is left over.
 *
 * A doubt at a value flags it, one at a list or row all that is in there, one at the record everything.
 */
export function judge(
  one: Pick<Case, 'schema' | 'expected' | 'spaces'>,
  data: ExtractedRecord,
  doubts: readonly Doubt[] = [],
): Judgement {
  const same: Same = (element, want, got) => sameValue(element, want, got, one.spaces === 'missing')
  const codes = new Map(doubts.map((doubt) => [doubt.pointer, doubt.code]))
  const judged: Judgement = { fields: [], lists: [] }
  for (const element of one.schema) {
    if (!Object.hasOwn(one.expected, element.name)) continue
    const pointer = pointerOf([0, element.name])
    const [expected, got] = [one.expected[element.name], data[element.name] ?? null]
    if (element.format === 'list')
      judged.lists.push(judgeList(element, pointer, rowsOf(expected), rowsOf(got), same, codes))
    else judged.fields.push(judgeValue(element, pointer, expected, got, same, codes))
  }
  return judged
}

type Same = (element: SchemaElement, want: unknown, got: unknown) => boolean
type Codes = ReadonlyMap<string, DoubtCode>

function judgeValue(
  element: SchemaElement,
  pointer: string,
  expected: unknown,
  got: unknown,
  same: Same,
  codes: Codes,
): JudgedValue {
  return { pointer, expected, got, isRight: same(element, expected, got), doubt: doubtAt(pointer, codes) }
}

function judgeList(
  element: SchemaElement,
  pointer: string,
  expected: Rec[],
  got: Rec[],
  same: Same,
  codes: Codes,
): JudgedList {
  const items = element.items ?? []
  const extra = got.length
  const rows = pairRows(items, expected, got, same).map(([want, index], place): JudgedRow => {
    const have = index === null ? null : got[index]!
    // A row that was not found has a place behind all that were.
    const at = `${pointer}/${index ?? extra + place}`
    const cells = items
      .filter((item) => want === null || Object.hasOwn(want, item.name))
      .map((item) =>
        judgeValue(
          item,
          at + pointerOf([item.name]),
          want?.[item.name] ?? null,
          have?.[item.name] ?? null,
          same,
          codes,
        ),
      )
    const isRight = want !== null && have !== null && cells.every((cell) => cell.isRight)
    const doubt = cells.find((cell) => cell.doubt !== null)?.doubt ?? doubtAt(at, codes)
    return { pointer: at, expected: want, got: have, isRight, doubt, cells }
  })
  return { pointer, rows, isExact: rows.every((row) => row.isRight) }
}

/** The doubt at a place or at any that it lies in. */
function doubtAt(pointer: string, codes: Codes): DoubtCode | null {
  if (codes.size === 0) return null
  for (let at = pointer; at !== '/' && at !== '.'; at = dirname(at)) {
    const code = codes.get(at)
    if (code) return code
  }
  return null
}

/** Expected rows with the index of their partner, in order, by the pairing in which most rows and then cells agree. */
function pairRows(items: SchemaElement[], expected: Rec[], got: Rec[], same: Same): [Rec | null, number | null][] {
  const agree = expected.map((want) =>
    got.map((have) => {
      const asked = items.filter((item) => Object.hasOwn(want, item.name))
      const right = asked.filter((item) => same(item, want[item.name], have[item.name] ?? null)).length
      return right + (right === asked.length ? asked.length : 0)
    }),
  )
  return pairInOrder(agree, got.length).map(([row, index]) => [row === null ? null : expected[row]!, index])
}

/**
 * The pairing of expected rows with `count` others in which most agrees, in their order: each row and each other one
 * once, with the other or null. `agree` says for each expected row how much each other one agrees.
 */
export function pairInOrder(agree: readonly (readonly number[])[], count: number): [number | null, number | null][] {
  // Even rows without a common cell are paired rather than shown as one missing and one too many.
  const gain = (row: number, column: number): number => 0.01 + agree[row]![column]!
  const best = Array.from({ length: agree.length + 1 }, () => new Float64Array(count + 1))
  for (let row = agree.length - 1; row >= 0; row--)
    for (let column = count - 1; column >= 0; column--)
      best[row]![column] = Math.max(
        gain(row, column) + best[row + 1]![column + 1]!,
        best[row + 1]![column]!,
        best[row]![column + 1]!,
      )
  const pairs: [number | null, number | null][] = []
  let [row, column] = [0, 0]
  while (row < agree.length || column < count) {
    const here = best[row]?.[column] ?? 0
    const isBoth = row < agree.length && column < count
    if (isBoth && here === gain(row, column) + best[row + 1]![column + 1]!) pairs.push([row++, column++])
    else if (column === count || (isBoth && here === best[row + 1]![column]!)) pairs.push([row++, null])
    else pairs.push([null, column++])
  }
  return pairs
}

function rowsOf(value: unknown): Rec[] {
  return Array.isArray(value) ? (value as Rec[]) : []
}

/** Whether a value is the expected one by the rules of `judge`. */
export function sameValue(element: SchemaElement, want: unknown, got: unknown, isSpaceless: boolean): boolean {
  if (want === null || want === undefined) return got === null
  // 0.1 + 0.005 is not exact in binary: half a cent is allowed a hair more.
  if (typeof want === 'number' && element.format !== 'text')
    return typeof got === 'number' && Math.abs(want - got) <= 0.005 + 1e-9
  if (typeof want === 'boolean') return want === got
  if (typeof got !== 'string') return false
  const [left, right] = [plain(String(want), isSpaceless), plain(got, isSpaceless)]
  return left === right || (!asksForFormat.test(element.description) && sameDay(String(want), got))
}

const asksForFormat = /yyyy|jjjj|aaaa|ISO|as printed|wie gedruckt|tel qu/iu

function sameDay(want: string, got: string): boolean {
  const days = daysOf(want)
  return days.length > 0 && daysOf(got).some((day) => days.includes(day))
}

/**
 * The days that a text can mean which is a date and nothing else. Of its own: a judge must not share the mistakes of
 * what it judges.
 */
function daysOf(text: string): string[] {
  const numbers = /^(\d{1,4})[./-](\d{1,2})[./-](\d{2}|\d{4})$/u.exec(text.trim())?.slice(1).map(Number)
  if (numbers) {
    const [first, second, third] = numbers as [number, number, number]
    if (first > 31) return dayOf(first, second, third)
    return [...dayOf(third, second, first), ...dayOf(third, first, second)]
  }
  const time = /^[\p{L}\d., ]{6,24}$/u.test(text) && /\p{L}{3}/u.test(text) ? Date.parse(`${text} UTC`) : Number.NaN
  return Number.isNaN(time) ? [] : [new Date(time).toISOString().slice(0, 10)]
}

function dayOf(year: number, month: number, day: number): string[] {
  if (month < 1 || month > 12 || day < 1 || day > 31) return []
  const digits = [year < 100 ? 2000 + year : year, month, day].map((part) => String(part).padStart(2, '0'))
  return [digits.join('-')]
}

function plain(text: string, isSpaceless: boolean): string {
  const folded = text.normalize('NFKC').toLowerCase()
  return folded
    .replace(/\s+/gu, isSpaceless || isIdentification(folded) ? '' : ' ')
    .replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '')
}

/** Spaces in it only help to read it. */
function isIdentification(text: string): boolean {
  return /^[a-z0-9\s]+$/u.test(text) && /(?:\d\D*){8}/u.test(text)
}
