import type { Candidate } from './candidates.ts'
import type { Evidence } from './evidence.ts'
import type { Field } from './field.ts'
import { joined, wordsOf, type Layout, type Word } from './layout.ts'
import { findDates } from './parse-value.ts'
import { wordsAt } from './read-value.ts'
import { meanings } from './words.ts'

/** A time from one day to another as it is printed in a run of words; both ends are ISO dates. */
type FoundPeriod = { start: string; end: string; words: Word[]; startWords: Word[]; endWords: Word[] }

const between = String.raw`\s*(?:-|–|—|to|through|thru|until|till|bis(?:\s+zum)?|au|al|y el|hasta(?:\s+el)?|and)\s*(?:den\s|the\s|le\s|el\s)?\s*`
const partDate = String.raw`(?:(?:\d{1,2})(?:\.\s?\d{1,2}\.?|/\d{1,2}|er|st|nd|rd|th|\.)?(?:\s(?:de\s)?\p{L}{3,10}\.?)?|\p{L}{3,10}\.?\s\d{1,2}(?:st|nd|rd|th)?)`
const shortened = new RegExp(String.raw`(?<![\d.,/])(${partDate}),?${between}$`, 'iu')

/**
 * Finds «01.10.2026 – 31.10.2026», «1 to 31 March 2026», «1.3. – 31.3.2026», «May 1 - May 31, 2026»: the first end may
 * leave out what the second one says.
 */
function findPeriod(words: readonly Word[], evidence: Evidence): FoundPeriod | undefined {
  const run = joined(words)
  const dates = findDates(run, { ...evidence.dates, year: undefined })
  for (const [index, date] of dates.entries()) {
    const before = run.slice(dates[index - 1]?.end ?? 0, date.start)
    const previous = dates[index - 1]
    if (previous && new RegExp(`^${between}$`, 'iu').test(before) && previous.iso <= date.iso)
      return periodOf(words, previous.iso, previous.start, previous.end, date)
    const match = shortened.exec(before)
    if (!match) continue
    const offset = (previous?.end ?? 0) + match.index
    const start = completed(match[1]!, date.iso, run.slice(date.start, date.end), evidence)
    if (start !== undefined && start <= date.iso) return periodOf(words, start, offset, offset + match[1]!.length, date)
  }
  return undefined
}

function periodOf(
  words: readonly Word[],
  start: string,
  from: number,
  to: number,
  end: { iso: string; start: number; end: number },
): FoundPeriod {
  return {
    start,
    end: end.iso,
    words: wordsAt(words, from, end.end),
    startWords: wordsAt(words, from, to),
    endWords: wordsAt(words, end.start, end.end),
  }
}

/** The first end with the year, and where it names none the month, of the second. */
function completed(part: string, end: string, printed: string, evidence: Evidence): string | undefined {
  const year = end.slice(0, 4)
  const alone = /^(\d{1,2})(?:\.|er|st|nd|rd|th)?$/iu.exec(part)
  if (alone) return `${end.slice(0, 8)}${alone[1]!.padStart(2, '0')}`
  const text = /\p{L}/u.test(part)
    ? `${part} ${year}`
    : /\.$/.test(part)
      ? `${part}${year}`
      : `${part}${part.includes('/') ? '/' : '.'}${year}`
  const found = findDates(text, evidence.dates)[0]?.iso
  if (found === undefined) return undefined
  return found <= end ? found : /\d{4}/.test(printed) ? `${Number(year) - 1}${found.slice(4)}` : undefined
}

/** The ends of the periods that the document prints, those behind a word for a period first. */
export function periodCandidates(field: Field, layout: Layout, evidence: Evidence): Candidate[] {
  const { role } = field
  if (role !== 'range' && role !== 'range-start' && role !== 'range-end') return []
  const found: Candidate[] = []
  const last = Math.max(1, layout.lines.length)
  const named = field.phrases[0]?.words ?? []
  for (const line of layout.lines) {
    const words = wordsOf(line)
    const period = findPeriod(words, evidence)
    if (!period) continue
    const before = meanings(joined(words.slice(0, Math.max(0, words.indexOf(period.words[0]!)))))
    const told = before.some(
      (word) =>
        ['period', 'duration', 'consumption', 'statement', 'month', 'travel'].includes(word) ||
        (named.includes(word) && word !== 'date' && word !== 'start' && word !== 'end'),
    )
    const value = role === 'range' ? joined(period.words) : role === 'range-start' ? period.start : period.end
    const own = role === 'range' ? period.words : role === 'range-start' ? period.startWords : period.endWords
    found.push({
      value,
      words: own,
      page: line.page,
      score: (told ? 0.9 : 0.6) - 0.1 * (line.index / last),
      label: 0,
      line: line.index,
    })
  }
  return found
}
