import { fold } from '../../../shared/domain/fold.ts'
import { compoundTails, documentTails, genericWords, lexicon, shortParts, stopWords } from './lexicon.ts'

/** The words of a name or label, folded: camelCase, snake_case and abbreviations with points (T.V.A.) included. */
export function surfaceWords(text: string): string[] {
  // A space may stand in «n °», and in heads of tables between characters that need none («数 量»).
  const parts = text
    .replace(/n\s+[°º]/giu, ' nr ')
    .replace(/(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])\s+(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])/gu, '')
    .split(/\s+/)
  return parts.flatMap(wordsOfPart)
}

const maxCached = 20_000
const partCache = new Map<string, readonly string[]>()

/** The words of what stands between two spaces: a document says the same ones over and over. */
function wordsOfPart(part: string): readonly string[] {
  const known = partCache.get(part)
  if (known) return known
  const spaced = part
    .replace(/['’]s(?![\p{L}])/giu, '')
    .replace(/(?<![\p{L}])(MwSt|KvK)/gu, (word) => word[0] + word.slice(1).toLowerCase())
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll}{2,})/gu, '$1 $2')
    .replace(/(?<![\p{L}])(\p{L})\/(\p{L})(?![\p{L}])/gu, '$1$2')
    .replace(/(?<!\p{L})\p{L}(?:\.\p{L})+\.?(?!\p{L})/gu, (match) => match.replaceAll('.', '') + ' ')
  const found = fold(spaced).match(/\p{Script=Latin}+|[0-9]+|[^\P{L}\p{Script=Latin}]+/gu) ?? []
  if (partCache.size > maxCached) partCache.clear()
  partCache.set(part, found)
  return found
}

const variants = new Map<string, string>()
for (const [word, forms] of Object.entries(lexicon)) {
  if (!variants.has(word)) variants.set(word, word)
  for (const form of forms.split(' ')) if (!variants.has(form)) variants.set(form, word)
}
// Capitals and e-mail programs print ä, ö, ü as ae, oe, ue; the lexicon holds the folded form only.
const umlautWords =
  'wahrung:waehrung fallig:faellig falligkeit:faelligkeit kaufer:kaeufer verkaufer:verkaeufer empfanger:empfaenger uberweisen:ueberweisen gebuhr:gebuehr stuck:stueck stuckzahl:stueckzahl kundigung:kuendigung schlussel:schluessel gultig:gueltig'
for (const pair of umlautWords.split(' ')) {
  const [folded = '', expanded = ''] = pair.split(':')
  const word = variants.get(folded)
  if (word !== undefined) variants.set(expanded, word)
}
const tails = new Set(compoundTails)
const cache = new Map<string, readonly string[]>()

/** The language-neutral words behind one folded word: several for a compound, none for a stop word. */
export function meaningsOf(word: string): readonly string[] {
  const known = cache.get(word)
  if (known) return known
  const found = resolve(word)
  if (cache.size > maxCached) cache.clear()
  cache.set(word, found)
  return found
}

/** The set of language-neutral words behind a name or label, in order, without stop words. */
export function meanings(text: string): string[] {
  const words = surfaceWords(text)
  const found: string[] = []
  for (let index = 0; index < words.length; index++) {
    // «nom de famille»: a stop word may stand between the two.
    const skip = stopWords.has(words[index + 1] ?? '') && words[index + 2] !== undefined ? 2 : 1
    const direct = twoWordMeanings(words[index]!, words[index + 1])
    const pair = direct ?? (skip === 2 ? twoWordMeanings(words[index]!, words[index + 2]) : undefined)
    if (pair) {
      found.push(...pair)
      index += direct ? 1 : skip
    } else found.push(...meaningsOf(words[index]!))
  }
  // «von», «bis zum» alone: then the small words are what is said.
  return [...new Set(found.length > 0 ? found : words)]
}

/** Between the languages of a form: a dash or slash with room on both sides. */
const betweenTongues = /\s[–—/|-]\s/u

/**
 * The meanings of a label, and where parts of it say the same in several languages («8 Verpakking – Packing»), those of
 * each part by itself. «Price / unit» says two things.
 */
export function meaningsOfEach(text: string): string[][] {
  const parts = text.split(betweenTongues).map((part) => meanings(part.replace(/^\s*\d+\s/u, '')))
  const alike = parts.filter((part) =>
    parts.some((other) => other !== part && other.some((word) => part.includes(word))),
  )
  return [meanings(text), ...alike]
}

