import type { Field } from '../extraction/field.ts'
import { meanings } from '../extraction/words.ts'
import type { Proposal } from './propose.ts'

const word = (pattern: string, flags: string): RegExp =>
  new RegExp(String.raw`(?<!\p{L})(?:${pattern})(?!\p{L})`, flags)

/** What a sender does with the reader's account; German parts its verbs («wir ziehen … ein»). */
const debited = word(
  [
    String.raw`abgebucht|abbuch\p{L}*|buch(?:en|t)|eingezogen|einzu?g|einzieh\p{L}*|zieh(?:en|t)|lastschrift\p{L}*|belaste\p{L}*`,
    String.raw`direct debit|debited|collect(?:ed)?|taken|charged?`,
    String.raw`prél[eè]v\p{L}*|débit\p{L}*|adeud\p{L}*|carg(?:a|ar|ará|aremos|ado)|domiciliad[oa]|addebit\p{L}*`,
    String.raw`afgeschreven|afschrij\p{L}*|incass\p{L}*|geïncasseerd`,
  ].join('|'),
  'iu',
)
const usual = String.raw`(?:bank|current|business|nominated|chosen|angegebenen?|genannten?|bekannten?|oben|unten|hinterlegten?)\s`
const yourAccount = word(
  [
    String.raw`(?:von|vom|aus|zu ?lasten|ab)\s(?:ihre[mrs]|deine[mrs])\s(?:${usual}){0,2}(?:(?:giro|bank|geschäfts|firmen)?kontos?|bankverbindung)`,
    String.raw`(?:from|debit|charge)\syour\s(?:${usual}){0,2}account(?!\s(?:number|no|name|manager))`,
    String.raw`(?:sur|de|depuis)\svotre\scompte(?:\sbancaire)?(?!\sclient)`,
    String.raw`(?:en|de)\ssu\scuenta(?!\sde\scliente)|(?:sul|dal)\s(?:suo|vostro|tuo)\sconto(?:\scorrente)?`,
    String.raw`van\s(?:uw|je|jouw)\s(?:bank)?rekening`,
  ].join('|'),
  'giu',
)
/** «from your account to ours»: what follows is not yours any more. */
const ours = word(String.raw`unser\p{L}*|our|notre|nuestr[ao]|nostro|onze|ons`, 'iu')
/** Letters between «your account» and the number: the name of a bank. */
const mostBetween = 80
const endOfSentence = /[.!?]\s+(?=\p{Lu})/u

/**
 * Whether a number is the account that the sender debits, in one sentence: «we collect the amount from your account
 * DE…». It is the reader's own, so no answer to the sender's.
 *
 * @param lines the lines of the document, one of them the proposal's
 */
export function isPayersAccount({ line, words }: Proposal, lines: readonly { text: string }[]): boolean {
  const at = lines.findIndex((one) => one === line)
  const own = Math.max(0, line.text.indexOf(words[0]!.text))
  const before = `${lines[at - 1]?.text ?? ''} ${line.text.slice(0, own)}`.split(endOfSentence).at(-1)!
  const behind = `${line.text.slice(own)} ${lines[at + 1]?.text ?? ''}`.split(endOfSentence)[0]!
  const yours = [...before.matchAll(yourAccount)].at(-1)
  if (!yours || !debited.test(`${before} ${behind}`)) return false
  const between = before.slice(yours.index + yours[0].length)
  // A verb ends what is said of the account: what follows is another one.
  return between.length <= mostBetween && !ours.test(between) && !debited.test(between) && !/[.!?]\s*$/u.test(between)
}

/** Whether a field asks for an account, and not for the payer's. */
export function asksForSendersAccount({ kind, side, element: { name, description } }: Field): boolean {
  if ((kind !== 'iban' && kind !== 'bic') || side === 'buyer') return false
  return !meanings(`${name} ${description}`).some((meaning) => payerWords.has(meaning))
}

const payerWords = new Set(['buyer', 'payer', 'debit', 'mandate', 'owner'])
