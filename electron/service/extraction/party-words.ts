import { isKnownLabel } from './field.ts'
import { joined, type Cell, type Word } from './layout.ts'
import { findDates } from './parse-value.ts'
import { fold, meanings } from './words.ts'

export const legalForm =
  /(?<![\p{L}])(?:GmbH|mbH|AG|KG|KGaA|OHG|GbR|UG|SE|e\.\s?K\.|e\.\s?V\.|eG|a\.\s?G\.|Ltd|Limited|LLC|LLP|Inc|Corp|Corporation|PLC|plc|SARL|S\.?à\.?r\.?l|SAS|SASU|EURL|SCI|SNC|S\.A\.S|S\.A\.R\.L|S\.A|SA|S\.L\.U|S\.L|SL|SLU|S\.R\.L|SRL|B\.V|BV|N\.V|NV|Pty|Co|Oy|AB|ApS|Sàrl)(?![\p{L}])\.?/u
export const placeLine =
  /^(?:[A-Z]{1,3}[-\s])?\d{4,5}\s+\p{Lu}[\p{L}.'’/()-]+(?:\s[\p{L}\d.'’/()-]+){0,5}(?:,\s[\p{L}\s.'’/-]+\s\d+\s?\p{L}?)?$|^\p{Lu}[^,:·|•]{2,40}\s\d+\s?\p{L}?,\s(?:[A-Z]{1,2}-)?\d{4,5}\s\p{Lu}[\p{L}\s.()-]+$|^\p{Lu}[\p{L}\s.'’-]+,?\s+[A-Z]{2}\s+\d{5}(?:-\d{4})?$|^(?:[\p{L}\s.'’,-]+\s)?[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}$/u
export const inlinePlace = /(?:^|\s)(?:[A-Z]{1,2}-?\s?)?\d{4,5}\s+\p{Lu}\p{L}+|[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}/u
export const separator = /^(?:[|•●·*–—-]|\*|\/\/)$/u
export const salutation =
  /^(?:herrn?|frau|familie|firma|fa\.?|an|monsieur|madame|m\.|mme|mr\.?|mrs\.?|ms\.?|sr\.?|sra\.?|señora?|d\.?ª|dª|don|doña|company|to:?|z\.?\s?hd\.?|eheleute)$/iu
/** Lines of an address that are never its name: streets, units, owners, registers. */
export const noName =
  /^(?:und|and|et|y|zwischen|between|entre|unit|suite|building|floor|apt|postfach|p\.?\s?o\.?\s?box|bp|inh\.|inhaber|owner|prop\.|familie|pächter|geschäftsführer|gérant|z\.\s?hd|c\/o|attn|pol\. ind|polígono|zone|za|zi|tel|fax|siret|ust|vat|nif|cif)(?![\p{L}])|^\d+\s?(?:bis|ter)?,?\s\p{L}|(?:straße|strasse|str\.?|weg|platz|gasse|allee|ring|street|road|lane|avenue|drive)\s+\d+\s?\p{L}?(?:\b|$)|^(?:rue|avenue|boulevard|chemin|allée|place|quai|calle|c\/|plaza|paseo|avda?\.?)\s/iu
export const country =
  /^(?:deutschland|germany|allemagne|alemania|österreich|austria|schweiz|suisse|switzerland|france|frankreich|francia|spain|españa|spanien|espagne|united kingdom|uk|england|great britain|usa|united states|belgium|belgique|belgien|italia|italy|luxembourg|luxemburg|netherlands|niederlande|portugal)\b.*$/iu

/** Whether a text is the heading of a kind of document rather than a name. */
export function isTitle(text: string): boolean {
  const words = meanings(text)
  return (
    words.some((word) =>
      [
        'invoice',
        'creditnote',
        'receipt',
        'deliverynote',
        'order',
        'quote',
        'statement',
        'contract',
        'payslip',
        'form',
        'request',
        'report',
        'document',
        'confirm',
        'index',
        'credit',
      ].includes(word),
    ) && words.length <= 4
  )
}

export function nameLine(lines: Word[][]): Word[] | undefined {
  for (const line of lines) {
    const words = beforeAddress(line)
    const text = joined(words)
    if (salutation.test(text) || greeting.test(text) || placeLine.test(text) || noName.test(text)) continue
    const name = trimmed(firstPart(words))
    if (name.length > 0 && /\p{L}{2}/u.test(joined(name)) && joined(name).length <= 80) return name
  }
  return undefined
}

export function firstPart(words: Word[]): Word[] {
  const at = words.findIndex(
    (word, index) =>
      index > 0 &&
      (separator.test(word.text) ||
        /^(?:tel|fon|fax|e-?mail|web|ust|tva|iban|dni|nif|nie|geb|born|né|née|n\.i\.f)(?!\p{L})\.?:?/iu.test(
          word.text,
        )),
  )
  return at > 0 ? words.slice(0, at) : words
}

export function trimmed(words: Word[]): Word[] {
  const run = words.filter(
    (word, index) => !(index === 0 && (isDon(words) || (salutation.test(word.text) && words.length > 2))),
  )
  return withoutMark(run)
}

/** A name as it is printed behind its label: without «DNI …», «Tel. …» and the Spanish «D.», with any other title. */
export function plainName(words: readonly Word[]): Word[] {
  const part = trimmedComma(beforeAddress(firstPart([...words])))
  return withoutMark(isDon(part) ? part.slice(1) : part)
}

/** «Klaus Berger, Hauptstr. 1, 80331 München»: what follows the first comma is where the person lives. */
function beforeAddress(words: Word[]): Word[] {
  const comma = words.findIndex((word) => word.text.endsWith(','))
  const rest = words.slice(comma + 1)
  return comma >= 1 &&
    rest.some((word) => /\d/.test(word.text)) &&
    !words.slice(0, comma + 1).some((word) => /\d/.test(word.text)) &&
    inlinePlace.test(joined(rest))
    ? words.slice(0, comma + 1)
    : words
}

function trimmedComma(words: Word[]): Word[] {
  const last = words.at(-1)
  return last?.text.endsWith(',') ? [...words.slice(0, -1), { ...last, text: last.text.slice(0, -1) }] : words
}

/** «D. Iker Zubeldia Lasa»: a title before three names; before fewer it may be an initial. */
function isDon(words: readonly Word[]): boolean {
  return (
    (words.length > 2 && /^(?:d\.?ª|dª|don|doña)$/iu.test(words[0]!.text)) ||
    (words.length >= 4 && words[0]!.text === 'D.' && !/^\p{Lu}\.$/u.test(words[1]!.text))
  )
}

function withoutMark(words: readonly Word[]): Word[] {
  const run = [...words]
  const last = run.at(-1)
  if (last && /[,;|•●·]$/u.test(last.text))
    run[run.length - 1] = { ...last, text: last.text.replace(/[,;|•●·]+$/u, '') }
  return run.filter((word) => word.text !== '')
}

export function isLabelled(cell: Cell): boolean {
  return /^[^:]{2,40}:(?:\s|$)/.test(cell.text) || isKnownLabel(cell.text)
}

const greeting =
  /^(?:welcome(?:\s+to)?|(?:herzlich\s+)?willkommen(?:\s+(?:bei|im|in))?|bienvenue(?:\s+(?:chez|à|au))?|bienvenid[oa]s?(?:\s+a)?|thank you.*|vielen dank.*|merci.*|gracias.*)[!.]?$/iu

export function isSkippable(text: string): boolean {
  return (
    salutation.test(text) || greeting.test(text) || /^(?:tel|fon|phone|fax|e-?mail)\b/iu.test(text) || isTitle(text)
  )
}

export function notAddress(text: string): boolean {
  return (
    findDates(text).length > 0 ||
    text.length > 64 ||
    /@|www\.|https?:|\d[.,]\d{2}\s?€|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$|^\d{4}-\d{2}-\d{2}$|[!?]$/.test(text)
  )
}

export function key(words: Word[]): string {
  return fold(joined(words)).replace(/[^a-z0-9]/g, '')
}
