import type { Candidate } from './candidates.ts'
import type { Evidence } from './evidence.ts'
import type { Field } from './field.ts'
import { joined, textOf, wordsOf, type Cell, type Layout, type Line, type Word } from './layout.ts'
import { zoneAt, type Parties, type Party } from './parties.ts'
import { isTitle } from './party-words.ts'
import { findDates, parseCurrency } from './parse-value.ts'
import { readValue, vatPattern, wordsAt } from './read-value.ts'
import { isKnownWord, meanings, surfaceWords } from './words.ts'

/**
 * What the document's own structure answers without a label: parties, title, date of the letter, currency, patterns.
 */
export function structuralCandidates(field: Field, layout: Layout, parties: Parties, evidence: Evidence): Candidate[] {
  if (field.concept === 'openingBalance' || field.concept === 'closingBalance')
    return balanceCandidates(field, layout, evidence)
  if (field.element.format !== 'text') return []
  return (
    byRole(field, layout, evidence) ??
    byConcept(field, layout, parties, evidence) ??
    byShape(field, layout, parties, evidence)
  )
}

function byRole(field: Field, layout: Layout, evidence: Evidence): Candidate[] | undefined {
  switch (field.role) {
    case 'document-type':
      return titleCandidates(layout)
    case 'document-date':
      return letterDate(layout, evidence, field.concept === 'signatureDate')
    case 'range':
    case 'range-start':
    case 'range-end':
      return rangeCandidates(field, layout, evidence)
    default:
      return undefined
  }
}

function byConcept(field: Field, layout: Layout, parties: Parties, evidence: Evidence): Candidate[] | undefined {
  if (field.kind === 'currency') return currencyCandidates(layout)
  if (field.concept === 'signatureDate') return letterDate(layout, evidence, true)
  if (field.concept === 'accountHolder') return holderCandidates(parties)
  if (field.concept === 'paymentMethod') return paymentCandidates(layout)
  if (field.side) return partyConcepts.has(field.concept ?? '') ? partyCandidates(field, parties) : undefined
  // A «company» of no named side is the one that writes the document.
  return field.concept === 'partyName' && field.phrases[0]!.words.includes('company')
    ? partyCandidates({ ...field, side: 'seller' }, parties).map((candidate) => ({
        ...candidate,
        score: candidate.score * 0.75,
      }))
    : undefined
}

const partyConcepts = new Set(['partyName', 'address', 'street', 'postcode', 'city', 'country'])

function byShape(field: Field, layout: Layout, parties: Parties, evidence: Evidence): Candidate[] {
  // What the name adds beyond the known («emergency contact») is not proven by the shape of a value.
  if (field.concept === undefined && !surfaceWords(field.element.name).every((word) => isKnownWord(word))) return []
  if (field.kind === 'time') return timeCandidates(layout, evidence)
  return field.concept === 'fax' || !shaped.has(field.kind) ? [] : patternCandidates(field, layout, parties, evidence)
}

const shaped: ReadonlySet<Field['kind']> = new Set(['iban', 'email', 'vatid', 'bic', 'url', 'phone'])

function partyCandidates(field: Field, { found }: Parties): Candidate[] {
  // Without a buyer it is who the goods go to.
  const substitute = field.side === 'buyer' && !found.some((one) => one.side === 'buyer') ? 'delivery' : undefined
  return found
    .filter((party) => party.side === field.side || party.side === substitute)
    .flatMap((party) => {
      const words = partOf(party, field.concept ?? '') ?? []
      const score = party.score * (party.side === field.side ? 1 : 0.85)
      return words.length > 0 ? [{ value: textOf(words), words, page: party.page, score, label: 0 }] : []
    })
}

/** A statement is addressed to who holds the account; the bank itself is not. */
function holderCandidates(parties: Parties): Candidate[] {
  return parties.found
    .filter(
      (party) =>
        party.lines.length >= 2 &&
        party.side !== 'delivery' &&
        !/\b(?:bank|banque|banco|caisse|sparkasse|kasse|caja)\b|bank$/iu.test(textOf(party.name)),
    )
    .map((party) => ({
      value: textOf(party.name),
      words: party.name,
      page: party.page,
      score: 0.5 + (party.side === 'buyer' ? 0.05 : 0),
      label: 0,
    }))
}

