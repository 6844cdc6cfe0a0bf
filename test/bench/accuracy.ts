import { writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { scansOf } from '../train/scans.ts'
import { Recogniser } from '../../electron/reading/ocr/recogniser.ts'
import { layOut } from '../../electron/service/extraction/layout.ts'
import { describeProposals } from '../../electron/service/finding/describe.ts'
import { extractFields } from '../../electron/service/finding/find.ts'
import type { Extraction } from '../../electron/service/finding/find.ts'
import { written } from '../../electron/service/finding/write.ts'
import type { Document } from '../../shared/domain/document.ts'
import { pointerOf } from '../../shared/domain/pointer.ts'
import type { Doubt } from '../../shared/domain/result.ts'
import { generateCase } from '../generate/generate.ts'
import { judge, sameValue } from './compare.ts'
import type { JudgedRow, JudgedValue, Judgement } from './compare.ts'
import { foldModels } from './fold-models.ts'
import { addTo, count, headOf, lineOf, noFigures } from './figures.ts'
import type { Figures } from './figures.ts'
import { neighbourCorpus, readCases, setsOf } from './read-cases.ts'
import type { ReadCase } from './read-cases.ts'
import { f1, judgeTables } from './table-score.ts'
import type { Neighbours } from './table-score.ts'

/** What an extraction may also say: which values need a look. */
type Told = Extraction & { doubts?: readonly Doubt[] }

type Measured = { judged: Judgement; figures: Figures; findingMs: number; neighbours?: Neighbours }

const known = {
  corpus: { type: 'string' },
  only: { type: 'string' },
  groups: { type: 'boolean' },
  pages: { type: 'boolean' },
  wrong: { type: 'boolean' },
  json: { type: 'string' },
} as const
type Options = { groups?: boolean; pages?: boolean; wrong?: boolean }
/** What runs through all sets: the two sums, and the record of each document for `--json`. */
type Sums = { text: Figures; scans: Figures; written: unknown[] }

const models = foldModels()
const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))
const samples = fixture('samples')
/** Papers that train nothing, of authors who did not know how values are found. */
const unseen = [fixture('unseen'), fixture('unseen-tables'), fixture('unseen-forms')]

/**
 * Reads and extracts every document of the samples and of a corpus: a folder of sets, or one set (`--corpus DIR` or
 * `SHEAF_CORPUS`; otherwise the corpus beside the project). Compares with each set's `expected.json` and prints a line
 * for each set, for all documents of the corpus with text of their own, and for all its scans and photos.
 *
 * `--only SET` measures sets of these names (separated by commas); `drawn` are papers of templates that training never
 * sees, `unseen`, `unseen-tables` and `unseen-forms` papers that others made and that train nothing, `unseen-scanned` the same after a scan.
 * `--groups` adds a line for each sender or layout.
 * `--pages` leaves out what a document says exactly beside its pages (e-invoice, payment code, form fields). `--wrong`
 * prints every value that is wrong, `--json FILE` writes every value with what was expected, found and doubted.
 *
 * «flagged» is the share of the given values that a person is asked to check, «unflagged right» how many of the others
 * are right, «oracle» how many of the expected header values are among the proposals of the pages. Reading times are
 * those of the run that read the file; later runs take what was read from a cache.
 */
export async function run(): Promise<void> {
  const { values: options } = parseArgs({ args: process.argv.slice(3), options: known })
  const corpus = options.corpus ?? process.env.SHEAF_CORPUS ?? neighbourCorpus()
  if (corpus === undefined) print('No corpus beside the project: name one with --corpus DIR.\n')
  const only = options.only?.split(',')
  const isWanted = (name: string): boolean => !only || only.includes(name)
  const papers = [...(await setsOf(fixture('papers'))), ...unseen]
  const sets = [
    samples,
    ...papers,
    ...(await Promise.all(papers.filter((set) => isWanted(`${basename(set)}-scanned`)).map(scansOf))),
    ...(corpus === undefined ? [] : await setsOf(resolve(corpus))),
  ]
  const sums: Sums = { text: noFigures(), scans: noFigures(), written: [] }
  const recogniser = new Recogniser()
  if (!models.areFolded) print('Judged by weights that saw the training sets: run npm run train first.\n')
  print(headOf())
  try {
    for (const set of sets.filter((folder) => isWanted(basename(folder))))
      await measureSet(set, recogniser, options, sums)
  } finally {
    await recogniser.close()
  }
  if (isWanted('drawn')) measureDrawn(options, sums)
  print(lineOf('all text documents', sums.text))
  print(lineOf('all scans and photos', sums.scans))
  if (options.json) await writeFile(options.json, `${JSON.stringify(sums.written, null, 1)}\n`)
}

/** Papers of templates that no training sees, each with its own text and as it may be after a scan. */
const drawnPapers = 150
/** Far from the seeds of the training. */
const firstDrawn = 500_000

function measureDrawn(options: Options, sums: Sums): void {
  for (const [name, noise] of [
    ['drawn', 0],
    ['drawn, scanned', 'mixed'],
  ] as const) {
    const all = noFigures()
    for (let seed = firstDrawn; seed < firstDrawn + drawnPapers; seed++) {
      const { document, ...made } = generateCase(seed, { split: 'held-out', noise })
      const one: ReadCase = { set: name, file: `${seed}`, path: '', case: made, document, readingMs: 0 }
      const measured = measure(one)
      add(all, measured.figures)
      if (options.wrong) print(wrongOf(one, measured.judged))
      sums.written.push(recordOf(one, measured))
    }
    print(lineOf(name, all))
  }
}

