import type { Box } from '../../../shared/document.ts'
import { isKnownLabel, type Side } from './field.ts'
import { cellsBelow, overlapX, unionBox, type Cell, type Layout, type LayoutPage, type Word } from './layout.ts'
import { legalForm, placeLine, inlinePlace, separator, salutation, noName, country, isTitle, nameLine, firstPart, trimmed, isLabelled, isSkippable, notAddress, key, joined } from './party-words.ts'
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
  const clients = new Set(found.filter((party) => party.side === 'buyer' && party.score >= 0.82 && key(party.name).length > 4 && zones.some((zone) => zone.side === 'buyer' && zone.page === party.page)).map((party) => key(party.name)))
  for (const party of found) if (party.side === 'seller' && clients.has(key(party.name))) party.side = 'buyer'
  for (const party of found) if (party.side === 'seller') party.name = fullName(layout, party.name)
  return { found: found.sort((left, right) => right.score - left.score), zones }
}

/** The letterhead often leaves out the legal form that the small print has: «Pemberton Supplies» … «Pemberton Supplies Ltd». */
function fullName(layout: Layout, name: Word[]): Word[] {
  if (legalForm.test(joined(name)) || name.length < 2) return name
  const wanted = name.map((word) => fold(word.text))
  for (const line of layout.lines) {
    for (const { words } of line.cells) {
      for (let at = 0; at + wanted.length < words.length; at++) {
        if (!wanted.every((word, index) => fold(words[at + index]!.text) === word)) continue
        const next = words[at + wanted.length]!
        if (legalForm.test(next.text) && next.text.replace(/[.,;]$/, '').length <= 6) return trimmed([...words.slice(at, at + wanted.length), { ...next, text: next.text.replace(/[,;]$|(?<=Ltd|GmbH|AG|SAS|SARL|SL|Inc)\.$/u, '') }])
      }
    }
  }
  return name
}

/** The side whose area holds a box, or undefined outside of all areas. */
export function zoneAt(parties: Parties, page: number, box: Box): Side | undefined {
  const x = box.x + Math.min(box.width, 0.02)
  const y = box.y + box.height / 2
  const zone = parties.zones.find((one) => one.page === page && x >= one.box.x && x <= one.box.x + one.box.width && y >= one.box.y && y <= one.box.y + one.box.height)
  return zone?.side ?? parties.found.find((party) => party.page === page && party.lines.length >= 2 && party.lines.length <= 7 && standsWith(party, box))?.side
}

/** Whether a box stands among the lines of an address or directly under them, in their column. */
function standsWith(party: Party, box: Box): boolean {
  const area = unionBox(party.lines.map((words) => unionBox(words.map((word) => word.box))))
  const height = box.height
  return box.x >= area.x - height && box.x <= area.x + area.width && box.y >= area.y - height && box.y <= area.y + area.height + 1.6 * height
}

function unlabelled(layout: Layout, page: LayoutPage, zones: Zone[], labelled: Party[]): Party[] {
  const found: Party[] = []
  const parties = { found: [], zones }
  const senderLines: { cell: Cell; name: Word[] }[] = []
  for (const line of page.lines) {
    if (zoneAt(parties, page.number, line.box)) continue
    for (const cells of connected(line.cells)) {
      const sender = named(page, senderLine(cells), cells[0]!)
      if (!sender || sender.name.length === 0) continue
      senderLines.push({ cell: cells[0]!, name: sender.name })
      found.push({ side: 'seller', score: line.box.y < 0.5 ? 0.8 : 0.66, name: sender.name, lines: [sender.all], page: page.number })
    }
  }
  const sellers = new Set([...found, ...labelled].filter((party) => party.side === 'seller').map((party) => key(party.name)))
  const blocks = blocksOf(page, parties, senderLines.map((one) => one.cell))
  const strengths = blocks.map((block) => senderStrength(block, page))
  const rival = layout.lines.slice(0, 4).some((line) => line.cells.some((cell) => !blocks.some((block) => block.cells.includes(cell)) && isBig(cell, page) && !isTitle(cell.text) && (cell.text.match(/\p{L}/gu)?.length ?? 0) >= 6))
  const strongest = Math.max(...strengths)
  for (const [order, block] of blocks.entries()) {
    const name = nameLine(block.lines) ?? headAbove(page, block.cells[0]!)
    if (!name) continue
    const box = block.cells[0]!.box
    if (found.some((party) => party.lines.flat().some((word) => block.lines.at(-1)!.includes(word)))) continue
    const own = sellers.has(key(name)) || [...sellers].some((seller) => key(name).startsWith(seller) || (key(name).length > 4 && seller.startsWith(key(name))))
    const underSender = senderLines.some(({ cell }) => box.y > cell.box.y && box.y - cell.box.y < 6 * page.lineHeight && overlapX(cell.box, box) > 0.2)
    const footer = box.y > 0.8
    // With no sender line to go by, the block that looks most like a sender is one, if it has no rival in the letterhead.
    const letterhead = sellers.size === 0 && box.y < 0.35 && strengths[order] === strongest && strengths.indexOf(strongest) === order && (strongest > 0.4 || !rival) && (blocks.length > 1 || strongest >= 0)
    if (own || footer || (letterhead && !underSender)) found.push({ side: 'seller', score: own ? 0.78 : footer ? 0.6 : 0.7, name, lines: block.lines, page: page.number })
    else if (box.y < 0.5) found.push({ side: 'buyer', score: underSender ? 0.82 : 0.7 - box.x * 0.1, name, lines: block.lines, page: page.number })
  }
  found.push(...letterheads(layout, page, parties, found))
  return turned(found, labelled)
}

