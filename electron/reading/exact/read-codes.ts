import { readFile } from 'node:fs/promises'
import { createCanvas } from '@napi-rs/canvas'
import type { Canvas } from '@napi-rs/canvas'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import type { Box, ExactSource, Token } from '../../../shared/domain/document.ts'
import { freeCanvas, freeSamples } from '../free-memory.ts'
import { clampToPage } from '../numbers.ts'
import { packageFile } from '../package-folder.ts'
import { paymentCodeFrom } from './payment-code.ts'

/** A page at 300 dpi has 9 megapixels; a larger picture is made smaller, since a code on it has pixels to spare. */
const maxPixels = 10_000_000
/** A page has one payment code, two beside a second offer. */
const maxCodes = 8

let prepared: Promise<unknown> | undefined

/** Loads the reader of codes once for each thread. Its program is a file of the package: nothing is fetched. */
function prepare(): Promise<unknown> {
  prepared ??= readFile(packageFile('zxing-wasm/reader/zxing_reader.wasm')).then((file) =>
    prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(file).buffer }, fireImmediately: true }),
  )
  return prepared
}

/** A QR code by its box, a fraction of its picture, and what it says when it is a payment code. */
export type Code = { box: Box; source: ExactSource | null }

/** The QR codes in a picture. Never throws. */
export async function codesIn(canvas: Canvas): Promise<Code[]> {
  try {
    await prepare()
    const { width, height, data } = pixelsOf(canvas)
    const codes = await readBarcodes({ width, height, data, colorSpace: 'srgb' } as never, {
      formats: ['QRCode'],
      tryHarder: true,
      tryRotate: false, // for codes of lines: a square one is found at any angle
      tryInvert: false, // both standards want dark on light
      maxNumberOfSymbols: maxCodes,
    })
    freeSamples(data)
    return codes.map(({ bytes, text, position }) => {
      const source = paymentCodeFrom(textOf(bytes, text))
      const corners = [position.topLeft, position.topRight, position.bottomLeft, position.bottomRight]
      return { source, box: boxAround(corners, width, height) }
    })
  } catch {
    return [] // a picture that the reader cannot take has no code for us; its words are read all the same
  }
}

function pixelsOf(canvas: Canvas): { width: number; height: number; data: Uint8ClampedArray } {
  const scale = Math.min(1, Math.sqrt(maxPixels / (canvas.width * canvas.height)))
  const width = Math.max(1, Math.round(canvas.width * scale))
  const height = Math.max(1, Math.round(canvas.height * scale))
  if (scale === 1) return { width, height, data: canvas.getContext('2d').getImageData(0, 0, width, height).data }
  const smaller = createCanvas(width, height)
  const context = smaller.getContext('2d')
  context.drawImage(canvas, 0, 0, width, height)
  const { data } = context.getImageData(0, 0, width, height)
  freeCanvas(smaller)
  return { width, height, data }
}

/** Both standards allow UTF-8, and the older one seven sets for the west as well. */
function textOf(bytes: Uint8Array, text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return text
  }
}

function boxAround(corners: readonly { x: number; y: number }[], width: number, height: number): Box {
  const left = clampToPage(Math.min(...corners.map(({ x }) => x)) / width)
  const top = clampToPage(Math.min(...corners.map(({ y }) => y)) / height)
  const right = clampToPage(Math.max(...corners.map(({ x }) => x)) / width)
  const bottom = clampToPage(Math.max(...corners.map(({ y }) => y)) / height)
  return { x: left, y: top, width: right - left, height: bottom - top }
}

/** The payment codes among the codes of a page as sources, each value with the place of its code. */
export function sourcesOf(
  codes: readonly Code[],
  page: number,
  placed: (box: Box) => Box = (box) => box,
): ExactSource[] {
  return codes.flatMap(({ source, box }) =>
    source === null
      ? []
      : [{ ...source, values: source.values.map((value) => ({ ...value, page, box: placed(box) })) }],
  )
}

/** The words that were recognised outside of codes: what is seen in one is no word. */
export function outsideCodes(tokens: readonly Token[], codes: readonly Code[]): Token[] {
  const isInside = ({ box }: Token, code: Box): boolean => {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    return x > code.x && x < code.x + code.width && y > code.y && y < code.y + code.height
  }
  return tokens.filter((token) => !codes.some((code) => isInside(token, code.box)))
}
