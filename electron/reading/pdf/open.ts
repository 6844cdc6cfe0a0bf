import { join } from 'node:path'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { AppError } from '../../../shared/errors.ts'
import { packageFolder } from '../package-folder.ts'
import { withPossibleSampleSizes } from './sample-sizes.ts'

export const maxPdfPages = 500

// pdf.js joins these with a file name, so each ends with a slash on every system
const folder = (name: string): string => `${join(packageFolder('pdfjs-dist'), name).replaceAll('\\', '/')}/`

export type OpenPdf = { pdf: PDFDocumentProxy; close: () => Promise<void> }

/**
 * Opens a PDF with everything active switched off: no scripts, no system fonts, no network.
 * `drawable` prepares glyph outlines as well, which only rasterising needs.
 * Throws `file_encrypted` (a password is needed), `file_too_complex` (over 500 pages) or `file_damaged`.
 */
export async function openPdf(bytes: Uint8Array, options: { drawable: boolean }): Promise<OpenPdf> {
  const task = getDocument({
    data: withPossibleSampleSizes(bytes), // a copy: pdf.js takes ownership of what it is given
    cMapUrl: folder('cmaps'),
    cMapPacked: true,
    standardFontDataUrl: folder('standard_fonts'),
    wasmUrl: folder('wasm'),
    iccUrl: folder('iccs'),
    useSystemFonts: false,
    disableFontFace: options.drawable,
    fontExtraProperties: true,
    enableXfa: false,
    stopAtErrors: false,
    maxImageSize: 100_000_000,
    verbosity: VerbosityLevel.ERRORS,
  })
  try {
    const pdf = await task.promise
    if (pdf.numPages > maxPdfPages) throw new AppError('file_too_complex', { pages: pdf.numPages, maxPages: maxPdfPages })
    return { pdf, close: () => task.destroy() }
  } catch (error) {
    await task.destroy()
    throw openingError(error)
  }
}

function openingError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const name = error instanceof Error || (typeof error === 'object' && error !== null && 'name' in error) ? String(error.name) : ''
  return new AppError(name === 'PasswordException' ? 'file_encrypted' : 'file_damaged', {}, { cause: error })
}
