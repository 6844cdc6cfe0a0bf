import type { Locale } from '../../../shared/sentences.ts'
import type { Question } from './question.ts'
import type { FoundPassage } from './search.ts'
import { hasValue, isLabel, weighLines } from './weigh.ts'

/** A further passage is shown when it fits nearly as well as the best one. */
const furtherShare = 0.75
/** Longer lines are paragraphs, from which sentences are chosen. */
const sentenceChars = 200

/**
 * An answer without a model, piece by piece: for each passage the document's name and page, then the lines that say most about
 * the question; the best passage is given whole. Pure.
 */
export function* composeAnswer(question: Question, passages: readonly FoundPassage[]): Generator<string> {
  const shown: string[] = []
  for (const passage of passages) {
    if (passage.score < furtherShare * passages[0]!.score) return
    const { lead, rest } = arrange(passage, question)
    const said = lead.join('\n')
    // The foot of every page says the same.
    if (shown.includes(said)) continue
    yield `${shown.length === 0 ? '' : '\n\n'}${placeOf(passage, question.locale)}:\n${said}`
    if (shown.length === 0 && rest.length > 0) yield `\n\n${rest.join('\n')}`
    shown.push(said)
  }
}

const pageWords: Record<Locale, { page: string; sheet: string }> = {
  en: { page: 'page', sheet: 'sheet' },
  de: { page: 'Seite', sheet: 'Blatt' },
  fr: { page: 'page', sheet: 'feuille' },
}

/** Where a passage stands, in plain words. A picture has no pages, and those of a text document depend on the printer. */
export function placeOf({ documentName, kind, page }: FoundPassage, locale: Locale): string {
  if (kind === 'pdf') return `${documentName}, ${pageWords[locale].page} ${page}`
  return kind === 'xlsx' ? `${documentName}, ${pageWords[locale].sheet} ${page}` : documentName
}

/** The lines of a passage that answer the question, and the others in their order. */
function arrange(passage: FoundPassage, question: Question): { lead: string[]; rest: string[] } {
  const lines = passage.text.split('\n').flatMap((line) => (line.length > sentenceChars ? sentencesOf(line, question.locale) : [line]))
  const values = weighLines(lines, passage.terms, question.wants)
  const best = values.indexOf(Math.max(...values))
  const chosen = new Set([best])
  if (isLabel(lines[best]!) && valueBelow(lines, best, question)) chosen.add(best + 1)
  const header = headerAbove(lines, best)
  if (header !== null) chosen.add(header)
  return { lead: lines.filter((_, index) => chosen.has(index)), rest: lines.filter((_, index) => !chosen.has(index)) }
}

function columnsOf(line: string): number {
  return line.split('  ').length
}

/** «Invoice number   Date» with their values in the line below, or a label alone. */
function valueBelow(lines: readonly string[], index: number, question: Question): boolean {
  const below = lines[index + 1]
  if (below === undefined || !/\d/.test(below)) return false
  return hasValue(below, question.wants) || (columnsOf(below) === columnsOf(lines[index]!) && below.length < sentenceChars)
}

/** The heading row of the columns that a row stands in; null for what is no row. */
function headerAbove(lines: readonly string[], index: number): number | null {
  const columns = columnsOf(lines[index]!)
  if (columns < 2 || isLabel(lines[index]!)) return null
  for (let above = index - 1; above >= 0 && columnsOf(lines[above]!) >= 2; above--) {
    if (!isLabel(lines[above]!)) continue
    return columnsOf(lines[above]!) >= Math.max(3, columns - 1) || (above === index - 1 && columnsOf(lines[above]!) === columns) ? above : null
  }
  return null
}

function sentencesOf(text: string, locale: Locale): string[] {
  return [...new Intl.Segmenter(locale, { granularity: 'sentence' }).segment(text)].map(({ segment }) => segment.trim()).filter((sentence) => sentence !== '')
}
