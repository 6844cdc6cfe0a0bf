import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { shippedModel } from '../../electron/sorting/model.ts'
import type { SortingModel } from '../../electron/sorting/model.ts'
import { sortBy, toolsOf } from '../../electron/sorting/sort.ts'
import type { Tools } from '../../electron/sorting/sort.ts'
import type { Sorted, SortingQuestion } from '../../shared/domain/sorting.ts'
import { randomFrom } from '../generate/random.ts'
import type { Random } from '../generate/random.ts'
import { loadCases, loadPaperFiles, loadUnseen, trainingSets, unseenSets } from '../train/cases.ts'
import type { TrainingCase } from '../train/cases.ts'
import { kindCalled } from '../train/sorting-kinds.ts'
import { drawnPapers, drawProse, papersOf, scanned } from '../train/sorting-papers.ts'
import type { SortingPaper } from '../train/sorting-papers.ts'
import { questionFor } from '../train/sorting-questions.ts'
import type { Pool, QuestionOptions } from '../train/sorting-questions.ts'
import { drawStack, realStack, stackOf } from '../train/sorting-stacks.ts'
import type { Stack } from '../train/sorting-stacks.ts'
import { poolOf } from '../train/sorting.ts'
import { neighbourCorpus } from './read-cases.ts'

/** Sets of the corpus that nothing was trained on. */
const measuredSets = ['fara-forms', 'icdar2013-tables', 'mixed', 'receipts', 'wildreceipt']

/** What the papers of the set of odd numbers are, by the beginning of what the set calls them. */
const oddKinds: readonly (readonly [begins: string, kind: string])[] = [
  ['DC DISB', 'insurance_policy'],
  ['Dutch Jaarrekening', 'annual_accounts'],
  ['German DEG', 'annual_accounts'],
  ['Zionist Strategy', 'annual_accounts'],
  ['Five Guys', 'receipt'],
  ['Chang Gung', 'receipt'],
  ['SEC EDGAR', 'contract'],
  ['Spanish Iberdrola', 'utility_bill'],
  ['CPS Energy', 'utility_bill'],
  ['NASA', 'technical_drawing'],
  ['NRCS', 'form'],
  ['Hebrew Payslip', 'payslip'],
  ['German 1976', 'payslip'],
  ['Getbuildingworks', 'bill_of_quantities'],
  ['Gordmans', 'purchase_order'],
  ['Vince', 'waybill'],
  ['Hitachi', 'invoice'],
  ['Smartsheet', 'invoice'],
  ['University', 'tax_form_w2'],
]

const print = (text: string): void => void process.stdout.write(`${text}\n`)

/**
 * `npm run bench -- sorting [--corpus DIR] [--wrong]`: how well the schema of a paper is told among five, and where the
 * papers of a stack begin. Real papers of the training sets are judged by models that never saw their sender (`npm run
 * train` leaves them), drawn ones of templates that were held out and those of other sets by the shipped one.
 * `--wrong` prints what is wrong.
 */
export async function run(): Promise<void> {
  const { values: options } = parseArgs({
    args: process.argv.slice(3),
    options: { corpus: { type: 'string' }, wrong: { type: 'boolean' } },
  })
  const corpus = options.corpus ?? neighbourCorpus()
  if (corpus === undefined) throw new Error('No corpus beside the project: name one with --corpus DIR.')
  const cases = [...(await loadCases(corpus, trainingSets)), ...(await loadPaperFiles())]
  const others = [...(await loadCases(corpus, measuredSets)), ...(await loadUnseen())]
  measureAll(cases, others, options.wrong === true)
}

/** The same with the cases of both kinds of sets already read. */
export function measureAll(cases: readonly TrainingCase[], measured: readonly TrainingCase[], isTold: boolean): void {
  const folds = readFolds()
  const known = papersOf(cases, folds.of).filter(({ fold }) => fold !== undefined)
  const [real, made] = [known.filter(({ isMade }) => isMade !== true), known.filter(({ isMade }) => isMade === true)]
  const others = measured.filter(({ set }) => [...measuredSets, ...unseenSets].includes(set)).flatMap(unseen)
  const random = randomFrom(4711)
  const clean = [
    ...drawnPapers('held-out', 200, 3, 9),
    ...Array.from({ length: 40 }, (_, seed) => drawProse(100_000 + seed)),
  ]
  const drawn = clean.map((paper) => (random.chance(0.55) ? paper : scanned(paper, random.next(), random)))
  measure([...known, ...drawn, ...others], { real, made, drawn, clean, others }, folds, isTold)
}

