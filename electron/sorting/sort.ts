import type { Document } from '../../shared/domain/document.ts'
import type { Sorted, SortedPart, SortingQuestion } from '../../shared/domain/sorting.ts'
import { probability } from '../service/finding/trees.ts'
import { ask } from './asked.ts'
import type { Asked } from './asked.ts'
import { cutRow, readForCuts } from './cut-features.ts'
import type { CutPage } from './cut-features.ts'
import { isCalledOtherwise, kindRows, pairsOf, readPart } from './kind-features.ts'
import { shippedModel } from './model.ts'
import type { SortingModel } from './model.ts'
import { readPage } from './page-facts.ts'
import type { PageFacts } from './page-facts.ts'
import { saidByNumbers } from './page-number.ts'
import { printOf } from './print.ts'
import { Kinds } from './profiles.ts'

/** Says which documents a file holds and which schema asks for each. Pure. */
export function sortDocument(document: Document, question: SortingQuestion): Sorted {
  return sortBy(document, question, shippedTools())
}

/** A model made ready for use. */
export type Tools = { model: SortingModel; kinds: Kinds; weightOf: (hash: number) => number }

export function toolsOf(model: SortingModel): Tools {
  const { hashes, weights } = model.common
  const common = new Map(hashes.map((hash, index) => [hash, weights[index]!]))
  return { model, kinds: new Kinds(model.profiles), weightOf: (hash) => common.get(hash) ?? 1 }
}

let shipped: Tools | undefined

export function shippedTools(): Tools {
  return (shipped ??= toolsOf(shippedModel))
}

/** The same with another model: those that never saw a document measure how good training is. */
export function sortBy({ kind, pages }: Document, question: SortingQuestion, tools: Tools): Sorted {
  const isPaper = kind !== 'docx' && kind !== 'xlsx'
  const reads = new Map<number, PageFacts>()
  const factsOf = (index: number): PageFacts => {
    let facts = reads.get(index)
    if (!facts) reads.set(index, (facts = readPage(pages[index]!)))
    return facts
  }
  const cuts =
    question.mayCut && isPaper && pages.length > 1
      ? findCuts(
          pages.map((_, index) => readForCuts(factsOf(index), tools.kinds)),
          tools,
        )
      : { starts: [0], areSure: true }
  const asked = question.schemas.map(ask)
  const parts = cuts.starts.map((start, index): SortedPart => {
    const end = cuts.starts[index + 1] ?? pages.length
    return sortPart(start, Math.max(end, start + 1), factsOf, pages.length, asked, question, tools)
  })
  return { parts, areCutsSure: cuts.areSure }
}

/** Where parts begin, left to right, and whether every boundary is sure. */
type Cuts = { starts: number[]; areSure: boolean }

export function findCuts(pages: readonly CutPage[], { model }: Tools): Cuts {
  const starts = [0]
  let areSure = true
  for (let at = 1; at < pages.length; at++) {
    const start = starts.at(-1)!
    const said = saidByNumbers(pages[at - 1]!.facts.number, pages[at]!.facts.number)
    const likely = said ?? probability(model.cuts, cutRow(pages, start, at))
    areSure &&= likely >= model.sureCut.cut || likely <= model.sureCut.none
    if (likely >= 0.5) starts.push(at)
  }
  return { starts, areSure }
}

/** Pages at the beginning of a part by which its kind is told; the last one is looked at as well. */
const lookedAt = 3

function sortPart(
  start: number,
  end: number,
  factsOf: (index: number) => PageFacts,
  count: number,
  asked: readonly Asked[],
  { examples }: SortingQuestion,
  tools: Tools,
): SortedPart {
  const pages = { first: start + 1, last: end }
  const ids = asked.map(({ id }) => id)
  if (count === 0) return { pages, schemaId: null, likely: ids, print: [] }
  const facts = pagesThatTell(start, end).map(factsOf)
  const print = printOf(facts[0])
  if (ids.length <= 1) return { pages, schemaId: ids[0] ?? null, likely: ids, print }
  const part = readPart(facts, end - start, print, tools.kinds)
  const pairs = pairsOf(part, asked, examples, tools.kinds, tools.weightOf)
  const ranked = rank(kindRows(pairs), ids, tools)
  const saysNothing = facts.every(({ words }) => words.size === 0)
  const isDoubted = saysNothing || isCalledOtherwise(pairs, ids.indexOf(ranked[0]!.id))
  return { pages, schemaId: isDoubted ? null : decide(ranked, tools), likely: ranked.map(({ id }) => id), print }
}

/** The pages of a part by which its kind is told, counted from 0; `end` is no longer one of it. */
export function pagesThatTell(start: number, end: number): number[] {
  const looked = Array.from({ length: Math.min(lookedAt, end - start) }, (_, index) => start + index)
  return end - 1 > looked.at(-1)! ? [...looked, end - 1] : looked
}

type Ranked = { id: number; likely: number }

/** All schemas with how probable each is, the likeliest first. */
function rank(rows: readonly Float32Array[], ids: readonly number[], { model }: Tools): Ranked[] {
  return ids
    .map((id, index) => ({ id, likely: probability(model.kinds, rows[index]!) }))
    .toSorted((left, right) => right.likely - left.likely)
}

function decide([best, second]: readonly Ranked[], { model: { sureKind } }: Tools): number | null {
  if (!best) return null
  return best.likely >= sureKind.least && best.likely - (second?.likely ?? 0) >= sureKind.before ? best.id : null
}
