import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { probability } from '../../electron/service/finding/trees.ts'
import type { Trees } from '../../electron/service/finding/trees.ts'
import { ask } from '../../electron/sorting/asked.ts'
import { cutFeatures, cutRow, readForCuts } from '../../electron/sorting/cut-features.ts'
import { isCalledOtherwise, kindFeatures, kindRows, pairsOf, readPart } from '../../electron/sorting/kind-features.ts'
import type { SortingModel } from '../../electron/sorting/model.ts'
import { readPage } from '../../electron/sorting/page-facts.ts'
import type { PageFacts } from '../../electron/sorting/page-facts.ts'
import { printOf } from '../../electron/sorting/print.ts'
import { Kinds, kindWordsOf } from '../../electron/sorting/profiles.ts'
import type { Profiles } from '../../electron/sorting/profiles.ts'
import { nameWords } from '../../electron/sorting/words.ts'
import type { Document, Page } from '../../shared/domain/document.ts'
import { randomFrom } from '../generate/random.ts'
import type { Random } from '../generate/random.ts'
import { kinds as drawnKinds } from '../generate/words.ts'
import type { TrainingCase } from './cases.ts'
import { boostInThread } from './boost-thread.ts'
import { Rows } from './fields.ts'
import { drawnPapers, drawProse, papersOf, scanned } from './sorting-papers.ts'
import type { SortingPaper } from './sorting-papers.ts'
import { trainProfiles } from './sorting-profiles.ts'
import type { ProfileExample } from './sorting-profiles.ts'
import { otherNames, questionFor, templateSchemas } from './sorting-questions.ts'
import type { KindQuestion, Pool } from './sorting-questions.ts'
import { drawStack, realStack, stackOf } from './sorting-stacks.ts'
import type { Stack } from './sorting-stacks.ts'

/** How much is drawn. */
const drawn = {
  profilePapers: 1600,
  senders: 600,
  each: 4,
  prose: 150,
  stacks: 2000,
  realStacks: 120,
  realQuestions: 8,
}

const kindOptions = { trees: 140, leaves: 12, rate: 0.1, leastWeight: 8, lambda: 4, share: 0.5 }
const cutOptions = { trees: 200, leaves: 10, rate: 0.1, leastWeight: 4, lambda: 4, share: 0.5 }

const facts = new WeakMap<Page['tokens'], PageFacts>()

/** What is seen of a page; pages stand in several stacks. */
export function factsOf(page: Page): PageFacts {
  let known = facts.get(page.tokens)
  if (!known) facts.set(page.tokens, (known = readPage(page)))
  return known
}

/** The pages by which the kind of a whole document is told, as `sortDocument` looks at them. */
function lookedAt({ pages }: Document): PageFacts[] {
  const looked = pages.length <= 4 ? pages : [...pages.slice(0, 3), pages.at(-1)!]
  return looked.map(factsOf)
}

/** What questions are drawn from: schemas by kind, and prints of papers. */
export function poolOf(papers: readonly SortingPaper[]): Pool {
  const schemas = new Map<string, (readonly SchemaElement[])[]>()
  for (const { kind, elements } of templateSchemas.flat()) schemas.set(kind, [...(schemas.get(kind) ?? []), elements])
  for (const { kind, schema } of papers)
    if (schema.length > 1) schemas.set(kind, [...(schemas.get(kind) ?? []), schema])
  const prints = papers.map((paper) => ({
    kind: paper.kind,
    sender: paper.sender,
    print: printOf(factsOf(paper.document.pages[0]!)),
    paper,
  }))
  return { schemas, prints }
}

type KindRow = KindQuestion & {
  rows: Float32Array[]
  ids: number[]
  doubted: boolean[]
  fold: number
  paper: SortingPaper
}
type CutRows = { stack: Stack; rows: Float32Array[]; labels: number[] }

export type Say = (text: string) => void

