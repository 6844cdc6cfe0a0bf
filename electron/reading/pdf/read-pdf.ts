import { createCanvas } from '@napi-rs/canvas'
import type { Canvas } from '@napi-rs/canvas'
import type { PDFPageProxy } from 'pdfjs-dist'
import type { Document, ExactSource, ExactValue, Page, Token } from '../../../shared/domain/document.ts'
import { toAppError } from '../../../shared/domain/errors.ts'
import { attachedInvoices } from '../exact/attachments.ts'
import { formValues } from '../exact/form.ts'
import { codesIn, outsideCodes, sourcesOf } from '../exact/read-codes.ts'
import { asDamaged } from '../damaged.ts'
import { freeCanvas } from '../free-memory.ts'
import { boxesOverlap, inReadingOrder, quarterOf, tokensInReadingOrder } from '../reading-order.ts'
import { boxesIn, inkSide, withBoxes } from '../picture/check-boxes.ts'
import { recogniseUpright } from '../picture/upright.ts'
import { maxRecognisedPixels } from '../recognise.ts'
import type { ReserveMemory, Recognise } from '../recognise.ts'
import { formFields } from './form-fields.ts'
import { walkPage } from './glyphs.ts'
import type { Painted, PdfFont } from './glyphs.ts'
import { boxOf, toMatrix } from './matrix.ts'
import type { Bounds } from './matrix.ts'
import { codePlaces } from './code-places.ts'
import { withSmallerPictures } from './large-pictures.ts'
import { checkLines } from './long-lines.ts'
import { openPdf } from './open-pdf.ts'
import {
  maxDocumentOperations,
  maxDrawnOperations,
  maxPageOperations,
  operatorsOf,
  tooManyOperations,
} from './operators.ts'
import { drawnBoxes } from './check-boxes.ts'
import { checkStreamSizes, memoryForPictures } from './stream-sizes.ts'
import { tablesOf } from './page-tables.ts'
import { wordsOf } from './words.ts'
import type { Word } from './words.ts'

/**
 * `trusted` are the tokens that stay beside what is recognised; `codes` are places where a code may be. `lookFor` is
 * what the picture of a page with words may say beside them: the boxes of a scan whose words the scanner recognised, or
 * the words of a picture that stands below a few.
 */
type ReadPage = {
  page: Page
  trusted: Token[]
  needsRecognition: boolean
  lookFor: 'boxes' | 'words' | null
  operations: number
  codes: Bounds[]
  form: ExactValue[]
}

/** So few letters has a page, and so much of it is covered, when its pictures may say what its words do not. */
const fewGlyphs = 120
const tellingPicture = 0.25
/** How much of a page a picture covers of which a scanner has put the words on top. */
const wholePicture = 0.6

/** An A4 page at 300 dpi as it is drawn, and in grey. */
const bytesForPage = 44_000_000

const dotsPerInch = 300

/** The widest Swiss code (117 modules) at four pixels a module. */
const codePixels = 480
/** To draw a place runs all operations of its page, at 20 µs each: together four seconds at most. */
const maxCodeOperations = 200_000
/** What else it takes to draw and read one, in operations: 20 ms. */
const codeOperations = 1000
/** So many pages of a file with words are drawn at most: 0.3 s each, of the 120 s that reading a file may take. */
const mostLooks = 100

/**
 * A PDF as words with places, and what it says exactly: e-invoices that it carries (other attachments are never
 * opened). Pages without a usable text layer are rasterised and given to `recognise`. Throws `file_encrypted`,
 * `file_damaged`, `file_too_complex`.
 */
export async function readPdf(file: Uint8Array, recognise: Recognise, reserveMemory: ReserveMemory): Promise<Document> {
  const bytes = await prepared(file, reserveMemory)
  const { pdf, close } = await openPdf(bytes, { drawable: false })
  const pages: ReadPage[] = []
  const exact: ExactSource[] = []
  let operationsLeft = maxDocumentOperations
  try {
    const layers = await pdf.getOptionalContentConfig()
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number)
      const read = await readPage(page, operationsLeft, (layer) => layers.isVisible(layer as never))
      operationsLeft -= read.operations
      pages.push(read)
    }
    const filled = pages.flatMap((read) => read.form)
    if (filled.length > 0) exact.push({ kind: 'form', name: 'AcroForm', values: filled })
    exact.push(...(await attachedInvoices(pdf)))
  } catch (error) {
    throw asDamaged(error)
  } finally {
    await close()
  }
  for (const read of pages.filter(({ lookFor }) => lookFor !== null).slice(mostLooks)) read.lookFor = null
  const drawn = pages.filter((read) => read.needsRecognition || read.lookFor !== null || read.codes.length > 0)
  if (drawn.length > 0) exact.push(...(await lookAtPages(bytes, drawn, recognise)))
  return { kind: 'pdf', pages: pages.map((read) => read.page), ...(exact.length > 0 ? { exact } : {}) }
}

