import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { boundsOf, identity, multiply, toMatrix } from './matrix.ts'
import type { Bounds, Matrix } from './matrix.ts'

/**
 * What a page paints, found by walking pdf.js's operator list with the text state of
 * ISO 32000-1, 9.3 and 9.4: every glyph with its exact place, every picture, every small path.
 */
export type Painted = {
  glyphs: Glyph[]
  /** Rectangles that pictures cover. */
  pictures: Bounds[]
  /** Drawn paths, in painting order. */
  paths: DrawnPath[]
}

/** A path by the rectangle around it; `outline` when it is stroked and has four sides or more. */
export type DrawnPath = Bounds & { outline: boolean }

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
  const walk: Walk = { state: freshState(base), stack: [], base, visible: [], masks: [], found: { glyphs: [], pictures: [], paths: [] }, fontNamed, layerShown }
  for (let index = 0; index < list.fnArray.length; index++) {
    const args = list.argsArray[index]
    step(walk, list.fnArray[index] ?? 0, Array.isArray(args) ? args : [])
    if (walk.found.glyphs.length > maxGlyphs) break
  }
  return walk.found
}

function freshState(matrix: Matrix): TextState {
  return {
    matrix, textMatrix: identity, x: 0, y: 0, lineX: 0, lineY: 0, font: null, fontSize: 0, direction: 1,
    charSpacing: 0, wordSpacing: 0, scale: 1, leading: 0, rise: 0,
  }
}

function step(walk: Walk, operation: number, args: unknown[]): void {
  const { state } = walk
  switch (operation) {
    case OPS.save:
      walk.stack.push({ ...state })
      return
    case OPS.restore:
    case OPS.paintFormXObjectEnd:
      walk.state = walk.stack.pop() ?? state
      return
    case OPS.transform:
      state.matrix = multiply(state.matrix, toMatrix(args) ?? identity)
      return
    case OPS.paintFormXObjectBegin:
      walk.stack.push({ ...state })
      state.matrix = multiply(state.matrix, toMatrix(args[0]) ?? identity)
      return
    case OPS.beginGroup:
      walk.stack.push({ ...state })
      walk.masks.push(Boolean((args[0] as { smask?: unknown } | undefined)?.smask))
      return
    case OPS.endGroup:
      walk.state = walk.stack.pop() ?? state
      walk.masks.pop()
      return
    case OPS.beginAnnotation:
      walk.stack.push({ ...state })
      walk.state = freshState(multiply(multiply(walk.base, toMatrix(args[2]) ?? identity), toMatrix(args[3]) ?? identity))
      return
    case OPS.endAnnotation:
      walk.state = walk.stack.pop() ?? state
      return
    case OPS.beginMarkedContent:
      walk.visible.push(true)
      return
    case OPS.beginMarkedContentProps:
      walk.visible.push(args[0] !== 'OC' || walk.layerShown(args[1]))
      return
    case OPS.endMarkedContent:
      walk.visible.pop()
      return
    default:
      if (!textStep(walk, operation, args)) paintStep(walk, operation, args)
  }
}

function textStep(walk: Walk, operation: number, args: unknown[]): boolean {
  const { state } = walk
  const number = (index: number): number => (typeof args[index] === 'number' ? args[index] : 0)
  const move = (x: number, y: number): void => {
    state.x = state.lineX += x
    state.y = state.lineY += y
  }
  switch (operation) {
    case OPS.beginText:
      Object.assign(state, { textMatrix: identity, x: 0, y: 0, lineX: 0, lineY: 0 })
      return true
    case OPS.setTextMatrix:
      Object.assign(state, { textMatrix: toMatrix(args[0]) ?? toMatrix(args) ?? identity, x: 0, y: 0, lineX: 0, lineY: 0 })
      return true
    case OPS.moveText:
      move(number(0), number(1))
      return true
    case OPS.setLeadingMoveText:
      state.leading = -number(1)
      move(number(0), number(1))
      return true
    case OPS.setLeading:
      state.leading = number(0)
      return true
    case OPS.nextLine:
      move(0, -state.leading)
      return true
    case OPS.setCharSpacing:
      state.charSpacing = number(0)
      return true
    case OPS.setWordSpacing:
      state.wordSpacing = number(0)
      return true
    case OPS.setHScale:
      state.scale = number(0) / 100
      return true
    case OPS.setTextRise:
      state.rise = number(0)
      return true
    case OPS.setFont:
      setFont(walk, String(args[0]), number(1))
      return true
    case OPS.setGState:
      for (const entry of Array.isArray(args[0]) ? (args[0] as unknown[]) : []) {
        if (Array.isArray(entry) && entry[0] === 'Font' && Array.isArray(entry[1])) setFont(walk, String(entry[1][0]), Number(entry[1][1]) || 0)
      }
      return true
    case OPS.showText:
      showText(walk, Array.isArray(args[0]) ? (args[0] as unknown[]) : [])
      return true
    default:
      return false
  }
}

