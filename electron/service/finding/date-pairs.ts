import { joined, wordsOf } from '../extraction/layout.ts'
import type { Line } from '../extraction/layout.ts'
import { onlyBetween } from '../extraction/periods.ts'
import type { Proposal } from './propose.ts'

/** Two days that stand beside each other with nothing but «to» between: the first and the last day of something. */
export type Period = { first: Proposal; last: Proposal; days: number }

const msPerDay = 86_400_000

/** The period that each proposed date opens or closes; a date that stands alone has none. */
export function periodsOf(dates: readonly Proposal[]): Map<Proposal, Period> {
  const found = new Map<Proposal, Period>()
  for (const [line, inLine] of Map.groupBy(dates, (date) => date.line)) {
    const words = wordsOf(line)
    const placed = inLine
      .map((date) => ({ date, at: words.indexOf(date.words[0]!) }))
      .sort((left, right) => left.at - right.at || (String(left.date.value) < String(right.date.value) ? -1 : 1))
    for (let index = 1; index < placed.length; index++) {
      const [first, last] = [placed[index - 1]!.date, placed[index]!.date]
      const days = (Date.parse(String(last.value)) - Date.parse(String(first.value))) / msPerDay
      if (found.has(first) || !(days >= 0) || !areBeside(line, first, last)) continue
      const period = { first, last, days }
      found.set(first, period).set(last, period)
    }
  }
  return found
}

function areBeside(line: Line, first: Proposal, last: Proposal): boolean {
  const words = wordsOf(line)
  const end = words.indexOf(first.words.at(-1)!) + 1
  const text = joined(words.slice(end, Math.max(end, words.indexOf(last.words[0]!))))
  return text === '' || onlyBetween.test(text)
}