export async function trainSorting(
  cases: readonly TrainingCase[],
  folds: ReadonlyMap<string, number>,
  cache: string,
  say: Say,
): Promise<void> {
  const read = papersOf(cases, folds)
  say(`${read.length} papers of ${new Set(read.map(({ kind }) => kind)).size} kinds`)
  const random = randomFrom(77)
  const real = read.map((paper) => (paper.isMade === true ? scannedSometimes(paper, random) : paper))
  const forProfiles = drawnPapers('training', drawn.profilePapers, 1, 1).map((paper) => scannedSometimes(paper, random))
  const clean = [
    ...drawnPapers('training', drawn.senders, drawn.each, 2),
    ...Array.from({ length: drawn.prose }, (_, seed) => drawProse(seed)),
  ]
  const forTrees = clean.map((paper) => scannedSometimes(paper, random))
  for (const { document } of [...real, ...forProfiles, ...forTrees]) document.pages.forEach(factsOf)
  say(`${forProfiles.length + forTrees.length} drawn papers`)
  const profilesFor = (fold: number | null): Profiles =>
    trainProfiles(
      [...real.filter((one) => one.fold !== fold && hasName(one.kind)), ...forProfiles].flatMap(examplesOf),
      titleVocabulary,
    )
  const whole = profilesFor(null)
  const byFold = [0, 1, 2, 3, 4].map(profilesFor)
  say(`${Object.keys(whole.words).length} words for ${whole.kinds.length} kinds`)
  const common = commonWords([...real, ...forProfiles])
  const weights = new Map(common.hashes.map((hash, index) => [hash, common.weights[index]!]))
  const weightOf = (hash: number): number => weights.get(hash) ?? 1
  const toolsFor = [...byFold, whole].map((profiles) => new Kinds(profiles))
  const kindsFor = (fold: number): Kinds => toolsFor[fold === -1 ? 5 : fold]!

  const pool = poolOf([...real, ...forTrees])
  const questions = [
    ...forTrees.flatMap((paper) => [paper, paper]),
    ...real.flatMap((paper) => Array.from({ length: drawn.realQuestions }, () => paper)),
  ].map((paper): KindRow => {
    const one = questionFor(paper, pool, random)
    return { ...one, ...rowsFor(paper, one, kindsFor(paper.fold), weightOf), fold: paper.fold, paper }
  })
  say(`${questions.length} questions of kind`)
  const stacks = [
    ...Array.from({ length: drawn.stacks }, () => drawStack(clean, random)),
    ...real
      .filter((one) => isStackable(one) && one.document.pages.length > 1)
      .map((paper) => stackOf([paper], 'single', random)),
    ...[0, 1, 2, 3, 4].flatMap((fold) =>
      [true, false].flatMap((isMade) => {
        const some = real.filter((one) => one.fold === fold && one.isMade === isMade && isStackable(one))
        return Array.from({ length: drawn.realStacks }, (_, at) => realStack(some, random, at % 2 === 0))
      }),
    ),
  ].map((stack) => cutRowsOf(stack, kindsFor(stack.fold)))
  say(`${stacks.length} stacks with ${stacks.reduce((sum, { rows }) => sum + rows.length, 0)} boundaries`)

  const trained = await Promise.all(
    [null, 0, 1, 2, 3, 4].map(async (fold) => ({
      kinds: await trainKinds(questions.filter((one) => one.fold !== fold)),
      cuts: await trainCuts(stacks.filter(({ stack }) => stack.fold !== fold)),
    })),
  )
  say('trees')
  const [first, ...others] = trained
  // Drawn papers were seen by all trees: only those of senders that are left out say where to be sure. Of kinds the real
  // ones do: of sixty kinds that others made some could be asked for by the schema of another one that is offered.
  const kindOutcomes = questions
    .filter(({ fold, paper }) => fold !== -1 && paper.isMade !== true)
    .map((one) => outcomeOf(one, others[one.fold]!.kinds))
  const cutOutcomes = stacks
    .filter(({ stack }) => stack.fold !== -1)
    .map((one) => cutOutcome(one, others[one.stack.fold]!.cuts))
  const sureKind = kindThresholds(kindOutcomes)
  const sureCut = cutThresholds(cutOutcomes)
  say(JSON.stringify({ sureKind, sureCut }))
  sayKinds(kindOutcomes, sureKind, say)
  sayCuts(cutOutcomes, sureCut, say)
  const modelOf = (trees: { kinds: Trees; cuts: Trees }, profiles: Profiles): SortingModel => ({
    profiles,
    common,
    ...trees,
    sureKind,
    sureCut,
  })
  others.forEach((trees, fold) =>
    writeFileSync(`${cache}sorting-${fold}.json`, JSON.stringify(modelOf(trees, byFold[fold]!))),
  )
  const path = fileURLToPath(new URL('../../electron/sorting/sorting-model.json', import.meta.url))
  const text = `${JSON.stringify(modelOf(first!, whole))}\n`
  writeFileSync(path, text)
  say(`sorting-model.json is written, ${Math.round(text.length / 1000)} kB`)
}

