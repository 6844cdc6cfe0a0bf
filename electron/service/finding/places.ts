import { linesOfWords } from '../extraction/layout.ts'
import type { Word } from '../extraction/layout.ts'
import type { Row } from '../extraction/list-rows.ts'
import type { Table } from './tables.ts'

/**
 * Where in a row a sub-field may have its answer, as a number. A column of the table counts from 0; where a sub-field
 * has no column of its own, and where what stands above the group of a row answers it:
 */
export const noColumn = -1
export const aboveGroup = -2
/** Further lines of what stands in a column are a place of their own, for each column: remarks, whom a booking concerns. */
export const belowOf = (column: number): number => aboveGroup - 1 - column
export const isBelow = (place: number): boolean => place < aboveGroup
/** And so is each part of a column that holds several things. */
const partBase = 1000
export const isPart = (place: number): boolean => place >= partBase
const partAt = (place: number): number => Math.floor(place / partBase) - 1

/** The column that a place is, is part of or is below; negative for other places. */
export function columnOfPlace(place: number): number {
  if (isBelow(place)) return aboveGroup - 1 - place
  return isPart(place) ? place % partBase : place
}

/** The column that a place is, is part of or is below; NaN for other places. */
export function columnOrNone(place: number): number {
  const column = columnOfPlace(place)
  return column < 0 ? NaN : column
}

/** The first word, what follows it, the last word of the first line, what precedes that; or one side of a white lane. */
const byWords = ['first', 'rest', 'last', 'before'] as const
const partKinds = [...byWords, 'left', 'right', 'between'] as const

/** From where to where the words of a part begin; how wide the lane is, in em; in which share of the rows it divides. */
type Lane = { kind: 'left' | 'right' | 'between'; from: number; to: number; gap: number; divides: number }

/** Rows that say where lanes run: at least so many have words on both sides of one. */
const countedRows = 40
const leastDivided = 2
/** The widest lanes of a column: running text has some by chance. */
const mostLanes = 3

/** The parts of a table's columns. */
export class Parts {
  readonly #rows: readonly Row[]
  readonly #em: number
  readonly #lanes = new Map<number, Lane[]>()

  constructor({ rows, layout }: Table) {
    this.#rows = rows.slice(0, countedRows)
    this.#em = layout.pages[0]!.em
  }

  /** The places that the parts of a column are, none where most of its cells are one word. */
  ofColumn(column: number): number[] {
    const filled = this.#rows.map(({ cells }) => cells.get(column)?.length ?? 0).filter((count) => count > 0)
    if (filled.filter((count) => count > 1).length * 2 < filled.length || filled.length === 0) return []
    return [...byWords, ...this.#lanesOf(column)].map((_, part) => partBase * (part + 1) + column)
  }

  /** The words of a place in a row, undefined where it has none or a first or last word is all of its column. */
  wordsAt(row: Row, place: number): readonly Word[] | undefined {
    const words = columnWords(row, place)
    if (!isPart(place) || words === undefined) return words
    const found = this.#part(words, place)
    // A lane has all of a cell where the row has nothing on its other side.
    return found.length === 0 || (found.length === words.length && !this.#laneOf(place)) ? undefined : found
  }

  /** What kind of part a place is, counted from 0, -1 for none, and what its lane is like; NaN where it has none. */
  describe(place: number): { kind: number; gap: number; divides: number } {
    const lane = this.#laneOf(place)
    const kind = isPart(place) ? partKinds.indexOf(lane?.kind ?? byWords[partAt(place)]!) : -1
    return { kind, gap: lane?.gap ?? NaN, divides: lane?.divides ?? NaN }
  }

  #part(words: readonly Word[], place: number): readonly Word[] {
    const lane = this.#laneOf(place)
    if (lane) return words.filter(({ box }) => box.x >= lane.from && box.x < lane.to)
    const [line] = linesOfWords(words) as [Word[]]
    return [words.slice(0, 1), words.slice(1), line.slice(-1), line.slice(0, -1)][partAt(place)]!
  }

  #laneOf(place: number): Lane | undefined {
    return isPart(place) ? this.#lanesOf(columnOfPlace(place))[partAt(place) - byWords.length] : undefined
  }

  #lanesOf(column: number): Lane[] {
    let found = this.#lanes.get(column)
    if (!found) {
      const cells = this.#rows.map(({ cells }) => cells.get(column) ?? [])
      this.#lanes.set(column, (found = lanesOf(cells, this.#em)))
    }
    return found
  }
}

/** The words of the column that a place belongs to. */
export function columnWords({ cells, heading }: Row, place: number): readonly Word[] | undefined {
  return place === aboveGroup ? heading : cells.get(columnOfPlace(place))
}

/** What the white lanes that run down through all cells of a column part it into: each side of one, and all between two. */
function lanesOf(cells: readonly (readonly Word[])[], em: number): Lane[] {
  const filled = cells.filter((words) => words.length > 0)
  const cuts: { at: number; gap: number; divides: number }[] = []
  let end = Infinity
  for (const { box } of filled.flat().toSorted((left, right) => left.box.x - right.box.x)) {
    const at = box.x
    if (at > end) {
      const divided = filled.filter(
        (words) => words.some((word) => word.box.x < at) && words.some((word) => word.box.x >= at),
      )
      const divides = divided.length / filled.length
      if (divided.length >= leastDivided) cuts.push({ at, gap: (at - end) / em, divides })
    }
    end = end === Infinity ? box.x + box.width : Math.max(end, box.x + box.width)
  }
  const widest = cuts.toSorted((left, right) => right.gap - left.gap).slice(0, mostLanes)
  widest.sort((left, right) => left.at - right.at)
  return widest.flatMap(({ at, ...lane }, index): Lane[] => {
    const next = widest[index + 1]
    return [
      { ...lane, kind: 'left', from: -Infinity, to: at },
      { ...lane, kind: 'right', from: at, to: Infinity },
      ...(next ? [{ ...lane, kind: 'between' as const, from: at, to: next.at }] : []),
    ]
  })
}