type SenderLine = { name: Word[]; all: Word[]; short?: boolean }

/** A sender line may hold the address only; then the name stands above it. */
function named(page: LayoutPage, sender: SenderLine | undefined, cell: Cell): { name: Word[]; all: Word[] } | undefined {
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
    const above = line.cells.find((one) => Math.abs(one.box.x - cell.box.x) < 2 * page.em || overlapX(one.box, cell.box) > 0.6)
    if (!above) continue
    if (/^(?:inh|p[äa]chter|owner|prop|gérant|titular)/iu.test(above.text)) continue
    if (isLabelled(above) || notAddress(above.text) || salutation.test(above.text)) break
    const name = trimmed(firstPart(above.words))
    if (name.length === 0 || noName.test(joined(name)) || isSkippable(joined(name)) || !/\p{L}{3}/u.test(joined(name))) continue
    // Of the lines over an address the topmost names it, unless one below is set larger.
    if (!best || name[0]!.fontSize > 0.87 * best[0]!.fontSize) best = name
    top = line.box.y
  }
  return best
}

/** Who writes an order is its buyer: with a labelled seller and no buyer, the letterhead is the buyer's. */
function turned(found: Party[], labelled: readonly Party[]): Party[] {
  const seller = labelled.find((party) => party.side === 'seller')
  if (!seller || [...found, ...labelled].some((party) => party.side === 'buyer')) return found
  return found.map((party) => (party.side === 'seller' && key(party.name) !== key(seller.name) ? { ...party, side: 'buyer' as const } : party))
}

function senderLine(cells: Cell[]): SenderLine | undefined {
  const words = cells.flatMap((cell) => cell.words)
  const text = joined(words)
  if (!inlinePlace.test(text) || text.length > 160) return undefined
  const parts: Word[][] = [[]]
  for (const word of words) {
    if (separator.test(word.text)) parts.push([])
    else {
      parts.at(-1)!.push(word)
      if (/[,;|•●·]$/u.test(word.text)) parts.push([])
    }
  }
  const filled = parts.filter((part) => part.length > 0)
  const place = filled.findIndex((part) => inlinePlace.test(joined(part)))
  const name = filled[0]
  if (place === 0 && cells.length === 1 && /^\d{1,4}\s?(?:bis|ter)?,?\s\p{L}.*\s\d{4,5}\s\p{L}/u.test(text) && text.length < 70) return { name: [], all: words, short: true }
  if (place < 1 || !name || name.length > 7 || /\d{3}/.test(joined(name)) || /:$/.test(joined(name))) return undefined
  if (filled.length === 2) return cells.length === 1 ? { name: trimmed(name), all: filled.flat(), short: true } : undefined
  return { name: trimmed(name), all: filled.slice(0, place + 1).flat() }
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
  const again = name.length > 4 ? page.lines.flatMap((line) => line.cells).filter((cell) => !block.cells.includes(cell) && fold(cell.text).replace(/[^a-z0-9]/g, '').includes(name)).length : 0
  let strength = 0
  if (/(?:\btel|\bfon|\bphone|\bfax|www\.|https?:|\bust\b|\bvat\b|\btva\b|\bsiret\b|\bcif\b|\bnif\b|\bmwst\b|steuernummer|@)/iu.test(near)) strength += 2
  if (again > 0) strength += 1.5
  if (first.words[0]!.fontSize > 1.15 * last.words[0]!.fontSize) strength += 1
  if (block.cells.some((cell) => salutation.test(cell.text) || /^(?:herrn?|frau|mme|monsieur|madame|mr\.?|mrs\.?|sr\.?|sra\.?|m\.)\s/iu.test(cell.text))) strength -= 2
  return strength + (0.5 - first.box.y) * 0.2
}

function isBig(cell: Cell, page: LayoutPage): boolean {
  return cell.words[0]!.fontSize > 1.25 * page.fontSize
}

type Block = { lines: Word[][]; cells: Cell[]; later: boolean }