export function isKnownWord(word: string): boolean {
  return stopWords.has(word) || lookUp(word) !== undefined
}

/** How much a word says in a label: generic ones («number», «date») less than telling ones. */
export function weightOf(meaning: string): number {
  if (genericWords.has(meaning)) return 0.4
  return /^\d+$/.test(meaning) ? 0.2 : meaning.length === 1 ? 0.1 : 1
}

const pairs: Readonly<Record<string, readonly string[]>> = {
  'year date': ['cumulative'],
  'money out': ['debit'],
  'money in': ['credit'],
  'paid out': ['debit'],
  'paid in': ['credit'],
  'a c': ['account'],
  'e mail': ['email'],
  'sub total': ['subtotal'],
  'sous total': ['subtotal'],
  'post code': ['postcode'],
  'code postal': ['postcode'],
  'codigo postal': ['postcode'],
  'zip code': ['postcode'],
  'first name': ['firstname'],
  'given name': ['firstname'],
  'last name': ['lastname'],
  'family name': ['lastname'],
  'nom famille': ['lastname'],
  'ust id': ['vat', 'id'],
  'ust idnr': ['vat', 'id'],
  'vat id': ['vat', 'id'],
  'vat number': ['vat', 'id'],
  'vat no': ['vat', 'id'],
  'vat reg': ['vat', 'id'],
  'vat registration': ['vat', 'id'],
  'tva intracommunautaire': ['vat', 'id'],
  'nr tva': ['vat', 'id'],
  'numero tva': ['vat', 'id'],
  'id tva': ['vat', 'id'],
  'nif iva': ['vat', 'id'],
  'mwst nr': ['vat', 'id'],
  'ust identifikationsnummer': ['vat', 'id'],
  'umsatzsteuer id': ['vat', 'id'],
  'umsatzsteuer identifikationsnummer': ['vat', 'id'],
  'partita iva': ['vat', 'id'],
  'p iva': ['vat', 'id'],
  'btw nummer': ['vat', 'id'],
  'btw nr': ['vat', 'id'],
  'btw id': ['vat', 'id'],
  'codice fiscale': ['taxnumber'],
  'documento trasporto': ['deliverynote'],
  'datore lavoro': ['employer'],
  'busta paga': ['payslip'],
  'te betalen': ['payable'],
  'in dienst': ['entry'],
  'uit dienst': ['exit'],
  'cod fisc': ['taxnumber'],
  'cod fiscale': ['taxnumber'],
  'fiscaal nummer': ['taxnumber'],
  'tva intra': ['vat', 'id'],
  'tva intracom': ['vat', 'id'],
  'iva intracomunitario': ['vat', 'id'],
  'part iva': ['vat', 'id'],
  'ob nummer': ['vat', 'id'],
  'registro imprese': ['register', 'nr'],
  'registro mercantil': ['register', 'nr'],
  'reg merc': ['register', 'nr'],
  'hr nr': ['register', 'nr'],
  'registered office': ['seller', 'address'],
  'siege social': ['seller', 'address'],
  'sede legale': ['seller', 'address'],
  'sede social': ['seller', 'address'],
  'statutaire zetel': ['seller', 'address'],
  'sold by': ['seller'],
  'issued by': ['seller'],
  'account with': ['bank'],
  'orden compra': ['order'],
  'ordine acquisto': ['order'],
  'valuta documento': ['currency'],
  'time day': ['time'],
  'ex vat': ['net'],
  'inc vat': ['gross'],
  'liquido pagar': ['payable', 'amount'],
  'netto pagare': ['payable', 'amount'],
  'neto pagar': ['payable', 'amount'],
  'cond pag': ['terms'],
  'sales rep': ['contact'],
  'account manager': ['contact'],
  'handled by': ['contact'],
  'suivi par': ['contact'],
  'atendido por': ['contact'],
  'steuer nummer': ['taxnumber'],
  'steuer nr': ['taxnumber'],
  'tax number': ['taxnumber'],
  'tax id': ['taxnumber'],
  'tax no': ['taxnumber'],
  'delivery note': ['deliverynote'],
  'packing slip': ['deliverynote'],
  'dispatch note': ['deliverynote'],
  'bon livraison': ['deliverynote'],
  'nota entrega': ['deliverynote'],
  'purchase order': ['order'],
  'bon commande': ['order'],
  'credit note': ['creditnote'],
  'credit memo': ['creditnote'],
  'nota credito': ['creditnote'],
  'pay slip': ['payslip'],
  'bulletin paie': ['payslip'],
  'fiche paie': ['payslip'],
  'hors taxe': ['net'],
  'hors taxes': ['net'],
  'sin iva': ['net'],
  'tipo iva': ['rate', 'tax'],
  'tipo igic': ['rate', 'tax'],
  'tipo impuesto': ['rate', 'tax'],
  'tipo impositivo': ['rate', 'tax'],
  'tipo gravamen': ['rate', 'tax'],
  'tipo interes': ['rate', 'interest'],
  'tipo cambio': ['rate', 'exchange'],
  'base imponible': ['net', 'amount'],
  'prix unitaire': ['unit', 'price'],
  'p u': ['unit', 'price'],
  'pu ht': ['unit', 'price', 'net'],
  'st nr': ['taxnumber'],
  'to pay': ['payable'],
  'bill to': ['buyer'],
  'billed to': ['buyer'],
  'sold to': ['buyer'],
  'ship to': ['shipto'],
  'shipped to': ['shipto'],
  'remit to': ['seller'],
  'please pay': ['payable'],
  'must paid': ['payable'],
  'u st': ['tax'],
  'net payer': ['payable', 'amount'],
  'net pagar': ['payable', 'amount'],
  'national insurance': ['social'],
  'ni number': ['social', 'nr'],
  'check in': ['arrival'],
  'check out': ['departure'],
  'bill lading': ['waybill'],
  'lettre voiture': ['waybill'],
  'carta porte': ['waybill'],
  'pro number': ['tracking', 'nr'],
  'date birth': ['birth', 'date'],
  'cost center': ['costcenter'],
  'cost centre': ['costcenter'],
  'centre cout': ['costcenter'],
  'plz ort': ['postcode', 'city'],
  'license plate': ['plate'],
  'number plate': ['plate'],
  'asset tag': ['serial', 'nr'],
  'art nr': ['article', 'nr'],
  'art no': ['article', 'nr'],
  'value date': ['valuta', 'date'],
  'date valeur': ['valuta', 'date'],
  'fecha valor': ['valuta', 'date'],
  'sort code': ['blz'],
  'routing number': ['blz'],
  'down payment': ['deposit'],
  'customs tariff': ['customs', 'nr'],
  'balance sheet': ['balancesheet'],
  'financial position': ['balancesheet'],
  'balance situacion': ['balancesheet'],
  'stato patrimoniale': ['balancesheet'],
  'income statement': ['incomestatement'],
  'profit loss': ['incomestatement'],
  'gewinn verlustrechnung': ['incomestatement'],
  'compte resultat': ['incomestatement'],
  'cuenta resultados': ['incomestatement'],
  'perdidas ganancias': ['incomestatement'],
  'conto economico': ['incomestatement'],
  'winst verliesrekening': ['incomestatement'],
}

