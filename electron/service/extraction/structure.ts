import type { Candidate } from './candidates.ts'
import type { Evidence } from './evidence.ts'
import type { Field } from './field.ts'
import type { Cell, Layout, Word } from './layout.ts'
import { zoneAt, type Parties, type Party } from './parties.ts'
import { isTitle } from './party-words.ts'
import { findDates, parseCurrency } from './parse-value.ts'
import { readValue, vatPattern, wordsAt } from './read-value.ts'
import { isKnownWord, meanings, surfaceWords } from './words.ts'

/** What the document's own structure answers without a label: parties, title, date of the letter, currency, patterns. */
export function structuralCandidates(field: Field, layout: Layout, parties: Parties, evidence: Evidence): Candidate[] {
  if (field.concept === 'openingBalance' || field.concept === 'closingBalance') return balanceCandidates(field, layout, evidence)
  if (field.element.format !== 'text') return []
  if (field.role === 'document-type') return titleCandidates(layout)
  if (field.role === 'document-date' || field.concept === 'signatureDate') return letterDate(layout, evidence, field.concept === 'signatureDate')
  if (field.role === 'range' || field.role === 'range-start' || field.role === 'range-end') return rangeCandidates(field, layout, evidence)
  if (field.kind === 'currency') return currencyCandidates(layout)
  // A «company» of no named side is the one that writes the document.
  if (!field.side && field.concept === 'partyName' && field.phrases[0]!.words.includes('company')) return partyCandidates({ ...field, side: 'seller' }, parties).map((candidate) => ({ ...candidate, score: candidate.score * 0.75 }))
  if (field.side && ['partyName', 'address', 'street', 'postcode', 'city', 'country'].includes(field.concept ?? '')) return partyCandidates(field, parties)
  if (field.concept === 'accountHolder') return holderCandidates(parties)
  if (field.concept === 'paymentMethod') return paymentCandidates(layout)
  // What the name adds beyond the known («emergency contact») is not proven by the shape of a value.
  if (field.concept === undefined && !surfaceWords(field.element.name).every((word) => isKnownWord(word))) return []
  switch (field.kind) {
    case 'time':
      return timeCandidates(layout, evidence)
    case 'iban':
    case 'email':
    case 'vatid':
    case 'bic':
    case 'url':
    case 'phone':
      return field.concept === 'fax' ? [] : patternCandidates(field, layout, parties, evidence)
    default:
      return []
  }
}

function partyCandidates(field: Field, parties: Parties): Candidate[] {
  const found: Candidate[] = []
  for (const party of parties.found) {
    const stand = field.side === 'buyer' && party.side === 'delivery' && !parties.found.some((one) => one.side === 'buyer') ? 0.85 : 1
    if (party.side !== field.side && stand === 1) continue
    const words = partOf(party, field.concept ?? '')
    if (words && words.length > 0) found.push({ value: text(words), words, page: party.page, score: party.score * stand, label: 0 })
  }
  return found
}

/** A statement is addressed to who holds the account; the bank itself is not. */
function holderCandidates(parties: Parties): Candidate[] {
  return parties.found
    .filter((party) => party.lines.length >= 2 && party.side !== 'delivery' && !/\b(?:bank|banque|banco|caisse|sparkasse|kasse|caja)\b|bank$/iu.test(text(party.name)))
    .map((party) => ({ value: text(party.name), words: party.name, page: party.page, score: 0.5 + (party.side === 'buyer' ? 0.05 : 0), label: 0 }))
}

const placeParts = /^(?:([A-Z]{1,2})[-\s])?(\d{4,5})\s+(.+)$/u
const streetLike = /(?:str(?:aße|asse|\.)|weg|platz|allee|gasse|ring|ufer|damm|chemin|rue|avenue|av\.|boulevard|calle|c\/|plaza|paseo|street|road|lane|st\.|rd\.|way|drive|square|ecke)|\p{L}.*\s\d+\s?[a-z]?$|^\d+[,]?\s\p{L}/iu

