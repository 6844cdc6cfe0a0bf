import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { askingWords } from './lexicon.ts'
import { meanings, surfaceWords } from './words.ts'

/** What a text that is asked for is likely to be, where neither its name nor its description says so by itself. */
export const answers = ['day', 'person', 'company'] as const
export type Answer = (typeof answers)[number]

/** What is said of a person, a company or an event, and is none of them. */
const aspects = new Set(
  'profession title index status type reason place street city country region address room floor code nr id'
    .split(' ')
    .concat('name year time openinghours duration version message station gate method terms'.split(' ')),
)
/** «next inspection», «last meeting»; what came before is the opening one («opening balance»). */
const order = new Set(['next', 'last', 'opening', 'first'])
const limits = new Set(['start', 'end'])
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

/** Of a description those words that say what is asked for. */
const wordsOfOpening = 3
function opening(description: string): string[] {
  return meanings(description.split(/[.,;:(]/u)[0] ?? '').slice(0, wordsOfOpening)
}

/** «counted by», «geprüft von», «deliver before»; «use by» and «km_door» say nothing. */
function bySmallWord(printed: string, name: readonly string[]): Answer | undefined {
  const [before = '', last = ''] = surfaceWords(printed).slice(-2)
  if (/^(?:before|through|latest|vor|voor|avant)$/.test(last)) return 'day'
  const isDone = byWhom[last]?.test(before) ?? false
  return isDone && !name.some((word) => means.has(word)) ? 'person' : undefined
}

/** How participles end before a word that names who did it. */
const byWhom: Readonly<Record<string, RegExp>> = {
  ...{ by: /ed$|^(?:paid|made|sent|given|written|drawn)$/, von: /(?:t|en)$/, durch: /(?:t|en)$/ },
  ...{ par: /[eius]$/, por: /(?:[ai]d|ch)[ao]$/, da: /(?:[aiu]t|ss|nt)[ao]$/, door: /(?:[dt]|en)$/ },
}

function byWords(words: readonly string[]): Answer | undefined {
  const has = (set: ReadonlySet<string>): boolean => words.some((word) => set.has(word))
  const isAspect = words.some((word) => word !== 'name' && aspects.has(word))
  if (words.length === 0 || isAspect) return undefined
  if (has(limits) || has(askingWords.day) || (has(order) && has(askingWords.event))) return 'day'
  if (has(askingWords.person)) return 'person'
  return has(askingWords.company) ? 'company' : undefined
}
