import type { Fact } from './facts.ts'
import { drawCell, piecesOf } from './layout-pairs.ts'
import type { Piece } from './paper.ts'
import { moreOf } from './rows.ts'
import type { List } from './rows.ts'
import type { Section } from './sections.ts'
import { wordsOf } from './words.ts'
import { makeRoom, step, sumLabel } from './pen.ts'
import type { Pen } from './pen.ts'

const texts = new Set([
  'description',
  'coverage',
  'program',
  'analyte',
  'destination',
  'category',
  'vessel',
  'place',
  'condition',
])
const rights = new Set([
  'quantity',
  'quantity_delivered',
  'unit_price',
  'discount_percent',
  'net_price',
  'row_tax_rate',
  'row_tax',
  'row_amount',
  'row_premium',
  'limit',
  'debit',
  'credit',
  'signed_amount',
  'balance',
  'weight',
  'result',
  'hours',
  'factor',
  'length',
  'spots',
  'previous_reading',
  'present_reading',
])

type Column = { name: string; x: number; width: number; align: 'left' | 'right' | 'centre' }
/** A cell's lines; each piece keeps its mark through all of them. */
type CellLines = Piece[][]

/** Draws a list as a table, over as many pages as it needs; `sums` are its last rows. */
export function drawTable(pen: Pen, list: List, sums: readonly Fact[]): void {
  const { paper, template } = pen
  const columns = columnsFor(pen, list)
  makeRoom(pen, paper.size * 6)
  // Money out is not told from money in without heads.
  const isPlain = template.hidesHeads && !list.columns.includes('debit')
  const showsHead = !isPlain && (paper.width > 300 || pen.random.chance(0.3))
  if (showsHead) drawHeads(pen, columns)
  let running = 0
  for (const [index, row] of list.rows.entries()) {
    const cells = columns.map((column) => linesOf(pen, list, row, column, index))
    const lines = Math.max(1, ...cells.map((cell) => cell.length))
    const section = list.sections?.find(({ from }) => from === index)
    const needed = lines + (section ? sectionLines : 0)
    if (pen.y + needed * paper.size * 1.35 > paper.height - template.margin - 60)
      turnTable(pen, columns, running, showsHead)
    if (section) drawHeading(pen, list, section, columns)
    drawRow(pen, list.sections ? columns.map((column) => indented(pen, column)) : columns, cells, lines, index)
    running += Number(row['row_amount']?.value ?? 0)
    drawSectionSum(pen, list, index, columns)
  }
  if (template.table !== 'open') paper.rule(pen.left, pen.y - paper.size * 0.9, pen.right, pen.y - paper.size * 0.9)
  for (const fact of sums) drawSumRow(pen, columns, fact)
  step(pen)
}

const sectionLines = 1.5

/** What a group of rows has in common, above it, and in some forms what they come to. */
function drawHeading(pen: Pen, list: List, { heading, from, sum }: Section, columns: readonly Column[]): void {
  const { paper, template } = pen
  const { bold, shaded, sum: place } = template.habits.sections!
  if (from > 0 && !shaded) step(pen, 0.3)
  if (shaded) paper.fill(pen.left, pen.y - paper.size, pen.right - pen.left, paper.size * 1.35, 0.9)
  const pieces = piecesOf(paper, heading, `${list.name}/${from}/${heading.name}`)
  drawCell(pen, pieces, columns[0]!.x, pen.right - pen.left, 'left', bold)
  if (sum && place === 'beside') drawSectionAmount(pen, sum, columns)
  step(pen)
  if (template.table === 'ruled' || template.table === 'rows')
    paper.rule(pen.left, pen.y - paper.size * 0.95, pen.right, pen.y - paper.size * 0.95)
}

function drawSectionSum(pen: Pen, list: List, row: number, columns: readonly Column[]): void {
  const section = list.sections?.find(({ to }) => to === row + 1)
  if (!section?.sum || pen.template.habits.sections!.sum !== 'below') return
  const words = wordsOf('account_sum', pen.template.language)
  const text = words[section.from % words.length]!.replace('{x}', String(section.heading.value))
  drawCell(pen, [{ text }], columns[0]!.x, pen.right - pen.left, 'left', false)
  drawSectionAmount(pen, section.sum, columns)
  step(pen)
}

