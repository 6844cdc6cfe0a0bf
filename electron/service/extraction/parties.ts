import type { Box } from '../../../shared/domain/document.ts'
import { isKnownLabel, type Side } from './field.ts'
import { cellsBelow, joined, overlapX, unionBox, type Cell, type Layout, type LayoutPage, type Word } from './layout.ts'
import {
  legalForm,
  placeLine,
  inlinePlace,
  separator,
  salutation,
  noName,
  country,
  isTitle,
  nameLine,
  firstPart,
  trimmed,
  isLabelled,
  isSkippable,
  notAddress,
  key,
} from './party-words.ts'
import { partyInZone, zonesOf, type Party, type Zone } from './party-zones.ts'
import { fold } from './words.ts'

export type { Party, Zone } from './party-zones.ts'

export type Parties = { found: Party[]; zones: Zone[] }

/** Finds who sends and who receives the document: labelled areas, sender line, address window, letterhead, footer. */
export function findParties(layout: Layout): Parties {
  const zones = layout.pages.slice(0, 3).flatMap(zonesOf)
  const found: Party[] = []
  for (const zone of zones) {
    const party = partyInZone(layout, zone)
    if (party) found.push(party)
  }
  const first = layout.pages[0]
  if (first) found.push(...unlabelled(layout, first, zones, found))
  // What an area heads as the customer's is the customer's wherever it is printed again without a heading.
  const clients = new Set(
    found
      .filter(
        (party) =>
          party.side === 'buyer' &&
          party.score >= 0.82 &&
          key(party.name).length > 4 &&
          zones.some((zone) => zone.side === 'buyer' && zone.page === party.page),
      )
      .map((party) => key(party.name)),
  )
  for (const party of found) if (party.side === 'seller' && clients.has(key(party.name))) party.side = 'buyer'
  for (const party of found) if (party.side === 'seller') party.name = fullName(layout, party.name)
  return { found: found.sort((left, right) => right.score - left.score), zones }
}

/**
 * The letterhead often leaves out the legal form that the small print has: «Pemberton Supplies» … «Pemberton Supplies
 * Ltd».
 */
function fullName(layout: Layout, name: Word[]): Word[] {
  if (legalForm.test(joined(name)) || name.length < 2) return name
  const wanted = name.map((word) => fold(word.text))
  for (const line of layout.lines) {
    for (const { words } of line.cells) {
      for (let at = 0; at + wanted.length < words.length; at++) {
        if (!wanted.every((word, index) => fold(words[at + index]!.text) === word)) continue
        const next = words[at + wanted.length]!
        if (legalForm.test(next.text) && next.text.replace(/[.,;]$/, '').length <= 6)
          return trimmed([
            ...words.slice(at, at + wanted.length),
            { ...next, text: next.text.replace(/[,;]$|(?<=Ltd|GmbH|AG|SAS|SARL|SL|Inc)\.$/u, '') },
          ])
      }
    }
  }
  return name
}

/** The side whose area holds a box, or undefined outside of all areas. */
export function zoneAt(parties: Parties, page: number, box: Box): Side | undefined {
  const x = box.x + Math.min(box.width, 0.02)
  const y = box.y + box.height / 2
  const zone = parties.zones.find(
    (one) =>
      one.page === page &&
      x >= one.box.x &&
      x <= one.box.x + one.box.width &&
      y >= one.box.y &&
      y <= one.box.y + one.box.height,
  )
  return (
    zone?.side ??
    parties.found.find(
      (party) => party.page === page && party.lines.length >= 2 && party.lines.length <= 7 && standsWith(party, box),
    )?.side
  )
}

/** Whether a box stands among the lines of an address or directly under them, in their column. */
function standsWith(party: Party, box: Box): boolean {
  const area = unionBox(party.lines.map((words) => unionBox(words.map((word) => word.box))))
  const height = box.height
  return (
    box.x >= area.x - height &&
    box.x <= area.x + area.width &&
    box.y >= area.y - height &&
    box.y <= area.y + area.height + 1.6 * height
  )
}