/** The file as it is read: checked for what pdf.js cannot bear, large pictures halved, and its memory reserved. */
async function prepared(file: Uint8Array, reserveMemory: ReserveMemory): Promise<Uint8Array> {
  checkLines(file)
  await checkStreamSizes(file)
  const bytes = await withSmallerPictures(file, reserveMemory)
  const pictureBytes = memoryForPictures(bytes)
  if (pictureBytes > 0) await reserveMemory(pictureBytes + bytesForPage)
  return bytes
}

async function readPage(
  page: PDFPageProxy,
  operationsLeft: number,
  layerShown: (layer: unknown) => boolean,
): Promise<ReadPage> {
  const viewport = page.getViewport({ scale: 1 })
  const base = toMatrix(viewport.transform) ?? [1, 0, 0, 1, 0, 0]
  const list = await operatorsOf(page, Math.min(maxPageOperations, operationsLeft))
  const fonts = new Map<string, PdfFont | null>()
  const fontNamed = (name: string): PdfFont | null => {
    if (!fonts.has(name)) fonts.set(name, fontFrom(page, name))
    return fonts.get(name) ?? null
  }
  const painted = walkPage(list, base, fontNamed, layerShown)
  const { words, mapped, unmapped } = wordsOf(painted.glyphs)
  const form = await formFields(page, base)
  const fields = form.flatMap((field) => field.words)
  const { width, height } = viewport
  const all = [...words, ...fields]
  const ordered = inReadingOrder([...all, ...drawnBoxes(painted.paths, all)])
  const tokens = tokensOf(ordered, width, height)
  const operations = list.fnArray.length
  const codes = operations <= maxDrawnOperations ? codePlaces(painted, (image) => pixelsOf(page, image)) : []
  page.cleanup()
  const garbled = unmapped > mapped
  const covered = coveredBy(painted.pictures, width * height)
  // a scan often carries a stamp, a fax header or form fields as text on top
  const isUnusable = mapped < 8 || garbled || (mapped < fewGlyphs && covered > wholePicture)
  const needsRecognition = isUnusable && showsSomething(painted, width * height)
  if (needsRecognition && operations > maxDrawnOperations) throw tooManyOperations(operations, maxDrawnOperations)
  return {
    page: {
      number: page.pageNumber,
      width,
      height,
      origin: 'text',
      tokens,
      tables: isUnusable ? [] : tablesOf(all, painted.rules, width, height),
    },
    trusted: garbled ? tokensOf(inReadingOrder(fields), width, height) : tokens,
    needsRecognition,
    lookFor: isUnusable || operations > maxDrawnOperations ? null : leftOut(mapped, covered),
    operations,
    codes,
    form: formValues(form, words, { number: page.pageNumber, width, height }),
  }
}

/**
 * A picture as pdf.js unpacked it: what is painted once belongs to the page, what several pages paint to the document.
 */
function pixelsOf(page: PDFPageProxy, image: unknown): unknown {
  if (typeof image !== 'string') return image
  const objects = [page.objs, page.commonObjs].find((all) => all.has(image))
  return objects?.get(image) ?? null
}

/** What the words of a page may leave out that its pictures show. */
function leftOut(glyphs: number, covered: number): ReadPage['lookFor'] {
  if (covered > wholePicture) return 'boxes'
  return glyphs < fewGlyphs && covered > tellingPicture ? 'words' : null
}

// a picture over a good part of the page, or text that was turned into outlines
function showsSomething(painted: Painted, pageArea: number): boolean {
  return coveredBy(painted.pictures, pageArea) > 0.1 || painted.paths.length > 60 || painted.glyphs.length > 40
}

function coveredBy(pictures: Painted['pictures'], pageArea: number): number {
  return pictures.reduce((sum, box) => sum + (box.right - box.left) * (box.bottom - box.top), 0) / pageArea
}

type ExportedFont = {
  name?: string
  bold?: boolean
  black?: boolean
  isType3Font?: boolean
  vertical?: boolean
  ascent?: number
  descent?: number
  fontMatrix?: unknown
  bbox?: ArrayLike<number>
}

function fontFrom(page: PDFPageProxy, name: string): PdfFont | null {
  if (!page.commonObjs.has(name)) return null
  const font = page.commonObjs.get(name) as ExportedFont | null
  if (font === null || typeof font !== 'object') return null
  const fullName = font.name ?? ''
  const ascent = font.ascent ?? 0
  const descent = font.descent ?? 0
  return {
    name: fullName,
    bold: font.bold === true || font.black === true || /bold|black|heavy|semibd|demi(?!light)|[-,]bd\b/i.test(fullName),
    type3: font.isType3Font === true,
    vertical: font.vertical === true,
    // fonts lie about their height: keep to what type looks like
    ascent: ascent > 0.5 ? Math.min(ascent, 0.95) : 0.8,
    descent: descent < 0 ? Math.max(descent, -0.3) : -0.2,
    fontMatrix: toMatrix(font.fontMatrix) ?? [0.001, 0, 0, 0.001, 0, 0],
    boxHeight: font.bbox !== undefined ? (font.bbox[3] ?? 0) - (font.bbox[1] ?? 0) : 0,
  }
}

