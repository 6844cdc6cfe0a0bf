import { createCanvas } from '@napi-rs/canvas'
import type { Canvas } from '@napi-rs/canvas'
import type { Box, Token } from '../../../shared/domain/document.ts'
import { freeCanvas, freeSamples } from '../free-memory.ts'
import { clampToPage } from '../numbers.ts'
import { tokensInReadingOrder } from '../reading-order.ts'
import type { Picture, Recognise } from '../recognise.ts'
import { standsOnSide } from '../straighten.ts'
import { boxesIn, withBoxes } from './check-boxes.ts'

/** Words, and by how many degrees their lines lean clockwise when they do. */
export type UprightWords = { tokens: Token[]; skewDegrees?: number }

/**
 * Reads the words of a picture, whichever way it lies: boxes are fractions of the picture as given, and words in the
 * order of the lines as they lean.
 */
export async function recogniseUpright(canvas: Canvas, recognise: Recognise): Promise<UprightWords> {
  const { tokens: words, leanDegrees } = await recognise(greyOf(canvas))
  const level = leanDegrees === 0 ? canvas : turnedBack(canvas, leanDegrees)
  const aspect = level.width / level.height
  const tokens = tokensInReadingOrder(withBoxes(words, boxesIn(level, words), aspect), aspect).map((token) => ({
    ...token,
    box: placeBack(token.box, level, canvas, leanDegrees),
    fontSize: (token.fontSize * level.height) / canvas.height,
  }))
  if (level !== canvas) freeCanvas(level)
  return leanDegrees === 0 ? { tokens } : { tokens, skewDegrees: leanDegrees }
}

function greyOf(canvas: Canvas): Picture {
  const { width, height } = canvas
  const pixels = new Uint8Array(width * height)
  // strip by strip: the colours of a large picture would take four times its size again
  const rows = Math.max(1, Math.floor(1_000_000 / width))
  for (let top = 0; top < height; top += rows) {
    const { data } = canvas.getContext('2d').getImageData(0, top, width, Math.min(rows, height - top))
    const from = top * width
    for (let at = 0, index = from; at < data.length; at += 4, index++)
      pixels[index] = (data[at]! * 77 + data[at + 1]! * 151 + data[at + 2]! * 28) >> 8
    freeSamples(data)
  }
  return { pixels, width, height }
}

/** The smallest sheet that holds the picture turned back by its lean. */
function turnedBack(canvas: Canvas, degrees: number): Canvas {
  const angle = (degrees * Math.PI) / 180
  const cos = Math.abs(Math.cos(angle))
  const sin = Math.abs(Math.sin(angle))
  const level = createCanvas(
    Math.max(1, Math.round(canvas.width * cos + canvas.height * sin)),
    Math.max(1, Math.round(canvas.width * sin + canvas.height * cos)),
  )
  const context = level.getContext('2d')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, level.width, level.height)
  context.imageSmoothingQuality = 'high'
  context.translate(level.width / 2, level.height / 2)
  context.rotate(-angle)
  context.drawImage(canvas, -canvas.width / 2, -canvas.height / 2)
  return level
}

// The box's centre goes back exactly; its size is kept, or a long word would grow into its neighbours' lines.
function placeBack(box: Box, level: Canvas, canvas: Canvas, degrees: number): Box {
  const angle = (degrees * Math.PI) / 180
  const x = (box.x + box.width / 2 - 0.5) * level.width
  const y = (box.y + box.height / 2 - 0.5) * level.height
  const centreX = x * Math.cos(angle) - y * Math.sin(angle) + canvas.width / 2
  const centreY = x * Math.sin(angle) + y * Math.cos(angle) + canvas.height / 2
  const along = box.width * level.width
  const across = box.height * level.height + leanOffQuarter(angle) * along * 0.5
  const [width, height] = standsOnSide(degrees) ? [across, along] : [along, across]
  const left = clampToPage((centreX - width / 2) / canvas.width)
  const top = clampToPage((centreY - height / 2) / canvas.height)
  return {
    x: left,
    y: top,
    width: clampToPage((centreX + width / 2) / canvas.width) - left,
    height: clampToPage((centreY + height / 2) / canvas.height) - top,
  }
}

function leanOffQuarter(angle: number): number {
  return Math.min(Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle)))
}