/** The same by the first word: to look up a text that was just put together takes ten times as long. */
const pairsByFirst = new Map<string, Map<string, readonly string[]>>()
for (const [pair, found] of Object.entries(pairs)) {
  const [first = '', second = ''] = pair.split(' ')
  const bySecond = pairsByFirst.get(first) ?? new Map<string, readonly string[]>()
  pairsByFirst.set(first, bySecond.set(second, found))
}

function twoWordMeanings(first: string, second: string | undefined): readonly string[] | undefined {
  return second === undefined ? undefined : pairsByFirst.get(first)?.get(second)
}

function resolve(word: string): readonly string[] {
  if (stopWords.has(word)) return []
  const direct = lookUp(word)
  if (direct !== undefined) return [direct]
  const plain = word.replace(/([ao])e|(?<![aeq])ue/g, (match) => match[0]!)
  const parts = splitCompound(word, 0) ?? (plain === word ? undefined : splitCompound(plain, 0)) ?? misread(word)
  if (parts) return parts
  for (const [tail, meaning] of Object.entries(documentTails)) if (word.endsWith(tail)) return [meaning]
  for (const tail of tails) {
    const head = plain.slice(0, -tail.length)
    if (plain.endsWith(tail) && head.length >= 4) {
      const closing = lookUp(tail)
      if (closing !== undefined) return [stem(head), closing]
    }
  }
  return [stem(word)]
}

/** What a word that nobody knows says where «m» was read as «rn» («Rechnungsnurnmer»). */
function misread(word: string): string[] | undefined {
  if (!word.includes('rn')) return undefined
  const read = word.replaceAll('rn', 'm')
  const direct = lookUp(read)
  return direct === undefined ? splitCompound(read, 0) : [direct]
}

