import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { apply, boundsOf, identity, multiply, toMatrix } from './matrix.ts'
import type { Bounds, Matrix } from './matrix.ts'
import { maxRules, rulesOf } from './rules.ts'
import type { Rule } from './rules.ts'

/**
 * What a page paints, found by walking pdf.js's operator list with the text state of
 * ISO 32000-1, 9.3 and 9.4: every glyph with its exact place, every picture, every small path.
 */
export type Painted = {
  glyphs: Glyph[]
  pictures: PaintedPicture[]
  /** Drawn paths, in painting order. */
  paths: DrawnPath[]
  /** Straight lines across or down the page: strokes, thin areas, and the sides of filled ones. */
  rules: Rule[]
}

/** The rectangle that a picture covers, and what pdf.js calls it: a name, or the picture itself. */
export type PaintedPicture = Bounds & { image: unknown }

/**
 * A path by the rectangle around it; `outline` when it is stroked and has four sides or more. `drawing` is by how many
 * numbers it is drawn.
 */
export type DrawnPath = Bounds & { outline: boolean; drawing: number }

export type Glyph = {
  text: string
  /** The low byte of the character code, which symbol fonts are read by. */
  code: number
  font: PdfFont
  /** Height of the type in page units. */
  size: number
  /** Where the pen stands before and after the glyph, in page units, y downwards. */
  startX: number
  startY: number
  endX: number
  endY: number
  /** Extra letter spacing that is part of the advance, in page units. */
  spacing: number
  bounds: Bounds
}

export type PdfFont = {
  name: string
  bold: boolean
  type3: boolean
  vertical: boolean
  ascent: number
  descent: number
  fontMatrix: Matrix
  boxHeight: number
}

export type OperatorList = { fnArray: number[]; argsArray: unknown[] }

type TextState = {
  matrix: Matrix
  textMatrix: Matrix
  x: number
  y: number
  lineX: number
  lineY: number
  font: PdfFont | null
  fontSize: number
  direction: number
  charSpacing: number
  wordSpacing: number
  scale: number
  leading: number
  rise: number
}

type Walk = {
  state: TextState
  stack: TextState[]
  base: Matrix
  visible: boolean[]
  /** Depth of groups that only serve as a mask. */
  masks: boolean[]
  found: Painted
  fontNamed: (name: string) => PdfFont | null
  layerShown: (layer: unknown) => boolean
}

const maxGlyphs = 400_000

/** `base` maps PDF user space to the page as seen, y downwards. Reads at most 400,000 glyphs. */
export function walkPage(
  list: OperatorList,
  base: Matrix,
  fontNamed: (name: string) => PdfFont | null,
  layerShown: (layer: unknown) => boolean,
): Painted {
  const walk: Walk = {
    state: freshState(base),
    stack: [],
    base,
    visible: [],
    masks: [],
    found: { glyphs: [], pictures: [], paths: [], rules: [] },
    fontNamed,
    layerShown,
  }
  for (let index = 0; index < list.fnArray.length; index++) {
    const args = list.argsArray[index]
    step(walk, list.fnArray[index] ?? 0, Array.isArray(args) ? args : [])
    if (walk.found.glyphs.length > maxGlyphs) break
  }
  return walk.found
}

function freshState(matrix: Matrix): TextState {
  return {
    matrix,
    textMatrix: identity,
    x: 0,
    y: 0,
    lineX: 0,
    lineY: 0,
    font: null,
    fontSize: 0,
    direction: 1,
    charSpacing: 0,
    wordSpacing: 0,
    scale: 1,
    leading: 0,
    rise: 0,
  }
}

type Operands = unknown[]
type Operation = (walk: Walk, operands: Operands) => void

function step(walk: Walk, operation: number, operands: Operands): void {
  const change = stateOperations.get(operation)
  if (change !== undefined) change(walk, operands)
  else if (!isHidden(walk)) paintOperations.get(operation)?.(walk, operands)
}

function save({ stack, state }: Walk): void {
  stack.push({ ...state })
}

function restore(walk: Walk): void {
  walk.state = walk.stack.pop() ?? walk.state
}

function concatenate({ state }: Walk, matrix: unknown): void {
  state.matrix = multiply(state.matrix, toMatrix(matrix) ?? identity)
}

function numberAt(operands: Operands, index: number): number {
  const operand = operands[index]
  return typeof operand === 'number' ? operand : 0
}

function moveLine({ state }: Walk, x: number, y: number): void {
  state.x = state.lineX += x
  state.y = state.lineY += y
}

function setTextMatrix({ state }: Walk, textMatrix: Matrix): void {
  Object.assign(state, { textMatrix, x: 0, y: 0, lineX: 0, lineY: 0 })
}