/** Parties that no heading announces: sender lines, blocks with an address, names of the letterhead. */
function unlabelled(layout: Layout, page: LayoutPage, zones: Zone[], labelled: Party[]): Party[] {
  const parties = { found: [], zones }
  const senders = sendersOf(page, parties)
  const found = senders.map(
    ({ name, all, score }): Party => ({ side: 'seller', score, name, lines: [all], page: page.number }),
  )
  const sellers = new Set(
    [...found, ...labelled].filter((party) => party.side === 'seller').map((party) => key(party.name)),
  )
  const senderCells = senders.map((one) => one.cell)
  const blocks = blocksOf(page, parties, senderCells)
  const letterhead = sellers.size === 0 ? letterheadOf(blocks, layout, page) : undefined
  for (const block of blocks) {
    const name = nameLine(block.lines) ?? headAbove(page, block.cells[0]!)
    if (!name) continue
    const { box } = block.cells[0]!
    if (found.some((party) => party.lines.flat().some((word) => block.lines.at(-1)!.includes(word)))) continue
    const own = isOneOf(sellers, key(name))
    const underSender = senderCells.some(
      (cell) => box.y > cell.box.y && box.y - cell.box.y < 6 * page.lineHeight && overlapX(cell.box, box) > 0.2,
    )
    const party = { name, lines: block.lines, page: page.number }
    if (own || box.y > 0.8 || (block === letterhead && !underSender))
      found.push({ ...party, side: 'seller', score: own ? 0.78 : box.y > 0.8 ? 0.6 : 0.7 })
    else if (box.y < 0.5) found.push({ ...party, side: 'buyer', score: underSender ? 0.82 : 0.7 - box.x * 0.1 })
  }
  found.push(...letterheads(layout, page, parties, found))
  return turned(found, labelled)
}

/** The lines that hold a sender with its address, outside of all areas. */
function sendersOf(page: LayoutPage, parties: Parties): (SenderLine & { cell: Cell; score: number })[] {
  return page.lines
    .filter((line) => !zoneAt(parties, page.number, line.box))
    .flatMap((line) =>
      connected(line.cells).flatMap((cells) => {
        const cell = cells[0]!
        const sender = named(page, senderLine(cells), cell)
        return sender && sender.name.length > 0 ? [{ ...sender, cell, score: line.box.y < 0.5 ? 0.8 : 0.66 }] : []
      }),
    )
}

/** Whether a name is one of those known, as a whole or as far as the shorter of the two goes. */
function isOneOf(known: ReadonlySet<string>, name: string): boolean {
  return [...known].some((one) => name.startsWith(one) || (name.length > 4 && one.startsWith(name)))
}

/**
 * With no sender line to go by, the block that looks most like a sender is one, if it has no rival in the letterhead.
 */
function letterheadOf(blocks: readonly Block[], layout: Layout, page: LayoutPage): Block | undefined {
  const strengths = blocks.map((block) => senderStrength(block, page))
  const strongest = Math.max(...strengths)
  const block = blocks[strengths.indexOf(strongest)]
  if (!block || block.cells[0]!.box.y >= 0.35 || (blocks.length === 1 && strongest < 0)) return undefined
  return strongest > 0.4 || !hasRival(blocks, layout, page) ? block : undefined
}

/** Whether the top of the page has a name set large that is in no block. */
function hasRival(blocks: readonly Block[], layout: Layout, page: LayoutPage): boolean {
  return layout.lines
    .slice(0, 4)
    .some((line) =>
      line.cells.some(
        (cell) =>
          !blocks.some((block) => block.cells.includes(cell)) &&
          isBig(cell, page) &&
          !isTitle(cell.text) &&
          (cell.text.match(/\p{L}/gu)?.length ?? 0) >= 6,
      ),
    )
}

type SenderLine = { name: Word[]; all: Word[]; short?: boolean }