/** Whether a paper may stand behind others in one file. */
function isStackable({ document, isFile }: SortingPaper): boolean {
  return document.kind !== 'xlsx' && document.kind !== 'docx' && !isFile
}

/** A good half has its own text. */
function scannedSometimes(paper: SortingPaper, random: Random): SortingPaper {
  return random.chance(0.55) ? paper : scanned(paper, random.next(), random)
}

function rowsFor(
  paper: SortingPaper,
  { question }: KindQuestion,
  kinds: Kinds,
  weightOf: (hash: number) => number,
): Pick<KindRow, 'rows' | 'ids' | 'doubted'> {
  const looked = lookedAt(paper.document)
  const part = readPart(looked, paper.document.pages.length, printOf(looked[0]), kinds)
  const pairs = pairsOf(part, question.schemas.map(ask), question.examples, kinds, weightOf)
  const doubted = pairs.map((_, index) => isCalledOtherwise(pairs, index))
  return { rows: kindRows(pairs), ids: question.schemas.map(({ id }) => id), doubted }
}

/** What a paper that others made counts beside a real sender's 40. */
const madeWeight = 12

/** Kinds that have a name of their own: of others there are too few papers to learn what speaks for them. */
const hasName = (kind: string): boolean => drawnKinds[kind] !== undefined || otherNames[kind] !== undefined

/** The words that titles of known kinds have: others that stand where titles stand say nothing. */
const titleVocabulary = new Set(
  [
    ...Object.entries(drawnKinds).flatMap(([kind, { titles }]) => [kind, ...Object.values(titles)]),
    ...Object.values(otherNames),
  ].flatMap((text) => text.split('|').flatMap(nameWords)),
)

/** A paper as an example of its kind, and the schemas that ask for it. */
function examplesOf({ kind, document, schema, fold }: SortingPaper): ProfileExample[] {
  const example = (words: ReadonlySet<string>): ProfileExample => ({ kind, words, weight: fold === -1 ? 1 : 2 })
  const found = [example(kindWordsOf(factsOf(document.pages[0]!)))]
  if (schema.length > 0) found.push(example(ask({ id: 0, name: '', elements: schema }).kindWords))
  const names = (
    drawnKinds[kind] ? Object.values(drawnKinds[kind].titles).join('|') : (otherNames[kind] ?? kind)
  ).split('|')
  const name = names[document.pages[0]!.tokens.length % names.length]!
  found.push(example(ask({ id: 0, name, elements: schema.slice(0, document.pages[0]!.tokens.length % 5) }).kindWords))
  return found
}

/** From this share of papers on a word is common; the rarer ones count whole. */
const commonFrom = 0.03

function commonWords(papers: readonly SortingPaper[]): SortingModel['common'] {
  const counts = new Map<number, number>()
  for (const { document } of papers)
    for (const hash of printOf(factsOf(document.pages[0]!))) counts.set(hash, (counts.get(hash) ?? 0) + 1)
  const common = [...counts]
    .filter(([, count]) => count >= commonFrom * papers.length)
    .toSorted(([left], [right]) => left - right)
  const most = Math.log(1 / commonFrom)
  return {
    hashes: common.map(([hash]) => hash),
    weights: common.map(([, count]) => Number((Math.log(papers.length / count) / most).toFixed(2))),
  }
}

