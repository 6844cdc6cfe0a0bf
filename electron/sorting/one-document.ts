// In: what was read of a file, and the fields that its only schema asks for.
// Out: whether it is one document of that kind.
import type { Document } from '../../shared/domain/document.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { legalForm } from '../service/extraction/party-words.ts'
import { meanings } from '../service/extraction/words.ts'
import { kindsIn } from '../service/finding/kind.ts'
import { probability } from '../service/finding/trees.ts'
import { ask } from './asked.ts'
import { readForCuts } from './cut-features.ts'
import { kindRows, pairsOf, readPart } from './kind-features.ts'
import { readPage } from './page-facts.ts'
import type { PageFacts } from './page-facts.ts'
import { printOf } from './print.ts'
import { findCuts, pagesThatTell, shippedTools } from './sort.ts'

/**
 * A title that is so many times as large as the text says what a paper is. Of 600 papers of others with the schema that
 * they were made for 14 seem to be another kind so, and 31 by titles of any size (30 November 2026).
 */
const titleSize = 1.2
/**
 * Below this sorting holds a schema for one that asks for another paper. Of 98 papers that train nothing each has at
 * least 0.92 for its own schema, and with templates that do not fit them a quarter to three quarters have less than 0.5.
 */
const leastLikely = 0.5

/** Whether large titles name kinds, and none of them one of these. A company has kinds in its name as well. */
function isCalledOtherwise({ titles }: PageFacts, asked: ReadonlySet<number>): boolean {
  const large = titles.filter(({ size, text }) => size >= titleSize && !legalForm.test(text))
  const named = large.map((title) => kindsIn(title.meanings)).filter((kinds) => kinds.size > 0)
  return named.length > 0 && named.every((kinds) => [...kinds].every((kind) => !asked.has(kind)))
}

/**
 * Whether a document is rather another kind of paper than a schema asks for: by its large titles, where these and the
 * names of the schema's fields name kinds and no common one, or as sorting judges the schema alone. Pure.
 */
export function isOtherKind({ pages }: Document, elements: readonly SchemaElement[]): boolean {
  const facts = pagesThatTell(0, pages.length).map((index) => readPage(pages[index]!))
  const first = facts[0]
  if (first === undefined || facts.every(({ words }) => words.size === 0)) return false
  const asked = kindsIn(elements.flatMap(({ name }) => meanings(name)))
  if (asked.size > 0 && isCalledOtherwise(first, asked)) return true
  const { model, kinds, weightOf } = shippedTools()
  const part = readPart(facts, pages.length, printOf(first), kinds)
  const [row] = kindRows(pairsOf(part, [ask({ id: 0, name: '', elements })], [], kinds, weightOf))
  return probability(model.kinds, row!) < leastLikely
}

/** Further pages of a long file are not looked at: they would take longer than reading what is asked for. */
const mostPages = 20

/**
 * Whether another document rather begins on a later page of a file. Of two papers that train nothing, one behind the
 * other, 87 of 89 are told (79 where it has to be sure), and of 18 of several pages four (two); what is not told is a
 * row of two documents that nobody looks at (30 November 2026). Pure.
 */
export function holdsSeveral({ kind, pages }: Document): boolean {
  if (kind === 'docx' || kind === 'xlsx' || pages.length < 2) return false
  const tools = shippedTools()
  const read = pages.slice(0, mostPages).map((page) => readForCuts(readPage(page), tools.kinds))
  return findCuts(read, tools).starts.length > 1
}
