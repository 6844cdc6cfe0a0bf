import type { Painted } from './glyphs.ts'
import type { Bounds } from './matrix.ts'
import { around } from './words.ts'

/**
 * In points. The Swiss code has 130, and a Girocode at least 50; smaller ones are hardly scanned, larger ones posters.
 */
const smallest = 40
const largest = 260
/** A frame with words around the code makes a picture of it higher than wide. */
const mostUnequal = 1.45
/** Numbers that draw a path: a code of 29 by 29 modules, the least that holds a payment, has 200 runs of four sides. */
const minDrawing = 1000
/** The same code as paths of their own, one for each run or module. */
const minModules = 150
const largestModule = 10
/** Pages full of pictures are catalogues. */
const maxPlaces = 6

/** Of the pixels of a code so many are dark or light, and so many at least are each; soft edges are the rest. */
const twoTones = 0.85
const leastOfATone = 0.2

/** A picture as pdf.js unpacked it, where it did. */
type Pixels = { width?: number; height?: number; kind?: number; data?: ArrayLike<number> }

/**
 * Where a page may show a QR code: a picture of two tones, one path of very many sides, or very many small filled paths
 * in a row, about as high as wide. What else a page paints cannot be one, and is not drawn to look. `pixelsOf` finds
 * the pixels of a painted picture.
 */
export function codePlaces({ pictures, paths }: Painted, pixelsOf: (image: unknown) => unknown): Bounds[] {
  const drawn = paths.filter((path) => path.drawing >= minDrawing)
  const seen = pictures.filter((picture) => isCodeSized(picture) && mayBeCode(pixelsOf(picture.image) as Pixels | null))
  return [...[...drawn, ...modulesInARow(paths)].filter(isCodeSized), ...seen].slice(0, maxPlaces)
}

// what pdf.js calls RGB and RGBA; a picture of one bit has two tones anyway, and one left packed may have them
const channels: Readonly<Record<number, number>> = { 2: 3, 3: 4 }
const samplesAcross = 64

function mayBeCode(pixels: Pixels | null): boolean {
  const { width = 0, height = 0, kind = 0, data } = pixels ?? {}
  const step = channels[kind]
  if (step === undefined || data === undefined) return true
  const tones: number[] = []
  for (let row = 0; row < samplesAcross; row++) {
    for (let column = 0; column < samplesAcross; column++) {
      const x = Math.floor(((column + 0.5) * width) / samplesAcross)
      const y = Math.floor(((row + 0.5) * height) / samplesAcross)
      const at = (y * width + x) * step
      tones.push((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0))
    }
  }
  const darkest = Math.min(...tones)
  const quarter = (Math.max(...tones) - darkest) / 4
  const dark = tones.filter((tone) => tone <= darkest + quarter).length / tones.length
  const light = tones.filter((tone) => tone >= darkest + 3 * quarter).length / tones.length
  return dark + light >= twoTones && Math.min(dark, light) >= leastOfATone
}

function modulesInARow(paths: Painted['paths']): Bounds[] {
  const rows: Bounds[] = []
  let row: Bounds | null = null
  let modules = 0
  for (const path of [...paths, null]) {
    const isModule = path !== null && !path.outline && path.bottom - path.top <= largestModule
    if (isModule && path.right - path.left <= largest) {
      row = row === null ? path : around(row, path)
      modules++
      continue
    }
    if (row !== null && modules >= minModules) rows.push(row)
    row = null
    modules = 0
  }
  return rows
}

function isCodeSized({ left, top, right, bottom }: Bounds): boolean {
  const [shorter, longer] = [right - left, bottom - top].sort((one, other) => one - other) as [number, number]
  return shorter >= smallest && longer <= largest && longer <= shorter * mostUnequal
}
