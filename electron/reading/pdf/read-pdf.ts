import { createCanvas } from '@napi-rs/canvas'
import type { PDFPageProxy } from 'pdfjs-dist'
import type { Document, Page, Token } from '../../../shared/domain/document.ts'
import { AppError, toAppError } from '../../../shared/domain/errors.ts'
import { clampToPage } from '../numbers.ts'
import { boxesOverlap, inReadingOrder, tokensInReadingOrder } from '../reading-order.ts'
import { recogniseUpright } from '../picture/upright.ts'
import type { UprightWords } from '../picture/upright.ts'
import type { Recognise } from '../recognise.ts'
import { formWords } from './form-fields.ts'
import { walkPage } from './glyphs.ts'
import type { Painted, PdfFont } from './glyphs.ts'
import { toMatrix } from './matrix.ts'
import { openPdf } from './open-pdf.ts'
import {
  maxDocumentOperations,
  maxDrawnOperations,
  maxPageOperations,
  operatorsOf,
  tooManyOperations,
} from './operators.ts'
import { drawnBoxes } from './check-boxes.ts'
import { wordsOf } from './words.ts'
import type { Word } from './words.ts'

/** `trusted` are the tokens that stay beside what is recognised. */
type ReadPage = { page: Page; trusted: Token[]; needsRecognition: boolean; operations: number }

const fewGlyphs = 120

const dotsPerInch = 300
const maxPixels = 16_000_000

/**
 * A PDF as words with places. Attachments are never opened. Pages without a usable text layer are
 * rasterised and given to `recognise`. Throws `file_encrypted`, `file_damaged`, `file_too_complex`.
 */
export async function readPdf(bytes: Uint8Array, recognise: Recognise): Promise<Document> {
  const { pdf, close } = await openPdf(bytes, { drawable: false })
  const pages: ReadPage[] = []
  let operationsLeft = maxDocumentOperations
  try {
    const layers = await pdf.getOptionalContentConfig()
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number)
      const read = await readPage(page, operationsLeft, (layer) => layers.isVisible(layer as never))
      operationsLeft -= read.operations
      pages.push(read)
    }
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('file_damaged', {}, { cause: error })
  } finally {
    await close()
  }
  const scans = pages.filter((read) => read.needsRecognition)
  if (scans.length > 0) await recogniseScans(bytes, scans, recognise)
  return { kind: 'pdf', pages: pages.map((read) => read.page) }
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
  const fields = await formWords(page, base)
  const { width, height } = viewport
  const all = [...words, ...fields]
  const ordered = inReadingOrder([...all, ...drawnBoxes(painted.paths, all)])
  const tokens = tokensOf(ordered, width, height)
  page.cleanup()
  const garbled = unmapped > mapped
  // a scan often carries a stamp, a fax header or form fields as text on top
  const isUnusable = mapped < 8 || garbled || (mapped < fewGlyphs && coveredBy(painted.pictures, width * height) > 0.6)
  const needsRecognition = isUnusable && showsSomething(painted, width * height)
  const operations = list.fnArray.length
  if (needsRecognition && operations > maxDrawnOperations) throw tooManyOperations(operations, maxDrawnOperations)
  return {
    page: { number: page.pageNumber, width, height, origin: 'text', tokens, tables: [] },
    trusted: garbled ? tokensOf(inReadingOrder(fields), width, height) : tokens,
    needsRecognition,
    operations,
  }
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
  return words.flatMap(({ text, bounds, size, bold }) => {
    const left = clampToPage(bounds.left / width)
    const top = clampToPage(bounds.top / height)
    const right = clampToPage(bounds.right / width)
    const bottom = clampToPage(bounds.bottom / height)
    if (right <= left || bottom <= top) return []
    const box = { x: left, y: top, width: right - left, height: bottom - top }
    return [{ text, box, fontSize: size / height, bold }]
  })
}

async function recogniseScans(bytes: Uint8Array, scans: readonly ReadPage[], recognise: Recognise): Promise<void> {
  const { pdf, close } = await openPdf(bytes, { drawable: true })
  try {
    for (const { page, trusted } of scans) {
      const recognised = await recognisePage(await pdf.getPage(page.number), recognise)
      if (recognised.tokens.length === 0) continue
      Object.assign(page, recognised, { origin: 'ocr' })
      if (trusted.length === 0) continue
      const added = recognised.tokens.filter((token) => !trusted.some((known) => boxesOverlap(known.box, token.box)))
      page.tokens = tokensInReadingOrder([...trusted, ...added], page.width / page.height)
    }
  } catch (error) {
    throw toAppError(error)
  } finally {
    await close()
  }
}

/** Draws a page at 300 dpi (at most 16 megapixels) on white and reads the words in the picture. */
async function recognisePage(page: PDFPageProxy, recognise: Recognise): Promise<UprightWords> {
  const plain = page.getViewport({ scale: 1 })
  const scale = Math.min(dotsPerInch / 72, Math.sqrt(maxPixels / (plain.width * plain.height)))
  const viewport = page.getViewport({ scale })
  const canvas = createCanvas(Math.max(1, Math.round(viewport.width)), Math.max(1, Math.round(viewport.height)))
  await page.render({ canvas: canvas as never, viewport, background: '#ffffff' }).promise
  page.cleanup()
  return recogniseUpright(canvas, recognise)
}
