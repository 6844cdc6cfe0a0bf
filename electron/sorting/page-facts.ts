import type { Page, Table, Token } from '../../shared/domain/document.ts'
import { layOut } from '../service/extraction/layout.ts'
import type { Cell, Line } from '../service/extraction/layout.ts'
import { isKindWord } from '../service/finding/kind.ts'
import { meanings } from '../service/extraction/words.ts'
import { keyOf, nameMeanings, nameWords } from './words.ts'
import { printedNumber } from './page-number.ts'
import type { PrintedNumber } from './page-number.ts'

/** A short text above the fold that may say what the document is. */
export type Title = { text: string; words: readonly string[]; meanings: readonly string[]; size: number; y: number }

/** A word with its place, as pages are compared by them. */
export type Placed = { key: string; x: number; y: number; hasDigit: boolean }

/** What is seen of one page, once, for cuts as well as for kinds. */
export type PageFacts = {
  width: number
  height: number
  origin: Page['origin']
  lines: readonly Line[]
  /** Usual size of the type, as a fraction of the page height. */
  fontSize: number
  /** Where the text begins: left, top and bottom. */
  left: number
  top: number
  bottom: number
  words: ReadonlySet<string>
  placed: readonly Placed[]
  /** Words of `meanings` that are printed anywhere. */
  meanings: ReadonlySet<string>
  titles: readonly Title[]
  /** By the words of a label the value behind it, where that has digits. */
  labelled: ReadonlyMap<string, string>
  /** Texts that stand as labels or heads of columns, as words of `meanings`. */
  labels: readonly (readonly string[])[]
  /** Lines that may be heads of tables, by their words. */
  heads: ReadonlyMap<string, number>
  number: PrintedNumber
  /** Mail addresses, hosts and long numbers: what one sender has. */
  ids: ReadonlySet<string>
  /** Numbers of four digits and more, which papers are told apart by. */
  codes: ReadonlySet<string>
  counts: { dates: number; amounts: number; places: number; ibans: number; mails: number; boxes: number; rows: number }
}

/** A dense page of paper has a thousand words; what a file of another nature has beyond is not looked at. */
const maxTokens = 2000
const maxTokenLetters = 100

/** Titles stand above the fold and have few words. */
const titleShare = 0.5
const longestTitle = 6
const longestLabel = 6

export function readPage(page: Page): PageFacts {
  const tokens = page.tokens.slice(0, maxTokens).map(shortened)
  const layout = layOut({ kind: 'pdf', pages: [{ ...page, tokens, tables: page.tables.map(beginningOf), number: 1 }] })
  const laid = layout.pages[0]!
  const cells = laid.lines.flatMap((line) => line.cells)
  const placed = cells.flatMap(placedOf)
  const labels = labelsOf(cells)
  return {
    width: page.width,
    height: page.height,
    origin: page.origin,
    lines: laid.lines,
    fontSize: laid.fontSize,
    left: cells.reduce((least, { box }) => Math.min(least, box.x), 1),
    top: laid.lines[0]?.box.y ?? 1,
    bottom: laid.lines.at(-1)?.box.y ?? 0,
    words: new Set(placed.filter(({ key, hasDigit }) => !hasDigit && key.length >= 3).map(({ key }) => key)),
    placed,
    meanings: new Set(cells.flatMap(({ text }) => meanings(text))),
    titles: titlesOf(laid.lines, laid.fontSize),
    labelled: labelledOf(laid.lines),
    labels,
    heads: headsOf(laid.lines),
    number: printedNumber(laid.lines),
    ids: idsOf(placed),
    codes: codesOf(placed),
    counts: countsOf(laid.lines),
  }
}

/** Of a sheet with rows without end only the first ones are looked at. */
const [maxRows, maxCells] = [200, 40]

function beginningOf(table: Table): Table {
  return { ...table, rows: table.rows.slice(0, maxRows).map((row) => row.slice(0, maxCells)) }
}

function shortened(token: Token): Token {
  return token.text.length <= maxTokenLetters ? token : { ...token, text: token.text.slice(0, maxTokenLetters) }
}

function placedOf({ words }: Cell): Placed[] {
  return words.flatMap(({ text, box }) => {
    const key = keyOf(text)
    return key === '' ? [] : [{ key, x: box.x, y: box.y + box.height / 2, hasDigit: /\d/.test(key) }]
  })
}

function titlesOf(lines: readonly Line[], fontSize: number): Title[] {
  return lines
    .filter(({ box }) => box.y < titleShare)
    .flatMap(({ cells }) => cells)
    .flatMap(({ words, box }) => {
      const number = words.findIndex(({ text }) => /\d/.test(text))
      const before = number === -1 ? words : words.slice(0, number)
      if (before.length === 0 || before.length > longestTitle) return []
      const text = before.map((word) => word.text).join(' ')
      const found = nameWords(text)
      if (text.replace(/\P{L}/gu, '').length < 3 || found.length === 0) return []
      return [
        {
          text,
          words: found,
          meanings: nameMeanings(text),
          size: Math.max(...before.map((word) => word.fontSize)) / Math.max(1e-4, fontSize),
          y: box.y,
        },
      ]
    })
}