/** What changes the state (ISO 32000-1, 8.4.4, 9.3.1 and 9.4.2), and text, whose pen moves even where it is hidden. */
const stateOperations = new Map<number, Operation>([
  [OPS.save, save],
  [OPS.restore, restore],
  [OPS.transform, concatenate],
  [
    OPS.paintFormXObjectBegin,
    (walk, operands) => {
      save(walk)
      concatenate(walk, operands[0])
    },
  ],
  [OPS.paintFormXObjectEnd, restore],
  [
    OPS.beginGroup,
    (walk, operands) => {
      save(walk)
      walk.masks.push(Boolean((operands[0] as { smask?: unknown } | undefined)?.smask))
    },
  ],
  [
    OPS.endGroup,
    (walk) => {
      restore(walk)
      walk.masks.pop()
    },
  ],
  [
    OPS.beginAnnotation,
    (walk, operands) => {
      save(walk)
      const toPage = multiply(walk.base, toMatrix(operands[2]) ?? identity)
      walk.state = freshState(multiply(toPage, toMatrix(operands[3]) ?? identity))
    },
  ],
  [OPS.endAnnotation, restore],
  [OPS.beginMarkedContent, (walk) => void walk.visible.push(true)],
  [
    OPS.beginMarkedContentProps,
    (walk, operands) => void walk.visible.push(operands[0] !== 'OC' || walk.layerShown(operands[1])),
  ],
  [OPS.endMarkedContent, (walk) => void walk.visible.pop()],
  [OPS.beginText, (walk) => setTextMatrix(walk, identity)],
  [OPS.setTextMatrix, (walk, operands) => setTextMatrix(walk, toMatrix(operands[0]) ?? toMatrix(operands) ?? identity)],
  [OPS.moveText, (walk, operands) => moveLine(walk, numberAt(operands, 0), numberAt(operands, 1))],
  [
    OPS.setLeadingMoveText,
    (walk, operands) => {
      walk.state.leading = -numberAt(operands, 1)
      moveLine(walk, numberAt(operands, 0), numberAt(operands, 1))
    },
  ],
  [OPS.setLeading, ({ state }, operands) => void (state.leading = numberAt(operands, 0))],
  [OPS.nextLine, (walk) => moveLine(walk, 0, -walk.state.leading)],
  [OPS.setCharSpacing, ({ state }, operands) => void (state.charSpacing = numberAt(operands, 0))],
  [OPS.setWordSpacing, ({ state }, operands) => void (state.wordSpacing = numberAt(operands, 0))],
  [OPS.setHScale, ({ state }, operands) => void (state.scale = numberAt(operands, 0) / 100)],
  [OPS.setTextRise, ({ state }, operands) => void (state.rise = numberAt(operands, 0))],
  [OPS.setFont, (walk, operands) => setFont(walk, String(operands[0]), numberAt(operands, 1))],
  [OPS.setGState, setGraphicsState],
  [OPS.showText, (walk, operands) => showText(walk, arrayOrEmpty(operands[0]))],
])

function setGraphicsState(walk: Walk, operands: Operands): void {
  for (const entry of arrayOrEmpty(operands[0])) {
    if (Array.isArray(entry) && entry[0] === 'Font' && Array.isArray(entry[1]))
      setFont(walk, String(entry[1][0]), Number(entry[1][1]) || 0)
  }
}

function arrayOrEmpty(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : []
}

function setFont(walk: Walk, name: string, size: number): void {
  walk.state.font = walk.fontNamed(name)
  walk.state.fontSize = Math.abs(size)
  walk.state.direction = size < 0 ? -1 : 1
}

const imageOperations = [
  OPS.paintImageXObject,
  OPS.paintImageMaskXObject,
  OPS.paintInlineImageXObject,
  OPS.paintImageXObjectRepeat,
  OPS.paintImageMaskXObjectRepeat,
  OPS.paintImageMaskXObjectGroup,
  OPS.paintInlineImageXObjectGroup,
]

/** What leaves a mark on the page where it is visible. */
const paintOperations = new Map<number, Operation>([
  ...imageOperations.map((operation): [number, Operation] => [operation, paintPicture]),
  [OPS.constructPath, paintPath],
])

function paintPicture({ state, found }: Walk, [image]: Operands): void {
  found.pictures.push({ ...boundsOf(state.matrix, 0, 0, 1, 1), image })
}