function trainKinds(questions: readonly KindRow[]): Promise<Trees> {
  const perSender = new Map<string, number>()
  for (const { paper } of questions) perSender.set(paper.sender, (perSender.get(paper.sender) ?? 0) + 1)
  return boostInThread(() => {
    const examples = new Rows(kindFeatures.length)
    for (const { rows, ids, right, paper } of questions) {
      // A sender counts the same whether it has one paper or sixty; a real one as much as ten that were drawn.
      const weight = paper.fold === -1 ? 1 : (paper.isMade === true ? madeWeight : 40) / perSender.get(paper.sender)!
      rows.forEach((row, index) => examples.push(row, ids[index] === right, weight))
    }
    return examples.examples()
  }, kindOptions)
}

function trainCuts(stacks: readonly CutRows[]): Promise<Trees> {
  return boostInThread(() => {
    const examples = new Rows(cutFeatures.length)
    for (const { rows, labels, stack } of stacks)
      rows.forEach((row, index) => examples.push(row, labels[index]!, stack.fold === -1 ? 1 : 3))
    return examples.examples()
  }, cutOptions)
}

/** Boundaries of a stack, each as it looks once those before it are right. */
function cutRowsOf(stack: Stack, kinds: Kinds): CutRows {
  const pages = stack.document.pages.map((page) => readForCuts(factsOf(page), kinds))
  const starts = new Set(stack.starts)
  let start = 0
  const rows: Float32Array[] = []
  const labels: number[] = []
  for (let at = 1; at < pages.length; at++) {
    rows.push(cutRow(pages, start, at))
    labels.push(Number(starts.has(at)))
    if (starts.has(at)) start = at
  }
  return { stack, rows, labels }
}

type KindOutcome = { isRight: boolean; likely: number; before: number; style: string }

function outcomeOf({ rows, ids, doubted, right, style }: KindRow, trees: Trees): KindOutcome {
  const ranked = rows
    .map((row, index) => ({ id: ids[index]!, likely: probability(trees, row), isDoubted: doubted[index]! }))
    .toSorted((left, other) => other.likely - left.likely)
  const { id, likely, isDoubted } = ranked[0]!
  return { isRight: id === right, likely: isDoubted ? 0 : likely, before: likely - (ranked[1]?.likely ?? 0), style }
}

/**
 * What may be wrong and sure of pages that begin a paper and of pages that go on. With 0.03 for the latter, 7.5 % of
 * real stacks were cut wrongly and surely.
 */
const wrongShare = { none: 0.003, cut: 0.005 }

/**
 * Of what is sure so much is right, where so many papers of a folder fit none of its schemas: a little more than the
 * bar for all that is shown without a flag, since real papers of the kinds that train nothing are harder. Twins, two
 * schemas that ask for the same, are told apart by what was confirmed.
 */
const sureShare = 0.985
const folderShares: Record<string, number> = { plain: 0.9, none: 0.1 }

/** The two thresholds by which most is right and sure, and of what is sure enough. */
function kindThresholds(outcomes: readonly KindOutcome[]): SortingModel['sureKind'] {
  const countOf = (style: string): number => outcomes.filter((one) => one.style === style).length
  const weights = new Map(Object.entries(folderShares).map(([style, share]) => [style, share / countOf(style)]))
  const weigh = (some: readonly KindOutcome[]): number =>
    some.reduce((sum, { style }) => sum + (weights.get(style) ?? 0), 0)
  let best = { least: 1, before: 1, right: -1 }
  for (let least = 0.3; least < 1; least += 0.02)
    for (let before = 0; before <= least; before += 0.02) {
      const sure = outcomes.filter((one) => one.likely >= least && one.before >= before)
      const right = weigh(sure.filter(({ isRight }) => isRight))
      if (right >= sureShare * weigh(sure) && right > best.right) best = { least, before, right }
    }
  return { least: Number(best.least.toFixed(2)), before: Number(best.before.toFixed(2)) }
}

type CutOutcome = {
  isRight: boolean
  highestNone: number
  lowestCut: number
  stack: Stack
  boundaries: Boundary[]
}

/** A boundary with the senders of the papers on both sides; `isMade`: of papers that others made. */
type Boundary = { likely: number; isCut: boolean; key: string; isMade: boolean }

