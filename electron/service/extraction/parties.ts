import type { Box } from '../../../shared/document.ts'
import { partySides } from './concepts.ts'
import { isKnownLabel, likeness, type Side } from './field.ts'
import { cellsBelow, overlapX, type Cell, type Layout, type LayoutPage, type Word } from './layout.ts'
import { fold, meanings, surfaceWords } from './words.ts'

/** Name and address of one side as they stand in the document, line by line. */
export type Party = { side: Side; score: number; name: Word[]; lines: Word[][]; page: number }

/** An area that a heading such as «Verkäufer» or «Bill to» governs. */
export type Zone = { side: Side; page: number; box: Box; heading: Cell }

export type Parties = { found: Party[]; zones: Zone[] }

const legalForm = /(?<![\p{L}])(?:GmbH|mbH|AG|KG|KGaA|OHG|GbR|UG|SE|e\.\s?K\.|e\.\s?V\.|eG|a\.\s?G\.|Ltd|Limited|LLC|LLP|Inc|Corp|Corporation|PLC|plc|SARL|S\.?à\.?r\.?l|SAS|SASU|EURL|SCI|SNC|S\.A\.S|S\.A\.R\.L|S\.A|SA|S\.L\.U|S\.L|SL|SLU|S\.R\.L|SRL|B\.V|BV|N\.V|NV|Pty|Co|Oy|AB|ApS|Sàrl)(?![\p{L}])\.?/u
const placeLine = /^(?:[A-Z]{1,3}[-\s])?\d{4,5}\s+\p{Lu}[\p{L}.'’/()-]+(?:\s[\p{L}\d.'’/()-]+){0,5}$|^\p{Lu}[\p{L}\s.'’-]+,?\s+[A-Z]{2}\s+\d{5}(?:-\d{4})?$|^(?:[\p{L}\s.'’,-]+\s)?[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}$/u
const inlinePlace = /(?:^|\s)(?:[A-Z]{1,2}-?\s?)?\d{4,5}\s+\p{Lu}\p{L}+|[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}/u
const separator = /^(?:[|•●·*–—-]|\*|\/\/)$/u
const salutation = /^(?:herrn?|frau|familie|firma|fa\.?|an|monsieur|madame|m\.|mme|mr\.?|mrs\.?|ms\.?|sr\.?|sra\.?|señora?|company|to:?|z\.?\s?hd\.?|eheleute)$/iu
/** Lines of an address that are never its name: streets, units, owners, registers. */
const noName =
  /^(?:unit|suite|building|floor|apt|postfach|p\.?\s?o\.?\s?box|bp|inh\.|inhaber|owner|prop\.|familie|pächter|geschäftsführer|gérant|z\.\s?hd|c\/o|attn|pol\. ind|polígono|zone|za|zi|tel|fax|siret|ust|vat|nif|cif)(?![\p{L}])|^\d+\s?(?:bis|ter)?,?\s\p{L}|(?:straße|strasse|str\.?|weg|platz|gasse|allee|ring|street|road|lane|avenue|drive)\s+\d+\s?\p{L}?(?:\b|$)|^(?:rue|avenue|boulevard|chemin|allée|place|quai|calle|c\/|plaza|paseo|avda?\.?)\s/iu
const country = /^(?:deutschland|germany|allemagne|alemania|österreich|austria|schweiz|suisse|switzerland|france|frankreich|francia|spain|españa|spanien|espagne|united kingdom|uk|england|great britain|usa|united states|belgium|belgique|belgien|italia|italy|luxembourg|luxemburg|netherlands|niederlande|portugal)\b.*$/iu

const sideLabels = (['seller', 'buyer', 'delivery'] as const).map((side) => ({ side, labels: partySides[side].labels.map((label) => ({ words: meanings(label), surface: surfaceWords(label).join(' ') })) }))

/** Which side a heading announces («Rechnung an», «Ship to»), or undefined. */
export function sideOfHeading(text: string): Side | undefined {
  if (text.length > 48 || /\d/.test(text)) return undefined
  const surface = surfaceWords(text).join(' ')
  const words = meanings(text)
  let best: Side | undefined
  let bestScore = 0.84
  for (const { side, labels } of sideLabels) {
    for (const label of labels) {
      const wordy = label.words.length === label.surface.split(' ').length || !label.surface.includes(' ')
      const score = label.surface === surface ? 1 : label.words.length === 0 || label.surface.length < 4 || !wordy ? 0 : 0.98 * likeness(words, label.words)
      if (score > bestScore) {
        best = side
        bestScore = score
      }
    }
  }
  return best
}

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
  return parties.zones.find((zone) => zone.page === page && x >= zone.box.x && x <= zone.box.x + zone.box.width && y >= zone.box.y && y <= zone.box.y + zone.box.height)?.side
}

