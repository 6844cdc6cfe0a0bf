import type { FontFamily } from './metrics.ts'
import { widthOf } from './metrics.ts'

/** A piece of a line; `mark` says which drawn value it belongs to. */
export type Piece = { text: string; mark?: number }
export type Run = { x: number; baseline: number; size: number; bold: boolean; pieces: Piece[]; width: number }
export type Line = { x1: number; y1: number; x2: number; y2: number; weight: number }
export type Fill = { x: number; y: number; width: number; height: number; shade: number }
export type Square = { x: number; y: number; size: number; ticked: boolean; mark: number }
export type Sheet = { width: number; height: number; runs: Run[]; lines: Line[]; fills: Fill[]; squares: Square[] }

export type Look = { size?: number; bold?: boolean; align?: 'left' | 'right' | 'centre'; width?: number }

/** Pages that are drawn on in points, y downwards, and what was drawn for which value. */
export class Paper {
  readonly sheets: Sheet[] = []
  /** By mark: the key of the value that was drawn. */
  readonly marks: string[] = []
  readonly family: FontFamily
  readonly size: number
  readonly #width: number
  readonly #height: number

  constructor(family: FontFamily, size: number, width: number, height: number) {
    this.family = family
    this.size = size
    this.#width = width
    this.#height = height
    this.turn()
  }

  get sheet(): Sheet {
    return this.sheets.at(-1)!
  }

  get width(): number {
    return this.#width
  }

  get height(): number {
    return this.#height
  }

  turn(): void {
    this.sheets.push({ width: this.#width, height: this.#height, runs: [], lines: [], fills: [], squares: [] })
  }

  /** A new mark: what is drawn with it spells the value of `key` once. */
  mark(key: string): number {
    return this.marks.push(key) - 1
  }

  widthOf(text: string, { size = this.size, bold = false }: Look = {}): number {
    return widthOf(text, this.family, bold) * size
  }

  /**
   * Draws pieces on one line, at `x` or aligned within `width` from there; what would leave the page is set smaller.
   * Returns where it ends.
   */
  write(x: number, baseline: number, pieces: readonly Piece[], look: Look = {}): number {
    const { bold = false, align = 'left' } = look
    const shown = pieces.filter(({ text }) => text !== '')
    const wanted = look.size ?? this.size
    const natural = this.widthOf(shown.map(({ text }) => text).join(''), { size: wanted, bold })
    const most = align === 'left' ? this.width - x - 4 : Math.max(look.width ?? 0, 1)
    const shrunk = natural > most ? most / natural : 1
    const [size, width] = [wanted * shrunk, natural * shrunk]
    const room = look.width ?? 0
    const left = align === 'left' ? x : align === 'right' ? x + room - width : x + (room - width) / 2
    if (shown.length > 0) this.sheet.runs.push({ x: left, baseline, size, bold, pieces: shown, width })
    return left + width
  }

  rule(x1: number, y1: number, x2: number, y2: number, weight = 0.6): void {
    this.sheet.lines.push({ x1, y1, x2, y2, weight })
  }

  box(x: number, y: number, width: number, height: number): void {
    this.rule(x, y, x + width, y)
    this.rule(x, y + height, x + width, y + height)
    this.rule(x, y, x, y + height)
    this.rule(x + width, y, x + width, y + height)
  }

  fill(x: number, y: number, width: number, height: number, shade = 0.88): void {
    this.sheet.fills.push({ x, y, width, height, shade })
  }

  tick(x: number, y: number, size: number, ticked: boolean, mark: number): void {
    this.sheet.squares.push({ x, y, size, ticked, mark })
  }

  /** Breaks words into lines that fit; a word that fits nowhere has a line of its own. */
  wrap(text: string, width: number, look: Look = {}): string[] {
    const lines: string[] = []
    for (const word of text.split(' ')) {
      const last = lines.at(-1)
      if (last !== undefined && this.widthOf(`${last} ${word}`, look) <= width)
        lines[lines.length - 1] = `${last} ${word}`
      else lines.push(word)
    }
    return lines
  }
}