/** A sender line may hold the address only; then the name stands above it. */
function named(page: LayoutPage, sender: SenderLine | undefined, cell: Cell): SenderLine | undefined {
  if (!sender) return undefined
  const bare = noName.test(joined(sender.name))
  const listed = !/[|•●·]/u.test(joined(cell.words)) && !legalForm.test(joined(sender.name))
  if (!bare && !listed && !sender.short) return sender
  const name = headAbove(page, cell)
  return name ? { name, all: sender.all } : bare || sender.short ? undefined : sender
}

/** The nearest line above an address that can be a name, in the same column or centred over it. */
function headAbove(page: LayoutPage, cell: Cell): Word[] | undefined {
  let best: Word[] | undefined
  let top = cell.box.y
  for (const line of [...page.lines].reverse()) {
    if (line.box.y >= cell.box.y - 0.3 * page.lineHeight) continue
    if (top - line.box.y > 4.2 * page.lineHeight || cell.box.y - line.box.y > 8 * page.lineHeight) break
    const above = line.cells.find(
      (one) => Math.abs(one.box.x - cell.box.x) < 2 * page.em || overlapX(one.box, cell.box) > 0.6,
    )
    if (!above || /^(?:inh|p[äa]chter|owner|prop|gérant|titular)/iu.test(above.text)) continue
    if (isLabelled(above) || notAddress(above.text) || salutation.test(above.text)) break
    const name = trimmed(firstPart(above.words))
    if (!canName(name)) continue
    // Of the lines over an address the topmost names it, unless one below is set larger.
    if (!best || name[0]!.fontSize > 0.87 * best[0]!.fontSize) best = name
    top = line.box.y
  }
  return best
}

function canName(words: readonly Word[]): boolean {
  const text = joined(words)
  return words.length > 0 && !noName.test(text) && !isSkippable(text) && /\p{L}{3}/u.test(text)
}

/** Who writes an order is its buyer: with a labelled seller and no buyer, the letterhead is the buyer's. */
function turned(found: Party[], labelled: readonly Party[]): Party[] {
  const seller = labelled.find((party) => party.side === 'seller')
  if (!seller || [...found, ...labelled].some((party) => party.side === 'buyer')) return found
  return found.map((party) =>
    party.side === 'seller' && key(party.name) !== key(seller.name) ? { ...party, side: 'buyer' as const } : party,
  )
}

function senderLine(cells: Cell[]): SenderLine | undefined {
  const words = cells.flatMap((cell) => cell.words)
  const text = joined(words)
  if (!inlinePlace.test(text) || text.length > 160) return undefined
  const parts = partsOf(words)
  const place = parts.findIndex((part) => inlinePlace.test(joined(part)))
  const name = parts[0]
  const single = cells.length === 1
  if (place === 0 && single && /^\d{1,4}\s?(?:bis|ter)?,?\s\p{L}.*\s\d{4,5}\s\p{L}/u.test(text) && text.length < 70)
    return { name: [], all: words, short: true }
  if (place < 1 || !name || name.length > 7 || /\d{3}|:$/.test(joined(name))) return undefined
  if (parts.length > 2) return { name: trimmed(name), all: parts.slice(0, place + 1).flat() }
  return single ? { name: trimmed(name), all: parts.flat(), short: true } : undefined
}

/** The parts of a line between its separators. */
function partsOf(words: readonly Word[]): Word[][] {
  const parts: Word[][] = [[]]
  for (const word of words) {
    if (!separator.test(word.text)) parts.at(-1)!.push(word)
    if (separator.test(word.text) || /[,;|•●·]$/u.test(word.text)) parts.push([])
  }
  return parts.filter((part) => part.length > 0)
}

/** Cells that separators join to one line; other cells of the line belong to other columns. */
function connected(cells: Cell[]): Cell[][] {
  const groups: Cell[][] = []
  for (const cell of cells) {
    const previous = groups.at(-1)?.at(-1)
    if (previous && (/[|•●·–—-]$/u.test(previous.text) || /^[|•●·–—-]/u.test(cell.text))) groups.at(-1)!.push(cell)
    else groups.push([cell])
  }
  return groups
}

