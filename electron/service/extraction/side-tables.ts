import type { Cell as DeclaredCell, Table } from '../../../shared/domain/document.ts'
import { fold } from '../../../shared/domain/fold.ts'
import { makeCell, unionBox, wordsOf } from './layout.ts'
import type { Cell, Layout, LayoutPage, Line, Word } from './layout.ts'
import { isNumeric } from './list-header.ts'

/** The heads of two tables side by side («Pay  Amount  Deductions  Amount») have so many cells. */
const fewestHeads = 4
/** So many lines below a head say where its tables part. */
const sampledLines = 20

/** Of a document whose pages part at many places so many are offered. */
const mostCuts = 8
const known = new WeakMap<Layout, Layout[]>()

/**
 * The sides of pages on which two things stand side by side: two tables, whose line of heads says the same twice, or a
 * table and a column of other lines. Each is a layout of its own, of the same words, through all pages that part there.
 */
export function sidesOf(layout: Layout): Layout[] {
  let sides = known.get(layout)
  if (!sides) known.set(layout, (sides = partsOf(layout)))
  return sides
}

function partsOf({ pages }: Layout): Layout[] {
  const parts: { cut: number; pages: LayoutPage[] }[] = []
  for (const page of pages)
    for (const cut of cutsOf(page)) {
      const before = parts.find(
        (part) => part.pages.at(-1)!.number === page.number - 1 && Math.abs(part.cut - cut) < page.em,
      )
      if (before) before.pages.push(page)
      else parts.push({ cut, pages: [page] })
    }
  return parts
    .slice(0, mostCuts)
    .flatMap(({ cut, pages: own }) => [side(own, (x) => x < cut), side(own, (x) => x >= cut)])
}

/** Where a page parts. The cells of sheets and of flowing text are declared. */
function cutsOf(page: LayoutPage): number[] {
  if (page.origin === 'sheet' || page.origin === 'flow') return []
  const heads = page.lines.flatMap((line, at) => cutOf(page, line, at) ?? [])
  const cuts = [...heads, ...(page.origin === 'text' ? unevenGutters(page) : [])]
  const isNew = (cut: number, at: number): boolean =>
    cuts.slice(0, at).every((other) => Math.abs(other - cut) > narrowestGutter * page.em)
  return cuts.filter(isNew).slice(0, mostOnPage)
}
const mostOnPage = 2

/** In em: what is narrower is the space between two columns of a table. */
const narrowestGutter = 1.5
/** In line heights: lines of one row stand as even as this, and lines side by side by chance mostly not. */
const even = 0.12
const uneven = 0.5
/** So many lines of one side, and this share of those that have another one beside them, are uneven. */
const leastUneven = 4
const unevenShare = 0.6

/** Where a page parts into columns whose lines are not even with one another. */
function unevenGutters(page: LayoutPage): number[] {
  const words = page.lines.flatMap(wordsOf)
  const starts = new Map<number, Word[]>()
  // A column of lines begins at one place.
  for (const word of words) {
    const key = Math.round((word.box.x / page.em) * 2)
    starts.set(key, [...(starts.get(key) ?? []), word])
  }
  return [...starts.values()]
    .filter((column) => column.length >= leastUneven)
    .flatMap((column) => {
      const cut = Math.min(...column.map(({ box }) => box.x)) - page.em / 4
      const [top, bottom] = [Math.min(...column.map(({ box }) => box.y)), Math.max(...column.map(({ box }) => box.y))]
      const beside = words.filter(({ box }) => box.y >= top && box.y <= bottom)
      const isFree = !beside.some(({ box }) => box.x < cut && box.x + box.width > cut - narrowestGutter * page.em)
      return isFree &&
        isUneven(
          column,
          beside.filter(({ box }) => box.x < cut),
          page,
        )
        ? [cut]
        : []
    })
}

