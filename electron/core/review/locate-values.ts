import type { Box, Document, Token } from '../../../shared/domain/document.ts'
import { pointerOf } from '../../../shared/domain/pointer.ts'
import type { ExtractedRecord, FieldSource } from '../../../shared/domain/result.ts'

/**
 * Finds where values stand in a document's own text, for services that do not say. A value counts as found when the
 * words (or the number, however it is punctuated) stand there; the first place in reading order is taken that no
 * earlier value has. Values that are not found have no entry: nothing is guessed.
 */
export function locateValues(records: ExtractedRecord[], document: Document): FieldSource[] {
  const words = document.pages.flatMap((page) =>
    page.tokens.map((token) => ({ page: page.number, token, text: normalise(token.text) })),
  )
  const index = indexOf(words)
  const taken = new Set<number>()
  const sources: FieldSource[] = []
  for (const { pointer, value } of leaves(records)) {
    const place =
      typeof value === 'number'
        ? findWord(words, index.numbers.get(keyOf(value)), taken)
        : findText(words, index, value, taken)
    if (place !== null) sources.push({ pointer, ...place })
  }
  return sources
}

type Word = { page: number; token: Token; text: string }
type Place = { page: number; box: Box; text: string }

/** Every plain value with its JSON Pointer (RFC 6901), in order. */
function* leaves(value: unknown, pointer = ''): Generator<{ pointer: string; value: string | number }> {
  if ((typeof value === 'string' && value.trim() !== '') || typeof value === 'number') yield { pointer, value }
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      yield* leaves(inner, pointer + pointerOf([key]))
    }
  }
}

/** Where each word, number and date stands: a table of thousands of values must not read the document once for each. */
type Index = { texts: Map<string, number[]>; numbers: Map<string, number[]>; dates: Map<string, number[]> }

function indexOf(words: Word[]): Index {
  const index: Index = { texts: new Map(), numbers: new Map(), dates: new Map() }
  const add = (map: Map<string, number[]>, key: string, position: number): void => {
    const positions = map.get(key)
    if (positions === undefined) map.set(key, [position])
    else positions.push(position)
  }
  words.forEach(({ token, text }, position) => {
    if (text !== '') add(index.texts, text, position)
    for (const key of new Set(readings(token.text).map(keyOf))) add(index.numbers, key, position)
    for (const key of datesOf(token.text)) add(index.dates, key, position)
  })
  return index
}

/** Equal to the tenth decimal is the same number, however it was computed. */
function keyOf(value: number): string {
  return value.toFixed(9)
}

function findText(words: Word[], index: Index, value: string, taken: Set<number>): Place | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return findWord(words, index.dates.get(value), taken)
  const wanted = normalise(value)
  // A value begins with a whole word of the page: only those places are looked at.
  const starts: number[] = []
  for (let length = 1; length <= wanted.length; length += 1)
    starts.push(...(index.texts.get(wanted.slice(0, length)) ?? []))
  for (const start of starts.sort((a, b) => a - b)) {
    const end = taken.has(start) ? null : endOf(words, start, wanted)
    if (end !== null) return placeOf(words, start, end, taken)
  }
  return null
}

function endOf(words: Word[], start: number, wanted: string): number | null {
  let joined = ''
  for (let end = start; end < words.length && words[end]!.page === words[start]!.page; end += 1) {
    joined += words[end]!.text
    if (!wanted.startsWith(joined)) return null
    if (joined === wanted) return end
  }
  return null
}

function findWord(words: Word[], positions: number[] | undefined, taken: Set<number>): Place | null {
  const free = positions?.find((position) => !taken.has(position))
  return free === undefined ? null : placeOf(words, free, free, taken)
}

/** The dates that a word in digits can mean, as YYYY-MM-DD. */
function datesOf(text: string): string[] {
  const parts = text.match(/\d+/g) ?? []
  if (parts.length !== 3) return []
  const [a, b, c] = parts.map((part) => part.padStart(2, '0')) as [string, string, string]
  if (a.length === 4) return [`${a}-${b}-${c}`]
  const year = c.length === 2 ? `20${c}` : c
  return year.length === 4 ? [...new Set([`${year}-${b}-${a}`, `${year}-${a}-${b}`])] : []
}

function placeOf(words: Word[], start: number, end: number, taken: Set<number>): Place {
  const tokens = words.slice(start, end + 1).map((word) => word.token)
  for (let index = start; index <= end; index += 1) taken.add(index)
  const left = Math.min(...tokens.map(({ box }) => box.x))
  const top = Math.min(...tokens.map(({ box }) => box.y))
  const right = Math.max(...tokens.map(({ box }) => box.x + box.width))
  const bottom = Math.max(...tokens.map(({ box }) => box.y + box.height))
  return {
    page: words[start]!.page,
    box: { x: left, y: top, width: right - left, height: bottom - top },
    text: tokens.map((token) => token.text).join(' '),
  }
}

function normalise(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s.,:;]+/g, '')
}

/** What a printed number can mean: its last separator as decimal sign, or none as decimal sign. */
function readings(text: string): number[] {
  const bare = text.replace(/[^\d.,'-]/g, '')
  if (!/\d/.test(bare)) return []
  const sign = /^-|-$/.test(bare) ? -1 : 1
  const digits = bare.replace(/[-']/g, '')
  const whole = Number(digits.replace(/[.,]/g, ''))
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  if (last < 0) return [sign * whole]
  const decimal = Number(`${digits.slice(0, last).replace(/[.,]/g, '')}.${digits.slice(last + 1)}`)
  return [sign * decimal, sign * whole]
}