function senderAt({ starts, papers }: Stack, page: number): string {
  return papers[starts.findLastIndex((start) => start <= page)]!.sender
}

/** A stack by its least certain boundaries. */
function cutOutcome({ rows, labels, stack }: CutRows, trees: Trees): CutOutcome {
  const likely = rows.map((row) => probability(trees, row))
  return {
    isRight: likely.every((value, index) => Number(value >= 0.5) === labels[index]),
    highestNone: Math.max(0, ...likely.filter((value) => value < 0.5)),
    lowestCut: Math.min(1, ...likely.filter((value) => value >= 0.5)),
    boundaries: likely.map((value, index): Boundary => {
      const isCut = labels[index] === 1
      const key = `${senderAt(stack, index)} ${senderAt(stack, index + 1)} ${isCut}`
      return { likely: value, isCut, key, isMade: stack.papers[0]!.isMade === true }
    }),
    stack,
  }
}

/**
 * How far from the middle a boundary is sure: of pages that go on hardly any may be beyond the one, of pages that begin
 * a paper hardly any beyond the other. What is not cut is lost to whoever looks for it, so that this has to hold of real
 * papers and of those that others made, each by itself. Boundaries between papers of the same two senders count together
 * as one: a form that is hard to tell stands in many stacks.
 */
function cutThresholds(outcomes: readonly CutOutcome[]): SortingModel['sureCut'] {
  const all = outcomes.flatMap(({ boundaries }) => boundaries)
  const counts = new Map<string, number>()
  for (const { key } of all) counts.set(key, (counts.get(key) ?? 0) + 1)
  const beyondOf = (some: readonly Boundary[], share: number, order: 1 | -1): number =>
    beyond(
      some
        .map(({ likely, key }) => ({ likely, weight: 1 / counts.get(key)! }))
        .toSorted((left, right) => order * (left.likely - right.likely)),
      share,
    )
  const begins = all.filter(({ isCut }) => isCut)
  const goesOn = all.filter(({ isCut }) => !isCut)
  const none = [true, false].map((ofMade) =>
    beyondOf(
      begins.filter(({ isMade }) => isMade === ofMade),
      wrongShare.none,
      1,
    ),
  )
  return {
    none: Number(Math.min(0.5, ...none).toFixed(4)),
    cut: Number(Math.max(0.5, beyondOf(goesOn, wrongShare.cut, -1)).toFixed(4)),
  }
}

/** The probability at which so large a share of boundaries, in their order, is passed. */
function beyond(ordered: readonly { likely: number; weight: number }[], share: number): number {
  const all = ordered.reduce((sum, { weight }) => sum + weight, 0)
  let passed = 0
  return ordered.find(({ weight }) => (passed += weight) > share * all)?.likely ?? 0.5
}

const percent = (part: number, all: number): string => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`

function sayKinds(outcomes: readonly KindOutcome[], { least, before }: SortingModel['sureKind'], say: Say): void {
  for (const style of ['plain', 'twins', 'none']) {
    const some = outcomes.filter((one) => one.style === style)
    const sure = some.filter((one) => one.likely >= least && one.before >= before)
    const right = sure.filter(({ isRight }) => isRight).length
    const best = some.filter(({ isRight }) => isRight).length
    say(
      `kinds, ${style}: ${some.length}, likeliest right ${percent(best, some.length)}, right and sure ` +
        `${percent(right, some.length)}, wrong and sure ${percent(sure.length - right, some.length)}`,
    )
  }
}

function sayCuts(outcomes: readonly CutOutcome[], { none, cut }: SortingModel['sureCut'], say: Say): void {
  for (const style of ['single', 'real']) {
    const some = outcomes.filter(({ stack }) => stack.style === style)
    const sure = some.filter((one) => one.highestNone <= none && one.lowestCut >= cut)
    const right = sure.filter(({ isRight }) => isRight).length
    const all = some.filter(({ isRight }) => isRight).length
    say(
      `cuts, ${style}: ${some.length}, right ${percent(all, some.length)}, right and sure ` +
        `${percent(right, some.length)}, wrong and sure ${percent(sure.length - right, some.length)}`,
    )
  }
}