/** Whether a title names a kind of paper that is known. */
export function namesKind({ meanings: words }: Title): boolean {
  return words.some(isKindWord)
}

/** What stands before a value or a colon, and short texts without either; each once. */
function labelsOf(cells: readonly Cell[]): (readonly string[])[] {
  const found = new Map<string, readonly string[]>()
  for (const { words } of cells) {
    let open: string[] = []
    const close = (): void => {
      if (open.length > 0 && open.length <= longestLabel) {
        const label = meanings(open.join(' '))
        found.set(label.join(' '), label)
      }
      open = []
    }
    for (const { text } of words) {
      if (/\d/.test(text)) {
        close()
        continue
      }
      open.push(text)
      if (text.endsWith(':')) close()
    }
    close()
  }
  return [...found.values()]
}

const pageWord = /^(?:page|seite|pagina|pag|blatt|blad|hoja|foglio|sheet)\b/

/** The value behind or below a label: in the same cell, in the cell to the right, or under it. */
function labelledOf(lines: readonly Line[]): Map<string, string> {
  const found = new Map<string, string>()
  const add = (words: readonly string[], value: string | undefined): void => {
    const key = words.join(' ')
    // The number of a page is another on each.
    if (value !== undefined && key.length >= 2 && !pageWord.test(key) && !found.has(key)) found.set(key, value)
  }
  for (const [index, { cells }] of lines.entries())
    for (const [at, { words, box }] of cells.entries()) {
      const first = words.findIndex(({ text }) => /\d/.test(text))
      if (first > longestLabel || words.length > 2 * longestLabel) continue
      const label = meanings((first === -1 ? words : words.slice(0, first)).map(({ text }) => text).join(' '))
      if (first === 0 || label.length === 0) continue
      if (first > 0) add(label, keyOf(words[first]!.text))
      else add(label, valueIn(cells[at + 1]) ?? valueIn(cellUnder(lines[index + 1], box.x)))
    }
  return found
}

function valueIn(cell: Cell | undefined): string | undefined {
  const [word] = cell?.words ?? []
  return word !== undefined && /\d/.test(word.text) ? keyOf(word.text) : undefined
}

/** As far as one cell may begin beside the one above it, of the page width. */
const besideShare = 0.02

function cellUnder(line: Line | undefined, x: number): Cell | undefined {
  return line?.cells.find(({ box }) => Math.abs(box.x - x) < besideShare)
}

/** A head of a table names three columns or more, without figures. */
function headsOf(lines: readonly Line[]): Map<string, number> {
  return new Map(
    lines
      .filter(({ cells, text }) => cells.length >= 3 && !/\d/.test(text))
      .map(({ text, box }) => [keyOf(text), box.y] as const),
  )
}

/** Long numbers, hosts and mail addresses. */
function idsOf(placed: readonly Placed[]): Set<string> {
  return new Set(
    placed
      .filter(
        ({ key }) =>
          /@|^www\.|\.(?:com|de|ch|at|fr|es|it|nl|eu|org|net|uk)$/.test(key) || /^[a-z]{0,4}\d{6,}$/.test(key),
      )
      .map(({ key }) => key),
  )
}

/** Numbers of four digits and more that are no amounts; of a date the whole. */
export function codesOf(placed: readonly Placed[]): Set<string> {
  return new Set(placed.filter(({ key }) => digits(key) >= 4 && !/\.\d\d$/.test(key)).map(({ key }) => key))
}

function digits(text: string): number {
  return text.replace(/\D/g, '').length
}

const date = /^\d{1,4}[./-]\d{1,2}[./-]\d{2,4}$/
const amount = /^[-+]?\d{1,3}(?:[.,' ]?\d{3})*[.,]\d{2}-?$/

export function countsOf(lines: readonly Line[]): PageFacts['counts'] {
  const counts = { dates: 0, amounts: 0, places: 0, ibans: 0, mails: 0, boxes: 0, rows: 0 }
  for (const { cells } of lines) {
    let figures = 0
    for (const { words } of cells)
      for (const [index, { text }] of words.entries()) {
        const bare = text.replace(/^[^\p{L}\p{N}+-]+|[^\p{L}\p{N}-]+$/gu, '')
        if (date.test(bare)) counts.dates++
        if (amount.test(bare)) {
          counts.amounts++
          figures++
        }
        if (/^(?:[A-Z]{1,2}-)?\d{4,5}$/.test(bare) && /^\p{Lu}\p{L}/u.test(words[index + 1]?.text ?? ''))
          counts.places++
        if (/^[A-Z]{2}\d{2}(?:[A-Z0-9]{4,}|$)/.test(bare)) counts.ibans++
        if (text.includes('@')) counts.mails++
        if (/[☒☑☐□✓✔]/u.test(text)) counts.boxes++
      }
    if (cells.length >= 3 && figures > 0) counts.rows++
  }
  return counts
}
