import { fold } from '../../../shared/domain/fold.ts'
import { legalForm } from '../extraction/party-words.ts'
import type { Cell, Layout, Line } from '../extraction/layout.ts'

/** Where a document names somebody, whatever else stands in the cell. */
export type Mentioned = {
  /** How many cells hold the name as it is written, and how many hold it without its legal form. */
  exactly: number
  inShort: number
  /** How many of them hold nothing else but a legal form. */
  alone: number
  /** The first line that names it, from 0, and the largest type in which it is named, in that of its page. */
  firstLine: number
  size: number
  /** Whether a legal form stands behind it somewhere. */
  hasLegalForm: boolean
  /** Whether a line that names it says where a company is registered or taxed, and one an account: the sender's do. */
  isRegistered: boolean
  isPaid: boolean
}

type Place = {
  text: string
  short: string
  legalForms: readonly string[]
  line: number
  size: number
  isRegistered: boolean
  isPaid: boolean
}

/** Shorter ones are parts of numbers and units. */
const leastLetters = 3

/** Finds what a name is mentioned by: «Pemberton Joinery» in the head, «Pemberton Joinery Ltd» in the foot. */
export class Mentions {
  readonly #byWord = new Map<string, Place[]>()
  readonly #known = new Map<string, Mentioned | undefined>()

  constructor(layout: Layout) {
    for (const page of layout.pages)
      for (const line of page.lines) for (const cell of line.cells) this.#add(cell, line, Math.max(1e-4, page.fontSize))
  }

  #add(cell: Cell, line: Line, pageSize: number): void {
    const text = plain(cell.text)
    const place: Place = {
      text,
      short: shortOf(cell.text),
      legalForms: [...cell.text.matchAll(everyLegalForm)].map(([form]) => plain(form)),
      line: line.index,
      size: cell.words[0]!.fontSize / pageSize,
      isRegistered: register.test(line.text),
      isPaid: account.test(line.text),
    }
    for (const word of new Set(text.trim().split(' '))) {
      const known = this.#byWord.get(word)
      if (known) known.push(place)
      else this.#byWord.set(word, [place])
    }
  }

  /** All mentions of a name; undefined of what is too short to tell. */
  of(name: string): Mentioned | undefined {
    if (!this.#known.has(name)) this.#known.set(name, this.#find(name))
    return this.#known.get(name)
  }

  #find(name: string): Mentioned | undefined {
    const [whole, short] = [plain(name), shortOf(name)]
    if (short.trim().length < leastLetters) return undefined
    const places = this.#withRarestWord(short).filter(({ text }) => text.includes(short))
    if (places.length === 0) return undefined
    const isNamed = ({ text, legalForms }: Place): boolean =>
      legalForms.some((form) => text.includes(short + form.trimStart()))
    return {
      exactly: places.filter(({ text }) => text.includes(whole)).length,
      inShort: places.length,
      alone: places.filter((place) => place.short === short).length,
      firstLine: Math.min(...places.map(({ line }) => line)),
      size: Math.max(...places.map(({ size }) => size)),
      hasLegalForm: places.some(isNamed),
      isRegistered: places.some((place) => place.isRegistered),
      isPaid: places.some((place) => place.isPaid),
    }
  }

  /** The cells with that word of a name that the fewest have: «Herr» may open thousands. */
  #withRarestWord(name: string): readonly Place[] {
    const lists = name
      .trim()
      .split(' ')
      .map((word) => this.#byWord.get(word) ?? [])
    return lists.reduce((fewest, list) => (list.length < fewest.length ? list : fewest))
  }
}

/** What the line of a sender's name has beside it in six languages: where it is registered and taxed, and its account. */
const register = wordsLike(
  String.raw`registered|company (?:no|number|reg)|reg\.? no|VAT (?:reg|no|number)|GST|ABN`,
  String.raw`HR[AB]|Handelsregister|Amtsgericht|Firmenbuch|FN|USt-?Id\p{L}*|UID|CHE-\d`,
  String.raw`R\.?C\.?S|SIRET|SIREN|TVA|KvK|BTW|Registro Mercantil|[CN]IF|P\.? ?IVA|Partita IVA|REA`,
)
const account = wordsLike(
  String.raw`IBAN|BIC|SWIFT|BACS|sort code|account (?:no|number|name)|a\/c|payable to`,
  String.raw`Konto\p{L}*|compte|cuenta|titular|conto|bonifico|rekening\p{L}*|t\.n\.v`,
)

function wordsLike(...patterns: string[]): RegExp {
  return new RegExp(String.raw`(?<!\p{L})(?:${patterns.join('|')})(?!\p{L})`, 'iu')
}

const everyLegalForm = new RegExp(legalForm.source, 'gu')
/** «GmbH & Co. KG» as well as «Ltd.». */
const closingForms = new RegExp(String.raw`(?:[\s,]+(?:&\s*)?${legalForm.source})+[.,]*$`, 'u')

/** A name without the legal forms at its end; what consists of them is whole. */
function shortOf(name: string): string {
  return plain(name.replace(closingForms, ''))
}

/** Words of letters and digits, with a space before and behind each. */
function plain(text: string): string {
  return ` ${fold(text)
    .replace(/[^\p{L}\d]+/gu, ' ')
    .trim()} `
}
