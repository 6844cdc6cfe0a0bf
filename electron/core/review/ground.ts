import type { Box, Document, Token } from '../../../shared/document.ts'
import type { ExtractedRecord, FieldSource } from '../../../shared/result.ts'

/**
 * Finds where values stand in a document's own text, for services that do not say. A value counts as found when the
 * words (or the number, however it is punctuated) stand there; the first place in reading order is taken that no
 * earlier value has. Values that are not found have no entry: nothing is guessed.
 */
export function groundRecords(records: ExtractedRecord[], document: Document): FieldSource[] {
  const words = document.pages.flatMap((page) => page.tokens.map((token) => ({ page: page.number, token })))
  const taken = new Set<number>()
  const sources: FieldSource[] = []
  for (const { pointer, value } of leaves(records)) {
    const place = typeof value === 'number' ? findNumber(words, value, taken) : findText(words, String(value), taken)
    if (place !== null) sources.push({ pointer, ...place })
  }
  return sources
}

type Word = { page: number; token: Token }
type Place = { page: number; box: Box; text: string }

/** Every plain value with its JSON Pointer (RFC 6901), in order. */
function* leaves(value: unknown, pointer = ''): Generator<{ pointer: string; value: string | number }> {
  if ((typeof value === 'string' && value.trim() !== '') || typeof value === 'number') yield { pointer, value }
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      yield* leaves(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    }
  }
}

function findText(words: Word[], value: string, taken: Set<number>): Place | null {
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value)
  if (date !== null) return findDate(words, [date[1]!, date[2]!, date[3]!], taken)
  const wanted = normalise(value)
  if (wanted === '') return null
  return firstFree(words.length, taken, (start) => {
    let joined = ''
    for (let end = start; end < words.length && words[end]!.page === words[start]!.page; end += 1) {
      joined += normalise(words[end]!.token.text)
      if (!wanted.startsWith(joined)) return null
      if (joined === wanted) return placeOf(words, start, end, taken)
    }
    return null
  })
}

function findNumber(words: Word[], value: number, taken: Set<number>): Place | null {
  return firstFree(words.length, taken, (index) =>
    readings(words[index]!.token.text).some((reading) => Math.abs(reading - value) < 1e-9) ? placeOf(words, index, index, taken) : null,
  )
}

function findDate(words: Word[], [year, month, day]: [string, string, string], taken: Set<number>): Place | null {
  const short = year.slice(2)
  return firstFree(words.length, taken, (index) => {
    const parts = words[index]!.token.text.match(/\d+/g) ?? []
    if (parts.length !== 3) return null
    const [a, b, c] = parts.map((part) => part.padStart(2, '0')) as [string, string, string]
    const matches =
      (a === year && b === month && c === day) ||
      ((c === year || c === short) && ((a === day && b === month) || (a === month && b === day)))
    return matches ? placeOf(words, index, index, taken) : null
  })
}

function firstFree(count: number, taken: Set<number>, at: (index: number) => Place | null): Place | null {
  for (let index = 0; index < count; index += 1) {
    if (taken.has(index)) continue
    const place = at(index)
    if (place !== null) return place
  }
  return null
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
  return text.normalize('NFKC').toLowerCase().replace(/[\s.,:;]+/g, '')
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
