import type { Document } from '../../shared/domain/document.ts'
import type { ExtractedRecord } from '../../shared/domain/result.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { factsOfRole, makeContent } from './content.ts'
import type { Content } from './content.ts'
import { documentOf } from './document.ts'
import type { Spots } from './document.ts'
import { drawDocument } from './layout.ts'
import { damage } from './noise.ts'
import type { Paper } from './paper.ts'
import { randomFrom } from './random.ts'
import { ask } from './schema.ts'
import { templateOf, templatesOf } from './template.ts'
import type { Split } from './template.ts'
import type { Language } from './words.ts'

export type GenerateOptions = {
  /** `training` (the default) and `held-out` share no template. */
  split?: Split
  /** Only these kinds and languages. */
  kinds?: readonly string[]
  languages?: readonly Language[]
  /** How badly it was read: from 0 (its own text, the default) to 1 (a bad photo); `mixed` draws it. */
  noise?: number | 'mixed'
}

export type GeneratedCase = {
  kind: string
  language: Language
  /** The template. */
  group: string
  document: Document
  schema: SchemaElement[]
  expected: ExtractedRecord
  /** By pointer (`/0/field`, `/0/list/2/field`): the tokens that spell the value, counted through all pages. */
  places: Record<string, number[]>
  /** Further places where the same value is printed. */
  alsoAt: Record<string, number[][]>
}

/** A generated case that can also be written as a file. */
export type DrawnCase = GeneratedCase & { paper: Paper; content: Content }

/**
 * One document with a schema, what is right and where it stands: the same for the same seed and options. Throws where
 * no template is of the kinds and languages that are asked for.
 */
export function generateCase(seed: number, options: GenerateOptions = {}): GeneratedCase {
  const { paper: _paper, content: _content, ...made } = drawCase(seed, options)
  return made
}

export function drawCase(seed: number, options: GenerateOptions = {}): DrawnCase {
  const random = randomFrom(seed)
  const pool = templatesOf(options.split ?? 'training', options)
  if (pool.length === 0) throw new Error('No template is of these kinds and languages')
  const template = templateOf(random.pick(pool))
  const content = makeContent(template.habits, random.fork('content'))
  const paper = drawDocument(template, content, random.fork('layout'))
  const { document, spots } = documentOf(paper)
  notePrintedAddresses(content, document, spots)
  const made: DrawnCase = {
    kind: content.kind,
    language: template.language,
    group: template.id,
    document,
    ...ask(content, spots, template.numberOf, random.fork('schema')),
    paper,
    content,
  }
  const noise = options.noise === 'mixed' ? mixedNoise(random.next()) : (options.noise ?? 0)
  return noise === 0 ? made : damaged(made, noise, random.fork('noise').int(0, 2 ** 31))
}

/** An address is expected as it is printed, on one line or on several; its parts stand where the words of it do. */
function notePrintedAddresses({ roles }: Content, document: Document, spots: Spots): void {
  const tokens = document.pages.flatMap((page) => page.tokens)
  for (const one of roles) {
    const first = spots.get(factsOfRole(one).address.name)?.[0]
    if (!first) continue
    const words = first.map((index) => tokens[index]!.text)
    one.printed = words.join(' ')
    for (const [part, text] of Object.entries(one.party.parts)) {
      const length = text.split(' ').length
      const at = words.findIndex((_, from) => withoutSigns(words.slice(from, from + length).join(' ')) === text)
      if (at >= 0) spots.set(`${one.role}_${part}`, [first.slice(at, at + length)])
    }
  }
}

const withoutSigns = (text: string): string => text.replace(/^\(|[,)]+$/gu, '')

/** A good half has its own text, the rest is scanned more or less well. */
function mixedNoise(drawn: number): number {
  return drawn < 0.55 ? 0 : (drawn - 0.55) / 0.45
}

function damaged(made: DrawnCase, amount: number, seed: number): DrawnCase {
  const { document, became } = damage(made.document, amount, randomFrom(seed))
  const moved = (indexes: readonly number[]): number[] => [
    ...new Set(indexes.map((index) => became[index]!).filter((index) => index >= 0)),
  ]
  const places = Object.entries(made.places).map(([pointer, indexes]): [string, number[]] => [pointer, moved(indexes)])
  const alsoAt = Object.entries(made.alsoAt).map(([pointer, all]): [string, number[][]] => [pointer, all.map(moved)])
  return { ...made, document, places: Object.fromEntries(places), alsoAt: Object.fromEntries(alsoAt) }
}