function zonesOf(page: LayoutPage): Zone[] {
  const headings: { side: Side; cell: Cell }[] = []
  for (const line of page.lines) {
    for (const cell of line.cells) {
      const label = /^([^:]{2,40}):/.exec(cell.text)?.[1] ?? cell.text
      const side = sideOfHeading(label)
      // «an», «to» or «from» alone are only a heading when they stand alone or before a colon.
      const value = cell.text.slice(label.length).replace(/^:\s*/, '')
      if (value !== '' && !/\p{L}{2}/u.test(value)) continue
      if (side && (label.length > 4 || cell.text.trim() === label || cell.text.includes(':'))) headings.push({ side, cell })
    }
  }
  return headings.map(({ side, cell }) => {
    const right = headings.filter((other) => Math.abs(other.cell.line - cell.line) <= 1 && other.cell.box.x > cell.box.x + 0.05).map((other) => other.cell.box.x - page.em)
    const limit = Math.min(1, ...right)
    const left = Math.max(0, cell.box.x - page.em)
    const own = cellsBelow(page, cell, 2.5)[0] ?? cell
    let edge = Math.max(cell.box.x + cell.box.width, own.box.x + own.box.width)
    const beside = nextCell(page, cell)
    if (beside && !isLabelled(beside) && beside.box.x < limit && (cell.text.endsWith(':') || own === cell)) edge = Math.max(edge, beside.box.x + beside.box.width)
    let bottom = cell.box.y + cell.box.height
    for (const line of page.lines) {
      if (line.index <= cell.line) continue
      const inside = line.cells.filter((other) => other.box.x < Math.min(edge, limit) && other.box.x + other.box.width > left)
      if (inside.length === 0) continue
      const next = Math.min(...inside.map((other) => other.box.y))
      if (inside.some((other) => endsZone(other))) break
      if (next - bottom > 2.4 * page.lineHeight || next - cell.box.y > 14 * 2 * page.lineHeight) break
      if (headings.some((other) => other.cell !== cell && other.cell.line === line.index && other.cell.box.x < edge && other.cell.box.x >= left - 0.02)) break
      bottom = Math.max(...inside.map((other) => other.box.y + other.box.height))
      for (const other of inside) {
        const after = isLabelled(other) ? nextCell(page, other) : undefined
        const value = after && !isLabelled(after) ? after : undefined
        edge = Math.min(limit, Math.max(edge, other.box.x + other.box.width, value ? value.box.x + value.box.width : 0))
      }
    }
    return { side, page: page.number, heading: cell, box: { x: left, y: cell.box.y - 0.001, width: edge - left, height: bottom - cell.box.y + 0.002 } }
  })
}

/** «Date», «Order no», «Total»: labels of the document itself end an area that belongs to a party. */
function endsZone(cell: Cell): boolean {
  if (!isLabelled(cell)) return isTitle(cell.text)
  return meanings(cell.text.split(':')[0]!).some((word) => ['date', 'due', 'payment', 'total', 'invoice', 'order', 'terms', 'period', 'deliverynote', 'currency', 'quantity', 'description'].includes(word))
}

function nextCell(page: LayoutPage, cell: Cell): Cell | undefined {
  const cells = page.lines.find((line) => line.index === cell.line)?.cells ?? []
  return cells[cells.indexOf(cell) + 1]
}

function partyInZone(layout: Layout, zone: Zone): Party | undefined {
  const page = layout.pages.find((one) => one.number === zone.page)!
  const inline = wordsAfterColon(zone.heading)
  const sameLine = page.lines.find((line) => line.index === zone.heading.line)!.cells.filter((cell) => cell.box.x > zone.heading.box.x && cell.box.x < zone.box.x + zone.box.width)
  const below = cellsInZone(page, zone)
  const strip = page.lines.find((line) => line.index === zone.heading.line)!.cells
  const headed = strip.length >= 3 && strip.filter((cell) => isKnownLabel(cell.text)).length >= 2 && strip.every((cell) => !/\d/.test(cell.text) && !cell.text.endsWith(':'))
  const start = inline.length > 0 ? [inline] : sameLine[0] && !headed && !isKnownLabel(sameLine[0].text) ? [sameLine[0].words] : []
  const edge = inline.length > 0 || start.length === 0 ? below[0]?.box.x : start[0]![0]!.box.x
  const aligned = below.filter((cell) => edge !== undefined && Math.abs(cell.box.x - edge) < 2 * page.em)
  const lines = [...start]
  for (const cell of aligned) {
    if (lines.length >= 6) break
    if (isLabelled(cell)) {
      // «Name: Lieferant GmbH» inside the area answers by itself.
      if (lines.length === 0) continue
      break
    }
    if (isSkippable(cell.text)) continue
    lines.push(cell.words)
    if (lines.length > 1 && (country.test(cell.text) || (placeLine.test(cell.text) && lines.length > 1 && !nextIsCountry(aligned, cell)))) break
  }
  const name = nameLine(lines)
  if (!name) return undefined
  const place = lines.some((words) => inlinePlace.test(joined(words)))
  return { side: zone.side, score: place ? 0.95 : 0.82, name, lines, page: zone.page }
}

