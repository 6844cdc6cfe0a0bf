import { likeness, PhraseIndex } from '../service/extraction/likeness.ts'
import { weightOf } from '../service/extraction/words.ts'
import { isKindWord } from '../service/finding/kind.ts'
import type { Asked } from './asked.ts'
import { namesKind } from './page-facts.ts'
import type { PageFacts, Title } from './page-facts.ts'
import { alike } from './print.ts'
import { kindWordsOf } from './profiles.ts'
import type { Kinds } from './profiles.ts'

/** Pages of a part as one document, as far as its kind is concerned. */
export type PartFacts = {
  first: PageFacts
  pages: readonly PageFacts[]
  count: number
  print: readonly number[]
  /** How probable each kind of paper is. */
  kinds: Float64Array
  labels: readonly (readonly string[])[]
}

/** `looked`: the pages of a part by which its kind is told; `count`: how many it has. */
export function readPart(
  looked: readonly PageFacts[],
  count: number,
  print: readonly number[],
  kinds: Kinds,
): PartFacts {
  const labels = new Map(looked.flatMap((page) => page.labels.map((label) => [label.join(' '), label] as const)))
  const first = looked[0]!
  return { first, pages: looked, count, print, kinds: kinds.of(kindWordsOf(first)), labels: [...labels.values()] }
}

/** What is known of one schema beside the others of a question. */
export type Pair = {
  part: PartFacts
  asked: Asked
  kinds: Float64Array
  /** For each field how well a label on the pages names it, 0..1. */
  found: readonly number[]
  /** How many labels of the pages name a field. */
  named: number
  /** For each field in how many schemas of the question it is. */
  sharedBy: readonly number[]
  /** How like the part the confirmed examples of this schema are, the most alike first. */
  examples: readonly number[]
  schemas: number
}

/** A label that is as like a field names it. */
const namedFrom = 0.75

export function pairsOf(
  part: PartFacts,
  all: readonly Asked[],
  examples: readonly { schemaId: number; print: readonly number[] }[],
  kinds: Kinds,
  weight: (hash: number) => number,
): Pair[] {
  const index = new PhraseIndex<{ schema: number; field: number; weight: number }>()
  for (const [schema, asked] of all.entries())
    for (const [field, { phrases }] of asked.fields.entries())
      for (const phrase of phrases) index.add(phrase.words, { schema, field, weight: phrase.weight })
  const found = all.map(({ fields }) => new Float64Array(fields.length))
  const named = all.map(() => 0)
  for (const label of part.labels) {
    const names = new Set<number>()
    index.each(label, (entry, score) => {
      const value = entry.weight * score
      if (value > found[entry.schema]![entry.field]!) found[entry.schema]![entry.field] = value
      if (value >= namedFrom) names.add(entry.schema)
    })
    for (const schema of names) named[schema]!++
  }
  const shared = new Map<string, number>()
  for (const { fields } of all)
    for (const key of new Set(fields.map((field) => field.key))) shared.set(key, (shared.get(key) ?? 0) + 1)
  return all.map((asked, schema) => ({
    part,
    asked,
    kinds: kinds.of(asked.kindWords),
    found: [...found[schema]!],
    named: named[schema]!,
    sharedBy: asked.fields.map(({ key }) => shared.get(key)!),
    examples: examples
      .filter(({ schemaId }) => schemaId === asked.id)
      .map(({ print }) => alike(part.print, print, weight))
      .toSorted((left, right) => right - left),
    schemas: all.length,
  }))
}

type Feature = readonly [name: string, of: (pair: Pair) => number]

