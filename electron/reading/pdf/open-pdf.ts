import { join } from 'node:path'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { AppError } from '../../../shared/domain/errors.ts'
import { packageFolder } from '../package-folder.ts'
import { maxPicturePixels } from './stream-sizes.ts'

const maxPdfPages = 500

// pdf.js joins these with a file name, so each ends with a slash on every system
const folder = (name: string): string => `${join(packageFolder('pdfjs-dist'), name).replaceAll('\\', '/')}/`

type OpenPdf = { pdf: PDFDocumentProxy; close: () => Promise<void> }

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
    maxImageSize: maxPicturePixels,
    verbosity: VerbosityLevel.ERRORS,
  })
  try {
    const pdf = await task.promise
    if (pdf.numPages > maxPdfPages)
      throw new AppError('file_too_complex', { pages: pdf.numPages, maxPages: maxPdfPages })
    return { pdf, close: () => task.destroy() }
  } catch (error) {
    await task.destroy()
    throw openingError(error)
  }
}

function openingError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const name =
    error instanceof Error || (typeof error === 'object' && error !== null && 'name' in error) ? String(error.name) : ''
  return new AppError(name === 'PasswordException' ? 'file_encrypted' : 'file_damaged', {}, { cause: error })
}

const sampleSizeKeys = [Buffer.from('/BitsPerComponent'), Buffer.from('/BPC')]
/** The value after a key: a number that is no reference to another object. */
const sampleSize = /^[\s]*([+\-.\d]+)(?!\s+\d+\s+R)/
const lookAheadBytes = 400
const maxSampleSize = 16

/**
 * A copy in which pictures with impossible sample sizes have 8 bits: ISO 32000-1, Table 89 knows 1, 2, 4, 8 and 16, and
 * pdf.js counts up to whatever is written there, for hours. Offsets stay: the number is overwritten where it stands.
 */
function withPossibleSampleSizes(bytes: Uint8Array): Uint8Array {
  const own = new Uint8Array(bytes)
  const copy = Buffer.from(own.buffer)
  for (const key of sampleSizeKeys) {
    for (let at = copy.indexOf(key); at >= 0; at = copy.indexOf(key, at + key.length)) {
      const begin = at + key.length
      const found = sampleSize.exec(copy.toString('latin1', begin, begin + lookAheadBytes))
      if (found === null || Math.abs(Number(found[1])) <= maxSampleSize) continue
      const digits = found[1]!
      copy.write('8'.padEnd(digits.length), begin + found[0].length - digits.length, 'latin1')
    }
  }
  return own
}
