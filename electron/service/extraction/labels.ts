import type { Field } from './field.ts'
import { likeness } from './likeness.ts'
import {
  cellsBelow,
  joined,
  overlapX,
  type Cell,
  type Layout,
  type LayoutPage,
  type Line,
  type Word,
} from './layout.ts'
import { isKnownWord, meanings, repairWord, surfaceWords } from './words.ts'

/** A stretch of words that may be a label, and what it means. */
export type Window = {
  cell: Cell
  line: Line
  page: LayoutPage
  from: number
  to: number
  words: readonly string[]
  /** How much the stretch is trusted to be a label: 1 for a cell or everything before a colon. */
  trust: number
  shape: 'whole' | 'suffix' | 'prefix' | 'through'
  colon: boolean
}

/** «FR» before «27 803 117 448» or «CHE» before a number opens the value, it does not close the label. */
function isValue(words: readonly Word[], index: number): boolean {
  const text = words[index]!.text
  if (valueLike.test(text)) return true
  const next = words[index + 1]?.text ?? ''
  return (
    index > 0 &&
    /^[A-Z]{1,3}-?$/.test(text) &&
    /^\d/.test(next) &&
    !isKnownWord(text.toLowerCase()) &&
    words[index - 1]!.text !== '#'
  )
}

const otherDocument =
  /^\(?(?:zu|zur|zum|bezug|original|ursprüngliche?|concernant|relative?|suite|bzgl\.?|gemäß|laut|against|related)$/iu
const refersElsewhere =
  /^(?:zu|zur|zum|bezug|betr\.?|ref\.?|original|re|concern\w*|relative?|sur|suite|bzgl\.?|gemäß)$/iu
const valueLike = /\d|[☒☑☐□✓✔]|^[€$£%]+$/u

/** All label-like stretches of a document. */
export function findWindows(layout: Layout): Window[] {
  const windows: Window[] = []
  for (const page of layout.pages) {
    const repair = page.origin === 'ocr'
    for (const line of page.lines) {
      for (const cell of line.cells)
        windows.push(...windowsOf(cell, line, page, repair), ...stackedWindow(cell, line, page, repair))
    }
  }
  return windows
}

/** «Previous» over «reading»: a head set in two lines is one label. */
function stackedWindow(cell: Cell, line: Line, page: LayoutPage, repair: boolean): Window[] {
  const plain = (one: Cell): boolean => one.words.length <= 3 && !/[\d:]/.test(one.text)
  if (line.cells.length < 2 || !plain(cell)) return []
  const under = cellsBelow(page, cell, 0.9)[0]
  const below = under && page.lines.find((one) => one.index === under.line)
  if (!under || !below || !plain(under) || overlapX(under.box, cell.box) < 0.5) return []
  const words = meaningsOfWords([...cell.words, ...under.words], repair)
  return words.length < 2
    ? []
    : [
        {
          cell: under,
          line: below,
          page,
          from: 0,
          to: under.words.length,
          words,
          trust: 0.97,
          shape: 'whole',
          colon: false,
        },
      ]
}

type Run = { from: number; to: number }

/** The runs of words between values, each up to a colon. */
function runsOf(words: readonly Word[]): Run[] {
  const runs: Run[] = []
  for (let from = 0; from < words.length; from++) {
    if (isValue(words, from)) continue
    let to = from + 1
    while (to < words.length && !words[to - 1]!.text.endsWith(':') && !isValue(words, to)) to++
    runs.push({ from, to })
    from = to - 1
  }
  return runs
}

function windowsOf(cell: Cell, line: Line, page: LayoutPage, repair: boolean): Window[] {
  return runsOf(cell.words).flatMap((run) => windowsOfRun(run, cell, line, page, repair))
}

/** A run of words as labels: whole, from its end, from its beginning, and together with what stands before it. */
function windowsOfRun(run: Run, cell: Cell, line: Line, page: LayoutPage, repair: boolean): Window[] {
  const windows: Window[] = []
  const { words } = cell
  const { from, to } = run
  const length = to - from
  const colon = words[to - 1]!.text.endsWith(':')
  const add = (span: Run, trust: number, shape: Window['shape'], plain = words.slice(span.from, span.to)): void => {
    // «incl. 20 % VAT»: the little word is no label by itself.
    if (plain.length === 1 && /^(?:incl|inkl|including|excl|exkl|excluding|ohne|sans|sin)\.?:?$/iu.test(plain[0]!.text))
      return
    const found = meaningsOfWords(plain, repair)
    // «zu unserer Rechnung …», «original invoice»: another document than this one.
    const related = otherDocument.test(words[shape === 'through' ? 0 : from]?.text ?? '') ? 0.55 : 1
    if (found.length > 0)
      windows.push({ cell, line, page, ...span, words: found, trust: trust * related, shape, colon })
  }
  const begins = from === 0 || /[,;|.•)–-]$/u.test(words[from - 1]!.text) || valueLike.test(words[from - 1]!.text)
  if (length <= 9) add(run, begins ? 1 : 0.9, 'whole')
  for (let size = 1; size <= Math.min(5, length - 1); size++) {
    const set = /[,;|•.:)–-]$/u.test(words[to - size - 1]!.text)
    add({ from: to - size, to }, set ? 0.97 : length > 7 ? 0.72 : 0.78, 'suffix')
  }
  if (from === 0 && !colon)
    for (let size = 1; size <= Math.min(4, length - 1); size++) add({ from, to: from + size }, 0.9, 'prefix')
  if (from > 0 && from < 6 && !refersElsewhere.test(words[0]!.text)) {
    const named = words.slice(0, to).filter((word) => !valueLike.test(word.text))
    add({ from: 0, to }, 0.85, 'through', named)
  }
  return windows
}

function meaningsOfWords(words: readonly Word[], repair: boolean): string[] {
  const text = joined(words)
  if (/^(?:to|au|al):?$/iu.test(text)) return ['end']
  // «Service to»: behind another word the small one says which end is meant.
  if (
    words.length >= 2 &&
    words.length <= 4 &&
    /^(?:to|thru|au|al):?$/iu.test(words.at(-1)!.text) &&
    meanings(text).every((word) =>
      [
        'service',
        'period',
        'date',
        'valid',
        'contract',
        'insurance',
        'invoice',
        'travel',
        'cover',
        'statement',
      ].includes(word),
    )
  )
    return [...meanings(text), 'end']
  return repair ? meanings(surfaceWords(text).map(repairWord).join(' ')) : meanings(text)
}

/** How well each field is named by stretches of words, remembered by their meaning. */
export function labelScorer(fields: readonly Field[]): (words: readonly string[]) => number[] {
  const memory = new Map<string, number[]>()
  const vocabularies = fields.map((field) => new Set(field.phrases.flatMap((phrase) => phrase.words)))
  return (words) => {
    const key = words.join(' ')
    const known = memory.get(key)
    if (known) return known
    const scores = fields.map((field, index) => {
      if (!words.some((word) => vocabularies[index]!.has(word))) return 0
      let best = 0
      for (const phrase of field.phrases) {
        if (phrase.weight <= best) continue
        best = Math.max(best, phrase.weight * likeness(words, phrase.words))
      }
      return best
    })
    memory.set(key, scores)
    return scores
  }
}
