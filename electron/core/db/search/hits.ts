import type { SearchHit } from '../../../../shared/contract/documents.ts'
import { phraseFinder, folded } from './words.ts'
import type { SearchQuery } from './words.ts'

/** What was indexed of one document. */
export type IndexedDocument = { name: string; path: string; records: string | null; text: string | null }

/** So much of a long text is shown around what was found in it, in UTF-16 units. */
const shownBefore = 40
const shownInAll = 160

/** A document of thousands of rows holds up the list no longer than this many of its values. */
const maxValues = 5000

type Place = Omit<SearchHit, 'ranges'> & { forms: string[] }

/** Gives where a document has most of what is looked for; null where the index knows and this does not. Pure. */
export function hitFinder({ words, whole }: SearchQuery): (found: IndexedDocument) => SearchHit | null {
  const finders = [...(whole.length === 0 ? [] : [whole]), ...words].map(phraseFinder)
  return (found) => {
    let best: SearchHit | null = null
    for (const { forms, ...place } of placesOf(found)) {
      const { text } = place
      const [itself, others] = [folded(text), forms.map(folded)]
      const ranges = finders.flatMap((placeIn): [number, number][] => {
        const range = placeIn(itself)
        if (range !== null) return [range]
        // It was typed as people see it, and stands here as it is kept: all of it is meant.
        return others.some((form) => placeIn(form) !== null) ? [[0, text.length]] : []
      })
      if (ranges.length > (best?.ranges.length ?? 0)) best = { ...place, ranges }
      if (ranges.length >= words.length) break
    }
    return best === null ? null : cut({ ...best, ranges: joined(best.ranges) })
  }
}

function* placesOf({ name, path, records, text }: IndexedDocument): Generator<Place> {
  yield { field: 'name', label: null, text: name, number: null, forms: [] }
  let values = 0
  for (const { label, value } of records === null ? [] : leaves(JSON.parse(records) as unknown, null)) {
    if ((values += 1) > maxValues) break
    const number = typeof value === 'number' ? value : null
    yield { field: 'value', label, text: String(value), number, forms: formsOf(value) }
  }
  if (text !== null) yield { field: 'text', label: null, text, number: null, forms: [] }
  yield { field: 'path', label: null, text: path, number: null, forms: [] }
}

function* leaves(value: unknown, label: string | null): Generator<{ label: string | null; value: string | number }> {
  if (typeof value === 'string' || typeof value === 'number') yield { label, value }
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* leaves(inner, Array.isArray(value) ? label : key)
  }
}

const grouped = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** The other forms in which the view `document_words` gives a value to the index. */
function formsOf(value: string | number): string[] {
  if (typeof value === 'number') return [grouped.format(value)]
  const day = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value)
  return day === null ? [] : [`${day[3]}.${day[2]}.${day[1]}`, `${day[2]}/${day[3]}/${day[1]}`]
}

/** In their order, none within another. */
function joined(ranges: [number, number][]): [number, number][] {
  const apart: [number, number][] = []
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = apart.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to)
    else apart.push([from, to])
  }
  return apart
}

/** A long text around the first place. */
function cut({ ranges, ...hit }: SearchHit): SearchHit {
  const { text } = hit
  if (text.length <= shownInAll) return { ...hit, text: onOneLine(text), ranges }
  const from = Math.max(0, (ranges[0]?.[0] ?? 0) - shownBefore)
  const to = Math.min(text.length, from + shownInAll)
  const [before, after] = [from > 0 ? '… ' : '', to < text.length ? ' …' : '']
  const moved = ranges
    .filter(([start]) => start < to)
    .map(([start, end]): [number, number] => [start - from + before.length, Math.min(end, to) - from + before.length])
  return { ...hit, text: before + onOneLine(text.slice(from, to)) + after, ranges: moved }
}

/** Sign by sign, so that the places stay right. */
function onOneLine(text: string): string {
  return text.replace(/\s/g, ' ')
}
