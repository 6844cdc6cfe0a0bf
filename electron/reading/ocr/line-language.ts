import type { ReadingLanguage } from '../../../shared/domain/reading-languages.ts'

const german: readonly ReadingLanguage[] = ['deu']
const french: readonly ReadingLanguage[] = ['fra']
/**
 * What a page in a language is read in, by its ISO 639-1 code. One language takes half of the second reader's time, and
 * loses nothing to the others. Words right on ten scans each, in all four and in these: German 96.8 and 96.6 %, English
 * 96.8 and 96.9 (96.1 with its own alone), Spanish 89.0 and 93.6, French 88.5 and 91.3, Italian 92.7 and 93.0, Dutch
 * 91.8 and 91.8.
 */
const readIn: Readonly<Record<string, readonly ReadingLanguage[]>> = {
  de: german,
  en: ['deu', 'eng'],
  es: ['spa'],
  fr: french,
  it: french,
  nl: german,
}

/** So many lines tell: of 141 pages in six languages 133 were known by them, none as another. */
export const judgedLines = 20
// How much likelier a language is than the next one that is read in others; with fewer lines than 20 it keeps apart
// what is too little to tell.
const minLead = 0.03

/** The language that lines are in, by its ISO 639-1 code; null where it cannot be told. */
export async function languageOf(lines: readonly string[]): Promise<string | null> {
  // It takes 160 ms and 30 MB, which only a thread that reads pictures needs.
  const { eld } = await import('eld/extrasmall')
  const scores = Object.entries(eld.detect(lines.join(' ')).getScores()).toSorted(([, one], [, other]) => other - one)
  const [[language, score] = ['', 0]] = scores
  const best = readIn[language]
  const [, next] = scores.find(([other]) => other in readIn && readIn[other] !== best) ?? ['', 0]
  return best === undefined || score - next < minLead ? null : language
}

/** The languages to read a page in: of those that are chosen, all where its own is not known. */
export function languagesFor(language: string | null, chosen: readonly ReadingLanguage[]): readonly ReadingLanguage[] {
  const known = readIn[language ?? '']?.filter((one) => chosen.includes(one)) ?? []
  return known.length > 0 ? known : chosen
}
