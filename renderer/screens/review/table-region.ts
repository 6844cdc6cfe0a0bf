import type { CallOutput } from '../../../shared/contract/contract.ts'
import type { Box } from '../../../shared/domain/document.ts'
import { meaningOf } from '../../../shared/domain/meaning.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { Formats } from '../../messages/formats.ts'
import { labelOf } from '../../messages/values.ts'
import type { Row } from '../../grid/list-shape.ts'
import { boxAround } from './page-words.ts'
import type { PageWord } from './page-words.ts'
import { valueOfPrinted } from './printed-value.ts'

export type PreviewPage = CallOutput<'documents.preview'>['pages'][number]

/** A part of a page whose lines are rows: where its columns meet, and what each of them holds. */
export type TableRegion = {
  page: number
  box: Box
  /** Between two columns each, from left to right, as fractions of the page. */
  borders: number[]
  /** The field of each column, one more than there are borders; null: it is left out. */
  fields: (string | null)[]
  /** A person chose columns or fields: they stay when an end of the rows is moved. */
  isChosen?: true
}

/** Letters of one word stand nearer than this, words of two columns further apart, in heights of a line. */
const columnGap = 0.7
/** A title or a remark may reach over a border: in one of so many lines that is no reason against it. */
const crossingShare = 0.12

/** A line that is shorter says little of how the page leans, as a share of its width. */
const telling = 0.15

/** A page that leans by eight degrees falls by so much of its height for each width. */
const steepest = 0.1

/** By how much the lines of a scan fall for each width of the page. `words`: as they are read, line by line. Pure. */
function slopeOf(words: readonly PageWord[]): number {
  const slopes: { slope: number; length: number }[] = []
  let first = 0
  for (let index = 1; index <= words.length; index += 1) {
    const [before, word] = [words[index - 1]!, words[index]]
    const goesOn = word !== undefined && word.x > before.x && isOnLineOf(before, word)
    if (goesOn) continue
    const length = before.x - words[first]!.x
    if (length >= telling) slopes.push({ slope: (middleOf(before) - middleOf(words[first]!)) / length, length })
    first = index
  }
  slopes.sort((a, b) => a.slope - b.slope)
  const half = slopes.reduce((sum, { length }) => sum + length, 0) / 2
  let passed = 0
  return slopes.find(({ length }) => (passed += length) >= half)?.slope ?? 0
}

function isOnLineOf(before: PageWord, word: PageWord): boolean {
  const off = Math.abs(middleOf(word) - middleOf(before))
  return off < 0.6 * Math.max(word.height, before.height) + steepest * (word.x - before.x)
}

const middleOf = ({ y, height }: PageWord): number => y + height / 2

/** The lines of what lies in a box, each from left to right, also of a scan that leans. Pure. */
export function linesIn(words: readonly PageWord[], box: Box): PageWord[][] {
  const inside = words.filter((word) => {
    const [x, y] = [word.x + word.width / 2, word.y + word.height / 2]
    return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height
  })
  const slope = slopeOf(inside)
  const straight = inside
    .map((word) => ({ word, top: word.y - slope * word.x, middle: middleOf(word) - slope * word.x }))
    .sort((a, b) => a.middle - b.middle)
  const lines: PageWord[][] = []
  let lowest = -1
  for (const { word, top, middle } of straight) {
    if (middle <= lowest) lines.at(-1)!.push(word)
    else {
      lines.push([word])
      lowest = top + word.height * 0.9
    }
  }
  return lines.map((line) => line.sort((a, b) => a.x - b.x))
}

/** A region that reaches to the line that stands there; the same where none does. Columns and fields stay. Pure. */
export function withLine(region: TableRegion, words: readonly PageWord[], at: { x: number; y: number }): TableRegion {
  const word = words.find(
    ({ x, y, width, height }) => at.x >= x && at.x <= x + width && at.y >= y && at.y <= y + height,
  )
  const line = word && linesIn(words, { x: 0, y: 0, width: 1, height: 1 }).find((each) => each.includes(word))
  if (!line) return region
  const { box } = region
  const [above, below] = [Math.min(...line.map(({ y }) => y)), Math.max(...line.map(({ y, height }) => y + height))]
  const [top, bottom] = [Math.min(box.y, above), Math.max(box.y + box.height, below)]
  return { ...region, box: { ...box, y: top, height: bottom - top }, isChosen: true }
}

