import type { ConvertedFormat } from '../../../shared/domain/limits.ts'
import type { Locale } from '../../../shared/messages/sentences.ts'
import type { ReserveMemory } from '../recognise.ts'
import { invoicePage } from './invoice-page.ts'
import { picturePage } from './picture-page.ts'
import { tiffPages } from './tiff-pages.ts'

/** A file to be made a PDF, with the language of the words that its page needs. */
export type FileToConvert = { bytes: Uint8Array; format: ConvertedFormat; locale: Locale }

/** A PDF of a file that no service reads. Throws AppError `file_damaged`, `file_too_complex`, or `no_e_invoice`. */
export async function convertToPdf(
  { bytes, format, locale }: FileToConvert,
  reserveMemory: ReserveMemory,
): Promise<Uint8Array> {
  if (format === 'xml') return invoicePage(bytes, locale)
  return format === 'tiff' ? tiffPages(bytes, reserveMemory) : picturePage(bytes, format, reserveMemory)
}
