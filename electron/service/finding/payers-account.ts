import type { Field } from '../extraction/field.ts'
import { meanings } from '../extraction/words.ts'
import type { Proposal } from './propose.ts'

const debited = new RegExp(
  [
    String.raw`abgebucht|abbuch|einzieh|eingezogen|einzug|lastschrift|belastet|belastung`,
    String.raw`debit|collected|prélev|prelev|débit|domicili|adeud|cargo|cargaremos|addebit`,
    String.raw`afgeschreven|afschrij|incass|geïnd`,
  ].join('|'),
  'iu',
)
const yourAccount = new RegExp(
  String.raw`(?<!\p{L})(?:ihre[mnrs]?|ihr|deine[mnrs]?|your|votre|vos|tu|su|suo|vostro|tuo|uw|je|jouw)\s(?:\p{L}+\s){0,2}?` +
    String.raw`(?:\p{L}*konto|bankverbindung|account|compte|cuenta|conto|\p{L}*rekening|iban)(?!\p{L})`,
  'giu',
)
/** «from your account to ours»: what follows is not yours any more. */
const ours = /(?<!\p{L})(?:unser\p{L}*|our|notre|nuestr[ao]|nostro|onze|ons)(?!\p{L})/iu
/** Letters between «your account» and the number: the name of a bank. */
const mostBetween = 80

/**
 * Whether a number is the account that the sender debits: «we collect the amount from your account DE…». It is the
 * reader's own, so no answer to the sender's.
 *
 * @param lines the lines of the document, numbered as the proposal's
 */
export function isPayersAccount({ line, words }: Proposal, lines: readonly { text: string }[]): boolean {
  const at = lines.findIndex((one) => one === line)
  const own = line.text.indexOf(words[0]!.text)
  const before = `${lines[at - 1]?.text ?? ''} ${line.text.slice(0, Math.max(0, own))}`
  const behind = `${line.text.slice(own)} ${lines[at + 1]?.text ?? ''}`
  const yours = [...before.matchAll(yourAccount)].at(-1)
  if (!yours || !debited.test(`${before} ${behind}`)) return false
  const between = before.slice(yours.index + yours[0].length)
  return between.length <= mostBetween && !ours.test(between)
}

/** Whether a field asks for an account, and not for the payer's. */
export function asksForSendersAccount({ kind, side, element: { name, description } }: Field): boolean {
  if ((kind !== 'iban' && kind !== 'bic') || side === 'buyer') return false
  return !meanings(`${name} ${description}`).some((word) => payerWords.has(word))
}

const payerWords = new Set(['buyer', 'payer', 'debit', 'mandate', 'owner'])
