import { factsOfRole, percentFact } from './content.ts'
import type { Content, Role } from './content.ts'
import type { Fact } from './facts.ts'
import { drawAccounts } from './layout-accounts.ts'
import { drawCell, drawMeta, drawPairs, piecesOf } from './layout-pairs.ts'
import type { Labelled } from './layout-pairs.ts'
import { drawStacked, drawTable } from './layout-table.ts'
import { Paper } from './paper.ts'
import type { Look, Piece } from './paper.ts'
import { onOneLine } from './parties.ts'
import { makeRoom, step, sumLabel } from './pen.ts'
import type { Pen } from './pen.ts'
import type { Random } from './random.ts'
import type { Template } from './template.ts'
import { kinds, namesOf, wordsOf } from './words.ts'

/** Draws a document of a template. */
export function drawDocument(template: Template, content: Content, random: Random): Paper {
  const { width, height } = template.page
  const paper = new Paper(template.family, template.size, width, height)
  const pen: Pen = {
    paper,
    y: template.margin,
    content,
    template,
    random,
    left: template.margin,
    right: width - template.margin,
  }
  if (width < 300) drawReceipt(pen)
  else {
    drawHead(pen)
    drawTitleAndMeta(pen)
    const before = template.sumsFirst && content.sums.length > 0
    if (before) drawSums(pen)
    drawChecks(pen)
    const opening = random.chance(0.4) ? 1 : 0
    drawNotes(pen, content.notes.slice(0, opening))
    if (content.list?.groups) drawAccounts(pen, content.list)
    else if (content.list) drawTable(pen, content.list, template.sums === 'in-table' && !before ? content.sums : [])
    if (!before && (template.sums !== 'in-table' || !content.list)) drawSums(pen)
    drawTaxRows(pen)
    drawNotes(pen, content.notes.slice(opening))
    drawFeet(pen)
  }
  return paper
}

function pieces(pen: Pen, fact: Fact, key = fact.name): Piece[] {
  return piecesOf(pen.paper, fact, key)
}

function drawHead(pen: Pen): void {
  const { template, content, paper } = pen
  const seller = content.roles.find(({ role }) => role === 'seller')
  if (seller && template.head !== 'foot') drawLetterhead(pen, seller)
  else {
    paper.write(pen.left, pen.y, [{ text: content.scene.seller.slug.toUpperCase() }], {
      size: template.titleSize,
      bold: true,
    })
    step(pen, 2)
  }
  if (kinds[content.kind]!.layout === 'form' && pen.random.chance(0.7)) return drawRolesAsBlocks(pen)
  drawRecipients(pen, seller)
}

function drawLetterhead(pen: Pen, { party }: Role): void {
  const { template, content, paper, random } = pen
  const { name, address } = factsOfRole({ role: 'seller', party })
  const width = pen.right - pen.left
  const look: Look = {
    align: template.head === 'centre' ? 'centre' : template.head === 'right' ? 'right' : 'left',
    width,
  }
  const size = paper.size + random.int(1, 8)
  paper.write(pen.left, pen.y, pieces(pen, name), { ...look, size, bold: true })
  pen.y += size * 1.2
  const mark = paper.mark(address.name)
  for (const text of party.address) {
    paper.write(pen.left, pen.y, [{ text, mark }], look)
    step(pen)
  }
  for (const fact of content.own.slice(0, template.noise)) {
    paper.write(
      pen.left,
      pen.y,
      [{ text: `${template.label(fact.name)}${template.colon} ` }, ...pieces(pen, fact)],
      look,
    )
    step(pen)
  }
  step(pen)
}

