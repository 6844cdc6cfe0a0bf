import { dateFact } from './facts.ts'
import { addDays } from './formats.ts'
import { drawCell, piecesOf } from './layout-pairs.ts'
import { makeRoom, step } from './pen.ts'
import type { Pen } from './pen.ts'
import type { Group, List } from './rows.ts'
import { wordsOf } from './words.ts'

/** From where to where the columns of one panel stand. `inner` and `outer` are those of lines and of their sums. */
type Panel = { left: number; note: number; amounts: { inner: number; outer: number }[]; width: number; text: number }

/** How the accounts of one document are drawn. */
type Style = {
  isIndented: boolean
  hasNotes: boolean
  hasOuter: boolean
  boldHeadings: boolean
  /** A period is called by its year, not by its last day. */
  byYear: boolean
}

/** Draws accounts under their periods: one below the other, or in two panels beside each other. */
export function drawAccounts(pen: Pen, list: List): void {
  const { random, paper } = pen
  const style: Style = {
    isIndented: random.chance(0.4),
    hasNotes: random.chance(0.5),
    hasOuter: random.chance(0.4),
    boldHeadings: random.chance(0.5),
    byYear: random.chance(0.5),
  }
  const groups = list.groups!
  const isWide = paper.width > 700 && groups.length > 1
  const half = isWide ? Math.ceil(groups.length / 2) : groups.length
  const parts = [groups.slice(0, half), groups.slice(half)].filter((part) => part.length > 0)
  makeRoom(pen, paper.size * 1.35 * (list.rows.length + groups.length + 4))
  const top = pen.y
  let lowest = top
  const room = (pen.right - pen.left) / parts.length
  for (const [at, part] of parts.entries()) {
    pen.y = top
    drawPanel(pen, list, part, panelAt(pen, pen.left + at * room, room - (isWide ? 14 : 0), style), style)
    lowest = Math.max(lowest, pen.y)
  }
  pen.y = lowest
  step(pen)
}

function panelAt({ paper }: Pen, left: number, room: number, { hasOuter, hasNotes }: Style): Panel {
  const width = Math.min(paper.size * 7.5, room * (hasOuter ? 0.13 : 0.2))
  const lanes = hasOuter ? 2 : 1
  const first = left + room - width * lanes * 2
  const amounts = [0, 1].map((period) => {
    const inner = first + period * lanes * width
    return { inner, outer: inner + (lanes - 1) * width }
  })
  const note = first - (hasNotes ? paper.size * 4 : 0)
  return { left, note, amounts, width: width - 4, text: note - left - 6 }
}

function drawPanel(pen: Pen, list: List, groups: readonly Group[], panel: Panel, style: Style): void {
  drawPeriods(pen, panel, style)
  const { paper, random } = pen
  let notes = 0
  for (const group of groups) {
    // A sum without a text of its own is called like its group.
    const mark = group.sum !== undefined && !group.named ? { mark: paper.mark(`accounts/${group.sum}/account`) } : {}
    paper.write(panel.left, pen.y, [{ text: group.heading, ...mark }], { bold: style.boldHeadings })
    if (style.hasNotes && random.chance(0.6)) drawNote(pen, panel, ++notes)
    step(pen, 1.15)
    for (let row = group.from; row < group.to; row++) drawLine(pen, list, row, panel, style)
    if (group.sum !== undefined) drawSum(pen, list, group, panel, style)
    step(pen, 0.4)
  }
}

/** The last day of each period or its year, and often the currency below. */
function drawPeriods(pen: Pen, panel: Panel, { hasOuter, hasNotes, byYear }: Style): void {
  const { paper, random, content, template } = pen
  const { scene } = content
  const year = Number(scene.today.slice(0, 4)) - 1
  const bold = random.chance(0.5)
  if (hasNotes && random.chance(0.6))
    drawCell(pen, [{ text: wordsOf('account_note', template.language)[0]! }], panel.note, panel.width, 'left', bold)
  for (const [at, { inner, outer }] of panel.amounts.entries()) {
    const day = dateFact('period_end', addDays(`${year - at}-12-30`, 1), scene)
    const text = byYear ? String(year - at) : day.parts.map((part) => part.text).join('')
    drawCell(pen, [{ text }], inner, outer + panel.width - inner, hasOuter ? 'centre' : 'right', bold)
  }
  step(pen, 1.15)
  if (random.chance(0.6)) {
    for (const { inner, outer } of panel.amounts)
      for (const x of hasOuter ? [inner, outer] : [inner])
        drawCell(pen, [{ text: scene.formats.symbol }], x, panel.width, 'right', bold)
    step(pen, 1.15)
  }
  if (random.chance(0.3))
    paper.rule(panel.left, pen.y - paper.size, panel.amounts[1]!.outer + panel.width, pen.y - paper.size)
}

function drawNote(pen: Pen, panel: Panel, number: number): void {
  const text = pen.random.pick([`(${number})`, String(number), `(${number}, ${number + 1})`, `${number}.${number + 1}`])
  drawCell(pen, [{ text }], panel.note, panel.width, 'left', false)
}

/** A line of accounts; a long text begins above it. */
function drawLine(pen: Pen, list: List, row: number, panel: Panel, style: Style): void {
  const { paper } = pen
  const mark = paper.mark(`accounts/${row}/account`)
  const x = panel.left + (style.isIndented ? paper.size : 0)
  const lines = paper.wrap(String(list.rows[row]!['account']!.value), panel.text - (x - panel.left))
  for (const [at, text] of lines.entries()) {
    if (at > 0) step(pen)
    paper.write(x, pen.y, [{ text, mark }])
  }
  drawAmounts(pen, list, row, panel, 'inner')
  step(pen, 1.15)
}

function drawSum(pen: Pen, list: List, { sum, named }: Group, panel: Panel, { hasOuter, boldHeadings }: Style): void {
  const { paper } = pen
  const mark = paper.mark(`accounts/${sum!}/account`)
  const side = hasOuter ? 'outer' : 'inner'
  if (pen.random.chance(0.5))
    for (const amounts of panel.amounts)
      paper.rule(amounts[side], pen.y - paper.size, amounts[side] + panel.width, pen.y - paper.size)
  if (named)
    paper.write(panel.left, pen.y, [{ text: String(list.rows[sum!]!['account']!.value), mark }], { bold: boldHeadings })
  drawAmounts(pen, list, sum!, panel, side)
  step(pen, 1.15)
}

function drawAmounts(pen: Pen, list: List, row: number, panel: Panel, side: 'inner' | 'outer'): void {
  for (const [at, name] of ['account_amount', 'account_before'].entries()) {
    const fact = list.rows[row]![name]
    const pieces = fact ? piecesOf(pen.paper, fact, `accounts/${row}/${name}`) : [{ text: '-' }]
    drawCell(pen, pieces, panel.amounts[at]![side], panel.width, 'right', false)
  }
}