/** What of a pair is also compared with the best other schema of the question. */
const compared: readonly Feature[] = [
  ['name is a title', (pair) => bestTitle(pair)?.score ?? 0],
  ['words of the name in a title', (pair) => max(pair.part.first.titles, (title) => wordsInTitle(pair, title))],
  ['name of the paper is in the name', kindInName],
  ['name of the paper is in fields', kindInFields],
  ['words of the name on the page', nameOnPage],
  ['fields', (pair) => mean(headFields(pair))],
  ['fields that are named', (pair) => mean(headFields(pair).map((score) => Number(score >= namedFrom)))],
  ['fields by how rare they are', rareFields],
  ['fields that no other has', (pair) => mean(ownFields(pair))],
  ['columns', (pair) => mean(listFields(pair))],
  ['labels that name a field', ({ named, part }) => named / Math.max(1, part.labels.length)],
  ['kinds agree', ({ kinds, part }) => kinds.reduce((sum, share, kind) => sum + share * part.kinds[kind]!, 0)],
  ['likeliest kind', ({ kinds, part }) => kinds[likeliest(part.kinds)]!],
  ['nearest example', ({ examples }) => examples[0] ?? NaN],
  ['nearest examples', ({ examples }) => (examples.length > 1 ? mean(examples.slice(0, 3)) : NaN)],
]

const alone: readonly Feature[] = [
  ['size of the title that is the name', (pair) => bestTitle(pair)?.title.size ?? NaN],
  ['height of the title that is the name', (pair) => bestTitle(pair)?.title.y ?? NaN],
  ['another kind of paper', otherKind],
  ['words of the name', ({ asked }) => asked.name.length],
  ['fields of the schema', ({ asked }) => asked.fields.length],
  ['surest kind of the schema', ({ kinds }) => kinds[likeliest(kinds)]!],
  ['IBAN', ({ asked, part }) => (asked.wants.iban ? count(part, 'ibans') : NaN)],
  ['mail address', ({ asked, part }) => (asked.wants.mail ? count(part, 'mails') : NaN)],
  ['boxes', ({ asked, part }) => (asked.wants.box ? count(part, 'boxes') : NaN)],
  ['rows', ({ asked, part }) => (asked.hasList ? count(part, 'rows') : -1 - count(part, 'rows'))],
  ['examples', ({ examples }) => examples.length],
  ['schemas', ({ schemas }) => schemas],
  ['surest kind of the paper', ({ part }) => part.kinds[likeliest(part.kinds)]!],
  ['words of the paper', ({ part }) => part.first.words.size],
  ['pages', ({ part }) => part.count],
  ['was recognised', ({ part }) => Number(part.first.origin === 'ocr')],
  ['titles that name a paper', ({ part }) => part.first.titles.filter(namesKind).length],
  ['amounts', ({ part }) => count(part, 'amounts')],
]

export const kindFeatures: readonly string[] = [
  ...compared.map(([name]) => name),
  ...compared.map(([name]) => `${name}: before the best other`),
  ...compared.map(([name]) => `${name}: the best other`),
  ...alone.map(([name]) => name),
]

/** One row of features for each schema of a question. */
export function kindRows(pairs: readonly Pair[]): Float32Array[] {
  const values = pairs.map((pair) => compared.map(([, of]) => of(pair)))
  return pairs.map((pair, index) => {
    const own = values[index]!
    const best = compared.map((_, at) =>
      values.reduce((most, other, place) => (place === index || !(other[at]! > most) ? most : other[at]!), -1),
    )
    return Float32Array.from([
      ...own,
      ...own.map((value, at) => (Number.isNaN(value) ? -best[at]! : value) - best[at]!),
      ...best,
      ...alone.map(([, of]) => of(pair)),
    ])
  })
}

function bestTitle({ part, asked }: Pair): { score: number; title: Title } | undefined {
  let best: { score: number; title: Title } | undefined
  for (const title of part.first.titles) {
    const score = likeness(title.meanings, asked.name)
    if (score > 0 && (!best || score > best.score || (score === best.score && title.size > best.title.size)))
      best = { score, title }
  }
  return best
}

function wordsInTitle({ asked }: Pair, title: Title): number {
  if (asked.nameWords.length === 0) return 0
  const found = asked.nameWords.filter((word) => title.words.includes(word)).length
  return found / Math.max(asked.nameWords.length, title.words.length)
}

/** The kinds of paper that the largest titles name. */
function kindsOfTitles({ first: { titles } }: PartFacts): Set<string> {
  const naming = titles.filter(namesKind)
  const largest = max(naming, ({ size }) => size)
  return new Set(
    naming.filter(({ size }) => size >= largest * nearlyAsLarge).flatMap((title) => title.meanings.filter(isKindWord)),
  )
}
/** As in `document-type.ts`: smaller texts are labels. */
const nearlyAsLarge = 0.8

