import { mkdirSync, writeFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Model, RowsModel } from '../../electron/service/finding/model.ts'
import type { Trees } from '../../electron/service/finding/trees.ts'
import { neighbourCorpus } from '../bench/read-cases.ts'
import { arrivingSets, drawnCase, foldsOf, loadOwn, loadPapers, loadSets, trainingSets } from './cases.ts'
import { fieldsToMiss } from './absent.ts'
import { drawnExamples, examplesOf, looksInThreads, together } from './describe-thread.ts'
import { fieldThresholds, firstWeightsOf, isOfPictures, outcomesOf, sureOf, trainFirst, trainSecond } from './fields.ts'
import type { Looks, Outcome } from './fields.ts'
import type { TrainingCase } from './cases.ts'
import { trainSorting } from './sorting.ts'
import {
  placesOf,
  prepareRows,
  rowLooksOf,
  rowOutcomes,
  rowThresholds,
  trainColumns,
  trainFirstRows,
  trainSecondRows,
} from './rows.ts'
import type { PreparedRows } from './rows.ts'

/**
 * `npm run train [-- --corpus DIR] [--generated N] [--only fields|rows|sorting]`: trains the judges of fields and of
 * the cells of tables from the sets that may train and from N generated documents, and writes
 * `electron/service/finding/fields-model.json` and `rows-model.json`; what sorts files (`sorting.ts`) goes to
 * `electron/sorting/sorting-model.json`. The same bytes each time. For measuring it also writes one model for each
 * fifth of the senders, which never saw them, to `node_modules/.cache/sheaf-folds`. With `--drawn-only` the judge of
 * fields learns from generated documents alone, and nothing is written: it prints what real ones are worth.
 */
const { values: options } = parseArgs({
  options: {
    corpus: { type: 'string' },
    generated: { type: 'string', default: '1600' },
    only: { type: 'string' },
    'drawn-only': { type: 'boolean', default: false },
  },
})
if (options['drawn-only'] && (options.only ?? 'fields') !== 'fields')
  throw new Error('Only the judge of fields is measured by drawn documents alone: leave out --only.')
const corpus = options.corpus ?? neighbourCorpus()
if (corpus === undefined) throw new Error('No corpus beside the project: name one with --corpus DIR.')
const startedAt = performance.now()
const say = (text: string): void =>
  void process.stdout.write(`${String(Math.round((performance.now() - startedAt) / 1000)).padStart(5)} s  ${text}\n`)

const [ofCorpus, papers, own] = [await loadSets(corpus, trainingSets), await loadPapers(), await loadOwn()]
const cases = [...ofCorpus, ...papers, ...own]
const folds = foldsOf(cases.map(({ group }) => group))
say(`${cases.length} real documents of ${folds.size} senders`)
const count = Number(options.generated)
/**
 * Of the drawn papers of all kinds one in thirty is a statement whose bookings are asked for, and one in thirty annual
 * accounts, so few that nothing is learned of bookings in several lines, nor of lines of accounts.
 */
const moreOf = [
  { kinds: ['bank_statement', 'credit_card_statement'], count: count > 0 ? 300 : 0 },
  { kinds: ['annual_accounts'], count: count > 0 ? 400 : 0 },
]
const cache = fileURLToPath(new URL('../../node_modules/.cache/sheaf-folds/', import.meta.url))
mkdirSync(cache, { recursive: true })
writeFileSync(`${cache}folds.json`, JSON.stringify(Object.fromEntries(folds)))
const isDrawnOnly = options['drawn-only']
const isWanted = (name: string): boolean => (options.only ?? (isDrawnOnly ? 'fields' : name)) === name
/** Everything, and for each fifth of the senders all but that. */
const parts = [null, 0, 1, 2, 3, 4]
if (isWanted('fields')) await trainFields()
if (isWanted('rows')) await trainCells()
if (isWanted('sorting')) {
  const files = papers.filter((one) => !isOfPictures(one))
  await trainSorting([...ofCorpus, ...files, ...own], folds, cache, say)
}

type FieldsModel = Omit<Model, 'rows'>