const placeParts = /^(?:([A-Z]{1,2})[-\s])?(\d{4,5})\s+(.+)$/u
const streetLike =
  /(?:str(?:aße|asse|\.)|weg|platz|allee|gasse|ring|ufer|damm|chemin|rue|avenue|av\.|boulevard|calle|c\/|plaza|paseo|street|road|lane|st\.|rd\.|way|drive|square|ecke)|\p{L}.*\s\d+\s?[a-z]?$|^\d+[,]?\s\p{L}/iu

/** The words of a party that answer a concept. */
function partOf(party: Party, concept: string): Word[] | undefined {
  if (concept === 'partyName') return party.name
  if (concept === 'address') return addressOf(party)
  const { lines } = party
  const place = lines.findIndex((words) => placeParts.test(textOf(words)))
  if (concept === 'street')
    return lines.find(
      (words, index) =>
        index !== place && streetLike.test(textOf(words)) && !words.some((word) => word.box === party.name[0]!.box),
    )
  const words = lines[place]
  if (!words) return undefined
  const postcode = placeParts.exec(textOf(words))?.[2]
  if (concept === 'postcode') return words.filter((word) => word.text === postcode)
  if (concept === 'city') return words.slice(words.findIndex((word) => word.text === postcode) + 1)
  return concept === 'country' ? lines[place + 1] : undefined
}

/** The lines of an address from its street on, without the name. */
function addressOf({ name, lines }: Party): Word[] | undefined {
  const names = new Set(name.map((word) => word.box))
  if (lines.length === 1) {
    const rest = lines[0]!.filter((word) => !names.has(word.box) && !/^[|•●·*–-]$/u.test(word.text))
    return rest.length >= 3 ? rest : undefined
  }
  const street = lines.findIndex(
    (words) => streetLike.test(textOf(words)) && !words.some((word) => names.has(word.box)),
  )
  const from = street >= 0 ? street : lines.findIndex((words) => placeParts.test(textOf(words)))
  return from < 0 ? undefined : lines.slice(from).flat()
}

function titleCandidates(layout: Layout): Candidate[] {
  const page = layout.pages[0]
  if (!page) return []
  const low = page.lines.findIndex((line) => line.box.y > 0.6)
  return page.lines
    .slice(0, low < 0 ? undefined : low)
    .flatMap((line) => line.cells.map((cell) => ({ line, words: titleWords(cell) })))
    .flatMap(({ line, words }) => {
      if (!words) return []
      const size = words[0]!.fontSize / Math.max(1e-6, page.lineHeight)
      const score = Math.min(0.95, 0.6 + 0.15 * size - line.box.y * 0.2)
      return [{ value: textOf(words).replace(/[:,]$/, ''), words, page: page.number, score, label: 0 }]
    })
    .sort((left, right) => right.score - left.score)
}