function drawSectionAmount(pen: Pen, sum: Fact, columns: readonly Column[]): void {
  const { x, width } = columns.find(({ name }) => name === 'row_amount')!
  drawCell(pen, piecesOf(pen.paper, sum, 'section sum'), x, width, 'right', pen.template.habits.sections!.bold)
}

/** Below a heading the first column may be set in. */
function indented({ template, paper }: Pen, column: Column): Column {
  const isFirst = column.x < template.margin + template.padding
  return isFirst && column.align === 'left' && template.habits.sections!.indented
    ? { ...column, x: column.x + paper.size, width: column.width - paper.size }
    : column
}

/** Rows as a till prints them: the article with its amount, and below it how many at what price. */
export function drawStacked(pen: Pen, list: List): void {
  const { paper, random, template } = pen
  const width = pen.right - pen.left
  const times = random.pick([' x ', ' X ', ' * ', ' @ '])
  for (const [index, row] of list.rows.entries()) {
    const part = (name: string): Piece[] =>
      row[name] ? piecesOf(paper, row[name], `${list.name}/${index}/${name}`) : []
    drawCell(pen, part('description'), pen.left, width * 0.72, 'left', false)
    drawCell(pen, amountOf(pen, list, row, index), pen.left, width, 'right', false)
    step(pen)
    if (template.hidesSingles && row['quantity']?.value === 1) continue
    const [quantity, unit, price] = [part('quantity'), part('unit'), part('unit_price')]
    const below = joined([joined([quantity, unit], ' '), price], times)
    if (below.length === 0) continue
    paper.write(pen.left + 10, pen.y, below)
    step(pen)
  }
  step(pen)
}

/** Parts of a line that are there, with a text between each two. */
function joined(parts: readonly Piece[][], between: string): Piece[] {
  return parts.filter((part) => part.length > 0).flatMap((part, at) => (at > 0 ? [{ text: between }, ...part] : part))
}

/** An amount with the code of its tax behind it, as tills print it. */
function amountOf({ paper }: Pen, list: List, row: List['rows'][number], index: number): Piece[] {
  const pieces = (name: string): Piece[] =>
    row[name] ? piecesOf(paper, row[name], `${list.name}/${index}/${name}`) : []
  return joined([pieces('row_amount'), pieces('tax_code')], ' ')
}

function columnsFor(pen: Pen, list: List): Column[] {
  const { paper, template } = pen
  const pad = paper.width < 300 ? 4 : template.padding
  const names = list.columns.filter(
    (name) => name !== 'tax_code' && name !== list.joined?.name && (name !== 'unit' || !joinsUnit(pen, list)),
  )
  // Between lines numbers often have as much room as texts, which then need several lines.
  const isEven = template.table === 'ruled' && (template.narrowText || template.centresCells)
  const natural = names.map((name) => {
    const cells = list.rows.slice(0, 12).map((row) => {
      const unit = name === 'quantity' && joinsUnit(pen, list) ? ` ${String(row['unit']?.value ?? '')}` : ''
      const guest = name === list.joined?.host ? ` ${String(row[list.joined.name]?.value ?? '')}` : ''
      return paper.widthOf((row[name]?.parts.map(({ text }) => text).join('') ?? '') + unit + guest)
    })
    const head = paper.widthOf(headOf(pen, name), { bold: true })
    const widest = Math.max(paper.width < 300 ? 8 : Math.min(head, 70), ...cells)
    return texts.has(name) ? Math.min(widest, isEven ? 75 : template.narrowText ? 110 : 260) : widest
  })
  const room = pen.right - pen.left - pad * names.length
  const all = natural.reduce((sum, width) => sum + width, 0)
  const isText = (name: string): boolean => texts.has(name)
  const spare = room - all
  const flexible = (isEven ? 0 : names.filter(isText).length) || names.length
  const widths = natural.map((width, index) => {
    if (spare < 0) return (width * room) / all
    return flexible < names.length && !isText(names[index]!) ? width : width + spare / flexible
  })
  let x = pen.left
  return names.map((name, index) => {
    const column: Column = { name, x: x + pad / 2, width: widths[index]!, align: rights.has(name) ? 'right' : 'left' }
    x += widths[index]! + pad
    return column
  })
}

