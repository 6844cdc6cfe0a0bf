import type { Locale } from '../../../shared/messages/sentences.ts'
import type { Question } from './question.ts'
import type { FoundPassage } from './search-passages.ts'
import { bagOfWords, hasValue, isLabel, matchStrength, scoreLines } from './score-lines.ts'

/** A further passage is shown when it fits nearly as well as the best one. */
const furtherShare = 0.75
/** Longer lines are paragraphs, from which sentences are chosen. */
const sentenceChars = 200
/** Of the best passage this much is shown about the lines that answer. */
const aroundChars = 450

/**
 * An answer without a model, piece by piece: for each passage the document's name and page, then the lines that say
 * most about the question. Of the best passage the lines around them follow as they stand in the document. Pure.
 */
export function* quotePassages(question: Question, passages: readonly FoundPassage[]): Generator<string> {
  const shown: string[] = []
  for (const passage of passages) {
    if (passage.score < furtherShare * passages[0]!.score) return
    const { lead, around } = selectLines(passage, question)
    const said = lead.join('\n')
    // The foot of every page says the same.
    if (shown.includes(said)) continue
    yield `${shown.length === 0 ? '' : '\n\n'}${placeOf(passage, question.locale)}:\n${said}`
    if (shown.length === 0 && around.join('\n') !== said)
      yield `\n\n${inItsPlace[question.locale]}\n${around.join('\n')}`
    shown.push(said)
  }
}

const inItsPlace: Record<Locale, string> = {
  en: 'As it stands in the document:',
  de: 'So steht es im Dokument:',
  fr: 'Tel que dans le document :',
}

const pageWords: Record<Locale, { page: string; sheet: string }> = {
  en: { page: 'page', sheet: 'sheet' },
  de: { page: 'Seite', sheet: 'Blatt' },
  fr: { page: 'page', sheet: 'feuille' },
}

/**
 * Where a passage stands, in plain words. A picture has no pages, and those of a text document depend on the printer.
 */
export function placeOf({ documentName, kind, page }: FoundPassage, locale: Locale): string {
  if (kind === 'pdf') return `${documentName}, ${pageWords[locale].page} ${page}`
  return kind === 'xlsx' ? `${documentName}, ${pageWords[locale].sheet} ${page}` : documentName
}

/** The lines of a passage that answer the question, and the passage around them in its own order. */
function selectLines(passage: FoundPassage, question: Question): { lead: string[]; around: string[] } {
  const lines = passage.text
    .split('\n')
    .flatMap((line) => (line.length > sentenceChars ? sentencesOf(line, question.locale) : [line]))
  const values = scoreLines(lines, passage.terms, question.wants)
  const best = values.indexOf(Math.max(...values))
  const chosen = new Set([best])
  if (isLabel(lines[best]!) && valueBelow(lines, best, question)) chosen.add(best + 1)
  const header = headerAbove(lines, best)
  if (header !== null) chosen.add(header)
  const lead = lines.filter((_, index) => chosen.has(index))
  return {
    lead: chosen.size === 1 ? [fromLabel(lines[best]!, passage, question)] : lead,
    around: cutAround(lines, chosen),
  }
}

/**
 * «Z  0%  92.00  Amount due  £1,359.89»: two columns of a page stand in one line; what is asked for begins with its
 * label.
 */
function fromLabel(line: string, { terms }: FoundPassage, question: Question): string {
  const cells = line.split('  ')
  const concepts = terms.filter((term) => term.isConcept)
  const label = cells.findIndex(
    (cell, index) =>
      index > 0 &&
      isLabel(cell) &&
      hasValue(cells[index + 1] ?? '', question.wants) &&
      concepts.some((term) => matchStrength(bagOfWords(cell), term) >= 0.8),
  )
  return label < 0 ? line : cells.slice(label).join('  ')
}

/** The lines about the chosen ones, as many as are read at a glance; «…» stands for the rest of the passage. */
function cutAround(lines: readonly string[], chosen: ReadonlySet<number>): string[] {
  let [first, last] = [Math.min(...chosen), Math.max(...chosen)]
  let size = lines.slice(first, last + 1).join('\n').length
  for (let grown = true; grown; ) {
    grown = false
    for (const at of [first - 1, last + 1]) {
      const line = lines[at]
      if (line === undefined || size + line.length > aroundChars) continue
      size += line.length + 1
      if (at < first) first = at
      else last = at
      grown = true
    }
  }
  return [...(first > 0 ? ['…'] : []), ...lines.slice(first, last + 1), ...(last < lines.length - 1 ? ['…'] : [])]
}

function columnsOf(line: string): number {
  return line.split('  ').length
}

/** «Invoice number   Date» with their values in the line below, or a label alone. */
function valueBelow(lines: readonly string[], index: number, question: Question): boolean {
  const below = lines[index + 1]
  if (below === undefined || !/\d/.test(below)) return false
  return (
    hasValue(below, question.wants) || (columnsOf(below) === columnsOf(lines[index]!) && below.length < sentenceChars)
  )
}

/** The heading row of the columns that a row stands in; null for what is no row. */
function headerAbove(lines: readonly string[], index: number): number | null {
  const columns = columnsOf(lines[index]!)
  if (columns < 2 || isLabel(lines[index]!)) return null
  for (let above = index - 1; above >= 0 && columnsOf(lines[above]!) >= 2; above--) {
    if (!isLabel(lines[above]!)) continue
    return columnsOf(lines[above]!) >= Math.max(3, columns - 1) ||
      (above === index - 1 && columnsOf(lines[above]!) === columns)
      ? above
      : null
  }
  return null
}

function sentencesOf(text: string, locale: Locale): string[] {
  return [...new Intl.Segmenter(locale, { granularity: 'sentence' }).segment(text)]
    .map(({ segment }) => segment.trim())
    .filter((sentence) => sentence !== '')
}
