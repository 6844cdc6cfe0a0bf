// In: a document, and what was learned of forms.
// Out: by what its form is known again, and how like two documents are.
import { isValidIBAN } from 'ibantools'
import { checkVAT, countries } from 'jsvat'
import { isWordy, textOf } from './printed.ts'
import type { Printed, Word } from './printed.ts'

/**
 * By what a sender's form is known again: words of its first page with their places (thousandths of the page), and what
 * only one sender has.
 */
export type Fingerprint = {
  words: [key: string, left: number, mid: number][]
  /** VAT numbers and hosts of web and mail addresses. */
  ids: string[]
  /** IBANs. */
  accounts: string[]
}

/** Those of the head and of the foot say most: what is between is different on each document. */
const [headWords, footWords] = [60, 40]
const maxIds = 8
/** A word of a form stands where it stood, save that it moves up or down with what is above it (thousandths). */
const [leftReach, midReach] = [12, 200]

/** `varying`: words of the values of rows, which say nothing of a form. */
export function fingerprintOf(printed: Printed, varying: ReadonlySet<string>): Fingerprint {
  const words = (printed.pages[0]?.words ?? []).filter((word) => isWordy(word) && !varying.has(word.key))
  const kept =
    words.length <= headWords + footWords ? words : [...words.slice(0, headWords), ...words.slice(-footWords)]
  return {
    words: kept.map(({ key, left, mid }) => [key.slice(0, 40), Math.round(left * 1000), Math.round(mid * 1000)]),
    ids: idsIn(printed).slice(0, maxIds),
    accounts: accountsIn(printed).slice(0, maxIds),
  }
}

function idsIn({ pages }: Printed): string[] {
  const ids = pages.slice(0, 2).flatMap(({ lines }) =>
    lines.flatMap((line) => [
      ...line.flatMap(({ text }) => {
        const host = /(?:@|www\.|https?:\/\/)([a-z0-9.-]+\.[a-z]{2,})/i.exec(text)?.[1]
        return host === undefined ? [] : [host.toLowerCase().replace(/^www\./, '')]
      }),
      ...stretches(line, 4).filter(
        (text) => /^[A-Z]{2}[A-Z0-9]{6,13}$/.test(text) && checkVAT(text, countries).isValid,
      ),
    ]),
  )
  return [...new Set(ids)]
}

/** The valid IBANs that a document prints on its first and last pages, without spaces. */
export function accountsIn({ pages }: Printed): string[] {
  const looked = pages.length <= 4 ? pages : [...pages.slice(0, 2), ...pages.slice(-2)]
  const accounts = looked.flatMap(({ lines }) =>
    lines.flatMap((line) => stretches(line, 9).filter((text) => /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text))),
  )
  return [...new Set(accounts)].filter((text) => isValidIBAN(text))
}

/** All stretches of up to so many words of a line that begin like an identifier, without what groups it. */
function stretches(line: readonly Word[], most: number): string[] {
  return line.flatMap((word, start) => {
    const bare = word.text.replace(/^[^A-Za-z0-9]+|^.*:/, '')
    if (!/^[A-Z]{2}/.test(bare)) return []
    return Array.from({ length: Math.min(most, line.length - start) }, (_, more) =>
      [bare, textOf(line.slice(start + 1, start + 1 + more))].join('').replace(/[^A-Z0-9]/g, ''),
    )
  })
}

/** What share of a form's words a document has in their places, 0..1. Pure. */
export function likeness({ words }: Fingerprint, { byKey }: Printed): number {
  if (words.length === 0) return 0
  let found = 0
  for (const [key, left, mid] of words)
    if (
      byKey
        .get(key)
        ?.some(
          (word) =>
            word.page === 1 &&
            Math.abs(word.left * 1000 - left) <= leftReach &&
            Math.abs(word.mid * 1000 - mid) <= midReach,
        ) === true
    )
      found += 1
  return found / words.length
}

/** The share of words that has to be there, by what else speaks for the same sender or against it. */
const leastLikeness = { sameSender: 0.4, unknown: 0.6, unlikeSender: 0.75 }

/**
 * How clearly a document is of a form, 0..1; 0 where it is not. `shared`: what documents of several senders have, as
 * the number of who receives them all. Pure.
 */
export function fits(
  fingerprint: Fingerprint,
  document: Printed,
  ids: readonly string[],
  shared: ReadonlySet<string>,
): number {
  const before = fingerprint.ids.filter((id) => !shared.has(id))
  const now = ids.filter((id) => !shared.has(id))
  const isKnown = before.some((id) => now.includes(id))
  const isOther = before.some((id) => !now.includes(id)) && now.some((id) => !before.includes(id))
  if (isOther && !isKnown) return 0
  const least = isOther ? leastLikeness.unlikeSender : isKnown ? leastLikeness.sameSender : leastLikeness.unknown
  const share = likeness(fingerprint, document)
  return share < least ? 0 : share
}

/** The ids of a document, as they are compared. */
export function idsOf(printed: Printed): string[] {
  return idsIn(printed)
}