/** Whether the unit stands behind the quantity, in its column. */
function joinsUnit({ template }: Pen, { columns }: List): boolean {
  return template.joinsUnit && columns.includes('unit') && columns.includes('quantity')
}

function headOf({ template }: Pen, name: string): string {
  const label = template.columnLabel(name)
  return template.upperHeads ? label.toUpperCase() : label
}

function drawHeads(pen: Pen, columns: readonly Column[]): void {
  const { paper, template } = pen
  const top = pen.y - paper.size * 1.1
  if (['ruled', 'striped', 'head'].includes(template.table) && pen.random.chance(0.6))
    paper.fill(pen.left, top, pen.right - pen.left, paper.size * 1.6, 0.85)
  for (const { name, x, width, align } of columns.filter(
    (column) => !(template.hidesTextHeads && texts.has(column.name)),
  ))
    drawCell(pen, [{ text: headOf(pen, name) }], x, width, align, template.boldLabels || template.table !== 'open')
  if (template.table !== 'open' && template.table !== 'striped')
    paper.rule(pen.left, pen.y + paper.size * 0.4, pen.right, pen.y + paper.size * 0.4)
  if (template.table === 'ruled') {
    paper.rule(pen.left, top, pen.right, top)
    drawColumnRules(pen, columns, top, pen.y + paper.size * 0.4)
  }
  step(pen, 1.25)
}

function drawColumnRules(pen: Pen, columns: readonly Column[], top: number, bottom: number): void {
  for (const { x } of columns) pen.paper.rule(x - 3, top, x - 3, bottom)
  pen.paper.rule(pen.right, top, pen.right, bottom)
}

/** A cell's text in lines, as wide as its column; numbers stay in one. */
function linesOf(pen: Pen, list: List, facts: List['rows'][number], column: Column, row: number): CellLines {
  const fact = facts[column.name]
  if (!fact) return []
  const { paper } = pen
  const key = `${list.name}/${row}/${column.name}`
  const unit = column.name === 'quantity' && joinsUnit(pen, list) ? facts['unit'] : undefined
  if (unit)
    return [[...piecesOf(paper, fact, key), { text: ' ' }, ...piecesOf(paper, unit, `${list.name}/${row}/unit`)]]
  if (column.name === 'row_amount') return [amountOf(pen, list, facts, row)]
  const guest = list.joined?.host === column.name ? facts[list.joined.name] : undefined
  const guestKey = `${list.name}/${row}/${guest?.name}`
  if (!texts.has(column.name))
    return [joined([piecesOf(paper, fact, key), ...(guest ? [piecesOf(paper, guest, guestKey)] : [])], ' ')]
  const parts = fact.lines ?? [String(fact.value)]
  const first = paper.mark(key)
  const more = parts.length > 1 ? paper.mark(moreOf(key)) : first
  const code = guest ? String(guest.value) : ''
  return parts.flatMap((line, at) =>
    paper.wrap(at === 0 ? `${code} ${line}`.trimStart() : line, column.width).map((text, part): Piece[] => {
      const piece = { text, mark: at === 0 ? first : more }
      if (!guest || at > 0 || part > 0) return [piece]
      return [
        { text: code, mark: paper.mark(guestKey) },
        { ...piece, text: text.slice(code.length) },
      ]
    }),
  )
}

function drawRow(
  pen: Pen,
  columns: readonly Column[],
  cells: readonly CellLines[],
  lines: number,
  index: number,
): void {
  const { paper, template } = pen
  const top = pen.y - paper.size
  const height = lines * paper.size * 1.35
  const isCentred = template.table === 'ruled' && template.centresCells
  if (template.table === 'striped' && index % 2 === 1) paper.fill(pen.left, top, pen.right - pen.left, height, 0.93)
  for (const [at, column] of columns.entries()) {
    const start = pen.y
    if (isCentred && !texts.has(column.name)) pen.y += ((lines - cells[at]!.length) / 2) * paper.size * 1.35
    for (const line of cells[at]!) {
      drawCell(pen, line, column.x, column.width, column.align, false)
      step(pen)
    }
    pen.y = start
  }
  pen.y += height
  if (hasSubLine(pen, columns)) drawSubLine(pen, columns)
  if (template.table === 'ruled' || template.table === 'rows')
    paper.rule(pen.left, pen.y - paper.size * 0.95, pen.right, pen.y - paper.size * 0.95)
  if (template.table === 'ruled' || template.table === 'columns')
    drawColumnRules(pen, columns, top, pen.y - paper.size * 0.95)
}

