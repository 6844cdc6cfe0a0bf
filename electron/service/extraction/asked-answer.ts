import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { askingWords } from './lexicon.ts'
import { meanings, surfaceWords } from './words.ts'

/** What a text that is asked for is likely to be, where neither its name nor its description says so by itself. */
export const answers = ['day', 'person', 'company'] as const
export type Answer = (typeof answers)[number]

/** What is said of a person, a company or an event, and is none of them. */
export const aspects = new Set(
  'profession title index status type reason place street city country region address room floor code nr id'
    .split(' ')
    .concat('name year time openinghours duration version message station gate method terms'.split(' ')),
)
/** «next inspection», «last meeting»; what came before is the opening one («opening balance»). */
const order = new Set(['next', 'last', 'opening', 'first'])
const limits = new Set(['start', 'end'])
const spans = new Set(['day', 'week', 'month', 'year', 'period', 'duration'])
/** What is done by what, and not by whom: «paid by», «shipped by». */
const means = new Set(['payment', 'paid', 'payable', 'shipping', 'delivery', 'pickup'])

/**
 * What the words of a field ask for: «usage until» for a day, «counted by» and «head teacher» for a person, «Labor» for
 * a company; undefined where they do not say.
 *
 * @param name the meanings of the words of its name
 */
export function askedAnswer(
  { format, name: printed, description }: SchemaElement,
  name: readonly string[],
): Answer | undefined {
  if (format !== 'text') return undefined
  return (
    bySmallWord(printed, name) ??
    byWords(name) ??
    (asksWho.test(description) ? 'person' : byWords(opening(description)))
  )
}

const asksWho = /^(?:who|wer|qui|chi|qui[eé]n)\s/iu

/** Of a description the word that says what is asked for: «the association whose minutes these are». */
function opening(description: string): string[] {
  const words = meanings(description.split(/[.,;:(]/u)[0] ?? '')
  return words.filter((word) => word !== 'name').slice(0, 1)
}

/** «counted by», «geprüft von», «deliver before»; «use by» and «km_door» say nothing. */
function bySmallWord(printed: string, name: readonly string[]): Answer | undefined {
  const [before = '', last = ''] = surfaceWords(printed).slice(-2)
  if (/^(?:before|through|latest|vor|voor|avant)$/.test(last)) return 'day'
  if (!whoWords.test(last)) return undefined
  if (last === 'by' && awaited.test(before)) return 'day'
  const isDone = participles.get(last)!.test(before) && !noParticiples.test(before)
  return isDone && !name.some((word) => means.has(word) || aspects.has(word)) ? 'person' : undefined
}

/** How participles end before a word that says when, or by whom («bezahlt am», «counted by»). */
export const participles: ReadonlyMap<string, RegExp> = new Map([
  ...['on', 'by'].map((word) => [word, /ed$|^(?:paid|made|sent|given|written|drawn)$/] as const),
  ...['am', 'von', 'durch'].map((word) => [word, /(?:t|en)$/] as const),
  ...['op', 'door'].map((word) => [word, /(?:[dt]|en)$/] as const),
  ...['le', 'par'].map((word) => [word, /[eius]$/] as const),
  ...['el', 'por'].map((word) => [word, /(?:[ai]d|ch)[ao]$|^(?:vence|caduca)$/] as const),
  ...['il', 'da'].map((word) => [word, /(?:[aiu]t|ss|nt)[ao]$/] as const),
])
const whoWords = /^(?:by|von|durch|par|por|da|door)$/
/** «needed by» asks for a day. */
const awaited = /^(?:required|needed|expected|wanted)$/
/** «Daten von», «Kosten von» ask for what is there, no participle. */
const noParticiples = /^(?:daten|kosten|\p{L}*zeit(?:en)?)$/u

/** What the last word of a name asks for: «patient age» is no person, «next inspection interval» no day. */
function byWords(words: readonly string[]): Answer | undefined {
  const last = words.findLast((word) => word !== 'name')
  if (last === undefined) return undefined
  if (limits.has(words[0]!) && spans.has(last)) return 'day'
  if (words.some((word) => word !== 'name' && aspects.has(word))) return undefined
  const isEdge = limits.has(words[0]!) && askingWords.event.has(last)
  const isInOrder = words.some((word) => order.has(word)) && askingWords.event.has(last)
  if (limits.has(last) || askingWords.day.has(last) || isEdge || isInOrder) return 'day'
  if (askingWords.person.has(last)) return 'person'
  return askingWords.company.has(last) ? 'company' : undefined
}