async function trainFields(): Promise<void> {
  const seeds = Array.from({ length: count }, (_, seed) => seed)
  // Some are kept for the second look, which has to see what the first one never saw.
  const isKept = (seed: number): boolean => seed % 8 === 0
  const drawing = drawnExamples(seeds.filter((seed) => !isKept(seed)))
  const made = seeds.map((seed) => drawnCase(seed))
  const pool = fieldsToMiss([...cases, ...made])
  say(`${pool.length} fields that a document may miss`)
  const drawn = await drawing
  say(`${count} generated documents`)
  const foldOf = ({ group }: TrainingCase): number => folds.get(group)!
  const weights = firstWeightsOf(cases)
  const weighted = cases.map((one, place) => ({ one, fold: foldOf(one), ...weights[place]! }))
  const examples = together([...(isDrawnOnly ? [] : await examplesOf(weighted, pool)), ...drawn])
  say(`${examples.labels.length} examples`)

  const [whole, ...firsts] = await inParts((fold) => trainFirst(examples, fold))
  say('first looks')
  const looks = new Map<TrainingCase, Looks>()
  for (const [fold, first] of firsts.entries()) {
    const some = cases.filter((one) => foldOf(one) === fold)
    for (const [place, found] of (await looksInThreads(some, pool, first)).entries()) looks.set(some[place]!, found)
  }
  const ofGenerated = await looksInThreads(
    made.filter((_, seed) => isKept(seed)),
    [],
    firsts[0]!,
  )
  say('looks')
  const taughtBy = (fold: number | null): { one: TrainingCase; looks: Looks }[] =>
    cases.filter((one) => !isDrawnOnly && foldOf(one) !== fold).map((one) => ({ one, looks: looks.get(one)! }))
  const generatedLooks = ofGenerated.map(({ own }) => own)
  const [wholeSecond, ...seconds] = await inParts((fold) => trainSecond(taughtBy(fold), generatedLooks))
  const outcomes: (Outcome & { set: string; fold: number })[] = []
  for (const one of cases)
    for (const outcome of outcomesOf(looks.get(one)!.own, seconds[foldOf(one)]!))
      outcomes.push({ ...outcome, set: one.set, fold: foldOf(one) })
  const ofAbsent = cases.flatMap((one) =>
    outcomesOf(looks.get(one)!.absent, seconds[foldOf(one)]!).filter(({ isUsable }) => isUsable),
  )
  // Our own papers and typed ones are easier than what arrives.
  const arriving = outcomes.filter(({ set }) => arrivingSets.includes(set))
  const thresholds = fieldThresholds(arriving)
  const wanted = outcomes.filter(({ isWanted, isUsable }) => isWanted && isUsable)
  say(`best choice right ${share(wanted.filter(({ isRight }) => isRight).length, wanted.length)}`)
  const names = [...new Set(outcomes.flatMap(({ set, kind }) => [set, `kind ${kind}`]))].toSorted()
  for (const name of ['all', ...names])
    print(
      name,
      outcomes.filter(({ set, kind }) => name === 'all' || name === set || name === `kind ${kind}`),
      thresholds,
    )
  print('absent', ofAbsent, thresholds)
  // What thresholds make that never saw the sender either.
  const apart = [0, 1, 2, 3, 4].map((fold) => ({
    of: (one: { fold: number }) => one.fold === fold,
    thresholds: fieldThresholds(arriving.filter((one) => one.fold !== fold)),
  }))
  for (const [name, some] of [
    ['real, apart', arriving],
    ['all, apart', outcomes],
  ] as const)
    printApart(
      name,
      apart.map(({ of, thresholds: own }) => [some.filter(of), own]),
    )
  say(JSON.stringify(thresholds))
  if (isDrawnOnly) return

  firsts.forEach((first, fold) => {
    const model: FieldsModel = { first, second: seconds[fold]!, ...thresholds }
    writeFileSync(`${cache}fields-${fold}.json`, JSON.stringify(model))
  })
  write('fields', { first: whole!, second: wholeSecond!, ...thresholds })
}