function partOf(party: Party, concept: string): Word[] | undefined {
  if (concept === 'partyName') return party.name
  const lines = party.lines
  const place = lines.findIndex((words) => placeParts.test(text(words)))
  if (concept === 'address') {
    const names = new Set(party.name.map((word) => word.box))
    if (lines.length === 1) {
      const rest = lines[0]!.filter((word) => !names.has(word.box) && !/^[|•●·*–-]$/u.test(word.text))
      return rest.length >= 3 ? rest : undefined
    }
    const start = lines.findIndex((words) => streetLike.test(text(words)) && !words.some((word) => names.has(word.box)))
    const from = start >= 0 ? start : place
    return from < 0 ? undefined : lines.slice(from).flat()
  }
  if (concept === 'street') return lines.find((words, index) => index !== place && streetLike.test(text(words)) && !words.some((word) => word.box === party.name[0]!.box))
  const words = place >= 0 ? lines[place] : undefined
  const parts = words ? placeParts.exec(text(words)) : null
  if (!words || !parts) return undefined
  if (concept === 'postcode') return words.filter((word) => word.text === parts[2])
  if (concept === 'city') return words.slice(words.findIndex((word) => word.text === parts[2]) + 1)
  const after = lines[place + 1]
  return concept === 'country' && after ? after : undefined
}

function titleCandidates(layout: Layout): Candidate[] {
  const found: Candidate[] = []
  for (const line of layout.pages[0]?.lines ?? []) {
    if (line.box.y > 0.6) break
    for (const cell of line.cells) {
      const words = titleWords(cell)
      if (!words) continue
      const size = words[0]!.fontSize / Math.max(1e-6, layout.pages[0]!.lineHeight)
      found.push({ value: text(words).replace(/[:,]$/, ''), words, page: cell.page, score: Math.min(0.95, 0.6 + 0.15 * size - line.box.y * 0.2), label: 0 })
    }
  }
  return found.sort((left, right) => right.score - left.score)
}