/**
 * Beside a title as large as this nothing else makes another kind sure, but for what is as like a confirmed document as
 * those of one sender are. Of 150 drawn papers six were wrong and sure without it and one with it; of real ones 90 and
 * 87 of 100 were right and sure.
 */
const [titleSize, sameSender] = [1.5, 0.5]

/** Kinds of paper that a document calls itself: by titles that name a kind and nothing else. */
function ownKinds({ first: { titles } }: PartFacts): Set<string> {
  const naming = titles.filter(({ meanings, size }) => size >= titleSize && meanings.every(isKindWord))
  return new Set(naming.flatMap(({ meanings }) => meanings))
}

/** The same by small titles, where a number is called so as well («Bestellung», «Bestellnummer»). */
function numberedKinds({ first: { titles } }: PartFacts): Set<string> {
  const isNumbered = (kind: string): boolean =>
    titles.some(({ meanings }) => meanings.includes('nr') && meanings.includes(kind))
  return new Set(titles.flatMap(({ meanings }) => (meanings.every(isKindWord) ? meanings.filter(isNumbered) : [])))
}

/**
 * Whether a document calls itself what another schema of the question is called, and not what this one is: then
 * nothing else makes this one sure.
 */
export function isCalledOtherwise(pairs: readonly Pair[], index: number): boolean {
  const { part, asked, examples } = pairs[index]!
  if ((examples[0] ?? 0) >= sameSender) return false
  const isOther = (kinds: ReadonlySet<string>, named: ReadonlySet<string>): boolean =>
    !asked.nameKinds.some((kind) => named.has(kind)) &&
    pairs.some((pair) => pair.asked.nameKinds.some((kind) => kinds.has(kind)))
  const own = ownKinds(part)
  const words = new Set(part.first.titles.flatMap(({ meanings }) => meanings))
  return isOther(own, own) || isOther(numberedKinds(part), words)
}

function kindInName({ part, asked }: Pair): number {
  const kinds = kindsOfTitles(part)
  if (kinds.size === 0) return NaN
  return Number(asked.nameKinds.some((kind) => kinds.has(kind)))
}

function otherKind({ part, asked }: Pair): number {
  const kinds = kindsOfTitles(part)
  if (kinds.size === 0 || asked.nameKinds.length === 0) return NaN
  return Number(!asked.nameKinds.some((kind) => kinds.has(kind)))
}

function kindInFields({ part, asked }: Pair): number {
  const kinds = kindsOfTitles(part)
  const naming = asked.fields.filter((field) => field.kinds.length > 0)
  if (kinds.size === 0 || naming.length === 0) return NaN
  return mean(naming.map((field) => Number(field.kinds.some((kind) => kinds.has(kind)))))
}

function nameOnPage({ part, asked }: Pair): number {
  let [found, all] = [0, 0]
  for (const word of asked.name) {
    all += weightOf(word)
    if (part.first.meanings.has(word)) found += weightOf(word)
  }
  return all === 0 ? NaN : found / all
}

function headFields({ asked, found }: Pair): number[] {
  return found.filter((_, field) => !asked.fields[field]!.inList)
}

function listFields({ asked, found }: Pair): number[] {
  return found.filter((_, field) => asked.fields[field]!.inList)
}

function rareFields({ found, sharedBy }: Pair): number {
  const all = sharedBy.reduce((sum, by) => sum + 1 / by, 0)
  return all === 0 ? NaN : found.reduce((sum, score, field) => sum + score / sharedBy[field]!, 0) / all
}

function ownFields({ found, sharedBy }: Pair): number[] {
  return found.filter((_, field) => sharedBy[field] === 1)
}

function count({ pages }: PartFacts, of: keyof PageFacts['counts']): number {
  return pages.reduce((sum, { counts }) => sum + counts[of], 0)
}

function likeliest(shares: Float64Array): number {
  return shares.reduce((best, share, kind) => (share > shares[best]! ? kind : best), 0)
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0) / values.length
}

function max<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((most, item) => Math.max(most, of(item)), 0)
}