function lookUp(word: string): string | undefined {
  const direct = variants.get(word)
  if (direct !== undefined) return direct
  const single = word.length >= 5 && word.endsWith('s') ? variants.get(word.slice(0, -1)) : undefined
  // «Sachbearbeiterin», «Mieterin»
  const male = word.length >= 8 && word.endsWith('in') ? variants.get(word.slice(0, -2)) : undefined
  // «telefonischer», «jährlichen»
  const bare = /(?:isch|lich|ig)(?=(?:e|em|en|er|es)$)/u.test(word)
    ? variants.get(word.replace(/e[mnrs]?$/u, ''))
    : undefined
  return single ?? male ?? bare ?? (/[aou]e/.test(word) ? variants.get(word.replace(/([aou])e/g, '$1')) : undefined)
}

function stem(word: string): string {
  const plain = word.replace(/([ao])e|(?<![aeq])ue/g, (match) => match[0]!)
  return plain.length >= 5 && plain.endsWith('s') && !plain.endsWith('ss') ? plain.slice(0, -1) : plain
}

function splitCompound(word: string, depth: number): string[] | undefined {
  if (word.length < 6 || depth > 3) return undefined
  // The longest tail first: «strasse» ends like «asse».
  for (let at = 3; at <= word.length - 2; at++) {
    const tail = word.slice(at)
    const closing = isPart(tail) ? lookUp(tail) : undefined
    if (closing === undefined) continue
    const head = word.slice(0, at)
    const opening = linkedHead(head) ?? splitCompound(head.replace(/s$/, ''), depth + 1)
    if (opening) return [...opening, closing]
  }
  return undefined
}

/** Shorter words are found in too many others («Passiva», «Finanz»), but for those that compounds and names are made of. */
const leastPart = 4

function isPart(word: string): boolean {
  return word.length >= leastPart || shortParts.has(word)
}

function linkedHead(head: string): string[] | undefined {
  for (const candidate of [
    head,
    head.replace(/s$/, ''),
    head.replace(/en$/, ''),
    head.replace(/(?:es|e|n)$/, ''),
    `${head}e`,
  ]) {
    const found = isPart(candidate) ? lookUp(candidate) : undefined
    if (found !== undefined) return [found]
  }
  return undefined
}

/**
 * Whether two folded words are the same but for what OCR mistakes: one edit from 5 letters on, two from 9.
 * Both are compared whole; the cost is bounded by the early exit.
 */
function nearlyEqual(left: string, right: string): boolean {
  if (left === right) return true
  const longest = Math.max(left.length, right.length)
  const allowed = longest >= 9 ? 2 : longest >= 5 ? 1 : 0
  if (Math.abs(left.length - right.length) > allowed) return false
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    let least = row
    for (let column = 1; column <= right.length; column++) {
      const cost = left[row - 1] === right[column - 1] ? 0 : 1
      const value = Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + cost)
      current.push(value)
      least = Math.min(least, value)
    }
    if (least > allowed) return false
    previous = current
  }
  return previous[right.length]! <= allowed
}

/** «rechnungsnurnmer»: the two parts of a compound are mended one by one. */
function repairCompound(word: string): string | undefined {
  const joined = word.replace(/rn/g, 'm')
  if (joined !== word && splitCompound(joined, 0)) return joined
  for (const tail of tails) {
    for (const length of [tail.length, tail.length + 1, tail.length - 1]) {
      const head = word.slice(0, -length)
      if (
        head.length >= 4 &&
        tail.length >= 5 &&
        nearlyEqual(word.slice(-length), tail) &&
        splitCompound(head + tail, 0)
      )
        return head + tail
    }
  }
  return undefined
}

const longForms = [...variants.keys()].filter((form) => form.length >= 5)
const repairs = new Map<string, string>()

/** A word as OCR misread it, brought back to the nearest known form; unchanged when none is near. */
export function repairWord(word: string): string {
  if (word.length < 5 || isKnownWord(word)) return word
  const known = repairs.get(word)
  if (known !== undefined) return known
  const parts = splitCompound(word, 0)
  const near = parts ? undefined : (longForms.find((form) => nearlyEqual(form, word)) ?? repairCompound(word))
  if (repairs.size > maxCached) repairs.clear()
  repairs.set(word, near ?? word)
  return near ?? word
}