type Papers = Record<'real' | 'made' | 'drawn' | 'clean' | 'others', readonly SortingPaper[]>

function measure(
  all: readonly SortingPaper[],
  { real, made, drawn, clean, others }: Papers,
  { toolsFor }: Folds,
  isTold: boolean,
): void {
  const random = randomFrom(11)
  // What the odd papers are asked for is no other kind than an invoice or a form by any clear line.
  const [usual, whole] = [poolOf([...real, ...made, ...drawn]), poolOf(all)]
  const sets: [string, readonly SortingPaper[]][] = [
    ['real', real],
    ['made by others', made],
    ['drawn', drawn],
    ...[...new Set(others.map(setOf))].map((set): [string, readonly SortingPaper[]] => [
      set,
      others.filter((one) => setOf(one) === set),
    ]),
  ]
  print('kinds at five schemas          papers  right+sure    unsure  wrong+sure   likeliest right')
  for (const [name, papers] of sets)
    for (const [how, options] of ways)
      print(
        kindsLine(
          `${name}, ${how}`,
          papers,
          papers === real || papers === made || papers === drawn ? usual : whole,
          { ...options, count: 5, mayTwin: false },
          toolsFor,
          random,
          isTold,
        ),
      )
  print('\ncuts                           files   right+sure  right+unsure  wrong+unsure  wrong+sure')
  const paperSets = sets.map(([name, papers]): [string, readonly SortingPaper[]] => [
    name,
    (name === 'drawn' ? clean : papers).filter(({ document, isFile }) => isFile !== true && !isSheet(document.kind)),
  ])
  for (const [name, papers] of paperSets) {
    const long = papers.filter(({ document }) => document.pages.length > 1)
    print(
      cutsLine(
        `${name}, one document`,
        long.map((paper) => stackOf([paper], 'single', random)),
        toolsFor,
        isTold,
      ),
    )
    print(cutsLine(`${name}, stacks`, stacksOf(name, papers, random), toolsFor, isTold))
  }
  const mixed = paperSets.filter(([name]) => measuredSets.includes(name)).flatMap(([, papers]) => papers)
  print(cutsLine('all measured sets, stacks', stacksOf('mixed', mixed, random), toolsFor, isTold))
  print(`\n${speed(real, usual, random).toFixed(1)} ms a page at five schemas`)
}

const ways: readonly (readonly [string, QuestionOptions])[] = [
  ['no examples', { hasRight: true, examples: 'none' }],
  ['examples of the kind', { hasRight: true, examples: 'kind' }],
  ['one of the sender', { hasRight: true, examples: 'sender' }],
  ['none of these', { hasRight: false }],
]

function isSheet(kind: string): boolean {
  return kind === 'docx' || kind === 'xlsx'
}

function setOf({ sender }: SortingPaper): string {
  return sender.slice(0, sender.indexOf('/'))
}

/** A paper of a set that only measures; those of reports have no schema that asks for them. */
function unseen(one: TrainingCase): SortingPaper[] {
  if (one.document.pages.length === 0) return []
  const known: Record<string, string> = { registration_form: 'form', table_report: 'report' }
  const kind = oddKinds.find(([begins]) => one.kind.startsWith(begins))?.[1] ?? known[one.kind] ?? kindCalled(one.kind)
  const sender = `${one.set}/${one.group}`
  return [{ kind, language: 'en', sender, document: one.document, schema: one.schema, fold: -1 }]
}

type Folds = { of: ReadonlyMap<string, number>; toolsFor: (fold: number) => Tools }

/** The fifths of the senders, and the model that never saw one. */
function readFolds(): Folds {
  const cache = fileURLToPath(new URL('../../node_modules/.cache/sheaf-folds/', import.meta.url))
  const read = (name: string): unknown => JSON.parse(readFileSync(`${cache}${name}`, 'utf8'))
  if (!existsSync(`${cache}sorting-4.json`)) throw new Error('Run npm run train -- --only sorting first.')
  const models = [0, 1, 2, 3, 4].map((fold) => toolsOf(read(`sorting-${fold}.json`) as SortingModel))
  const shipped = toolsOf(shippedModel)
  return {
    of: new Map(Object.entries(read('folds.json') as Record<string, number>)),
    toolsFor: (fold) => models[fold] ?? shipped,
  }
}

