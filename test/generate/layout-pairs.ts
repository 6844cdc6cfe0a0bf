import type { Fact } from './facts.ts'
import type { Paper, Piece } from './paper.ts'
import type { Template } from './template.ts'
import { makeRoom, step } from './pen.ts'
import type { Pen } from './pen.ts'

/** A label and what stands with it: mostly one fact, of a period two. */
export type Labelled = { label: string; facts: readonly Fact[]; between?: string }

/** The pieces of a fact, of which those that spell the value are marked. */
export function piecesOf(paper: Paper, fact: Fact, key: string): Piece[] {
  const mark = paper.mark(key)
  return fact.parts.map(({ text, isValue }) => (isValue ? { text, mark } : { text }))
}

/** The pieces of all facts of one label. */
export function piecesOfAll(paper: Paper, { facts, between = ' ' }: Labelled): Piece[] {
  return facts.flatMap((fact, index) => [
    ...(index > 0 ? [{ text: between }] : []),
    ...piecesOf(paper, fact, fact.name),
  ])
}

/** Writes pieces into a column; what does not fit is written in smaller type. */
export function drawCell(
  pen: Pen,
  pieces: readonly Piece[],
  x: number,
  width: number,
  align: 'left' | 'right' | 'centre',
  bold: boolean,
  largest = pen.paper.size,
): void {
  const natural = pen.paper.widthOf(pieces.map(({ text }) => text).join(''), { bold, size: largest })
  const size = natural > width ? Math.max(3.5, (largest * width) / natural) : largest
  pen.paper.write(x, pen.y, pieces, { align, width, bold, size })
}

/** Labels with their values, in the way of the template or in another. */
export function drawMeta(pen: Pen, facts: readonly Labelled[], style: Template['meta'] = pen.template.meta): void {
  if (facts.length === 0) return
  const half = (pen.right - pen.left) / 2
  const [left, right] = pen.template.metaRight ? [pen.right - half + 10, pen.right] : [pen.left, pen.left + half + 40]
  switch (style) {
    case 'pairs':
      return drawColumn(pen, facts, left, right, false)
    case 'boxed-pairs':
      return drawColumn(pen, facts, left, right, true)
    case 'dotted':
      return drawDotted(pen, facts)
    case 'pairs-columns':
      return drawPairs(pen, facts, pen.left, pen.right)
    case 'above':
      return drawAbove(pen, facts)
    case 'strip':
      return drawStrip(pen, facts, false)
    case 'boxed-strip':
      return drawStrip(pen, facts, true)
    case 'inline':
      return drawInline(pen, facts)
    case 'sidebar':
      return drawSidebar(pen, facts)
  }
}

function drawColumn(pen: Pen, facts: readonly Labelled[], left: number, right: number, boxed: boolean): void {
  const { paper, template } = pen
  const labels = Math.min(
    (right - left) * 0.62,
    Math.max(...facts.map(({ label }) => paper.widthOf(`${label}::`, { bold: template.boldLabels }))),
  )
  const align = pen.random.chance(0.25) ? 'right' : 'left'
  for (const one of facts) {
    const { label } = one
    if (makeRoom(pen, paper.size * 2)) continue
    if (boxed) paper.box(left - 3, pen.y - paper.size, right - left + 3, paper.size * 1.35)
    drawCell(pen, [{ text: `${label}${template.colon}` }], left, labels, 'left', template.boldLabels)
    drawCell(pen, piecesOfAll(paper, one), left + labels + 8, right - left - labels - 10, align, template.boldValues)
    step(pen)
  }
  step(pen)
}

/** Pairs side by side in two columns. */
export function drawPairs(pen: Pen, facts: readonly Labelled[], left: number, right: number): void {
  const { paper, template } = pen
  const width = (right - left) / 2
  const labels = width * 0.42
  for (let index = 0; index < facts.length; index += 2) {
    makeRoom(pen, paper.size * 2)
    for (const [column, one] of facts.slice(index, index + 2).entries()) {
      const { label } = one
      const x = left + column * width
      drawCell(pen, [{ text: `${label}${template.colon}` }], x, labels - 4, 'left', template.boldLabels)
      drawCell(pen, piecesOfAll(paper, one), x + labels, width - labels - 6, 'left', template.boldValues)
    }
    step(pen, 1.2)
  }
  step(pen)
}