function setFont(walk: Walk, name: string, size: number): void {
  walk.state.font = walk.fontNamed(name)
  walk.state.fontSize = Math.abs(size)
  walk.state.direction = size < 0 ? -1 : 1
}

function paintStep(walk: Walk, operation: number, args: unknown[]): void {
  if (hidden(walk)) return
  const { state, found } = walk
  switch (operation) {
    case OPS.paintImageXObject:
    case OPS.paintImageMaskXObject:
    case OPS.paintInlineImageXObject:
    case OPS.paintImageXObjectRepeat:
    case OPS.paintImageMaskXObjectRepeat:
    case OPS.paintImageMaskXObjectGroup:
    case OPS.paintInlineImageXObjectGroup:
      found.pictures.push(boundsOf(state.matrix, 0, 0, 1, 1))
      return
    case OPS.constructPath: {
      const box = ArrayBuffer.isView(args[2]) || Array.isArray(args[2]) ? Array.from(args[2] as ArrayLike<number>) : []
      const [left, bottom, right, top] = box
      const drawn = args[0] !== OPS.endPath
      if (drawn && left !== undefined && bottom !== undefined && right !== undefined && top !== undefined && Number.isFinite(left + bottom + right + top)) {
        const filledOnly = args[0] === OPS.fill || args[0] === OPS.eoFill
        found.paths.push({ ...boundsOf(state.matrix, left, bottom, right, top), outline: !filledOnly && drawingLength(args[1]) >= fourSides })
      }
      return
    }
    default:
  }
}

// pdf.js writes a path as numbers, three for a move or a line and one to close it
const fourSides = 13

function drawingLength(data: unknown): number {
  const drawing: unknown = Array.isArray(data) ? data[0] : null
  return ArrayBuffer.isView(drawing) ? (drawing as Float32Array).length : 0
}

function hidden(walk: Walk): boolean {
  return walk.visible.includes(false) || walk.masks.includes(true)
}

type PdfGlyph = { unicode: string; fontChar: string; width: number; isSpace: boolean; vmetric?: number[] | null; originalCharCode?: number }

function showText(walk: Walk, items: unknown[]): void {
  const { state } = walk
  const { font, fontSize, direction } = state
  if (font === null || fontSize === 0) return
  const shown = !hidden(walk)
  const scale = state.scale * direction
  const unit = font.fontMatrix[0] * fontSize
  const toPage = multiply(state.matrix, state.textMatrix)
  const pageSize = Math.hypot(toPage[2], toPage[3]) * fontSize * (font.type3 ? typeThreeHeight(font) : 1)
  for (const item of items) {
    if (typeof item === 'number') {
      if (font.vertical) state.y -= (item * fontSize) / 1000
      else state.x -= ((item * fontSize) / 1000) * scale
      continue
    }
    const glyph = item as PdfGlyph
    const spacing = (glyph.isSpace ? state.wordSpacing : 0) + state.charSpacing
    const width = glyph.width * unit
    const lift = state.y + state.rise
    let left = state.x
    let right = state.x + width * scale
    let bottom = lift + font.descent * fontSize * direction
    let top = lift + font.ascent * fontSize * direction
    const from = { x: state.x, y: lift }
    if (font.vertical) {
      const metric = glyph.vmetric ?? [-1000, glyph.width / 2, 880]
      const advance = (metric[0] ?? -1000) * unit - spacing
      left = state.x - (metric[1] ?? 0) * unit
      right = left + width
      top = lift
      bottom = lift + advance
      state.y += advance
    } else {
      state.x += (width + spacing * direction) * scale
    }
    if (!shown) continue
    const start = boundsOf(toPage, from.x, from.y, from.x, from.y)
    const end = boundsOf(toPage, state.x, state.y + state.rise, state.x, state.y + state.rise)
    walk.found.glyphs.push({
      text: glyph.unicode ?? '',
      code: (glyph.originalCharCode ?? glyph.fontChar?.charCodeAt(0) ?? 0) & 0xff,
      font,
      size: pageSize,
      startX: start.left, startY: start.top, endX: end.left, endY: end.top,
      spacing: font.vertical ? 0 : state.charSpacing * state.scale * Math.hypot(toPage[0], toPage[1]),
      bounds: boundsOf(toPage, left, bottom, right, top),
    })
  }
}

// glyphs of a Type 3 font live in a space of their own; its box is the only hint at their height
function typeThreeHeight(font: PdfFont): number {
  const height = Math.abs(font.boxHeight * font.fontMatrix[3])
  return height > 0.2 && height < 5 ? height : 1
}