function drawRecipients(pen: Pen, seller: Role | undefined): void {
  const { template, content, paper } = pen
  const roles = content.roles.filter(({ role }) => role !== 'seller')
  if (roles.length === 0) return
  if (!template.labelsRecipient && seller && pen.random.chance(0.5)) {
    // The window of an envelope shows the sender in small type.
    const { name } = factsOfRole(seller)
    const rest = { text: ` · ${seller.party.address.join(' · ')}` }
    paper.write(pen.left, pen.y, [...pieces(pen, name), rest], { size: Math.max(6, paper.size - 3) })
    step(pen, 1.4)
  }
  const top = pen.y
  let lowest = top
  const wide = (pen.right - pen.left) / Math.max(2, roles.length)
  for (const [index, one] of roles.entries()) {
    pen.y = top
    const only = roles.length === 1 && template.recipient === 'right'
    const labelled = template.labelsRecipient || one.role === 'ship_to' || one.role === 'other'
    drawParty(pen, one, only ? pen.right - wide : pen.left + index * wide, labelled)
    lowest = Math.max(lowest, pen.y)
  }
  pen.y = lowest
  step(pen)
}

function drawParty(pen: Pen, one: Role, x: number, labelled: boolean): void {
  const { template, paper, random } = pen
  const { name, address } = factsOfRole(one)
  if (labelled) {
    paper.write(x, pen.y, [{ text: `${template.label(roleLabel(one))}${template.colon}` }], {
      bold: template.boldLabels,
    })
    step(pen)
  }
  paper.write(x, pen.y, pieces(pen, name), { bold: template.boldValues })
  step(pen)
  const mark = paper.mark(address.name)
  if (random.chance(0.12)) {
    paper.write(x, pen.y, [{ text: onOneLine(one.party), mark }])
    step(pen)
    return
  }
  for (const text of one.party.address) {
    paper.write(x, pen.y, [{ text, mark }])
    step(pen)
  }
}

function roleLabel({ role }: Role): string {
  return role === 'other' ? 'other_party_name' : `${role}_name`
}

/** On a form, who is named stands in fields like all the rest. */
function drawRolesAsBlocks(pen: Pen): void {
  const facts = pen.content.roles
    .filter(({ role }) => role !== 'seller')
    .flatMap((one) => {
      const { name, address } = factsOfRole(one)
      return [
        { label: pen.template.label(roleLabel(one)), facts: [name] },
        { label: pen.template.label(one.role === 'person' ? 'person_address' : 'seller_address'), facts: [address] },
      ]
    })
  drawPairs(pen, facts, pen.left, pen.right)
}

function drawTitleAndMeta(pen: Pen): void {
  const { template, content, paper } = pen
  const { number } = content
  const title: Piece[] = [{ text: content.title }]
  if (number && template.numberInTitle)
    title.push({ text: pen.random.pick([' ', ' Nr. ', ' # ', ' – ', ' no. ']) }, ...pieces(pen, number))
  const writeTitle = (): void => {
    makeRoom(pen, template.titleSize * 2)
    pen.y += template.titleSize * 0.8
    paper.write(pen.left, pen.y, title, { size: template.titleSize, bold: true })
    pen.y += template.titleSize * 0.9
  }
  const meta = content.meta.filter(({ parts }) => parts.length > 0)
  const all = number && !template.numberInTitle ? [number, ...meta] : meta
  const labelled = labelledFacts(pen, all)
  if (template.titleFirst) writeTitle()
  drawMeta(pen, labelled)
  if (!template.titleFirst) writeTitle()
  if (pen.random.chance(0.2)) {
    paper.write(pen.left, pen.y, [{ text: pen.random.pick(wordsOf('sections', template.language)) }], { bold: true })
    step(pen, 1.3)
  }
}