function drawDotted(pen: Pen, facts: readonly Labelled[]): void {
  const { paper, template } = pen
  for (const one of facts) {
    const { label } = one
    makeRoom(pen, paper.size * 2)
    const end = paper.write(pen.left, pen.y, [{ text: label }], { bold: template.boldLabels })
    const dots = Math.max(3, Math.floor((pen.left + 190 - end) / paper.widthOf('.')))
    const from = paper.write(end + 3, pen.y, [{ text: '.'.repeat(dots) }]) + 6
    paper.write(from, pen.y, piecesOfAll(paper, one), { bold: template.boldValues })
    step(pen, 1.2)
  }
  step(pen)
}

/** Each label over its value, some beside each other. */
function drawAbove(pen: Pen, facts: readonly Labelled[]): void {
  const { paper, template } = pen
  const perRow = pen.random.int(2, 4)
  const width = (pen.right - pen.left) / perRow
  for (let index = 0; index < facts.length; index += perRow) {
    makeRoom(pen, paper.size * 4)
    const row = facts.slice(index, index + perRow)
    for (const [column, { label }] of row.entries())
      drawCell(
        { ...pen },
        [{ text: `${label}${template.colon}` }],
        pen.left + column * width,
        width - 8,
        'left',
        template.boldLabels,
      )
    step(pen)
    for (const [column, one] of row.entries())
      drawCell(pen, piecesOfAll(paper, one), pen.left + column * width, width - 8, 'left', template.boldValues)
    step(pen, 1.5)
  }
}

/** A row of labels over a row of values, as a small table. */
function drawStrip(pen: Pen, facts: readonly Labelled[], boxed: boolean): void {
  const { paper, template } = pen
  const most = 5
  for (let index = 0; index < facts.length; index += most) {
    const row = facts.slice(index, index + most)
    makeRoom(pen, paper.size * 5)
    const width = (pen.right - pen.left) / row.length
    const top = pen.y - paper.size * 1.1
    if (boxed) paper.fill(pen.left, top, pen.right - pen.left, paper.size * 1.5)
    for (const [column, { label }] of row.entries())
      drawCell(pen, [{ text: label }], pen.left + column * width + 3, width - 6, 'left', template.boldLabels)
    step(pen, 1.2)
    for (const [column, one] of row.entries())
      drawCell(pen, piecesOfAll(paper, one), pen.left + column * width + 3, width - 6, 'left', template.boldValues)
    if (boxed) row.forEach((_, column) => paper.box(pen.left + column * width, top, width, paper.size * 3))
    step(pen, 1.8)
  }
}

function drawInline(pen: Pen, facts: readonly Labelled[]): void {
  const { paper, template } = pen
  const between = pen.random.pick(['   ', ' | ', ' · ', '    '])
  let line: Piece[] = []
  const widthOf = (pieces: readonly Piece[]): number => paper.widthOf(pieces.map(({ text }) => text).join(''))
  const write = (): void => {
    makeRoom(pen, paper.size * 2)
    paper.write(pen.left, pen.y, line)
    step(pen)
    line = []
  }
  for (const one of facts) {
    const { label } = one
    const pair = [{ text: `${label}${template.colon} ` }, ...piecesOfAll(paper, one)]
    if (line.length > 0 && widthOf([...line, { text: between }, ...pair]) > pen.right - pen.left) write()
    line.push(...(line.length > 0 ? [{ text: between }] : []), ...pair)
  }
  write()
  step(pen)
}

/** A narrow column at the side in which each label stands above its value; the body goes on beside it. */
function drawSidebar(pen: Pen, facts: readonly Labelled[]): void {
  const { paper, template } = pen
  const width = 120
  const x = pen.right - width
  const top = pen.y
  const size = Math.max(6, paper.size - 1)
  const fits = facts.slice(0, Math.max(1, Math.floor((paper.height - top - template.margin - 80) / (size * 2.9))))
  for (const one of fits) {
    const { label } = one
    paper.write(x, pen.y, [{ text: label }], { size, bold: template.boldLabels })
    pen.y += size * 1.25
    const shown = piecesOfAll(paper, one)
    const natural = paper.widthOf(shown.map(({ text }) => text).join(''), { size })
    paper.write(x, pen.y, shown, { size: natural > width ? (size * width) / natural : size })
    pen.y += size * 1.6
  }
  if (pen.random.chance(0.5)) paper.rule(x - 8, top - size, x - 8, pen.y)
  pen.right = x - 18
  // What does not fit beside the body stands in it.
  const bottom = pen.y
  pen.y = pen.random.chance(0.5) ? top : Math.min(bottom, top + 30)
  if (fits.length < facts.length) drawPairs(pen, facts.slice(fits.length), pen.left, pen.right)
}
