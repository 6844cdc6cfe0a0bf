import type { Word } from './layout.ts'

/** A stretch of words that may be one part of an address. */
export type PlacePart = { part: 'city' | 'state' | 'postcode'; from: number; to: number }

/** As countries write them: in one word («76131», «D-76131», «97301-1234») or in two («1234 AB», «LS1 4AP», «B3H 1A1»). */
const inOneWord = /^\(?(?:[A-Z]{1,2}-)?\d{4,6}(?:-\d{4})?\)?[.,]?$/
const inTwoWords = /^(?:\d{4} [A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d)[.,]?$/
/** «OR», «NSW», and in brackets «(PR)». */
const stateCode = /^\(?[A-Z]{2,3}\)?[.,]?$/
const ofName = /^[\p{Lu}(][\p{L}.'’/()-]*,?$/u
const dash = /^[-–—]$/u
/** Words of the name of a town or state. */
const mostWords = 3

/**
 * Where towns, states and postcodes may stand in a cell: around each postcode, and before «Co. Dublin». A name may begin
 * or end at any of three words; the judge chooses. Pure.
 */
export function placeParts(words: readonly Word[]): PlacePart[] {
  const texts = words.map(({ text }) => text)
  const found: PlacePart[] = []
  const add = (part: PlacePart['part'], from: number, to: number): void => void found.push({ part, from, to })
  texts.forEach((text, at) => {
    if (text === 'Co.' && texts[at - 1]?.endsWith(',') && ofName.test(texts[at + 1] ?? '')) {
      add('state', at + 1, at + 2)
      for (const from of startsBefore(texts, at)) add('city', from, at)
    }
    const isPair = inTwoWords.test(`${text} ${texts[at + 1] ?? ''}`)
    if (!isPair && !inOneWord.test(text)) return
    const end = at + (isPair ? 2 : 1)
    add('postcode', at, end)
    if (isPair && inOneWord.test(text)) add('postcode', at, at + 1)
    const hasState = stateCode.test(texts[at - 1] ?? '')
    if (hasState) add('state', at - 1, at)
    const cityEnd = hasState || dash.test(texts[at - 1] ?? '') ? at - 1 : at
    for (const from of startsBefore(texts, cityEnd)) add('city', from, cityEnd)
    for (const to of endsBehind(texts, end)) {
      add('city', end, to)
      // «40470 Kuala Lumpur, Selangor», «10121 Torino (TO)»
      const next = texts[to] ?? ''
      if (stateCode.test(next)) add('state', to, to + 1)
      else if (texts[to - 1]!.endsWith(',')) for (const last of endsBehind(texts, to)) add('state', to, last)
    }
  })
  return found
}

/** Where a name of up to three words may begin that ends before `end`. */
function startsBefore(texts: readonly string[], end: number): number[] {
  const starts: number[] = []
  for (let from = end - 1; from >= Math.max(0, end - mostWords) && ofName.test(texts[from]!); from--) starts.push(from)
  return starts
}

/** Where a name of up to three words may end that begins at `start`. */
function endsBehind(texts: readonly string[], start: number): number[] {
  const ends: number[] = []
  for (let at = start; at < Math.min(texts.length, start + mostWords) && ofName.test(texts[at]!); at++)
    ends.push(at + 1)
  return ends
}