/** With their labels; a period may have one label for both of its days, and the date of a letter may have none. */
function labelledFacts(pen: Pen, facts: readonly Fact[]): Labelled[] {
  const { template } = pen
  const end = facts.find(({ name }) => name === 'period_end')
  const joins = template.joinsPeriod && end !== undefined && facts.some(({ name }) => name === 'period_start')
  return facts.flatMap((fact): Labelled[] => {
    if (template.bareDate && fact.name === 'issue_date') {
      drawBareDate(pen, fact)
      return []
    }
    if (joins && fact === end) return []
    if (!joins || fact.name !== 'period_start') return [{ label: template.label(fact.name), facts: [fact] }]
    const [between = ' - '] = pen.random.sample(
      [' - ', ' – ', ' / ', ` ${wordsOf('until', template.language)[0]!} `],
      1,
    )
    return [{ label: template.label('period'), facts: [fact, end], between }]
  })
}

function drawBareDate(pen: Pen, fact: Fact): void {
  const town = pen.random.pick(namesOf('town', pen.template.language))
  pen.paper.write(pen.left, pen.y, [{ text: `${town}, ` }, ...pieces(pen, fact)], {
    align: 'right',
    width: pen.right - pen.left,
  })
  step(pen, 1.5)
}

function drawChecks(pen: Pen): void {
  const { template, content, paper } = pen
  const side = paper.size * 0.95
  for (const check of content.checks) {
    makeRoom(pen, 20)
    const mark = paper.mark(check.name)
    const label = [{ text: template.label(check.name) }]
    const draw = (x: number, isTicked: boolean): void => paper.tick(x, pen.y - side * 0.8, side, isTicked, mark)
    if (template.squares === 'before') {
      draw(pen.left, check.value === true)
      paper.write(pen.left + side * 1.6, pen.y, label)
    } else {
      const end = paper.write(pen.left, pen.y, label) + 14
      if (template.squares === 'after') draw(end, check.value === true)
      else drawYesNo(pen, end, check.value === true, draw)
    }
    step(pen, 1.35)
  }
  if (content.checks.length > 0) step(pen)
}

function drawYesNo(pen: Pen, x: number, value: boolean, draw: (x: number, isTicked: boolean) => void): void {
  const { paper, template } = pen
  const side = paper.size * 1.6
  draw(x, value)
  const end = paper.write(x + side, pen.y, [{ text: wordsOf('yes', template.language)[0]! }]) + 12
  draw(end, !value)
  paper.write(end + side, pen.y, [{ text: wordsOf('no', template.language)[0]! }])
}

function drawSums(pen: Pen, style = pen.template.sums): void {
  const { template, content, paper } = pen
  if (content.sums.length === 0) return
  makeRoom(pen, content.sums.length * paper.size * 1.6 + 20)
  step(pen)
  const labelled = content.sums.map((fact) => ({ label: sumLabel(pen, fact), fact }))
  if (style === 'strip')
    return drawMeta(
      pen,
      labelled.map(({ label, fact }) => ({ label, facts: [fact] })),
      'boxed-strip',
    )
  const width = style === 'wide' ? pen.right - pen.left : Math.min(240, (pen.right - pen.left) * 0.48)
  const x = style === 'left' ? pen.left : pen.right - width
  const top = pen.y - paper.size * 1.1
  for (const { label, fact } of labelled) {
    const isTotal = /^(?:total_amount|amount_due|net_pay|closing_balance)$/.test(fact.name)
    const bold = isTotal && template.boldTotal
    if (bold && style === 'right') paper.rule(x, pen.y - paper.size, x + width, pen.y - paper.size)
    drawCell(pen, [{ text: `${label}${template.colon}` }], x + 3, width, 'left', bold)
    drawCell(pen, pieces(pen, fact), x, width - 3, 'right', bold)
    step(pen, 1.15)
  }
  if (style === 'right-boxed') paper.box(x, top, width, pen.y - top - paper.size * 0.2)
  step(pen)
}

