import type { FormField } from './form-fields.ts'
import type { Bounds } from './matrix.ts'
import type { Word } from './words.ts'
import { withoutEnd } from '../../../shared/domain/without-end.ts'

/** A question with the boxes of its answers. */
export type Question = { text: string; answers: FormField[] }

/** Distances as multiples of the type size beside them. */
const wordGap = 1.6
const nearBox = 3
const lineGap = 1.9
/** Rows of one question stand as far apart as its first two, give or take. */
const evenRows = 1.25
const mostLines = 3
/** In points, from one row of boxes to the next. */
const farthestRow = 30

type Sheet = { fields: readonly FormField[]; words: readonly Word[] }
/** The words that belong to each field. */
type Used = ReadonlyMap<FormField, Word[]>

/**
 * What is printed beside each field: the text of a box (behind it, or before it where rows end with boxes), the label
 * of a text at its left, above or below. And the questions that several boxes answer: those of a group, of one row, or
 * of rows below each other. Labels are found by their places alone, in any language.
 */
export function formLabels(
  fields: readonly FormField[],
  words: readonly Word[],
): { labels: Map<FormField, string>; questions: Question[] } {
  const sheet = { fields, words }
  const used = new Map<FormField, Word[]>()
  for (const field of fields)
    used.set(field, field.kind === 'text' ? labelOfText(field, sheet) : labelOfBox(field, sheet))
  const taken = new Set([...used.values()].flat())
  const groups = groupsOf(fields, used, taken, sheet)
  const tableTexts = new Map(groups.map((answers) => [answers, useHeadings(answers, used, sheet)]))
  for (const field of fields)
    if (field.kind !== 'text' && used.get(field)!.length === 0) used.set(field, headingOf(field, sheet))
  for (const found of used.values()) for (const word of found) taken.add(word)
  const questions = groups.flatMap((answers) => {
    const inTable = tableTexts.get(answers)!
    const text = textOf(inTable.length > 0 ? inTable : questionOf(answers, used, taken, sheet))
    return text === '' ? [] : [{ text, answers }]
  })
  return { labels: new Map([...used].map(([field, found]) => [field, textOf(found)])), questions }
}

/**
 * In a row of a table with one text before the first box, and nothing beside the others, each box answers what stands
 * over its column. Returns the text, which is what is asked; none in other rows.
 */
function useHeadings(answers: readonly FormField[], used: Map<FormField, Word[]>, sheet: Sheet): Word[] {
  const [first, ...others] = answers
  const text = used.get(first!)!
  if (text.length === 0 || !others.every((other) => used.get(other)!.length === 0)) return []
  const headings = answers.map((answer) => headingOf(answer, sheet))
  if (headings.some((heading) => heading.length === 0)) return []
  for (const [index, answer] of answers.entries()) used.set(answer, headings[index]!)
  return text
}

/** The nearest text over a box. */
function headingOf({ bounds }: FormField, sheet: Sheet): Word[] {
  const over = sheet.words.filter(
    (word) =>
      word.bounds.bottom < bounds.top + 1 &&
      word.bounds.left < bounds.right + word.size &&
      word.bounds.right > bounds.left - word.size,
  )
  const nearest = over.toSorted((one, other) => other.bounds.bottom - one.bounds.bottom)[0]
  if (nearest === undefined) return []
  const line = sheet.words.filter(
    (word) => isBeside(word.bounds, nearest.bounds) && word.bounds.left < nearest.bounds.right,
  )
  let start = nearest
  for (const word of line.toSorted((one, other) => other.bounds.left - one.bounds.left))
    if (word.bounds.left < start.bounds.left && start.bounds.left - word.bounds.right <= wordGap * word.size)
      start = word
  return lineFrom(start, sheet)
}

function textOf(words: readonly Word[]): string {
  return withoutEnd(words.map(({ text }) => text).join(' '), /[\s:._…]/u).trimStart()
}

function labelOfBox(field: FormField, sheet: Sheet): Word[] {
  return isBehindText(field, sheet) ? runBefore(field, sheet, Infinity) : withNextLines(runBehind(field, sheet), sheet)
}

/** Where the last box of a row has no text behind it, all of them stand behind theirs. */
function isBehindText(field: FormField, sheet: Sheet): boolean {
  const boxes = rowOf(field, sheet.fields).filter(({ kind }) => kind !== 'text')
  const last = boxes.toSorted((one, other) => one.bounds.left - other.bounds.left).at(-1) ?? field
  return runBehind(last, sheet).length === 0
}

/** Fields of the same row. */
function rowOf(field: FormField, fields: readonly FormField[]): FormField[] {
  return fields.filter(({ bounds }) => isBeside(bounds, field.bounds))
}