function titleWords(cell: Cell): Word[] | undefined {
  const end = cell.words.findIndex(
    (word) => /\d/.test(word.text) || /^(?:nr\.?|no\.?|n°|#|number|nummer)$/iu.test(word.text),
  )
  const words = end < 0 ? cell.words : cell.words.slice(0, end)
  const title = textOf(words)
  if (words.length === 0 || words.length > 5 || /:$/.test(title) || !isTitle(title)) return undefined
  const known = meanings(title)
  return known.includes('date') || known.includes('nr') || known.includes('total') || known.includes('address')
    ? undefined
    : words
}

/** Statements print the balance with its date before the first and after the last booking: «Solde au 30/09/2026». */
function balanceCandidates(field: Field, layout: Layout, evidence: Evidence): Candidate[] {
  const found: Candidate[] = []
  for (const line of layout.lines) {
    const label = line.cells[0]!
    if (
      !meanings(label.text.replace(/\d.*$/u, '')).includes('balance') ||
      label.words.length > 8 ||
      findDates(line.text, evidence.dates).length === 0
    )
      continue
    const reading = readValue(
      'money',
      'number',
      line.cells.slice(1).flatMap((cell) => cell.words),
      evidence,
    )
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
    const low = line.box.y > 0.5 && !single && !signed && !timePattern.test(line.text)
    for (const cell of line.cells) {
      if (low && !/^(?:fait|hecho|done|en)\b|,\s?(?:le|den|am|a|the)\s/iu.test(cell.text)) continue
      const dated = soleDate(cell, evidence)
      if (!dated || (signed && !dated.placed) || isLabelledDate(line, cell)) continue
      const score = dateScore(line, dated.placed)
      found.push({ value: dated.iso, words: dated.words, page: cell.page, score, label: 0 })
    }
  }
  return found.sort((left, right) => right.score - left.score)
}

function dateScore(line: Line, placed: boolean): number {
  if (placed) return 0.62
  return line.cells.some((cell) => isTitle(cell.text)) ? 0.66 : 0.54
}

/** The date of a cell that holds nothing else but a time, or a place before it (`placed`). */
function soleDate(cell: Cell, evidence: Evidence): { iso: string; words: Word[]; placed: boolean } | undefined {
  const run = joined(cell.words)
  const [date, ...more] = findDates(run, evidence.dates)
  if (!date || more.length > 0) return undefined
  const before = run.slice(0, date.start).trim()
  const after = run
    .slice(date.end)
    .replace(timePattern, ' ')
    .replace(/^\s*(?:a|à|um|at|uhr|h|[-,|])\s*$/giu, ' ')
    .trim()
  const placed =
    /^(?:\p{Lu}[\p{L}.-]+(?:\s\p{L}[\p{L}.-]*){0,3},?)?\s?(?:,|le|den|am|the|a)?$/iu.test(before) &&
    /,|\ble\b|\bden\b|\bam\b|\ba\b/iu.test(before)
  if (after !== '' || (before !== '' && !placed)) return undefined
  return { iso: date.iso, words: wordsAt(cell.words, date.start, date.end), placed }
}

/** Whether a label before a cell says which date it holds. */
function isLabelledDate(line: Line, cell: Cell): boolean {
  return line.cells.some(
    (other) =>
      other !== cell &&
      other.box.x < cell.box.x &&
      !isTitle(other.text) &&
      meanings(other.text).some((word) => ['date', 'due', 'birth', 'delivery'].includes(word)),
  )
}

const rangeWord =
  /^\s*(?:-|–|—|to|bis|bis zum|au|al|until|through|till|a|hasta|y el|und|and)\s*(?:den|the|le|el|zum)?\s*$/iu

/** «01.10.2026 – 31.10.2026», «du … au …»: the two ends of the first period that the document prints. */
function rangeCandidates(field: Field, layout: Layout, evidence: Evidence): Candidate[] {
  for (const line of layout.lines) {
    const words = wordsOf(line)
    const run = joined(words)
    const dates = findDates(run, evidence.dates)
    for (let index = 0; index + 1 < dates.length; index++) {
      const [start, end] = [dates[index]!, dates[index + 1]!]
      if (!rangeWord.test(run.slice(start.end, end.start)) || end.iso < start.iso) continue
      const score = 0.6 - 0.1 * (line.index / Math.max(1, layout.lines.length))
      const [from, to] =
        field.role === 'range-start'
          ? [start.start, start.end]
          : field.role === 'range-end'
            ? [end.start, end.end]
            : [start.start, end.end]
      const value =
        field.role === 'range-start' ? start.iso : field.role === 'range-end' ? end.iso : run.slice(from, to)
      return [{ value, words: wordsAt(words, from, to), page: line.page, score, label: 0 }]
    }
  }
  return []
}

function currencyCandidates(layout: Layout): Candidate[] {
  const counts = new Map<string, { count: number; word: Word }>()
  for (const { words } of layout.lines.flatMap((line) => line.cells)) {
    for (const [index, word] of words.entries()) {
      const code = word.text.length > 20 ? null : parseCurrency(word.text)
      const beside = [word, words[index - 1], words[index + 1]].some((one) => /\d/.test(one?.text ?? ''))
      if (code === null || !(beside || word.text.length <= 5)) continue
      const entry = counts.get(code) ?? { count: 0, word }
      entry.count++
      counts.set(code, entry)
    }
  }
  const [first, second] = [...counts].sort((left, right) => right[1].count - left[1].count)
  if (!first) return []
  const [value, { count, word }] = first
  const sure = !second || count >= 2 * second[1].count
  return [{ value, words: [word], page: word.page, score: sure ? 0.7 : 0.5, label: 0 }]
}

const means =
  /\b(?:visa|master\s?card|maestro|amex|american express|girocard|ec[- ]karte|ec[- ]cash|kreditkarte|kartenzahlung|bankomatkarte|bargeld|bar|cash|credit card|debit card|card|contactless|carte bancaire|carte bleue|cb|esp[eè]ces|ch[eè]que|virement|pr[ée]l[eè]vement|efectivo|tarjeta|transferencia|paypal|apple pay|google pay|twint|bancontact|überweisung|lastschrift|bank transfer|direct debit)\b/iu

/** Tills print how was paid beside the amount («Carte bancaire 72,30», «Gegeben BAR 20,00»). */
function paymentCandidates(layout: Layout): Candidate[] {
  const found: Candidate[] = []
  for (const line of layout.lines) {
    const words = wordsOf(line)
    const label = words.filter((word) => !/^[-+€$£]?\d[\d.,]*[€$£]?$|^(?:EUR|GBP|USD|CHF|€|£|\$)$/u.test(word.text))
    if (label.length === words.length || label.length === 0 || label.length > 5) continue
    const named = label.filter(
      (word) =>
        !/^(?:gegeben|bezahlt|mit|paid|by|payé|par|pagado|con|zahlung|payment|paiement|règlement):?$/iu.test(word.text),
    )
    const title = textOf(named)
    if (named.length === 0 || !means.test(title) || /\d{3}/.test(title)) continue
    found.push({ value: title.replace(/:$/, ''), words: named, page: line.page, score: 0.55, label: 0 })
  }
  return found
}

/** The time of a till receipt: beside its date, or the only one that is printed. */
function timeCandidates(layout: Layout, evidence: Evidence): Candidate[] {
  const found: (Candidate & { dated: boolean })[] = []
  for (const line of layout.lines) {
    const words = wordsOf(line)
    const reading = readValue('time', 'text', words, evidence)
    if (!reading || /[-–]\s?\d{1,2}[:.]\d{2}/.test(line.text)) continue
    const dated = findDates(line.text, evidence.dates).length > 0
    found.push({
      value: reading.value,
      words: reading.words,
      page: line.page,
      score: dated ? 0.58 : 0.48,
      label: 0,
      dated,
    })
  }
  return found.filter((one) => one.dated || new Set(found.map((other) => other.value)).size === 1)
}

function patternCandidates(field: Field, layout: Layout, parties: Parties, evidence: Evidence): Candidate[] {
  return layout.lines
    .flatMap((line) => line.cells)
    .flatMap((cell) => {
      const reading = readValue(field.kind, 'text', cell.words, evidence)
      if (!reading || !(hasShape[field.kind]?.(String(reading.value)) ?? true)) return []
      const zone = zoneAt(parties, cell.page, cell.box)
      const fits =
        field.side === undefined ? 1 : zone === field.side ? 1.1 : zone === undefined && field.side === 'seller' ? 1 : 0
      return fits === 0
        ? []
        : [{ value: reading.value, words: reading.words, page: cell.page, score: 0.55 * fits, label: 0 }]
    })
}

/** What a value must look like to be believed without a label. */
const hasShape: Readonly<Partial<Record<Field['kind'], (value: string) => boolean>>> = {
  phone: (value) => /^\+\d|^\(\d{3}\)\s?\d{3}-\d{4}/.test(value),
  // A BIC has the shape of many a word in capitals: it needs its label, or a digit.
  bic: (value) => /\d|XXX$/.test(value),
  vatid: (value) => vatPattern.test(value) && /^[A-Z]{2}/.test(value),
}