function nextIsCountry(cells: Cell[], cell: Cell): boolean {
  const next = cells[cells.indexOf(cell) + 1]
  return next !== undefined && country.test(next.text)
}

function cellsInZone(page: LayoutPage, zone: Zone): Cell[] {
  return page.lines
    .filter((line) => line.index > zone.heading.line)
    .map((line) => line.cells.find((cell) => cell.box.x >= zone.box.x - 0.002 && cell.box.x < zone.box.x + zone.box.width && cell.box.y + cell.box.height / 2 <= zone.box.y + zone.box.height))
    .filter((cell) => cell !== undefined)
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
  const rival = layout.lines.slice(0, 4).some((line) => line.cells.some((cell) => !blocks.some((block) => block.cells.includes(cell)) && isBig(cell, page) && !isTitle(cell.text) && /\p{L}{3}/u.test(cell.text)))
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
    const letterhead = sellers.size === 0 && box.y < 0.35 && strengths[order] === strongest && strengths.indexOf(strongest) === order && (strongest > 0 || !rival) && (blocks.length > 1 || strongest >= 0)
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
      if (legal && cell.box.y < 0.25) found.push({ side: 'seller', score: 0.72 - cell.box.y * 0.2 + (big ? 0.06 : 0), name, lines: [name], page: page.number })
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
  const next = isBig(cell, page) && name.length > 0 && name.length <= 3 && !legalForm.test(joined(name)) ? cellsBelow(page, cell, 1)[0] : undefined
  if (!next || !isBig(next, page) || next.words[0]!.fontSize < 0.72 * cell.words[0]!.fontSize || isTitle(next.text) || noName.test(next.text) || /\d/.test(next.text) || next.words.length > 4) return name
  return [...name, ...next.words]
}

/** Whether a text is the heading of a kind of document rather than a name. */
export function isTitle(text: string): boolean {
  const words = meanings(text)
  return words.some((word) => ['invoice', 'creditnote', 'receipt', 'deliverynote', 'order', 'quote', 'statement', 'contract', 'payslip', 'form', 'request', 'report', 'document', 'confirm', 'index', 'credit'].includes(word)) && words.length <= 4
}

function nameLine(lines: Word[][]): Word[] | undefined {
  for (const words of lines) {
    const text = joined(words)
    if (salutation.test(text) || placeLine.test(text) || noName.test(text)) continue
    const name = trimmed(firstPart(words))
    if (name.length > 0 && /\p{L}{2}/u.test(joined(name)) && joined(name).length <= 80) return name
  }
  return undefined
}

function firstPart(words: Word[]): Word[] {
  const at = words.findIndex((word, index) => index > 0 && (separator.test(word.text) || /^(?:tel|fon|fax|e-?mail|web|ust|tva|iban)\.?:?/iu.test(word.text)))
  return at > 0 ? words.slice(0, at) : words
}

function trimmed(words: Word[]): Word[] {
  const run = words.filter((word, index) => !(index === 0 && salutation.test(word.text) && words.length > 2))
  const last = run.at(-1)
  if (last && /[,;|•●·]$/u.test(last.text)) run[run.length - 1] = { ...last, text: last.text.replace(/[,;|•●·]+$/u, '') }
  return run.filter((word) => word.text !== '')
}

function wordsAfterColon(cell: Cell): Word[] {
  const at = cell.words.findIndex((word) => word.text.endsWith(':'))
  return at < 0 ? [] : cell.words.slice(at + 1)
}

function isLabelled(cell: Cell): boolean {
  return /^[^:]{2,40}:(?:\s|$)/.test(cell.text) || isKnownLabel(cell.text)
}

function isSkippable(text: string): boolean {
  return salutation.test(text) || /^(?:tel|fon|phone|fax|e-?mail)\b/iu.test(text) || isTitle(text)
}

function notAddress(text: string): boolean {
  return text.length > 64 || /@|www\.|https?:|\d[.,]\d{2}\s?€|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$|^\d{4}-\d{2}-\d{2}$|[!?]$/.test(text)
}

function key(words: Word[]): string {
  return fold(joined(words)).replace(/[^a-z0-9]/g, '')
}

function joined(words: readonly Word[]): string {
  return words.map((word) => word.text).join(' ')
}

function middle(cell: Cell): number {
  return cell.box.x + cell.box.width / 2
}