function isBeside(one: Bounds, other: Bounds): boolean {
  const centre = (one.top + one.bottom) / 2
  return centre > other.top - 2 && centre < other.bottom + 2
}

function wordsBeside(field: FormField, { words }: Sheet): Word[] {
  return words.filter(({ bounds }) => isBeside(bounds, field.bounds))
}

/** The words behind a box, up to a gap or to the next field. */
function runBehind(field: FormField, sheet: Sheet): Word[] {
  const stop = Math.min(
    ...rowOf(field, sheet.fields).flatMap(({ bounds }) => (bounds.left > field.bounds.left + 1 ? [bounds.left] : [])),
  )
  const run: Word[] = []
  let end = field.bounds.right
  const behind = wordsBeside(field, sheet).filter(({ bounds }) => bounds.left > field.bounds.right - 2)
  for (const word of behind.toSorted((one, other) => one.bounds.left - other.bounds.left)) {
    const most = (run.length === 0 ? nearBox : wordGap) * word.size
    if (word.bounds.left >= stop || word.bounds.left - end > most) break
    run.push(word)
    end = word.bounds.right
  }
  return run
}

/** The words before a field, back to a gap or to the field before; the first may stand `farthest` type sizes away. */
function runBefore({ bounds, ...field }: FormField, sheet: Sheet, farthest: number, from = bounds.left): Word[] {
  const stop = Math.max(
    ...rowOf({ ...field, bounds }, sheet.fields).flatMap((other) =>
      other.bounds.right < from + 1 && other.bounds.left < bounds.left - 1 ? [other.bounds.right] : [],
    ),
    -Infinity,
  )
  const run: Word[] = []
  let start = from
  const before = wordsBeside({ ...field, bounds }, sheet).filter((word) => word.bounds.right < from + 2)
  for (const word of before.toSorted((one, other) => other.bounds.right - one.bounds.right)) {
    const most = (run.length === 0 ? farthest : wordGap) * word.size
    if (word.bounds.left < stop - 1 || start - word.bounds.right > most) break
    run.unshift(word)
    start = word.bounds.left
  }
  return run
}

/** A text of a box may go on in the lines below, at the same margin. */
function withNextLines(first: readonly Word[], sheet: Sheet): Word[] {
  const all = [...first]
  let line = first
  for (let lines = 1; lines < mostLines && line.length > 0; lines++) {
    const { bounds, size } = line[0]!
    const start = sheet.words.find(
      (word) =>
        Math.abs(word.bounds.left - bounds.left) < 2 &&
        word.bounds.top > bounds.top + size * 0.5 &&
        word.bounds.top - bounds.top < size * 1.6 &&
        !sheet.fields.some(
          (field) => isBeside(word.bounds, field.bounds) && field.bounds.left < word.bounds.left + size,
        ),
    )
    line = start === undefined ? [] : lineFrom(start, sheet)
    all.push(...line)
  }
  return all
}

/** The words of a line from one on, up to a gap. */
function lineFrom(start: Word, { words }: Sheet, until = Infinity): Word[] {
  const behind = words
    .filter(({ bounds }) => isBeside(bounds, start.bounds) && bounds.left >= start.bounds.left && bounds.left < until)
    .toSorted((one, other) => one.bounds.left - other.bounds.left)
  const run: Word[] = []
  for (const word of behind) {
    const last = run.at(-1)
    if (last !== undefined && word.bounds.left - last.bounds.right > wordGap * word.size) break
    run.push(word)
  }
  return run
}

function labelOfText(field: FormField, sheet: Sheet): Word[] {
  const above = lineNear(field.bounds, sheet, 'above')
  const before = runBefore(field, sheet, Infinity)
  const isAligned = above.length > 0 && Math.abs(above[0]!.bounds.left - field.bounds.left) < above[0]!.size
  const gap = before.length === 0 ? Infinity : field.bounds.left - before.at(-1)!.bounds.right
  if (before.length > 0 && !(isAligned && gap > nearBox * before[0]!.size)) return before
  if (above.length > 0) return above
  return lineNear(field.bounds, sheet, 'below')
}

/** The line right above or below a field, from where the field begins. */
function lineNear(bounds: Bounds, sheet: Sheet, side: 'above' | 'below'): Word[] {
  const near = sheet.words.filter((word) => {
    const gap = side === 'above' ? bounds.top - word.bounds.bottom : word.bounds.top - bounds.bottom
    const isOver = word.bounds.left > bounds.left - word.size && word.bounds.left < bounds.right
    return isOver && gap > -word.size * 0.6 && gap < word.size * lineGap
  })
  const edge = (word: Word): number => (side === 'above' ? -word.bounds.bottom : word.bounds.top)
  const nearest = Math.min(...near.map(edge))
  const line = near.filter((word) => Math.abs(edge(word) - nearest) < word.size * 0.5)
  const start = line.toSorted((one, other) => one.bounds.left - other.bounds.left)[0]
  // A line with fields of its own is the label of those.
  if (start === undefined || sheet.fields.some((field) => isBeside(start.bounds, field.bounds))) return []
  return lineFrom(start, sheet, bounds.right)
}

