import type { Candidate } from './candidates.ts'
import type { Evidence } from './evidence.ts'
import type { Field } from './field.ts'
import { isKnownLabel } from './field.ts'
import { joined, textOf, type Layout, type Word } from './layout.ts'
import type { Parties } from './parties.ts'
import { firstPart, isTitle, placeLine, trimmed } from './party-words.ts'
import { findDates } from './parse-value.ts'
import { wordsAt } from './read-value.ts'
import { meanings } from './words.ts'

const bankWord =
  /(?<!\p{L})(?:card|credit card|kreditkarte|bank|banque|banco|banca|caja|caisse|sparkasse|volksbank|raiffeisenbank|building society|credit union|bancorp)(?!\p{L})|\p{L}(?:bank|sparkasse|kasse)(?!\p{L})/iu

/** Whether a name is that of a bank: who keeps the account is not who owns it. */
export function isBank(name: string): boolean {
  return bankWord.test(name)
}

/**
 * Names and titles that the head of a paper says by itself: the bank of a statement, the carrier of a freight bill, the
 * stage of a reminder.
 */
export function issuerCandidates(field: Field, layout: Layout, parties: Parties, evidence: Evidence): Candidate[] {
  if (field.role === 'document-date') return datedHead(layout, evidence)
  switch (field.concept) {
    case 'bankName':
      return heads(layout, (text) => isBank(text) && !isTitle(text), 0.82)
    case 'dunningLevel':
      return heads(
        layout,
        (text) =>
          /^(?:(?:\d\.|erste|zweite|dritte|letzte|first|second|third|final|1st|2nd|3rd|premi[eè]re?|deuxi[eè]me|derni[eè]re?|primer|segundo|[uú]ltimo)\s+)?(?:mahnung|zahlungserinnerung|(?:payment\s+)?reminder|relance|rappel|recordatorio|aviso)(?:\s+(?:nr\.?\s?)?\d)?$/iu.test(
            text,
          ),
        0.8,
      )
    case 'accountHolder':
      return addressee(layout, parties)
    case 'paymentMethod':
      return heads(
        layout,
        (text) =>
          /^(?:visa|master\s?card|maestro|amex|american express|girocard|cash|bargeld|apple pay|google pay|paypal|discover)(?:\s(?:debit|credit|card|kontaktlos|contactless))?$/iu.test(
            text,
          ),
        0.75,
      )
    default:
      return (field.kind === 'party' || field.concept === 'shippingMethod') &&
        field.phrases[0]?.words.includes('carrier') &&
        transport(layout)
        ? parties.found
            .filter((party) => party.side === 'seller' && party.name[0]!.box.y < 0.12)
            .map((party) => ({
              value: textOf(party.name),
              words: party.name,
              page: party.page,
              score: party.score * 0.9,
              label: 0,
            }))
        : []
  }
}

/** «du 17 mars 2026» under the title, «on 14/02/2026 at 10:42»: the date of a paper or of what it reports. */
function datedHead(layout: Layout, evidence: Evidence): Candidate[] {
  const found: Candidate[] = []
  for (const line of layout.pages[0]?.lines ?? []) {
    if (line.box.y > 0.5) break
    for (const cell of line.cells) {
      const run = joined(cell.words)
      const dates = findDates(run, evidence.dates)
      const [date] = dates
      if (!date || dates.length > 1) continue
      const before = run.slice(0, date.start).trim()
      const after = run.slice(date.end).trim()
      const headed = /^(?:du|vom|dated|of|del|de fecha)$/iu.test(before) && after === ''
      const timed = /^(?:on|am|le|el)$/iu.test(before) && /^,?\s?(?:at|um|à|a las)?\s?\d{1,2}[:.h]\d{2}/iu.test(after)
      if (headed || timed)
        found.push({
          value: date.iso,
          words: wordsAt(cell.words, date.start, date.end),
          page: cell.page,
          score: headed ? 0.6 : 0.5,
          label: 0,
          line: line.index,
        })
    }
  }
  return found
}

/** A freight bill or waybill is written by the carrier. */
function transport(layout: Layout): boolean {
  return layout.lines
    .slice(0, 6)
    .some((line) =>
      line.cells.some(
        (cell) =>
          cell.words.length <= 4 && meanings(cell.text).some((word) => word === 'freight' || word === 'waybill'),
      ),
    )
}

function heads(layout: Layout, fits: (text: string) => boolean, score: number): Candidate[] {
  const found: Candidate[] = []
  for (const line of layout.pages[0]?.lines ?? []) {
    for (const cell of line.cells) {
      const words = trimmed(firstPart(cell.words))
      const text = textOf(words)
      if (words.length === 0 || words.length > 6 || /:$/.test(text) || isKnownLabel(text) || !fits(text)) continue
      found.push({ value: text, words, page: cell.page, score: score - 0.3 * cell.box.y, label: 0, line: line.index })
    }
  }
  return found
}

/** The name over the address that a statement is sent to. */
function addressee(layout: Layout, parties: Parties): Candidate[] {
  const others = parties.found.filter(
    (party) =>
      party.side !== 'delivery' &&
      !isBank(textOf(party.name)) &&
      party.lines.some((words) => /\d{4}/.test(textOf(words))),
  )
  const own = others.find((party) => party.side === 'buyer') ?? others[0]
  if (own) return [{ value: textOf(own.name), words: own.name, page: own.page, score: 0.62, label: 0 }]
  const page = layout.pages[0]
  const place = page?.lines.flatMap((line) => line.cells).find((cell) => cell.box.y < 0.4 && placeLine.test(cell.text))
  if (!page || !place) return []
  const column = page.lines
    .flatMap((line) => line.cells)
    .filter(
      (cell) =>
        Math.abs(cell.box.x - place.box.x) < page.em &&
        cell.box.y < place.box.y &&
        place.box.y - cell.box.y < 6 * page.lineHeight,
    )
  const name: Word[] | undefined = column.find(
    (cell) =>
      !isBank(cell.text) &&
      !/\d/.test(cell.text) &&
      !isTitle(cell.text) &&
      !isKnownLabel(cell.text) &&
      /\p{L}{2}.*\s\p{L}/u.test(cell.text),
  )?.words
  return name ? [{ value: textOf(trimmed(name)), words: trimmed(name), page: page.number, score: 0.6, label: 0 }] : []
}
