import { createCanvas } from '@napi-rs/canvas'
import type { PDFPageProxy } from 'pdfjs-dist'
import { recogniseUpright } from '../picture/upright.ts'
import type { Recognised } from '../picture/upright.ts'
import type { Recognise } from '../recognise.ts'

const dotsPerInch = 300
const maxPixels = 16_000_000

/** Draws a page at 300 dpi (at most 16 megapixels) on white and reads the words in the picture. */
export async function recognisePage(page: PDFPageProxy, recognise: Recognise): Promise<Recognised> {
  const plain = page.getViewport({ scale: 1 })
  const scale = Math.min(dotsPerInch / 72, Math.sqrt(maxPixels / (plain.width * plain.height)))
  const viewport = page.getViewport({ scale })
  const canvas = createCanvas(Math.max(1, Math.round(viewport.width)), Math.max(1, Math.round(viewport.height)))
  await page.render({ canvas: canvas as never, viewport, background: '#ffffff' }).promise
  page.cleanup()
  return recogniseUpright(canvas, recognise)
}