function paintPath({ state, found }: Walk, [paint, data, bounds]: Operands): void {
  if (paint === OPS.endPath) return
  const [left, bottom, right, top] =
    ArrayBuffer.isView(bounds) || Array.isArray(bounds) ? Array.from(bounds as ArrayLike<number>) : []
  if (left === undefined || bottom === undefined || right === undefined || top === undefined) return
  if (!Number.isFinite(left + bottom + right + top)) return
  const isFilledOnly = paint === OPS.fill || paint === OPS.eoFill
  const drawing = drawingIn(data)
  found.paths.push({
    ...boundsOf(state.matrix, left, bottom, right, top),
    outline: !isFilledOnly && drawing.length >= fourSides,
    drawing: drawing.length,
  })
  if (found.rules.length > maxRules) return
  for (const rule of rulesOf(drawing, state.matrix, isFilledOnly)) found.rules.push(rule)
}

// pdf.js writes a path as numbers, three for a move or a line and one to close it
const fourSides = 13

function drawingIn(data: unknown): Float32Array {
  const drawing: unknown = Array.isArray(data) ? data[0] : null
  return ArrayBuffer.isView(drawing) ? (drawing as Float32Array) : new Float32Array()
}

function isHidden(walk: Walk): boolean {
  return walk.visible.includes(false) || walk.masks.includes(true)
}

type PdfGlyph = {
  unicode: string
  fontChar: string
  width: number
  isSpace: boolean
  vmetric?: number[] | null
  originalCharCode?: number
}

function showText(walk: Walk, items: unknown[]): void {
  const { state } = walk
  const { font, fontSize } = state
  if (font === null || fontSize === 0) return
  const isShown = !isHidden(walk)
  const toPage = multiply(state.matrix, state.textMatrix)
  const size = Math.hypot(toPage[2], toPage[3]) * fontSize * (font.type3 ? typeThreeHeight(font) : 1)
  for (const item of items) {
    if (typeof item === 'number') {
      kern(state, font, item)
      continue
    }
    const glyph = item as PdfGlyph
    const start = penOf(state, toPage)
    const box = font.vertical ? advanceDown(state, font, glyph) : advanceAlong(state, font, glyph)
    if (!isShown) continue
    const end = penOf(state, toPage)
    walk.found.glyphs.push({
      text: glyph.unicode ?? '',
      code: (glyph.originalCharCode ?? glyph.fontChar?.charCodeAt(0) ?? 0) & 0xff,
      font,
      size,
      startX: start.x,
      startY: start.y,
      endX: end.x,
      endY: end.y,
      spacing: font.vertical ? 0 : state.charSpacing * state.scale * Math.hypot(toPage[0], toPage[1]),
      bounds: boundsOf(toPage, box.left, box.bottom, box.right, box.top),
    })
  }
}

/** Where the pen stands on the page. */
function penOf(state: TextState, toPage: Matrix): { x: number; y: number } {
  return apply(toPage, state.x, state.y + state.rise)
}

/** Moves the pen by a number between glyphs, which is thousandths of the type size. */
function kern(state: TextState, font: PdfFont, thousandths: number): void {
  const distance = (thousandths * state.fontSize) / 1000
  if (font.vertical) state.y -= distance
  else state.x -= distance * (state.scale * state.direction)
}

/** Moves the pen to the end of a glyph in a line, and returns the glyph's box in text space. */
function advanceAlong(state: TextState, font: PdfFont, glyph: PdfGlyph): Bounds {
  const { x: left, fontSize, direction } = state
  const scale = state.scale * direction
  const width = glyph.width * (font.fontMatrix[0] * fontSize)
  const lift = state.y + state.rise
  state.x += (width + spacingAfter(state, glyph) * direction) * scale
  return {
    left,
    right: left + width * scale,
    bottom: lift + font.descent * fontSize * direction,
    top: lift + font.ascent * fontSize * direction,
  }
}

/** The same in a column: vertical writing runs down, each glyph hung at the origin that its metrics name. */
function advanceDown(state: TextState, font: PdfFont, glyph: PdfGlyph): Bounds {
  const unit = font.fontMatrix[0] * state.fontSize
  const [advanceY = -1000, originX = 0] = glyph.vmetric ?? [-1000, glyph.width / 2]
  const advance = advanceY * unit - spacingAfter(state, glyph)
  const top = state.y + state.rise
  const left = state.x - originX * unit
  state.y += advance
  return { left, right: left + glyph.width * unit, bottom: top + advance, top }
}

function spacingAfter(state: TextState, glyph: PdfGlyph): number {
  return (glyph.isSpace ? state.wordSpacing : 0) + state.charSpacing
}

// glyphs of a Type 3 font live in a space of their own; its box is the only hint at their height
function typeThreeHeight(font: PdfFont): number {
  const height = Math.abs(font.boxHeight * font.fontMatrix[3])
  return height > 0.2 && height < 5 ? height : 1
}
