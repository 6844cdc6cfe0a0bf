import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Recogniser } from '../../electron/reading/ocr/recogniser.ts'
import type { Document } from '../../shared/domain/document.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { readCases, setsOf } from '../bench/read-cases.ts'
import type { Case } from '../bench/read-cases.ts'
import { generateCase } from '../generate/generate.ts'
import { typedDocument } from '../unit/extraction/typed-page.ts'
import { hash } from './hash.ts'
import { scansOf } from './scans.ts'

/** A document to learn from, with what a person expects of it. */
export type TrainingCase = Case & {
  set: string
  file: string
  document: Document
  /** The answer sheet is what an invoice inside the file says, which its pages may say otherwise or not at all. */
  isAnsweredInside: boolean
}

/** The sets of the corpus whose licences allow that something shipped is trained on them (its README). */
export const trainingSets = [
  'de-office',
  'einvoice-pdf',
  'fcc-adbuy',
  'invoices',
  'invoices-2',
  'rewe-ebon',
  'swiss-qr-bill',
  'vendor-samples',
]
const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))
const ownSamples = fixture('samples')

/** Papers that were made for this by authors who did not know how values are found, each as another sender's. */
const papers = await setsOf(fixture('papers'))
/** The sets of papers, as files and as scans. */
export const paperSets = papers.flatMap((folder) => [basename(folder), `${basename(folder)}-scanned`])
/** Those that train nothing, and that nobody looks at. */
export const unseenSets = ['unseen', 'unseen-tables', 'unseen-forms']
/** What arrives is like these sets, while our own samples and typed papers are easier. */
export const arrivingSets = [...trainingSets, ...paperSets]

/** Reads the documents of these sets of a corpus and our own, those that can be read. */
export async function loadCases(corpus: string, sets: readonly string[]): Promise<TrainingCase[]> {
  return [...(await loadSets(corpus, sets)), ...(await loadOwn())]
}

export function loadSets(corpus: string, sets: readonly string[]): Promise<TrainingCase[]> {
  return readAll(sets.map((name) => join(corpus, name)))
}

/** The papers, as files and as scans of them. */
export async function loadPapers(): Promise<TrainingCase[]> {
  return [...(await loadPaperFiles()), ...(await readAll(await Promise.all(papers.map(scansOf))))]
}

export function loadPaperFiles(): Promise<TrainingCase[]> {
  return readAll(papers)
}

/** Papers of ours that train nothing. */
export function loadUnseen(): Promise<TrainingCase[]> {
  return readAll(unseenSets.map(fixture))
}

/** Our samples, and papers that were typed. */
export async function loadOwn(): Promise<TrainingCase[]> {
  return [...(await readAll([ownSamples])), ...typedCases()]
}

async function readAll(sets: readonly string[]): Promise<TrainingCase[]> {
  const recogniser = new Recogniser()
  const found: TrainingCase[] = []
  try {
    for (const set of sets) {
      for await (const { file, document, case: one } of readCases(set, recogniser)) {
        if (!document) continue
        // What says itself exactly is not what the judge learns from.
        const { kind, pages, exact = [] } = document
        const isAnsweredInside = exact.some((source) => source.kind === 'e-invoice')
        found.push({ ...one, set: basename(set), file, document: { kind, pages }, isAnsweredInside })
      }
    }
  } finally {
    await recogniser.close()
  }
  return found
}

/** Papers of many kinds that were typed for the tests, with what stands in them; a paper is its own sender. */
function typedCases(): TrainingCase[] {
  const cases = JSON.parse(readFileSync(typed, 'utf8')) as Typed[]
  return cases.map(({ pages, schema, expected }, index) => ({
    set: 'typed',
    file: String(index),
    kind: '',
    language: '',
    group: `typed ${pages[0]!.slice(0, 3).join(' ')}`,
    schema,
    expected,
    document: typedDocument(...pages.map((lines) => lines.join('\n'))),
    isAnsweredInside: false,
  }))
}

/** One entry of `test/fixtures/typed-documents.json`. */
export type Typed = { pages: string[][]; schema: SchemaElement[]; expected: Record<string, unknown> }

export const typed = fileURLToPath(new URL('../fixtures/typed-documents.json', import.meta.url))

/** A paper drawn by chance, the same for the same seed; `kinds` as `generateCase` takes them. */
export function drawnCase(seed: number, kinds?: readonly string[]): TrainingCase {
  const made = generateCase(seed, { noise: 'mixed', ...(kinds && { kinds }) })
  return { ...made, set: 'generated', file: String(seed), isAnsweredInside: false }
}

const foldCount = 5

/** Which fifth of the groups a group belongs to: all documents of a sender fall into one. */
export function foldsOf(groups: readonly string[]): Map<string, number> {
  const sorted = [...new Set(groups)].toSorted((left, right) => hash(left) - hash(right))
  return new Map(sorted.map((group, index) => [group, index % foldCount]))
}
