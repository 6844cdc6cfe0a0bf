import { createCanvas } from '@napi-rs/canvas'
import type { Canvas } from '@napi-rs/canvas'
import { freeCanvas, freeSamples } from '../free-memory.ts'

/** A picture as ink (1) and paper (0), row by row. `scale` is its size relative to the picture it was made from. */
export type Ink = { pixels: Uint8Array; width: number; height: number; scale: number }

/** Tells ink from paper by comparing with the mean of the neighbourhood, so shadows on a photo stay paper. */
export function inkOf(canvas: Canvas, longestSide: number): Ink {
  const scale = Math.min(1, longestSide / Math.max(canvas.width, canvas.height))
  const width = Math.max(1, Math.round(canvas.width * scale))
  const height = Math.max(1, Math.round(canvas.height * scale))
  const small = createCanvas(width, height)
  const context = small.getContext('2d')
  context.imageSmoothingQuality = 'high'
  context.drawImage(canvas, 0, 0, width, height)
  const { data } = context.getImageData(0, 0, width, height)
  freeCanvas(small)
  const grey = new Uint8Array(width * height)
  for (let index = 0; index < grey.length; index++) {
    grey[index] =
      ((data[index * 4] ?? 0) * 77 + (data[index * 4 + 1] ?? 0) * 151 + (data[index * 4 + 2] ?? 0) * 28) >> 8
  }
  freeSamples(data)
  return { pixels: belowNeighbourhood(grey, width, height), width, height, scale }
}

function belowNeighbourhood(grey: Uint8Array, width: number, height: number): Uint8Array {
  const sums = new Float64Array((width + 1) * (height + 1))
  for (let y = 0; y < height; y++) {
    let row = 0
    for (let x = 0; x < width; x++) {
      row += grey[y * width + x] ?? 0
      sums[(y + 1) * (width + 1) + x + 1] = (sums[y * (width + 1) + x + 1] ?? 0) + row
    }
  }
  const reach = Math.max(8, Math.round(Math.max(width, height) / 50))
  const ink = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const top = Math.max(0, y - reach)
    const bottom = Math.min(height, y + reach + 1)
    for (let x = 0; x < width; x++) {
      const left = Math.max(0, x - reach)
      const right = Math.min(width, x + reach + 1)
      const sum =
        (sums[bottom * (width + 1) + right] ?? 0) -
        (sums[top * (width + 1) + right] ?? 0) -
        (sums[bottom * (width + 1) + left] ?? 0) +
        (sums[top * (width + 1) + left] ?? 0)
      const mean = sum / ((bottom - top) * (right - left))
      ink[y * width + x] = (grey[y * width + x] ?? 255) < mean * 0.82 - 4 ? 1 : 0
    }
  }
  freeSamples(sums)
  return ink
}
