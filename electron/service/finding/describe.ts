import type { Document } from '../../../shared/domain/document.ts'
import { readEvidence } from '../extraction/evidence.ts'
import type { Evidence } from '../extraction/evidence.ts'
import { understand } from '../extraction/field.ts'
import type { Field } from '../extraction/field.ts'
import { joined } from '../extraction/layout.ts'
import type { Layout, Line } from '../extraction/layout.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { centsOf, readFacts } from './facts.ts'
import type { Facts } from './facts.ts'
import { compareRows, features, rowOf, rowOfPlace } from './features.ts'
import { asksForSum, handedOver, mostRounded } from './handed-over.ts'
import { Labels } from './labels.ts'
import { asksForSendersAccount, isPayersAccount } from './payers-account.ts'
import { Proposer } from './propose.ts'
import type { Proposal } from './propose.ts'
import type { Place } from './situation.ts'

/** Amounts that every bill has: looked for even when nobody asks, because they prove each other. */
const implied: SchemaElement[] = [
  { name: 'net total', format: 'number', description: '' },
  { name: 'tax amount', format: 'number', description: '' },
  { name: 'gross total', format: 'number', description: '' },
]

/** The proposals for each field with their rows of features, one behind another. */
export type Described = {
  fields: Field[]
  asked: number
  proposals: Proposal[][]
  rows: Float32Array[]
  evidence: Evidence
  facts: Facts
}

/** What header fields are looked for in: a dense page has 800 words. */
const firstWords = 12_000
const lastWords = 4000

/** The beginning and the end of a long document, where its header fields stand; a usual one is whole. */
function edgesOf(layout: Layout): Layout {
  const words = (line: Line): number => line.cells.reduce((sum, cell) => sum + cell.words.length, 0)
  const kept = new Set<Line>()
  const keep = (lines: readonly Line[], most: number): void => {
    let left = most
    for (const line of lines) {
      left -= words(line)
      if (left < 0) return
      kept.add(line)
    }
  }
  keep(layout.lines, firstWords)
  if (kept.size === layout.lines.length) return layout
  keep(layout.lines.toReversed(), lastWords)
  const pages = layout.pages.map((page) => ({ ...page, lines: page.lines.filter((line) => kept.has(line)) }))
  return { pages, lines: pages.flatMap((page) => page.lines), text: layout.text }
}

/** Proposes for every field of a schema, but lists, and describes each proposal by its features. */
export function describeProposals(document: Document, whole: Layout, schema: readonly SchemaElement[]): Described {
  const layout = edgesOf(whole)
  const evidence = readEvidence(layout.text)
  const asked = schema.filter((element) => element.format !== 'list')
  const fields = [...asked, ...implied].map((element) => understand(element, 'document'))
  const proposer = new Proposer(layout, evidence)
  const numbers = proposer.numbers()
  const { given, paidCents } = handedOver(numbers)
  const facts = readFacts(
    document,
    layout,
    numbers.filter((one) => !given.has(one)),
    proposer.dates(),
    paidCents,
  )
  const labels = new Labels(fields, facts.textCounts)
  // What a till took is the total, whatever else is called so, but for a part that was paid otherwise.
  const [paid = NaN, ...more] = paidCents
  const total = more.length === 0 && paid + mostRounded >= facts.largest ? paid : NaN
  const proposals = fields.map((field) => {
    const found = proposer.for(field)
    if (asksForSendersAccount(field)) return found.filter((one) => !isPayersAccount(one, layout.lines))
    if (!asksForSum(field)) return found
    const taken = field.role === 'gross' ? found.filter((one) => centsOf(one) === total) : []
    return taken.length > 0 ? taken : found.filter((one) => !given.has(one))
  })
  const places = new Map<Proposal, { place: Place; ofPlace: Float32Array }>()
  const placeOf = (proposal: Proposal): { place: Place; ofPlace: Float32Array } => {
    const known = places.get(proposal)
    if (known) return known
    const first = facts.periods.get(proposal)?.first
    const [around, opening] = [labels.around(proposal), first && labels.around(first)]
    const place = { proposal, around, opening, facts, text: joined(proposal.words) }
    const found = { place, ofPlace: rowOfPlace(place) }
    places.set(proposal, found)
    return found
  }
  const rows = proposals.map((list, index) => {
    const row = new Float32Array(list.length * features.length)
    const field = fields[index]!
    list.forEach((proposal, at) => {
      const { place, ofPlace } = placeOf(proposal)
      rowOf({ ...place, field, index }, ofPlace, row, at * features.length)
    })
    compareRows(row)
    return row
  })
  return { fields, asked: asked.length, proposals, rows, evidence, facts }
}