async function trainCells(): Promise<void> {
  // A misread cell of a scan is right by its place and wrong by its text: the papers teach cells as files only.
  const cells = [...ofCorpus, ...papers.filter((one) => !isOfPictures(one)), ...own]
  const real = cells.map(prepareRows)
  const drawn = Array.from({ length: count }, (_, seed) => drawnCase(seed))
  const more = moreOf.flatMap((one) => Array.from({ length: one.count }, (_, seed) => drawnCase(seed, one.kinds)))
  const made = [...drawn, ...more].map(prepareRows)
  say(`${real.reduce((sum, { cells }) => sum + cells.length, 0)} cells of real tables`)
  // Each look has to see what those before it never saw: some are kept for each.
  const forLook = (look: number): PreparedRows[] => made.filter((_, seed) => seed % 6 === 2 * look)
  const forFirst = made.filter((_, seed) => seed % 6 !== 2 && seed % 6 !== 4)
  const foldOf = (group: string): number => folds.get(group)!
  const [whole, ...firsts] = await inParts((fold) =>
    trainFirstRows(
      real.filter(({ one }) => foldOf(one.group) !== fold),
      forFirst,
    ),
  )
  say('first looks')
  const places = real.map((one) => placesOf(one, firsts[foldOf(one.one.group)]!))
  const madePlaces = forLook(1).map((one) => placesOf(one, firsts[0]!))
  const [wholeColumns, ...columns] = await inParts((fold) =>
    trainColumns(
      places.filter(({ one }) => foldOf(one.group) !== fold),
      madePlaces,
    ),
  )
  say('looks at columns')
  const firstLooks = firsts.map((first, fold) => ({ first, columns: columns[fold]! }))
  const looks = real.map((one) => rowLooksOf(one, firstLooks[foldOf(one.one.group)]!))
  const madeLooks = forLook(2).map((one) => rowLooksOf(one, firstLooks[0]!))
  const [wholeSecond, ...seconds] = await inParts((fold) =>
    trainSecondRows(
      looks.filter(({ one }) => foldOf(one.group) !== fold),
      madeLooks,
    ),
  )
  const outcomes = looks.flatMap((look) => {
    const fold = foldOf(look.one.group)
    return rowOutcomes(look, seconds[fold]!).filter(({ isUsable }) => isUsable)
  })
  const thresholds = rowThresholds(outcomes)
  for (const name of ['all', ...new Set(outcomes.map(({ set }) => set))])
    print(
      name,
      outcomes.filter(({ set }) => name === 'all' || name === set),
      thresholds,
    )
  say(JSON.stringify(thresholds))
  firstLooks.forEach((look, fold) => {
    const model: RowsModel = { ...look, second: seconds[fold]!, ...thresholds }
    writeFileSync(`${cache}rows-${fold}.json`, JSON.stringify(model))
  })
  write('rows', { first: whole!, columns: wholeColumns!, second: wholeSecond!, ...thresholds })
}

/** Trees of each part; by drawn documents alone all parts are the same. */
async function inParts(train: (fold: number | null) => Promise<Trees>): Promise<Trees[]> {
  if (!isDrawnOnly) return await Promise.all(parts.map(train))
  const whole = await train(null)
  return parts.map(() => whole)
}

function write(name: 'fields' | 'rows', model: FieldsModel | RowsModel): void {
  const path = fileURLToPath(new URL(`../../electron/service/finding/${name}-model.json`, import.meta.url))
  writeFileSync(path, `${JSON.stringify(model)}\n`)
  say(`${name}-model.json is written`)
}

type Given = Pick<Model, 'given' | 'sure'>

function print(name: string, some: readonly Outcome[], thresholds: Given): void {
  printApart(name, [[some, thresholds]])
}

/** Outcomes in parts, each with the thresholds that judge it. */
function printApart(name: string, parts: readonly (readonly [readonly Outcome[], Given])[]): void {
  const some = parts.flatMap(([outcomes]) => outcomes)
  const given = parts.flatMap(([outcomes, by]) => outcomes.filter(({ trust }) => trust >= by.given))
  const sure = parts.flatMap(([outcomes, by]) => outcomes.filter((one) => one.trust >= sureOf(one, by.sure)))
  const left = parts.flatMap(([outcomes, by]) => outcomes.filter(({ trust }) => trust < by.given))
  const right = (list: readonly Outcome[]): number => list.filter(({ isRight }) => isRight).length
  const exact = right(given) + left.filter(({ isWanted }) => !isWanted).length
  say(
    `${name.padEnd(20)} exact ${share(exact, some.length)}  of given ${share(right(given), given.length)}  ` +
      `of unflagged ${share(right(sure), sure.length)}  flagged ${share(given.length - sure.length, given.length)}`,
  )
}

function share(part: number, all: number): string {
  return `${part}/${all} ${((100 * part) / Math.max(1, all)).toFixed(1)} %`.padEnd(18)
}
