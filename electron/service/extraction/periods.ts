import type { Evidence } from './evidence.ts'
import type { FoundDate } from '../../../shared/domain/parse-date.ts'
import { findDates } from './parse-value.ts'

const between = String.raw`\s*(?:-|–|—|to|through|thru|until|till|bis(?:\s+zum)?|au|al|y el|hasta(?:\s+el)?|and|tot|t\/m)\s*(?:den\s|the\s|le\s|el\s)?\s*`
const partDate = String.raw`(?:(?:\d{1,2})(?:\.\s?\d{1,2}\.?|/\d{1,2}|er|st|nd|rd|th|\.)?(?:\s(?:de\s)?\p{L}{3,10}\.?)?|\p{L}{3,10}\.?\s\d{1,2}(?:st|nd|rd|th)?)`
const shortened = new RegExp(String.raw`(?<![\d.,/])(${partDate}),?${between}$`, 'iu')
/** What stands between the two days of a period, and nothing else. */
export const onlyBetween = new RegExp(String.raw`^${between}$`, 'iu')
/** As far back as a shortened date and the word between can reach. */
const reach = 48

/** A text's two days with nothing but «to» between, the first of which may be shortened. */
export function rangeIn(text: string, evidence: Evidence): { first: FoundDate; last: FoundDate } | undefined {
  let before: FoundDate | undefined
  for (const last of findDates(text, evidence.dates)) {
    const first =
      before && onlyBetween.test(text.slice(before.end, last.start)) ? before : openingOf(text, last, evidence)[0]
    if (first && first.iso <= last.iso) return { first, last }
    before = last
  }
  return undefined
}

/**
 * «1. – 31.03.2026», «1 to 31 March 2026», «May 1 - May 31, 2026»: the first day of a period, which leaves out what the
 * last one, a full date in the same text, says. At most one.
 */
export function openingOf(text: string, last: FoundDate, evidence: Evidence): FoundDate[] {
  const from = Math.max(0, last.start - reach)
  const match = shortened.exec(text.slice(from, last.start))
  if (!match) return []
  const iso = completed(match[1]!, last.iso, text.slice(last.start, last.end), evidence)
  const start = from + match.index
  return iso !== undefined && iso <= last.iso ? [{ iso, start, end: start + match[1]!.length }] : []
}

/** The first end with the year, and where it names none the month, of the second. */
function completed(part: string, end: string, printed: string, evidence: Evidence): string | undefined {
  const year = end.slice(0, 4)
  const alone = /^(\d{1,2})(?:\.|er|st|nd|rd|th)?$/iu.exec(part)
  if (alone) return Number(alone[1]) > 0 ? `${end.slice(0, 8)}${alone[1]!.padStart(2, '0')}` : undefined
  const text = /\p{L}/u.test(part)
    ? `${part} ${year}`
    : /\.$/.test(part)
      ? `${part}${year}`
      : `${part}${part.includes('/') ? '/' : '.'}${year}`
  const found = findDates(text, evidence.dates)[0]?.iso
  if (found === undefined) return undefined
  return found <= end ? found : /\d{4}/.test(printed) ? `${Number(year) - 1}${found.slice(4)}` : undefined
}