/**
 * What a bank prints below a booking is part of its text, what stands between lines belongs together, and where texts
 * go on below nobody could tell what else stands there from them.
 */
function hasSubLine({ template, content }: Pen, columns: readonly Column[]): boolean {
  if (content.list!.rows.some((row) => row['description']?.lines)) return false
  const isBooking = columns.some(({ name }) => ['debit', 'signed_amount'].includes(name))
  const isGoods = columns.some(({ name }) => name === 'description')
  return template.subLines && template.table !== 'ruled' && isGoods && !isBooking
}

/** What stands below an article and belongs to none of the columns: a number or date of its own. */
function drawSubLine(pen: Pen, columns: readonly Column[]): void {
  const { random, content, template } = pen
  const column = columns.find(({ name }) => name === 'description')!
  const text = random.pick([
    `EAN ${random.int(4_000_000, 4_999_999)}${random.int(100_000, 999_999)}`,
    `S/N ${random.int(10_000, 99_999)}`,
    content.scene.formats.country + random.int(100, 999),
    `${random.int(1, 12)} x ${random.int(1, 40)}`,
    `${random.pick(wordsOf('categories', template.language))}: ${random.int(1, 900)},${random.int(10, 99)}`,
  ])
  drawCell(pen, [{ text }], column.x + 4, column.width, 'left', false)
  step(pen)
}

/** The table goes on overleaf: often with the sum so far, and with its head again. */
function turnTable(pen: Pen, columns: readonly Column[], running: number, showsHead: boolean): void {
  const { paper, template, random, content } = pen
  const words = wordsOf('carry', template.language)
  const carries = template.carries && running !== 0
  const amount = [
    {
      text:
        content.scene.formats.money === 'none'
          ? running.toFixed(2)
          : running.toFixed(2).replace('.', content.scene.formats.decimal),
    },
  ]
  const last = columns.at(-1)!
  if (carries) {
    drawCell(pen, [{ text: words[0]! }], pen.left, 120, 'left', false)
    drawCell(pen, amount, last.x, last.width, 'right', false)
  }
  paper.turn()
  pen.y = template.margin + paper.size
  if (random.chance(0.5)) {
    paper.write(pen.left, pen.y, [{ text: `${content.title} ${String(content.number?.value ?? '')}` }], {
      size: Math.max(6, paper.size - 1),
    })
    step(pen, 2)
  }
  if (showsHead && template.repeatsHead) drawHeads(pen, columns)
  if (carries) {
    drawCell(pen, [{ text: words[1] ?? words[0]! }], pen.left, 120, 'left', false)
    drawCell(pen, amount, last.x, last.width, 'right', false)
    step(pen)
  }
}

function drawSumRow(pen: Pen, columns: readonly Column[], fact: Fact): void {
  const { paper, template } = pen
  makeRoom(pen, paper.size * 2)
  const last = columns.at(-1)!
  const width = Math.max(last.width, paper.widthOf(fact.parts.map(({ text }) => text).join('')))
  const bold = template.boldTotal && fact.name === 'total_amount'
  const x = last.x + last.width - width
  drawCell(pen, [{ text: sumLabel(pen, fact) }], x - 170, 160, template.metaRight ? 'right' : 'left', bold)
  drawCell(pen, piecesOf(paper, fact, fact.name), x, width, 'right', bold)
  if (template.table === 'ruled' || template.table === 'rows')
    paper.rule(pen.left, pen.y + paper.size * 0.4, pen.right, pen.y + paper.size * 0.4)
  step(pen, 1.15)
}