/** How much a block with an address looks like the sender's: contact lines, larger name, name again elsewhere. */
function senderStrength(block: Block, page: LayoutPage): number {
  const first = block.cells[0]!
  const last = block.cells.at(-1)!
  const near = [...block.cells, ...cellsBelow(page, last, 3).slice(0, 4)].map((cell) => cell.text).join('\n')
  const name = key(trimmed(first.words))
  const again =
    name.length > 4
      ? page.lines
          .flatMap((line) => line.cells)
          .filter(
            (cell) =>
              !block.cells.includes(cell) &&
              fold(cell.text)
                .replace(/[^a-z0-9]/g, '')
                .includes(name),
          ).length
      : 0
  let strength = 0
  if (
    /(?:\btel|\bfon|\bphone|\bfax|www\.|https?:|\bust\b|\bvat\b|\btva\b|\bsiret\b|\bcif\b|\bnif\b|\bmwst\b|steuernummer|@)/iu.test(
      near,
    )
  )
    strength += 2
  if (again > 0) strength += 1.5
  if (first.words[0]!.fontSize > 1.15 * last.words[0]!.fontSize) strength += 1
  if (
    block.cells.some(
      (cell) =>
        salutation.test(cell.text) ||
        /^(?:herrn?|frau|mme|monsieur|madame|mr\.?|mrs\.?|sr\.?|sra\.?|m\.)\s/iu.test(cell.text),
    )
  )
    strength -= 2
  return strength + (0.5 - first.box.y) * 0.2
}

function isBig(cell: Cell, page: LayoutPage): boolean {
  return cell.words[0]!.fontSize > 1.25 * page.fontSize
}

type Block = { lines: Word[][]; cells: Cell[] }

/** The addresses outside of all areas: a line with a place, and the lines above it. */
function blocksOf(page: LayoutPage, parties: Parties, senders: readonly Cell[]): Block[] {
  const blocks: Block[] = []
  const taken = new Set<Cell>()
  for (const cell of page.lines.flatMap((line) => line.cells)) {
    if (taken.has(cell) || !isPlace(cell) || zoneAt(parties, page.number, cell.box)) continue
    const cells = linesOver(cell, page, (above) => taken.has(above) || senders.some((one) => one.line === above.line))
    cells.forEach((one) => taken.add(one))
    const after = cellsBelow(page, cell, 1.5)[0]
    if (after && country.test(after.text)) cells.push(after)
    if (cells.length >= 2) blocks.push({ lines: cells.map((one) => one.words), cells })
  }
  return blocks
}

function isPlace(cell: Cell): boolean {
  return placeLine.test(cell.text) && cell.text.length <= 60 && !isKnownLabel(cell.text)
}

/** A cell with a place and the lines of its address above it, from the top; `isTaken` cells belong to others. */
function linesOver(place: Cell, page: LayoutPage, isTaken: (cell: Cell) => boolean): Cell[] {
  const cells = [place]
  let top = place
  for (const line of page.lines.slice(0, place.line - page.lines[0]!.index).reverse()) {
    if (cells.length >= 7) break
    const above = line.cells.find((other) => standsOver(other, top, place, page))
    if (!above) {
      if (top.box.y - (line.box.y + line.box.height) > 3.4 * page.lineHeight) break
      continue
    }
    if (
      top.box.y - above.box.y - above.box.height > 2.6 * page.lineHeight ||
      isTaken(above) ||
      isLabelled(above) ||
      notAddress(above.text)
    )
      break
    cells.unshift(above)
    top = above
    // «Herrn», «Mme»: a form of address is where the address begins.
    if (salutation.test(above.text)) break
  }
  return cells
}

/** Whether a cell is set flush with the address below it, or centred over it. */
function standsOver(other: Cell, top: Cell, place: Cell, page: LayoutPage): boolean {
  return (
    Math.abs(other.box.x - top.box.x) < 1.2 * page.em ||
    (overlapX(other.box, place.box) > 0.8 && Math.abs(middle(other) - middle(place)) < page.em) ||
    Math.abs(other.box.x + other.box.width - place.box.x - place.box.width) < 0.6 * page.em
  )
}

