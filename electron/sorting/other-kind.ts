import type { Document } from '../../shared/domain/document.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { meanings } from '../service/extraction/words.ts'
import { kindsIn } from '../service/finding/kind.ts'
import { probability } from '../service/finding/trees.ts'
import { ask } from './asked.ts'
import { kindRows, kindsOfTitles, pairsOf, readPart } from './kind-features.ts'
import { readPage } from './page-facts.ts'
import { printOf } from './print.ts'
import { pagesThatTell, shippedTools } from './sort.ts'

/**
 * A title that is so many times as large as the text says what a paper is. Of 600 papers of others with the schema that
 * they were made for 14 seem to be another kind so, and 31 by titles of any size (30 November 2026).
 */
const titleSize = 1.2
/**
 * A schema that is rather another paper's than this one's. Of 98 papers that train nothing the least likely has 0.92 for
 * its own schema; for a template that it does not fit a third to two thirds have less than 0.5.
 */
const leastLikely = 0.5

/**
 * Whether a document is rather another kind of paper than a schema asks for: by its large titles, where these and the
 * names of the schema's fields name kinds and no common one, or as sorting judges the schema alone. Pure.
 */
export function isOtherKind({ pages }: Document, elements: readonly SchemaElement[]): boolean {
  const facts = pagesThatTell(0, pages.length).map((index) => readPage(pages[index]!))
  const first = facts[0]
  if (first === undefined || facts.every(({ words }) => words.size === 0)) return false
  const asked = kindsIn(elements.flatMap(({ name }) => meanings(name)))
  const titled = kindsIn(kindsOfTitles({ first }, titleSize))
  if (asked.size > 0 && titled.size > 0 && ![...titled].some((kind) => asked.has(kind))) return true
  const { model, kinds, weightOf } = shippedTools()
  const part = readPart(facts, pages.length, printOf(first), kinds)
  const [row] = kindRows(pairsOf(part, [ask({ id: 0, name: '', elements })], [], kinds, weightOf))
  return probability(model.kinds, row!) < leastLikely
}