/** Words as tokens with boxes as fractions of the page; what lies outside the visible page is left out. */
function tokensOf(words: readonly Word[], width: number, height: number): Token[] {
  const counts = [0, 0, 0, 0]
  for (const word of words) counts[quarterOf(word)]! += word.text.length
  const isLevel = counts.indexOf(Math.max(...counts)) === 0
  return words.flatMap((word) => {
    const { text, bounds, size, bold } = word
    const box = boxOf(bounds, width, height)
    const turned = isLevel && quarterOf(word) % 2 === 1 ? { turned: true as const } : {}
    return box === null ? [] : [{ text, box, fontSize: size / height, bold, ...turned }]
  })
}

/** Draws what has to be seen: scans to read their words, and places that may be a payment code. Returns the codes. */
async function lookAtPages(
  bytes: Uint8Array,
  pages: readonly ReadPage[],
  recognise: Recognise,
): Promise<ExactSource[]> {
  const found: ExactSource[] = []
  let operationsLeft = maxCodeOperations
  const { pdf, close } = await openPdf(bytes, { drawable: true })
  try {
    for (const read of pages) {
      const page = await pdf.getPage(read.page.number)
      const isRecognised = read.needsRecognition || read.lookFor === 'words'
      if (isRecognised) found.push(...(await recognisePage(page, read, recognise)))
      if (read.lookFor === 'boxes') await findBoxes(page, read.page)
      for (const place of isRecognised ? [] : read.codes) {
        operationsLeft -= read.operations + codeOperations
        if (operationsLeft >= 0) found.push(...(await codesAt(page, read.page, place)))
      }
      page.cleanup()
    }
  } catch (error) {
    throw toAppError(error)
  } finally {
    await close()
  }
  return found
}

/**
 * Draws a page at 300 dpi (at most 16 megapixels) on white and reads the words and the codes in the picture. A page
 * that has words of its own and cannot be drawn keeps to them.
 */
async function recognisePage(page: PDFPageProxy, read: ReadPage, recognise: Recognise): Promise<ExactSource[]> {
  const plain = page.getViewport({ scale: 1 })
  const scale = Math.min(dotsPerInch / 72, Math.sqrt(maxRecognisedPixels / (plain.width * plain.height)))
  const area = { left: 0, top: 0, right: plain.width, bottom: plain.height }
  const canvas = await draw(page, area, scale).catch((error: unknown) => {
    if (read.needsRecognition) throw error
    return null
  })
  page.cleanup()
  if (canvas === null) return []
  const recognised = await recogniseUpright(canvas, recognise)
  const codes = await codesIn(canvas)
  freeCanvas(canvas)
  const seen = outsideCodes(recognised.tokens, codes)
  if (seen.length > 0) {
    const { trusted } = read
    const added = seen.filter((token) => !trusted.some((known) => boxesOverlap(known.box, token.box)))
    const tokens =
      trusted.length === 0 ? seen : tokensInReadingOrder([...trusted, ...added], read.page.width / read.page.height)
    Object.assign(read.page, recognised, { origin: 'ocr', tokens, tables: [] })
  }
  return sourcesOf(codes, read.page.number)
}

/** Puts the boxes that the picture of a page shows among its words. What cannot be drawn has none. */
async function findBoxes(page: PDFPageProxy, read: Page): Promise<void> {
  const area = { left: 0, top: 0, right: read.width, bottom: read.height }
  const canvas = await draw(page, area, inkSide / Math.max(read.width, read.height)).catch(() => null)
  if (canvas === null) return
  read.tokens = withBoxes(read.tokens, boxesIn(canvas, read.tokens), read.width / read.height)
  freeCanvas(canvas)
}

/**
 * The payment codes at a place of a page, which is drawn alone and with a margin: a code needs white around it. What
 * cannot be drawn has none, and the page's words are read already.
 */
async function codesAt(page: PDFPageProxy, { number, width, height }: Page, place: Bounds): Promise<ExactSource[]> {
  const side = Math.max(place.right - place.left, place.bottom - place.top)
  const margin = side * 0.15
  const left = place.left - margin
  const top = place.top - margin
  const area = { left, top, right: place.right + margin, bottom: place.bottom + margin }
  const canvas = await draw(page, area, codePixels / side).catch(() => null)
  if (canvas === null) return []
  const [across, down] = [area.right - left, area.bottom - top]
  const codes = await codesIn(canvas)
  freeCanvas(canvas)
  return sourcesOf(codes, number, (box) => ({
    x: (left + box.x * across) / width,
    y: (top + box.y * down) / height,
    width: (box.width * across) / width,
    height: (box.height * down) / height,
  }))
}

/** An area of a page, in its units, as a picture on white. */
async function draw(page: PDFPageProxy, area: Bounds, scale: number): Promise<Canvas> {
  const viewport = page.getViewport({ scale, offsetX: -area.left * scale, offsetY: -area.top * scale })
  const pixels = (length: number): number => Math.max(1, Math.round(length * scale))
  const canvas = createCanvas(pixels(area.right - area.left), pixels(area.bottom - area.top))
  await page.render({ canvas: canvas as never, viewport, background: '#ffffff' }).promise
  return canvas
}
