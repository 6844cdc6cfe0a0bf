import type { Box, Document, Token } from '../../../shared/domain/document.ts'
import { findDates, type DateHints } from './parse-value.ts'
import { fold } from '../../../shared/domain/fold.ts'
import { withoutEnd } from '../../../shared/domain/without-end.ts'

/** Where something stands on a page, and how it is printed. */
export type Printed = { page: number; box: Box; text: string }

/** Finds the places of a value on the pages, in any usual spelling; in reading order. */
export type FindPrinted = (value: string | number) => Printed[]

type Place = { page: number; token: Token; plain: string }

/** More words than a value printed as one has. */
const longestRun = 40
const maxPlaces = 20

/**
 * Prepares a document to be asked where values stand: a number with any decimal sign and grouping, a date (YYYY-MM-DD)
 * in any form, a text whatever its case, spaces and punctuation. A text must be whole words.
 */
export function printedIn(document: Document, hints: DateHints): FindPrinted {
  const places: Place[] = document.pages.flatMap(({ number, tokens }) =>
    tokens.map((token) => ({ page: number, token, plain: plainOf(token.text) })),
  )
  const starts = indexBy(places, ({ plain }) => (plain === '' ? [] : [plain]))
  const numbers = indexRuns(places)
  const dates = datesOf(places, hints)
  return (value) => {
    if (typeof value === 'number') return printedRuns(places, numbers.get(numberKey(value)))
    if (/^\d{4}-\d\d-\d\d$/.test(value)) return [...(dates.get(value) ?? []), ...textRuns(places, starts, value)]
    return textRuns(places, starts, value)
  }
}

/** Letters and digits alone, folded: what two spellings of one text share. */
export function plainOf(text: string): string {
  return fold(text).replace(/[^\p{L}\p{N}]/gu, '')
}

type Run = { from: number; length: number }

function indexBy(places: readonly Place[], keysOf: (place: Place) => string[]): Map<string, number[]> {
  const index = new Map<string, number[]>()
  places.forEach((place, position) => {
    for (const key of keysOf(place)) {
      const known = index.get(key)
      if (known === undefined) index.set(key, [position])
      else known.push(position)
    }
  })
  return index
}

function textRuns(places: readonly Place[], starts: ReadonlyMap<string, number[]>, text: string): Printed[] {
  const wanted = plainOf(text)
  const found: Printed[] = []
  for (let length = 1; length <= Math.min(wanted.length, 60) && found.length < maxPlaces; length++) {
    for (const from of starts.get(wanted.slice(0, length)) ?? []) {
      const run = runFrom(places, from, wanted)
      if (run !== null) found.push(toPrinted(places, run))
      if (found.length >= maxPlaces) break
    }
  }
  return found
}

function runFrom(places: readonly Place[], from: number, wanted: string): Run | null {
  let read = ''
  for (let length = 1; length <= longestRun; length++) {
    const place = places[from + length - 1]
    if (place === undefined || place.page !== places[from]!.page) return null
    read += place.plain
    if (read === wanted) return { from, length }
    if (!wanted.startsWith(read)) return null
  }
  return null
}

/** Numbers of one word, and of up to four that spaces set apart into thousands. */
function indexRuns(places: readonly Place[]): Map<string, Run[]> {
  const index = new Map<string, Run[]>()
  const add = (run: Run, text: string): void => {
    for (const reading of readingsOf(text)) {
      const key = numberKey(reading)
      const known = index.get(key)
      if (known === undefined) index.set(key, [run])
      else if (known.length < maxPlaces && !known.some(({ from }) => from === run.from)) known.push(run)
    }
  }
  places.forEach(({ token, page }, from) => {
    if (!/\d/.test(token.text)) return
    let text = token.text
    add({ from, length: 1 }, text)
    for (let length = 2; length <= 4; length++) {
      const next = places[from + length - 1]
      if (next === undefined || next.page !== page || !/^\d{3}(?:\D|$)/.test(next.token.text)) return
      text += next.token.text
      add({ from, length }, text)
    }
  })
  return index
}

/** What a printed number may mean; its sign and a currency beside it are left out. */
function readingsOf(text: string): number[] {
  const digits = withoutEnd(/\d[\d.,'’]*/u.exec(text)?.[0] ?? '', /[.,'’]/u)
  if (digits === '' || digits.length > 20 || /\d/.test(text.slice(text.indexOf(digits) + digits.length))) return []
  const parts = digits.split(/[.,'’]/u)
  const whole = Number(parts.join(''))
  if (parts.length === 1) return [whole]
  const last = parts.at(-1)!
  const decimal = Number(`${parts.slice(0, -1).join('')}.${last}`)
  return last.length === 3 ? [whole, decimal] : [decimal]
}

/** Equal to the fourth decimal is the same amount; a deduction is printed with and without its sign. */
function numberKey(value: number): string {
  return Math.abs(value).toFixed(4)
}

function printedRuns(places: readonly Place[], runs: readonly Run[] = []): Printed[] {
  return runs.map((run) => toPrinted(places, run))
}

function datesOf(places: readonly Place[], hints: DateHints): Map<string, Printed[]> {
  const found = new Map<string, Printed[]>()
  const pages = new Map<number, Place[]>()
  for (const place of places) {
    const own = pages.get(place.page)
    if (own === undefined) pages.set(place.page, [place])
    else own.push(place)
  }
  for (const own of pages.values()) {
    const ends: number[] = []
    let text = ''
    for (const { token } of own) {
      text += `${token.text} `
      ends.push(text.length)
    }
    let from = 0
    for (const { iso, start, end } of findDates(text, hints)) {
      while (from < ends.length - 1 && ends[from]! <= start) from++
      let to = from
      while (to < ends.length - 1 && ends[to]! < end) to++
      const known = found.get(iso) ?? []
      if (known.length < maxPlaces) found.set(iso, [...known, toPrinted(own, { from, length: to - from + 1 })])
    }
  }
  return found
}

function toPrinted(places: readonly Place[], { from, length }: Run): Printed {
  const run = places.slice(from, from + length)
  const left = Math.min(...run.map(({ token }) => token.box.x))
  const top = Math.min(...run.map(({ token }) => token.box.y))
  const right = Math.max(...run.map(({ token }) => token.box.x + token.box.width))
  const bottom = Math.max(...run.map(({ token }) => token.box.y + token.box.height))
  return {
    page: run[0]!.page,
    box: { x: left, y: top, width: right - left, height: bottom - top },
    text: run.map(({ token }) => token.text).join(' '),
  }
}