/** Names of the letterhead and the footer: those with a legal form, and what is set large at the top. */
function letterheads(layout: Layout, page: LayoutPage, parties: Parties, sofar: Party[]): Party[] {
  const found: Party[] = []
  const buyers = new Set(sofar.filter((party) => party.side !== 'seller').map((party) => key(party.name)))
  let rank = 0
  for (const cell of page.lines.flatMap((line) => line.cells)) {
    const name = secondLine(page, cell, trimmed(firstPart(cell.words)))
    const text = joined(name)
    if (!canHead(text) || buyers.has(key(name)) || zoneAt(parties, page.number, cell.box)) continue
    const seen = found.some((party) => party.name.includes(cell.words[0]!))
    const top = rank === 0 && cell.line === layout.lines[0]!.index
    const score = letterheadScore(cell, name, page, rank, top, seen)
    if (score !== undefined) found.push({ side: 'seller', score, name, lines: [name], page: page.number })
    rank++
  }
  return found
}

function canHead(text: string): boolean {
  return text !== '' && text.length <= 60 && !/:$|@|www\.|\d{4}/.test(text) && !isSkippable(text)
}

/** How much a name looks like the sender's by its place; `rank` counts the names above it. */
function letterheadScore(
  cell: Cell,
  name: readonly Word[],
  page: LayoutPage,
  rank: number,
  top: boolean,
  seen: boolean,
): number | undefined {
  const { y } = cell.box
  const big = isBig(cell, page)
  const legal = hasLegalForm(name)
  if (legal && y < 0.25 && !seen) return 0.72 - y * 0.2 + (big ? 0.06 : 0)
  if (legal && y > 0.8) return 0.58
  if (y >= 0.18 || rank >= 5 || !(big || top) || !isPlainName(joined(name))) return undefined
  return (big ? 0.62 : 0.5) - rank * 0.02
}

function hasLegalForm(name: readonly Word[]): boolean {
  const text = joined(name)
  return !text.includes(':') && legalForm.test(text) && text.length > 4 && name.length >= 2
}

function isPlainName(text: string): boolean {
  return !isTitle(text) && !isKnownLabel(text) && /\p{L}{3}/u.test(text) && !/[.!?]$/.test(text)
}

/** A name set large may run over two lines of about the same size. */
function secondLine(page: LayoutPage, cell: Cell, name: Word[]): Word[] {
  if (legalForm.test(joined(name))) return name
  const form = legalFormUnder(page, cell, name)
  if (form) return key(form).startsWith(key(name)) ? form : [...name, ...form]
  const next = isBig(cell, page) && name.length > 0 && name.length <= 3 ? cellsBelow(page, cell, 1)[0] : undefined
  return next && isBig(next, page) && continuesName(next, cell) ? [...name, ...next.words] : name
}

/** «MVM Muster / Versicherungsverein a.G.»: the legal form may only come in the second line of the letterhead. */
function legalFormUnder(page: LayoutPage, cell: Cell, name: readonly Word[]): Word[] | undefined {
  if (!page.lines[0]?.cells.includes(cell) || name.length !== cell.words.length || name.length > 4) return undefined
  const under = cellsBelow(page, cell, 0.8)[0]
  return under &&
    legalForm.test(under.text) &&
    under.words.length <= 6 &&
    Math.abs(under.box.x - cell.box.x) < page.em &&
    !isTitle(cell.text) &&
    !/\d/.test(under.text)
    ? under.words
    : undefined
}

function continuesName(next: Cell, cell: Cell): boolean {
  return (
    next.words[0]!.fontSize >= 0.72 * cell.words[0]!.fontSize &&
    !isTitle(next.text) &&
    !noName.test(next.text) &&
    !/\d/.test(next.text) &&
    next.words.length <= 4
  )
}

function middle(cell: Cell): number {
  return cell.box.x + cell.box.width / 2
}