const share = (part: number, all: number): string => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`.padStart(10)

/** Each paper is asked several times: which schemas are offered decides much. */
const questionsEach = 3

function kindsLine(
  name: string,
  papers: readonly SortingPaper[],
  pool: Pool,
  options: QuestionOptions,
  toolsFor: (fold: number) => Tools,
  random: Random,
  isTold: boolean,
): string {
  // Nobody has a schema for reports full of tables.
  const asked =
    options.hasRight === true ? papers.filter(({ schema, kind }) => schema.length > 0 && kind !== 'report') : papers
  const senders = new Set(duplicates(papers.map(({ sender }) => sender)))
  const usable = options.examples === 'sender' ? asked.filter(({ sender }) => senders.has(sender)) : asked
  let [right, unsure, likely, all] = [0, 0, 0, 0]
  for (const paper of usable)
    for (let time = 0; time < questionsEach; time++) {
      const { question, right: wanted } = questionFor(paper, pool, random, options)
      const [part] = sortBy(paper.document, question, toolsFor(paper.fold)).parts
      const isWrong = part!.schemaId !== wanted && part!.schemaId !== null
      all++
      if (part!.schemaId === null) unsure++
      if (wanted !== null && part!.schemaId === wanted) right++
      if (part!.likely[0] === wanted) likely++
      if (isWrong && isTold)
        print(
          `    ${paper.kind} of ${paper.sender}: ${nameIn(question, part!.schemaId)} for ${nameIn(question, wanted)}`,
        )
    }
  return `${name.padEnd(30)}${String(usable.length).padStart(7)}${share(right, all)}  ${share(unsure, all)}${share(all - right - unsure, all)}  ${share(likely, all)}`
}

function nameIn({ schemas }: SortingQuestion, wanted: number | null): string {
  return schemas.find(({ id }) => id === wanted)?.name ?? 'none'
}

function duplicates(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index)
}

const stackCount = 200

function stacksOf(name: string, papers: readonly SortingPaper[], random: Random): Stack[] {
  if (name === 'drawn')
    return Array.from({ length: 2 * stackCount }, () => drawStack(papers, random)).filter(
      ({ starts }) => starts.length > 1,
    )
  if (name !== 'real' && name !== 'made by others')
    return papers.length < 2 ? [] : Array.from({ length: stackCount / 2 }, () => realStack(papers, random))
  return [0, 1, 2, 3, 4].flatMap((fold) => {
    const own = papers.filter((paper) => paper.fold === fold)
    return Array.from({ length: stackCount / 5 }, () => realStack(own, random))
  })
}

function cutsLine(name: string, stacks: readonly Stack[], toolsFor: (fold: number) => Tools, isTold: boolean): string {
  const count = { rightSure: 0, right: 0, wrong: 0, wrongSure: 0 }
  for (const stack of stacks) {
    const sorted = sortBy(stack.document, { schemas: [], examples: [], mayCut: true }, toolsFor(stack.fold))
    const isRight = startsOf(sorted).join(' ') === stack.starts.join(' ')
    count[isRight ? (sorted.areCutsSure ? 'rightSure' : 'right') : sorted.areCutsSure ? 'wrongSure' : 'wrong']++
    if (!isRight && isTold) print(`    ${toldOf(stack)}: ${startsOf(sorted).join(' ')} for ${stack.starts.join(' ')}`)
  }
  const { rightSure, right, wrong, wrongSure } = count
  const all = stacks.length
  return `${name.padEnd(30)}${String(all).padStart(6)}${share(rightSure, all)}  ${share(right, all)}    ${share(wrong, all)}  ${share(wrongSure, all)}`
}

function toldOf({ papers }: Stack): string {
  return papers.map(({ kind, sender, document }) => `${kind} ${basename(sender)} ${document.pages.length}`).join(' + ')
}

function startsOf({ parts }: Sorted): number[] {
  return parts.map(({ pages }) => pages.first - 1)
}

function speed(papers: readonly SortingPaper[], pool: Pool, random: Random): number {
  const tools = toolsOf(shippedModel)
  let [pages, ms] = [0, 0]
  for (const paper of papers) {
    const { question } = questionFor(paper, pool, random, { count: 5 })
    const startedAt = performance.now()
    sortBy(paper.document, { ...question, mayCut: true }, tools)
    ms += performance.now() - startedAt
    pages += paper.document.pages.length
  }
  return ms / pages
}