function titleWords(cell: Cell): Word[] | undefined {
  const end = cell.words.findIndex((word) => /\d/.test(word.text) || /^(?:nr\.?|no\.?|n°|#|number|nummer)$/iu.test(word.text))
  const words = end < 0 ? cell.words : cell.words.slice(0, end)
  const title = text(words)
  if (words.length === 0 || words.length > 5 || /:$/.test(title) || !isTitle(title)) return undefined
  const known = meanings(title)
  return known.includes('date') || known.includes('nr') || known.includes('total') || known.includes('address') ? undefined : words
}

/** Statements print the balance with its date before the first and after the last booking: «Solde au 30/09/2026». */
function balanceCandidates(field: Field, layout: Layout, evidence: Evidence): Candidate[] {
  const found: Candidate[] = []
  for (const line of layout.lines) {
    const label = line.cells[0]!
    if (!meanings(label.text.replace(/\d.*$/u, '')).includes('balance') || label.words.length > 8 || findDates(line.text, evidence.dates).length === 0) continue
    const reading = readValue('money', 'number', line.cells.slice(1).flatMap((cell) => cell.words), evidence)
    if (reading) found.push({ value: reading.value, words: reading.words, page: line.page, score: 0.55, label: 0 })
  }
  if (found.length < 2) return []
  return [field.concept === 'openingBalance' ? found[0]! : found.at(-1)!]
}

const timePattern = /\b(?:[01]?\d|2[0-3])[:.h][0-5]\d(?:[:.][0-5]\d)?\b(?:\s?(?:uhr|h|am|pm)\b)?/iu

/** The date of a letter stands alone, behind a place («Lyon, le 3 mars 2026») or beside the title. */
function letterDate(layout: Layout, evidence: Evidence, signed: boolean): Candidate[] {
  const found: Candidate[] = []
  const single = new Set(findDates(layout.text, evidence.dates).map((date) => date.iso)).size === 1
  for (const line of layout.pages[0]?.lines ?? []) {
    for (const cell of line.cells) {
      const made = /^(?:fait|hecho|done|en)\b|,\s?(?:le|den|am|a|the)\s/iu.test(cell.text)
      if (line.box.y > 0.5 && !single && !signed && !made && !timePattern.test(line.text)) continue
      const run = cell.words.map((word) => word.text).join(' ')
      const dates = findDates(run, evidence.dates)
      const date = dates[0]
      if (!date || dates.length > 1) continue
      const before = run.slice(0, date.start).trim()
      const after = run.slice(date.end).replace(timePattern, ' ').replace(/^\s*(?:a|à|um|at|uhr|h|[-,|])\s*$/giu, ' ').trim()
      const alone = before === '' && after === ''
      const place = /^(?:\p{Lu}[\p{L}.-]+(?:\s\p{L}[\p{L}.-]*){0,3},?)?\s?(?:,|le|den|am|the|a)?$/iu.test(before) && after === '' && (/,|\ble\b|\bden\b|\bam\b|\ba\b/iu.test(before))
      if (!(alone && !signed) && !place) continue
      const labelled = line.cells.some((other) => other !== cell && other.box.x < cell.box.x && !isTitle(other.text) && meanings(other.text).some((word) => ['date', 'due', 'birth', 'delivery'].includes(word)))
      if (!labelled) found.push({ value: date.iso, words: wordsAt(cell.words, date.start, date.end), page: cell.page, score: place ? 0.62 : line.cells.some((other) => isTitle(other.text)) ? 0.66 : 0.54, label: 0 })
    }
  }
  return found.sort((left, right) => right.score - left.score)
}

const rangeWord = /^\s*(?:-|–|—|to|bis|bis zum|au|al|until|through|till|a|hasta|y el|und|and)\s*(?:den|the|le|el|zum)?\s*$/iu

/** «01.10.2026 – 31.10.2026», «du … au …»: the two ends of the first period that the document prints. */
function rangeCandidates(field: Field, layout: Layout, evidence: Evidence): Candidate[] {
  for (const line of layout.lines) {
    const words = line.cells.flatMap((cell) => cell.words)
    const run = words.map((word) => word.text).join(' ')
    const dates = findDates(run, evidence.dates)
    for (let index = 0; index + 1 < dates.length; index++) {
      const [start, end] = [dates[index]!, dates[index + 1]!]
      if (!rangeWord.test(run.slice(start.end, end.start)) || end.iso < start.iso) continue
      const score = 0.6 - 0.1 * (line.index / Math.max(1, layout.lines.length))
      const [from, to] = field.role === 'range-start' ? [start.start, start.end] : field.role === 'range-end' ? [end.start, end.end] : [start.start, end.end]
      const value = field.role === 'range-start' ? start.iso : field.role === 'range-end' ? end.iso : run.slice(from, to)
      return [{ value, words: wordsAt(words, from, to), page: line.page, score, label: 0 }]
    }
  }
  return []
}

function currencyCandidates(layout: Layout): Candidate[] {
  const counts = new Map<string, { count: number; word: Word }>()
  for (const line of layout.lines) {
    for (const cell of line.cells) {
      for (const [index, word] of cell.words.entries()) {
        const code = parseCurrency(word.text)
        if (code === null || word.text.length > 20) continue
        const beside = /\d/.test(word.text) || /\d/.test(cell.words[index - 1]?.text ?? '') || /\d/.test(cell.words[index + 1]?.text ?? '') || word.text.length <= 5
        if (!beside) continue
        const entry = counts.get(code) ?? { count: 0, word }
        entry.count++
        counts.set(code, entry)
      }
    }
  }
  const all = [...counts.entries()].sort((left, right) => right[1].count - left[1].count)
  const [first, second] = all
  if (!first) return []
  const sure = !second || first[1].count >= 2 * second[1].count
  return [{ value: first[0], words: [first[1].word], page: first[1].word.page, score: sure ? 0.7 : 0.5, label: 0 }]
}

const means = /\b(?:visa|master\s?card|maestro|amex|american express|girocard|ec[- ]karte|ec[- ]cash|kreditkarte|kartenzahlung|bankomatkarte|bargeld|bar|cash|credit card|debit card|card|contactless|carte bancaire|carte bleue|cb|esp[eè]ces|ch[eè]que|virement|pr[ée]l[eè]vement|efectivo|tarjeta|transferencia|paypal|apple pay|google pay|twint|bancontact|überweisung|lastschrift|bank transfer|direct debit)\b/iu

/** Tills print how was paid beside the amount («Carte bancaire 72,30», «Gegeben BAR 20,00»). */
function paymentCandidates(layout: Layout): Candidate[] {
  const found: Candidate[] = []
  for (const line of layout.lines) {
    const words = line.cells.flatMap((cell) => cell.words)
    const label = words.filter((word) => !/^[-+€$£]?\d[\d.,]*[€$£]?$|^(?:EUR|GBP|USD|CHF|€|£|\$)$/u.test(word.text))
    if (label.length === words.length || label.length === 0 || label.length > 5) continue
    const named = label.filter((word) => !/^(?:gegeben|bezahlt|mit|paid|by|payé|par|pagado|con|zahlung|payment|paiement|règlement):?$/iu.test(word.text))
    const title = text(named)
    if (named.length === 0 || !means.test(title) || /\d{3}/.test(title)) continue
    found.push({ value: title.replace(/:$/, ''), words: named, page: line.page, score: 0.55, label: 0 })
  }
  return found
}

/** The time of a till receipt: beside its date, or the only one that is printed. */
function timeCandidates(layout: Layout, evidence: Evidence): Candidate[] {
  const found: (Candidate & { dated: boolean })[] = []
  for (const line of layout.lines) {
    const words = line.cells.flatMap((cell) => cell.words)
    const reading = readValue('time', 'text', words, evidence)
    if (!reading || /[-–]\s?\d{1,2}[:.]\d{2}/.test(line.text)) continue
    const dated = findDates(line.text, evidence.dates).length > 0
    found.push({ value: reading.value, words: reading.words, page: line.page, score: dated ? 0.58 : 0.48, label: 0, dated })
  }
  return found.filter((one) => one.dated || new Set(found.map((other) => other.value)).size === 1)
}

function patternCandidates(field: Field, layout: Layout, parties: Parties, evidence: Evidence): Candidate[] {
  const found: Candidate[] = []
  for (const line of layout.lines) {
    for (const cell of line.cells) {
      const reading = readValue(field.kind, 'text', cell.words, evidence)
      // A BIC has the shape of many a word in capitals: it needs its label, or a digit.
      if (!reading || (field.kind === 'phone' && !/^\+\d|^\(\d{3}\)\s?\d{3}-\d{4}/.test(String(reading.value))) || (field.kind === 'bic' && !/\d|XXX$/.test(String(reading.value))) || (field.kind === 'vatid' && !(vatPattern.test(String(reading.value)) && /^[A-Z]{2}/.test(String(reading.value))))) continue
      const zone = zoneAt(parties, cell.page, cell.box)
      const fits = field.side === undefined ? 1 : zone === field.side ? 1.1 : zone === undefined && field.side === 'seller' ? 1 : 0
      if (fits > 0) found.push({ value: reading.value, words: reading.words, page: cell.page, score: 0.55 * fits, label: 0 })
    }
  }
  return found
}

function text(words: readonly Word[]): string {
  return words.map((word) => word.text).join(' ').replace(/\s+/g, ' ').trim()
}
