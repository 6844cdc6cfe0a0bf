import { createCanvas } from '@napi-rs/canvas'
import type { Canvas } from '@napi-rs/canvas'
import type { Box, Token } from '../../../shared/domain/document.ts'
import { clampToPage } from '../numbers.ts'
import { boxesOverlap, tokensInReadingOrder } from '../reading-order.ts'
import type { Recognise } from '../recognise.ts'
import { boxesIn, withBoxes } from './check-boxes.ts'
import { inkOf } from './ink.ts'
import { missesText } from './missed-text.ts'
import { skewOf } from './skew.ts'

const inkSide = 1200
const minSkewDegrees = 0.15
const wantedWidth = 1600
const longestSide = 4000
const missedInkSide = 1600
// a second look sees words in texture too
const minBlockConfidence = 0.45

/** Words, and by how many degrees their lines lean clockwise when they do. */
export type Recognised = { tokens: Token[]; skewDegrees?: number }

/**
 * Reads the words of a picture that may lean by up to 5 degrees: small pictures are enlarged, huge ones
 * reduced, the lean is undone, and boxes are turned back, so they are fractions of the picture as given.
 */
export async function recogniseUpright(canvas: Canvas, recognise: Recognise): Promise<Recognised> {
  const degrees = skewOf(inkOf(canvas, inkSide))
  const turned = Math.abs(degrees) >= minSkewDegrees ? degrees : 0
  const scale = scaleFor(canvas)
  const straight = turned === 0 && scale === 1 ? canvas : straighten(canvas, turned, scale)
  const words = await allWords(straight, recognise)
  const marked = withBoxes(words, boxesIn(straight, words), straight.width / straight.height)
  const tokens = tokensInReadingOrder(marked, straight.width / straight.height).map((token) => ({
    ...token,
    box: placeBack(token.box, straight, canvas, turned, scale),
    fontSize: (token.fontSize * straight.height) / scale / canvas.height,
  }))
  return turned === 0 ? { tokens } : { tokens, skewDegrees: turned }
}

// Page layout analysis loses columns that stand far off, such as the prices of a receipt. When much
// ink that looks like type was not read, a second look takes what the first one missed.
async function allWords(straight: Canvas, recognise: Recognise): Promise<Token[]> {
  const picture = { png: await straight.encode('png'), width: straight.width, height: straight.height }
  const words = await recognise(picture)
  if (!missesText(inkOf(straight, missedInkSide), words)) return words
  const more = (await recognise({ ...picture, layout: 'block' })).filter(
    (word) => (word.confidence ?? 1) > minBlockConfidence && !words.some((known) => boxesOverlap(known.box, word.box)),
  )
  return [...words, ...more]
}

function scaleFor(canvas: Canvas): number {
  const longest = Math.max(canvas.width, canvas.height)
  if (longest > longestSide) return longestSide / longest
  return canvas.width < wantedWidth ? Math.min(3, wantedWidth / canvas.width, longestSide / longest) : 1
}

function straighten(canvas: Canvas, degrees: number, scale: number): Canvas {
  const angle = (degrees * Math.PI) / 180
  const cos = Math.abs(Math.cos(angle))
  const sin = Math.abs(Math.sin(angle))
  const straight = createCanvas(
    Math.ceil((canvas.width * cos + canvas.height * sin) * scale),
    Math.ceil((canvas.width * sin + canvas.height * cos) * scale),
  )
  const context = straight.getContext('2d')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, straight.width, straight.height)
  context.imageSmoothingQuality = 'high'
  context.translate(straight.width / 2, straight.height / 2)
  context.rotate(-angle)
  context.scale(scale, scale)
  context.drawImage(canvas, -canvas.width / 2, -canvas.height / 2)
  return straight
}

// The box's centre goes back exactly; its size is kept, or a long word would grow into its neighbours' lines.
function placeBack(box: Box, straight: Canvas, canvas: Canvas, degrees: number, scale: number): Box {
  const angle = (degrees * Math.PI) / 180
  const x = ((box.x + box.width / 2) * straight.width - straight.width / 2) / scale
  const y = ((box.y + box.height / 2) * straight.height - straight.height / 2) / scale
  const centreX = x * Math.cos(angle) - y * Math.sin(angle) + canvas.width / 2
  const centreY = x * Math.sin(angle) + y * Math.cos(angle) + canvas.height / 2
  const width = (box.width * straight.width) / scale
  const height = (box.height * straight.height) / scale + Math.abs(Math.sin(angle)) * width * 0.5
  const left = clampToPage((centreX - width / 2) / canvas.width)
  const top = clampToPage((centreY - height / 2) / canvas.height)
  return {
    x: left,
    y: top,
    width: clampToPage((centreX + width / 2) / canvas.width) - left,
    height: clampToPage((centreY + height / 2) / canvas.height) - top,
  }
}