/** The taxes by rate, with amounts that are none of the sums. */
function drawTaxRows(pen: Pen): void {
  const { content, paper, template } = pen
  if (content.taxRows.length === 0) return
  makeRoom(pen, (content.taxRows.length + 2) * paper.size * 1.6)
  const words = (list: string): string => pen.random.pick(wordsOf(list, template.language))
  const heads = [template.label('tax_rate'), words('tax_net'), template.label('tax_amount'), words('tax_gross')]
  const width = Math.min(320, pen.right - pen.left) / heads.length
  paper.write(pen.left, pen.y, [{ text: words('tax_table') }], { bold: true })
  step(pen, 1.2)
  for (const [column, text] of heads.entries())
    drawCell(pen, [{ text }], pen.left + column * width, width, 'right', template.boldLabels)
  step(pen, 1.1)
  for (const { rate, net, tax, gross } of content.taxRows) {
    const cells = [percentFact(rate, content.scene), net, tax, gross]
    for (const [column, fact] of cells.entries())
      drawCell(
        pen,
        fact.parts.map(({ text }) => ({ text })),
        pen.left + column * width,
        width,
        'right',
        false,
      )
    step(pen, 1.1)
  }
  step(pen)
}

function drawNotes(pen: Pen, notes: readonly string[]): void {
  const { paper } = pen
  for (const note of notes) {
    for (const text of paper.wrap(note, pen.right - pen.left)) {
      makeRoom(pen, paper.size * 2)
      paper.write(pen.left, pen.y, [{ text }])
      step(pen)
    }
  }
  if (notes.length > 0) step(pen)
}

/** Who the sender is stands at the foot of each page, and often how many pages there are. */
function drawFeet(pen: Pen): void {
  const { paper, content, template } = pen
  const size = Math.max(6, paper.size - 2)
  const seller = content.roles.find(({ role }) => role === 'seller')
  const own = content.own.slice(template.head === 'foot' ? 0 : template.noise)
  const lines: Piece[][] = []
  if (seller && (template.head === 'foot' || pen.random.chance(0.6))) {
    const { name, address } = factsOfRole(seller)
    lines.push(pieces(pen, name))
    lines.push(pieces(pen, address))
  }
  for (const fact of own) lines.push([{ text: `${template.label(fact.name)}${template.colon} ` }, ...pieces(pen, fact)])
  const top = paper.height - template.margin - 18
  const perColumn = Math.ceil(lines.length / template.footColumns)
  const width = (pen.right - pen.left) / template.footColumns
  const start = Math.max(pen.y + size * 2, top - perColumn * size * 1.2)
  if (start + perColumn * size * 1.2 > paper.height - 6) {
    paper.turn()
    pen.y = template.margin
    return drawFeetAt(pen, lines, template.margin + 20, perColumn, width, size)
  }
  drawFeetAt(pen, lines, start, perColumn, width, size)
}

function drawFeetAt(pen: Pen, lines: Piece[][], start: number, perColumn: number, width: number, size: number): void {
  const { paper, template } = pen
  if (pen.random.chance(0.5)) paper.rule(pen.left, start - size * 1.2, pen.right, start - size * 1.2)
  lines.forEach((line, index) => {
    const column = Math.floor(index / Math.max(1, perColumn))
    pen.y = start + (index % Math.max(1, perColumn)) * size * 1.2
    drawCell(pen, line, pen.left + column * width, width - 6, 'left', false, size)
  })
  if (!template.pageNumbers && paper.sheets.length === 1) return
  const form = pen.random.pick(wordsOf('page', template.language))
  const runs = paper.sheets.map(({ runs: all }) => all)
  runs.forEach((all, index) => {
    const text = form.replace('{n}', String(index + 1)).replace('{m}', String(runs.length))
    const textWidth = paper.widthOf(text, { size })
    all.push({
      x: pen.right - textWidth,
      baseline: paper.height - 14,
      size,
      bold: false,
      pieces: [{ text }],
      width: textWidth,
    })
  })
}

