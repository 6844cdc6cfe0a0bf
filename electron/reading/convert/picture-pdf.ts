import { buffer } from 'node:stream/consumers'
import type { Canvas } from '@napi-rs/canvas'
import PdfDocument from 'pdfkit'
import { AppError } from '../../../shared/domain/errors.ts'
import { freeCanvas } from '../free-memory.ts'
import { maxPicturePixels } from '../picture/read-picture.ts'

const pointsPerInch = 72
/** Where a picture does not say how large it is. */
const usualDpi = 200
/** 0.3 bytes a pixel for a page of type, which looks like the first. */
const jpegQuality = 90

/** Throws AppError `file_damaged` for no pixels, `file_too_complex` for more than are decoded. */
export function checkPixels(width: number, height: number): void {
  if (!(width > 0) || !(height > 0)) throw new AppError('file_damaged')
  if (width * height > maxPicturePixels)
    throw new AppError('file_too_complex', { pixels: width * height, maxPixels: maxPicturePixels })
}

/** How much of a page so many pixels take, in points. */
export function pointsFor(pixels: number, dpi = usualDpi): number {
  return (pixels * pointsPerInch) / dpi
}

/** A document of pictures, without a page and without a font. */
export function emptyPdf(): PDFKit.PDFDocument {
  return new PdfDocument({ autoFirstPage: false, font: null as never })
}

/** Adds a page of this size (in points) that is the canvas, which is freed. */
export async function addPicture(pdf: PDFKit.PDFDocument, canvas: Canvas, size: [number, number]): Promise<void> {
  const jpeg = await canvas.encode('jpeg', jpegQuality)
  freeCanvas(canvas)
  pdf.addPage({ size, margin: 0 })
  pdf.image(jpeg, 0, 0, { width: size[0], height: size[1] })
}

/** Ends a document and resolves with its bytes. */
export async function finished(pdf: PDFKit.PDFDocument): Promise<Uint8Array> {
  const bytes = buffer(pdf as unknown as NodeJS.ReadableStream)
  pdf.end()
  return bytes
}