function blocksOf(page: LayoutPage, parties: Parties, senders: Cell[]): Block[] {
  const blocks: Block[] = []
  const taken = new Set<Cell>()
  for (const line of page.lines) {
    for (const cell of line.cells) {
      if (taken.has(cell) || !placeLine.test(cell.text) || cell.text.length > 60 || isKnownLabel(cell.text) || zoneAt(parties, page.number, cell.box)) continue
      const cells = [cell]
      let top = cell
      for (let index = line.index - page.lines[0]!.index - 1; index >= 0 && cells.length < 7; index--) {
        const above = page.lines[index]!.cells.find((other) => Math.abs(other.box.x - top.box.x) < 1.2 * page.em || (overlapX(other.box, cell.box) > 0.8 && Math.abs(middle(other) - middle(cell)) < page.em) || Math.abs(other.box.x + other.box.width - cell.box.x - cell.box.width) < 0.6 * page.em)
        const gap = top.box.y - (page.lines[index]!.box.y + page.lines[index]!.box.height)
        if (!above) {
          if (gap > 3.4 * page.lineHeight) break
          continue
        }
        if (top.box.y - above.box.y - above.box.height > 2.6 * page.lineHeight || taken.has(above) || senders.some((sender) => sender.line === above.line) || isLabelled(above) || notAddress(above.text)) break
        cells.unshift(above)
        top = above
        // «Herrn», «Mme»: a form of address is where the address begins.
        if (salutation.test(above.text)) break
      }
      cells.forEach((one) => taken.add(one))
      const after = cellsBelow(page, cell, 1.5)[0]
      if (after && country.test(after.text)) cells.push(after)
      if (cells.length >= 2) blocks.push({ lines: cells.map((one) => one.words), cells, later: blocks.length > 0 })
    }
  }
  return blocks
}

function letterheads(layout: Layout, page: LayoutPage, parties: Parties, sofar: Party[]): Party[] {
  const found: Party[] = []
  const buyers = new Set(sofar.filter((party) => party.side !== 'seller').map((party) => key(party.name)))
  const sizes = page.lines.flatMap((line) => line.cells.map((cell) => cell.words[0]!.fontSize)).sort((left, right) => left - right)
  const body = sizes[sizes.length >> 1] ?? 0.01
  let rank = 0
  for (const line of page.lines) {
    for (const cell of line.cells) {
      const name = secondLine(page, cell, trimmed(firstPart(cell.words)))
      const text = joined(name)
      if (name.length === 0 || text.length > 60 || buyers.has(key(name)) || zoneAt(parties, page.number, cell.box) || /:$|@|www\.|\d{4}/.test(text) || isSkippable(text)) continue
      const legal = !text.includes(':') && legalForm.test(text) && text.length > 4 && name.length >= 2
      const big = cell.words[0]!.fontSize > 1.25 * body
      if (legal && cell.box.y < 0.25 && !found.some((party) => party.name.includes(cell.words[0]!))) found.push({ side: 'seller', score: 0.72 - cell.box.y * 0.2 + (big ? 0.06 : 0), name, lines: [name], page: page.number })
      else if (legal && cell.box.y > 0.8) found.push({ side: 'seller', score: 0.58, name, lines: [name], page: page.number })
      else if (cell.box.y < 0.18 && rank < 5 && !isTitle(text) && !isKnownLabel(text) && /\p{L}{3}/u.test(text) && !/[.!?]$/.test(text)) {
        const top = line.index === layout.lines[0]!.index
        if (big || (top && rank === 0)) found.push({ side: 'seller', score: (big ? 0.62 : 0.5) - rank * 0.02, name, lines: [name], page: page.number })
      }
      rank++
    }
  }
  return found
}

/** A name set large may run over two lines of about the same size. */
function secondLine(page: LayoutPage, cell: Cell, name: Word[]): Word[] {
  // «MVM Muster / Versicherungsverein a.G.»: the legal form may only come in the second line of the letterhead.
  const first = page.lines[0]?.cells.includes(cell) && !legalForm.test(joined(name)) && name.length === cell.words.length && name.length <= 4 ? cellsBelow(page, cell, 0.8)[0] : undefined
  if (first && legalForm.test(first.text) && first.words.length <= 6 && Math.abs(first.box.x - cell.box.x) < page.em && !isTitle(cell.text) && !/\d/.test(first.text)) return key(first.words).startsWith(key(name)) ? first.words : [...name, ...first.words]
  const next = isBig(cell, page) && name.length > 0 && name.length <= 3 && !legalForm.test(joined(name)) ? cellsBelow(page, cell, 1)[0] : undefined
  if (!next || !isBig(next, page) || next.words[0]!.fontSize < 0.72 * cell.words[0]!.fontSize || isTitle(next.text) || noName.test(next.text) || /\d/.test(next.text) || next.words.length > 4) return name
  return [...name, ...next.words]
}

function middle(cell: Cell): number {
  return cell.box.x + cell.box.width / 2
}