function drawReceipt(pen: Pen): void {
  const { paper, content, template } = pen
  const width = pen.right - pen.left
  const centred: Look = { align: template.head === 'left' ? 'left' : 'centre', width }
  drawShop(pen, centred)
  step(pen, 0.6)
  const facts = [...(content.number ? [content.number] : []), ...content.meta]
  const early = pen.random.chance(0.6)
  // Tills print several in one line, the day and the time of day often without a label.
  const inLine = pen.random.pick([1, 1, 2, 3])
  const drawFacts = (): void => {
    for (let at = 0; at < facts.length; at += inLine) {
      const line = facts.slice(at, at + inLine).flatMap((fact, place) => {
        const isBare = (fact.isDate || fact.name === 'time') && pen.random.chance(0.4)
        const label = isBare ? '' : `${template.label(fact.name)}${template.colon} `
        return [{ text: `${place > 0 ? '  ' : ''}${label}` }, ...pieces(pen, fact)]
      })
      paper.write(pen.left, pen.y, line)
      step(pen)
    }
  }
  if (early) drawFacts()
  paper.rule(pen.left, pen.y - paper.size * 0.6, pen.right, pen.y - paper.size * 0.6)
  step(pen, 0.8)
  if (content.list && template.stacksRows) drawStacked(pen, content.list)
  else if (content.list) drawTable(pen, content.list, [])
  drawSums(pen, 'wide')
  drawTaxRows(pen)
  if (!early) drawFacts()
  for (const note of content.notes.slice(0, 2))
    for (const text of paper.wrap(note, width)) {
      paper.write(pen.left, pen.y, [{ text }], centred)
      step(pen)
    }
  paper.sheet.height = pen.y + 20
}

/** Who a receipt is from, with what tills print around name and address. */
function drawShop(pen: Pen, look: Look): void {
  const { paper, content, template } = pen
  const { party } = content.roles.find(({ role }) => role === 'seller')!
  const { name, address } = factsOfRole({ role: 'seller', party })
  // What else a till prints is the same on all slips of a shop.
  const shop = template.ofShop()
  const write = (...of: Piece[]): void => {
    paper.write(pen.left, pen.y, of, look)
    step(pen)
  }
  step(pen)
  const title = shop.pick(['over', 'under', 'none'])
  if (title === 'over') write({ text: content.title })
  if (shop.chance(0.15)) write({ text: party.slug.toUpperCase() })
  const large = shop.chance(0.4) ? paper.size + shop.int(1, 4) : paper.size
  writeName(pen, name, { ...look, size: large, bold: shop.chance(0.5) }, shop.chance(0.25))
  if (shop.chance(0.25))
    write({
      text: shop.pick([`(${shop.int(100_000, 999_999)}-${shop.pick(['A', 'K', 'T'])})`, `#${shop.int(10, 9999)}`]),
    })
  const mark = paper.mark(address.name)
  const lines = shop.chance(0.2) ? [onOneLine(party)] : party.address
  for (const text of lines.flatMap((line) => paper.wrap(line, look.width!))) write({ text, mark })
  if (shop.chance(0.4)) step(pen, 0.5)
  for (const fact of content.own.slice(0, template.noise)) {
    const label = fact.name === 'phone' && shop.chance(0.3) ? '' : `${template.label(fact.name)}${template.colon} `
    write({ text: label }, ...pieces(pen, fact))
  }
  if (title === 'under') write({ text: content.title })
}

/** A name, on several lines where it is too long for one or is set so. */
function writeName(pen: Pen, fact: Fact, look: Look, isBroken: boolean): void {
  const mark = pen.paper.mark(fact.name)
  const text = String(fact.value)
  const longest = isBroken ? pen.paper.widthOf(text, look) * 0.7 : look.width!
  for (const line of pen.paper.wrap(text, Math.min(longest, look.width!), look)) {
    pen.paper.write(pen.left, pen.y, [{ text: line, mark }], look)
    step(pen, (look.size ?? pen.paper.size) / pen.paper.size)
  }
}
