import { fold } from '../../../shared/domain/fold.ts'
import { legalForm } from '../extraction/party-words.ts'
import type { Cell, Layout } from '../extraction/layout.ts'

/** Where a document names somebody, whatever else stands in the cell. */
export type Mentioned = {
  /** How many cells hold the name as it is written, and how many hold it without its legal form. */
  exactly: number
  inShort: number
  /** How many of them hold nothing else. */
  alone: number
  /** The first line that names it, from 0, and the largest type in which it is named, in that of its page. */
  firstLine: number
  size: number
  /** Whether a legal form stands behind it somewhere. */
  hasLegalForm: boolean
}

type Place = { text: string; line: number; size: number; legalForms: readonly string[] }

/** A name shorter than this is part of too much else. */
const leastLetters = 4

/** Finds what a name is mentioned by: «Pemberton Joinery» in the head, «Pemberton Joinery Ltd» in the foot. */
export class Mentions {
  readonly #byWord = new Map<string, Place[]>()
  readonly #known = new Map<string, Mentioned | undefined>()

  constructor(layout: Layout) {
    for (const page of layout.pages)
      for (const line of page.lines)
        for (const cell of line.cells) this.#add(cell, line.index, Math.max(1e-4, page.fontSize))
  }

  #add(cell: Cell, line: number, pageSize: number): void {
    const text = plain(cell.text)
    const legalForms = [...cell.text.matchAll(everyLegalForm)].map(([form]) => plain(form))
    const place = { text, line, size: cell.words[0]!.fontSize / pageSize, legalForms }
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
    const whole = plain(name)
    const short = plain(name.replace(legalForm, ' '))
    if (short.trim().length < leastLetters) return undefined
    const places = (this.#byWord.get(short.trim().split(' ')[0]!) ?? []).filter(({ text }) => text.includes(short))
    if (places.length === 0) return undefined
    const isNamed = ({ text, legalForms }: Place): boolean =>
      legalForms.some((form) => text.includes(short + form.trimStart()))
    return {
      exactly: places.filter(({ text }) => text.includes(whole)).length,
      inShort: places.length,
      alone: places.filter(({ text }) => text === short || text === whole).length,
      firstLine: Math.min(...places.map(({ line }) => line)),
      size: Math.max(...places.map(({ size }) => size)),
      hasLegalForm: places.some(isNamed),
    }
  }
}

const everyLegalForm = new RegExp(legalForm.source, 'gu')

/** Words of letters and digits, with a space before and behind each. */
function plain(text: string): string {
  return ` ${fold(text)
    .replace(/[^\p{L}\d]+/gu, ' ')
    .trim()} `
}