/**
 * Where columns meet: in the middle of what hardly any line has words in. `aspect`: height through width of the page.
 */
export function bordersOf(lines: readonly PageWord[][], aspect: number): number[] {
  const heights = lines.flat().map(({ height }) => height)
  if (heights.length === 0) return []
  const least = columnGap * (heights.sort((a, b) => a - b)[heights.length >> 1] ?? 0) * aspect
  const allowed = Math.floor(lines.length * crossingShare)
  const edges = lines
    .flatMap((line) =>
      line.flatMap(({ x, width }) => [
        { at: x, step: 1 },
        { at: x + width, step: -1 },
      ]),
    )
    .sort((a, b) => a.at - b.at || a.step - b.step)
  const borders: number[] = []
  let depth = 0
  let emptySince: number | null = null
  for (const { at, step } of edges) {
    const before = depth
    depth += step
    if (before <= allowed && depth > allowed && emptySince !== null && at - emptySince >= least)
      borders.push((emptySince + at) / 2)
    if (before > allowed && depth <= allowed) emptySince = at
  }
  return borders
}

/** What stands in each column of a line; null where nothing does. Pure. */
function cellsOf(line: readonly PageWord[], borders: readonly number[]): (string | null)[] {
  const cells: string[][] = Array.from({ length: borders.length + 1 }, () => [])
  for (const word of line) {
    const middle = word.x + word.width / 2
    const column = borders.filter((border) => border <= middle).length
    cells[column]!.push(word.text)
  }
  return cells.map((texts) => (texts.length === 0 ? null : texts.join(' ')))
}

/**
 * A first proposal for the rows of a list: the largest table that was seen on the pages, with its columns named by its
 * heads; where none was seen, all of the first page with words. Null without words. Pure.
 */
export function proposeRegion(pages: readonly PreviewPage[], list: SchemaElement): TableRegion | null {
  const tables = pages.flatMap((page) => page.tables.map((table) => ({ page, table })))
  const largest = tables.reduce<(typeof tables)[number] | null>(
    (best, each) => (best === null || sizeOf(each.table) > sizeOf(best.table) ? each : best),
    null,
  )
  if (largest !== null && largest.table.length > 1)
    return regionIn(largest.page, boxAround(largest.table.flat().filter(({ width }) => width > 0)), list)
  const page = pages.find(({ words }) => words.length > 0)
  return page === undefined ? null : regionIn(page, boxAround(page.words), list)
}

function sizeOf(table: PreviewPage['tables'][number]): number {
  return table.length * (table[0]?.length ?? 0)
}

/** The region that a person drew around: its columns are looked for, and named by its heads and contents. Pure. */
export function regionIn(page: PreviewPage, box: Box, list: SchemaElement): TableRegion {
  const lines = linesIn(page.words, box)
  const borders = bordersOf(lines, page.height / Math.max(page.width, 1))
  return { page: page.number, box, borders, fields: fieldsOf(lines, borders, list) }
}