/** Boxes that answer one question: of one group, of one row or several even ones, or below each other. */
function groupsOf(fields: readonly FormField[], used: Used, taken: ReadonlySet<Word>, sheet: Sheet): FormField[][] {
  const named = Map.groupBy(
    fields.filter(({ kind }) => kind === 'answer'),
    ({ name }) => name,
  )
  const boxes = fields.filter(({ kind }) => kind === 'box')
  const rows: FormField[][] = []
  for (const box of boxes.toSorted((one, other) => one.bounds.top - other.bounds.top)) {
    if (rows.some((row) => row.includes(box))) continue
    rows.push(...splitRow(rowOf(box, boxes), taken, sheet))
  }
  const grids = joinedRows(rows, used, taken, sheet)
  return [...named.values(), ...grids, ...stacksOf(rows)].filter((group) => group.length > 1)
}

/** A row holds several questions where a text that belongs to no box stands between two. */
function splitRow(row: readonly FormField[], taken: ReadonlySet<Word>, sheet: Sheet): FormField[][] {
  const parts: FormField[][] = []
  let end = -Infinity
  for (const box of row.toSorted((one, other) => one.bounds.left - other.bounds.left)) {
    const between = wordsBeside(box, sheet).some(
      (word) => !taken.has(word) && word.bounds.left >= end - 1 && word.bounds.right <= box.bounds.left + 2,
    )
    if (parts.length === 0 || between) parts.push([box])
    else parts.at(-1)!.push(box)
    end = box.bounds.right
  }
  return parts
}

/** Rows of several boxes below each other, as a grid, answer the question before the first. */
function joinedRows(rows: readonly FormField[][], used: Used, taken: ReadonlySet<Word>, sheet: Sheet): FormField[][] {
  const grids: FormField[][] = []
  for (const row of rows.filter((one) => one.length > 1)) {
    const above = grids.findLast((grid) => {
      const drop = row[0]!.bounds.top - grid.at(-1)!.bounds.top
      return Math.abs(grid[0]!.bounds.left - row[0]!.bounds.left) < 3 && drop > 0 && drop < farthestRow
    })
    const own = questionBefore(row, used, taken, sheet).length > 0 || used.get(row.at(-1)!)!.length === 0
    if (above !== undefined && !own) above.push(...row)
    else grids.push([...row])
  }
  return grids
}

function stacksOf(rows: readonly FormField[][]): FormField[][] {
  const single = rows.filter((row) => row.length === 1).map(([box]) => box!)
  const stacks: FormField[][] = []
  for (const box of single.toSorted((one, other) => one.bounds.top - other.bounds.top)) {
    const stack = stacks.findLast((one) => Math.abs(one.at(-1)!.bounds.left - box.bounds.left) < 3)
    const last = stack?.at(-1)
    const pitch = last === undefined ? 0 : box.bounds.top - last.bounds.top
    const usual = stack !== undefined && stack.length > 1 ? stack[1]!.bounds.top - stack[0]!.bounds.top : farthestRow
    if (stack !== undefined && pitch <= usual * evenRows) stack.push(box)
    else stacks.push([box])
  }
  return stacks
}

/** The text before the first answer and its own text, or the line above. */
function questionOf(answers: readonly FormField[], used: Used, taken: ReadonlySet<Word>, sheet: Sheet): Word[] {
  const before = questionBefore(answers, used, taken, sheet)
  if (before.length > 0) return before
  const left = leftOf(answers[0]!, used)
  const above = lineNear({ ...answers[0]!.bounds, left, right: left + 400 }, sheet, 'above')
  return above.some((word) => taken.has(word)) ? [] : above
}

function questionBefore(answers: readonly FormField[], used: Used, taken: ReadonlySet<Word>, sheet: Sheet): Word[] {
  const before = runBefore(answers[0]!, sheet, Infinity, leftOf(answers[0]!, used))
  // The text of the box before, in another column, asks nothing.
  return before.some((word) => taken.has(word)) ? [] : before
}

function leftOf(box: FormField, used: Used): number {
  return Math.min(box.bounds.left, ...(used.get(box) ?? []).map(({ bounds }) => bounds.left))
}
