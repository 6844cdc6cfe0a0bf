import type { Word } from './layout.ts'
import { parseDate } from './parse-value.ts'

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
  return texts.flatMap((text, at) => {
    if (text === 'Co.') return beforeCounty(texts, at)
    const isPair = inTwoWords.test(`${text} ${texts[at + 1] ?? ''}`)
    const isCode = inOneWord.test(text)
    if ((!isPair && !isCode) || isYear(text, texts[at - 1])) return []
    const ends = [...(isPair ? [at + 2] : []), ...(isCode ? [at + 1] : [])]
    const codes = ends.map((to): PlacePart => ({ part: 'postcode', from: at, to }))
    return [...codes, ...before(texts, at), ...behind(texts, ends[0]!)]
  })
}

/** «14 March 2026» */
function isYear(text: string, before = ''): boolean {
  return /^(?:19|20)\d{2}$/.test(text) && parseDate(`1 ${before} ${text}`) !== null
}

/** «Derby, Co. Cork» */
function beforeCounty(texts: readonly string[], at: number): PlacePart[] {
  if (!texts[at - 1]?.endsWith(',') || !ofName.test(texts[at + 1] ?? '')) return []
  return [{ part: 'state', from: at + 1, to: at + 2 }, ...namesBefore(texts, at)]
}

/** «Salem, OR 97301», «Pune - 411001», «Derby TJ11 4EA» */
function before(texts: readonly string[], at: number): PlacePart[] {
  const last = texts[at - 1] ?? ''
  const state: PlacePart[] = stateCode.test(last) ? [{ part: 'state', from: at - 1, to: at }] : []
  return [...state, ...namesBefore(texts, state.length > 0 || dash.test(last) ? at - 1 : at)]
}

/** «20457 Hamburg», «40470 Kuala Lumpur, Selangor», «10121 Torino (TO)» */
function behind(texts: readonly string[], from: number): PlacePart[] {
  return endsBehind(texts, from).flatMap((to): PlacePart[] => {
    const city: PlacePart = { part: 'city', from, to }
    if (stateCode.test(texts[to] ?? '')) return [city, { part: 'state', from: to, to: to + 1 }]
    const states = texts[to - 1]!.endsWith(',') ? endsBehind(texts, to) : []
    return [city, ...states.map((last): PlacePart => ({ part: 'state', from: to, to: last }))]
  })
}

function namesBefore(texts: readonly string[], to: number): PlacePart[] {
  return startsBefore(texts, to).map((from): PlacePart => ({ part: 'city', from, to }))
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