async function measureSet(set: string, recogniser: Recogniser, options: Options, sums: Sums): Promise<void> {
  const all = noFigures()
  const groups = new Map<string, Figures>()
  const tables: Neighbours[] = []
  for await (const one of readCases(set, recogniser)) {
    const measured = measure(options.pages && one.document ? withoutExact(one) : one)
    // A set of tables asks for no field.
    if (one.case.schema.length > 0) {
      const group = groups.get(one.case.group) ?? noFigures()
      groups.set(one.case.group, group)
      const kind = isScan(one.document) ? sums.scans : sums.text
      // The rules were written with the samples before their eyes: they prove nothing.
      for (const figures of [all, group, ...(set === samples ? [] : [kind])]) add(figures, measured.figures)
    }
    if (measured.neighbours) tables.push(measured.neighbours)
    if (options.wrong) print(wrongOf(one, measured.judged))
    sums.written.push(recordOf(one, measured))
  }
  if (all.documents > 0) print(lineOf(basename(set), all))
  if (options.groups) for (const [name, figures] of groups) print(lineOf(`    ${name}`, figures))
  if (tables.length > 0) print(tablesLine(basename(set), tables))
}

function measure(one: ReadCase): Measured {
  const startedAt = performance.now()
  const told: Told = one.document
    ? extractFields(one.document, one.case.schema, models.modelFor(one.case.group))
    : { data: Object.fromEntries(one.case.schema.map(({ name }) => [name, null])), sources: [], doubts: [] }
  const findingMs = performance.now() - startedAt
  const judged = judge(one.case, told.data, told.doubts)
  const figures = noFigures()
  count(figures, judged)
  countOracle(figures, one, judged)
  figures.unreadable = one.document ? 0 : 1
  figures.pages = one.document?.pages.length ?? 0
  figures.readingMs = one.readingMs
  figures.findingMs = findingMs
  figures.memory = process.memoryUsage.rss()
  return {
    judged,
    figures,
    findingMs,
    ...(one.case.tables && { neighbours: judgeTables(one.case.tables, one.document) }),
  }
}

/** Of the header fields that have a value, how many have it among what is proposed from the pages. */
function countOracle(figures: Figures, { document, case: { schema, spaces } }: ReadCase, { fields }: Judgement): void {
  if (!document) return
  const asked = schema.filter(({ format }) => format !== 'list')
  const described = describeProposals(document, layOut(document), asked)
  for (const [index, element] of asked.entries()) {
    const expected = fields.find(({ pointer }) => pointer === pointerOf([0, element.name]))?.expected ?? null
    if (expected === null) continue
    const field = described.fields[index]!
    const isProposed = described.proposals[index]!.some((proposal) =>
      sameValue(element, expected, written(field, proposal), spaces === 'missing'),
    )
    addTo(figures.oracle, isProposed)
  }
}

function add(sum: Figures, one: Figures): void {
  for (const key of Object.keys(one) as (keyof Figures)[]) {
    const [into, from] = [sum[key], one[key]]
    if (typeof into === 'object' && typeof from === 'object') {
      into.right += from.right
      into.all += from.all
    } else if (key === 'memory') sum.memory = Math.max(sum.memory, one.memory)
    else (sum as Record<string, unknown>)[key] = Number(into) + Number(from)
  }
}

function isScan(document: Document | null): boolean {
  return document?.pages.some(({ origin }) => origin === 'ocr') ?? true
}

function withoutExact(one: ReadCase): ReadCase {
  const { kind, pages } = one.document!
  return { ...one, document: { kind, pages } }
}

function tablesLine(set: string, tables: readonly Neighbours[]): string {
  const sum = { expected: 0, found: 0, right: 0 }
  for (const one of tables) for (const key of ['expected', 'found', 'right'] as const) sum[key] += one[key]
  const mean = tables.reduce((all, one) => all + f1(one), 0) / tables.length
  const share = (right: number, all: number): string => (all === 0 ? '–' : `${((100 * right) / all).toFixed(1)} %`)
  return `${set}: ${tables.length} documents, neighbouring cells: recall ${share(sum.right, sum.expected)}, precision ${share(sum.right, sum.found)}, F1 ${(100 * f1(sum)).toFixed(1)} % (mean of the documents ${(100 * mean).toFixed(1)} %)\n`
}

function wrongOf(one: ReadCase, { fields, lists }: Judgement): string {
  const wrong = [
    ...fields.filter(({ isRight }) => !isRight).map(wrongValue),
    ...lists.flatMap(({ rows }) => rows.filter(({ isRight }) => !isRight).map(wrongRow)),
  ]
  if (wrong.length === 0 && !one.error) return ''
  return `${join(one.set, one.file)}${one.error ? ` (${one.error})` : ''}\n${wrong.map((line) => `    ${line}\n`).join('')}`
}

function wrongValue({ pointer, expected, got, doubt }: JudgedValue): string {
  return `${pointer}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}${doubt ? ` (${doubt})` : ''}`
}

function wrongRow(row: JudgedRow): string {
  if (row.got === null) return `${row.pointer}: missing ${JSON.stringify(row.expected)}`
  if (row.expected === null) return `${row.pointer}: too many ${JSON.stringify(row.got)}`
  return row.cells
    .filter(({ isRight }) => !isRight)
    .map(wrongValue)
    .join('; ')
}

function recordOf(one: ReadCase, { judged, findingMs, neighbours }: Measured): unknown {
  const { kind, language, group } = one.case
  return {
    set: one.set,
    file: one.file,
    kind,
    language,
    group,
    isScan: isScan(one.document),
    error: one.error,
    readingMs: Math.round(one.readingMs),
    findingMs: Math.round(findingMs),
    ...judged,
    neighbours,
  }
}

function print(text: string): void {
  process.stdout.write(text)
}