function isUneven(column: readonly Word[], others: readonly Word[], { lineHeight }: LayoutPage): boolean {
  const baseOf = ({ box }: Word): number => box.y + box.height
  const bases = others.map(baseOf)
  const apart = column.map((word) => Math.min(...bases.map((base) => Math.abs(base - baseOf(word)))) / lineHeight)
  const beside = apart.filter((distance) => distance < uneven)
  const crooked = beside.filter((distance) => distance > even).length
  return crooked >= leastUneven && crooked >= unevenShare * beside.length
}

/** Where the second of two tables begins whose heads stand on this line. */
function cutOf(page: LayoutPage, { cells }: Line, at: number): number | undefined {
  if (cells.length < fewestHeads || cells.some(({ text }) => isNumeric(text))) return undefined
  const texts = cells.map(({ text }) => fold(text))
  const pairs = texts.flatMap((text, first) => {
    // Marks in columns of days («x») are no heads.
    if (!/\p{L}{2}/u.test(text)) return []
    const second = texts.indexOf(text, first + 1)
    return second < 0 ? [] : [{ first, second }]
  })
  if (pairs.length === 0) return undefined
  const begin = Math.max(...pairs.map(({ first }) => first)) + 1
  if (begin > Math.min(...pairs.map(({ second }) => second)) || begin < 2) return undefined
  return gapBefore(cells[begin]!, cells[begin - 1]!, page.lines.slice(at, at + sampledLines))
}

/** Between two heads, as near to the second as can be, where fewest words stand in the way. */
function gapBefore({ box }: Cell, before: Cell, lines: readonly Line[]): number {
  const words = lines.flatMap(wordsOf)
  const from = before.box.x + before.box.width / 2
  const edges = [box.x, ...words.map((word) => word.box.x).filter((x) => x > from && x < box.x)]
  const crossing = (x: number): number =>
    words.filter((word) => word.box.x < x && word.box.x + word.box.width > x).length
  return edges.reduce((best, x) => {
    const fewer = crossing(x) - crossing(best)
    return fewer < 0 || (fewer === 0 && x > best) ? x : best
  })
}

function side(pages: readonly LayoutPage[], isOn: (x: number) => boolean): Layout {
  const own = pages.map((page) => pageOn(page, isOn))
  const lines = own.flatMap((page) => page.lines)
  return { pages: own, lines, text: lines.map(({ text }) => text).join('\n') }
}

function pageOn(page: LayoutPage, isOn: (x: number) => boolean): LayoutPage {
  const lines = page.lines.flatMap((line): Line[] => {
    const cells = line.cells.flatMap((cell) => {
      const words = cell.words.filter(({ box }) => isOn(box.x))
      return words.length === 0 ? [] : [words.length === cell.words.length ? cell : cellOf(cell, words)]
    })
    if (cells.length === 0) return []
    const text = cells.map((cell) => cell.text).join('  ')
    return [{ ...line, cells, box: unionBox(cells.map(({ box }) => box)), text }]
  })
  return { ...page, lines, tables: page.tables.flatMap((table) => tableOn(table, isOn) ?? []) }
}

const cellOf = ({ page, line, declared }: Cell, words: Word[]): Cell => makeCell(words, page, line, declared)

const nowhere = { x: 0, y: 0, width: 0, height: 0 }

/** The columns of a table that stand on one side; a cell without words has no place but counts as one. */
function tableOn(table: Table, isOn: (x: number) => boolean): Table | undefined {
  const isHere = ({ box }: DeclaredCell): boolean => box.width > 0 && isOn(box.x + box.width / 2)
  const rows = table.rows.map((row) =>
    row.flatMap((cell): DeclaredCell[] =>
      isHere(cell) ? [cell] : Array.from({ length: cell.columnSpan ?? 1 }, () => ({ text: '', box: nowhere })),
    ),
  )
  const leading = Math.min(...rows.map((row) => row.findIndex(isHere)).filter((at) => at >= 0))
  if (leading === Infinity) return undefined
  const box = unionBox(rows.flatMap((row) => row.filter(isHere).map((cell) => cell.box)))
  return { ...table, rows: rows.map((row) => row.slice(leading)), box }
}