/** Which field each column holds, by the words of its head; a field is given once. Pure. */
export function fieldsOf(
  lines: readonly PageWord[][],
  borders: readonly number[],
  list: SchemaElement,
): (string | null)[] {
  const elements = list.items ?? []
  const rows = lines.map((line) => cellsOf(line, borders))
  const heads = rows.slice(0, 3)
  const columns = Array.from({ length: borders.length + 1 }, (_, column) => column)
  const free = new Set(elements)
  const fields: (string | null)[] = columns.map(() => null)
  const give = (fits: (element: SchemaElement, column: number) => boolean): void => {
    for (const column of columns) {
      const found = fields[column] === null ? [...free].find((element) => fits(element, column)) : undefined
      if (found === undefined) continue
      fields[column] = found.name
      free.delete(found)
    }
  }
  const headsOf = (column: number): string[] => heads.flatMap((cells) => cells[column] ?? [])
  give((element, column) => headsOf(column).some((head) => plain(head) === plain(labelOf(element.name))))
  give((element, column) => headsOf(column).some((head) => meansTheSame(head, element)))
  const isNumeric = (column: number): boolean =>
    rows.filter((cells) => /\d/.test(cells[column] ?? '') && !/\p{L}{3}/u.test(cells[column] ?? '')).length * 2 >
    rows.filter((cells) => cells[column] !== null).length
  // The first text of a row tells what it is about, and its last number is what it comes to.
  give((element, column) => element.format === 'text' && !isNumeric(column) && meaningOf(element) === null)
  const last = columns.findLast((column) => fields[column] === null && isNumeric(column))
  give((element, column) => column === last && meaningOf(element) === 'line_amount')
  return fields
}

function meansTheSame(head: string, element: SchemaElement): boolean {
  const meaning = meaningOf(element)
  return meaning !== null && meaningOf({ name: head, format: element.format, description: '' }) === meaning
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^\p{L}\d]/gu, '')
    .toLowerCase()
}

/**
 * The rows of a region as values of the list. A line is a row of its own when a column of numbers has one in it, or,
 * in a list without numbers, when its first column has words; other lines go on with the text of the row above. What
 * comes before the first row is its head. Pure.
 */
export function rowsOf(region: TableRegion, words: readonly PageWord[], list: SchemaElement, formats: Formats): Row[] {
  const { box, borders, fields } = region
  const byName = new Map((list.items ?? []).map((element) => [element.name, element]))
  const columns = fields.flatMap((field, column) => {
    const element = field === null ? undefined : byName.get(field)
    return element === undefined ? [] : [{ column, element }]
  })
  const numbers = columns.filter(({ element }) => element.format === 'number')
  const read = (text: string, element: SchemaElement): unknown => {
    const printed = valueOfPrinted(text, element, words, formats)
    return 'problem' in printed ? null : printed.value
  }
  const isRow = (cells: (string | null)[]): boolean =>
    numbers.length > 0
      ? numbers.some(({ column, element }) => read(cells[column] ?? '', element) !== null)
      : (cells[columns[0]?.column ?? 0] ?? null) !== null
  const rows: (string | null)[][] = []
  for (const cells of linesIn(words, box).map((line) => cellsOf(line, borders))) {
    const above = rows.at(-1)
    if (isRow(cells)) rows.push(cells)
    else if (above)
      cells.forEach((text, column) => (above[column] = [above[column], text].filter(Boolean).join(' ') || null))
  }
  return rows.map((cells) =>
    Object.fromEntries(
      columns.map(({ column, element }) => {
        const text = cells[column] ?? null
        return [element.name, text === null ? null : read(text, element)]
      }),
    ),
  )
}

/** A region with one border more or fewer; the fields of the columns beside it stay. Pure. */
export function withBorder(region: TableRegion, at: number): TableRegion {
  const column = region.borders.filter((border) => border < at).length
  return {
    ...region,
    borders: region.borders.toSpliced(column, 0, at),
    fields: region.fields.toSpliced(column + 1, 0, null),
  }
}

/** Pure. */
export function withoutBorder(region: TableRegion, index: number): TableRegion {
  const [left, right] = [region.fields[index], region.fields[index + 1]]
  return {
    ...region,
    borders: region.borders.toSpliced(index, 1),
    fields: region.fields.toSpliced(index, 2, left ?? right ?? null),
  }
}

/** The middle of the widest column, where one more border is most likely missed. Pure. */
export function widestMiddle({ box, borders }: TableRegion): number {
  const edges = [box.x, ...borders, box.x + box.width]
  const widths = edges
    .slice(1)
    .map((edge, index) => ({ middle: (edge + edges[index]!) / 2, width: edge - edges[index]! }))
  return widths.reduce((best, each) => (each.width > best.width ? each : best)).middle
}
