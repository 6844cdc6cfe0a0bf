import type { SortedFile } from '../../../shared/contract/sorting.ts'
import type { PageSpan } from '../../../shared/domain/sorting.ts'

/** In place of a schema: the part is no document. */
export const noDocument = 0

/**
 * By which schema a part is read, or `noDocument`, null while nobody said it, and which may fit, the likeliest first.
 */
type Kind = { schemaId: number | null; likely: readonly number[] }
export type Part = Kind & { pages: PageSpan }

/**
 * Where the documents of a file begin, as a person sets it. `kinds` are kept by first pages also where no document
 * begins any more, so that to join and to cut again changes nothing.
 */
export type Cuts = { pageCount: number; starts: readonly number[]; kinds: ReadonlyMap<number, Kind> }

/** The cuts that core knows or proposes. Pure. */
export function cutsOf({ pageCount, parts }: Pick<SortedFile, 'pageCount' | 'parts'>): Cuts {
  return {
    pageCount,
    starts: parts.map(({ pages }) => pages.first),
    kinds: new Map(
      parts.map(({ pages, schemaId, isNone, likely }) => [
        pages.first,
        { schemaId: isNone ? noDocument : schemaId, likely },
      ]),
    ),
  }
}

/** The parts between the cuts: together all pages, in order. Pure. */
export function partsOf({ pageCount, starts, kinds }: Cuts): Part[] {
  return starts.map((first, index) => ({
    ...kinds.get(first)!,
    pages: { first, last: (starts[index + 1] ?? pageCount + 1) - 1 },
  }))
}

/** The parts, those that equal one of before by its identity: only what changed is drawn again. Pure. */
export function keepParts(before: readonly Part[], after: Part[]): Part[] {
  const known = new Map(before.map((part) => [part.pages.first, part]))
  return after.map((part) => {
    const same = known.get(part.pages.first)
    const isSame =
      same?.pages.last === part.pages.last && same.schemaId === part.schemaId && same.likely === part.likely
    return isSame ? same : part
  })
}

/** Which part a page belongs to, counted from 0. Pure. */
export function partAt({ starts }: Cuts, page: number): number {
  return starts.findLastIndex((start) => start <= page)
}

/**
 * A document begins with this page, or no longer, where one did. A new part is of the kind of the one that it was cut
 * from; joined ones are of the kind of the first, if anybody said it. The first page always begins one. Pure.
 */
export function toggleCut(cuts: Cuts, page: number): Cuts {
  const { starts, kinds, pageCount } = cuts
  if (page <= 1 || page > pageCount) return cuts
  const before = starts.findLast((start) => start < page)!
  if (!starts.includes(page)) {
    const kind = kinds.get(page) ?? kinds.get(before)!
    return { ...cuts, starts: [...starts, page].sort((a, b) => a - b), kinds: new Map(kinds).set(page, kind) }
  }
  const joined = kinds.get(before)!
  return {
    ...cuts,
    starts: starts.filter((start) => start !== page),
    kinds: joined.schemaId === null ? new Map(kinds).set(before, kinds.get(page)!) : kinds,
  }
}

/**
 * The part of this page begins a page later (1) or earlier (-1), and is of the kind that it was. The same as long as
 * that would leave no page of it, or none of the part before. Pure.
 */
export function moveStart(cuts: Cuts, page: number, by: 1 | -1): Cuts {
  const { starts, kinds, pageCount } = cuts
  const index = partAt(cuts, page)
  const start = starts[index]!
  const moved = start + by
  const isLeft = index > 0 && moved > starts[index - 1]! && moved < (starts[index + 1] ?? pageCount + 1)
  if (!isLeft) return cuts
  return { ...cuts, starts: starts.with(index, moved), kinds: new Map(kinds).set(moved, kinds.get(start)!) }
}

/** The part of this page is read by this schema. Pure. */
export function chooseSchema(cuts: Cuts, page: number, schemaId: number): Cuts {
  const start = cuts.starts[partAt(cuts, page)]!
  return { ...cuts, kinds: new Map(cuts.kinds).set(start, { ...cuts.kinds.get(start)!, schemaId }) }
}

/** What confirming comes to. */
type Outcome = {
  /** Parts whose schema nobody has said. */
  unsure: number
  /** Parts that are no documents yet. */
  added: number
  /** Documents of now that would be none any more. */
  removed: number
}

/** What would change of the documents that a file has. Pure. */
export function outcomeOf(parts: readonly Part[], { parts: known }: Pick<SortedFile, 'parts'>): Outcome {
  const keys = new Set(parts.map(keyOf))
  // The file as a whole, while it waits to be sorted, is no document that could be lost.
  const documents = known.filter(({ document }) => document !== null && document.status !== 'skipped')
  const kept = new Set(documents.map(keyOf))
  return {
    unsure: parts.filter(({ schemaId }) => schemaId === null).length,
    added: parts.filter((part) => part.schemaId !== noDocument && !kept.has(keyOf(part))).length,
    removed: documents.filter((part) => !keys.has(keyOf(part))).length,
  }
}

function keyOf({ pages, schemaId }: Pick<Part, 'pages' | 'schemaId'>): string {
  return `${pages.first} ${pages.last} ${schemaId}`
}

/** Parts as core takes them, without a schema for what is no document; null while one of them is not said. Pure. */
export function answerOf(parts: readonly Part[]): { pages: PageSpan; schemaId: number | null }[] | null {
  if (parts.some(({ schemaId }) => schemaId === null)) return null
  return parts.map(({ pages, schemaId }) => ({ pages, schemaId: schemaId === noDocument ? null : schemaId }))
}

type Schema = SortedFile['schemas'][number]
/** A schema to choose for a part, and the digit that does it; null beyond the ninth. */
type SchemaChoice = Schema & { digit: number | null }

/**
 * The schemas to choose from for a part, the likely ones of it first. Digits are the same for each part of a file, so
 * that they can be learned. Pure.
 */
export function choicesFor(likely: Part['likely'], schemas: readonly Schema[]): SchemaChoice[] {
  const numbered = schemas.map((schema, index) => ({ ...schema, digit: index < 9 ? index + 1 : null }))
  const rank = ({ id }: Schema): number => (likely.includes(id) ? likely.indexOf(id) : likely.length)
  return numbered.sort((a, b) => rank(a) - rank(b))
}
