import type { Document, FileKind } from '../../shared/domain/document.ts'
import { AppError } from '../../shared/domain/errors.ts'
import { readDocx } from './office/read-docx.ts'
import { readXlsx } from './office/read-xlsx.ts'
import { readPdf } from './pdf/read-pdf.ts'
import { readPicture } from './picture/read-picture.ts'
import type { ExpectMemory, Recognise } from './recognise.ts'

export type { Picture, Recognise, Recognised } from './recognise.ts'

/**
 * Turns the bytes of one file into text with places. `recognise` is asked for the words of pictures and scanned pages,
 * `expectMemory` is told what a large picture takes. Starts no process and no thread, touches no disk and no network.
 * Throws AppError `file_encrypted`, `file_damaged`, `file_too_complex` (over a limit) or `no_text` (nothing readable at
 * all).
 */
export async function readDocument(
  bytes: Uint8Array,
  kind: FileKind,
  recognise: Recognise,
  expectMemory: ExpectMemory = () => undefined,
): Promise<Document> {
  const document = await read(bytes, kind, recognise, expectMemory)
  if (document.pages.every((page) => page.tokens.length === 0)) throw new AppError('no_text')
  return document
}

async function read(
  bytes: Uint8Array,
  kind: FileKind,
  recognise: Recognise,
  expectMemory: ExpectMemory,
): Promise<Document> {
  switch (kind) {
    case 'pdf':
      return readPdf(bytes, recognise, expectMemory)
    case 'png':
    case 'jpeg':
      return readPicture(bytes, kind, recognise, expectMemory)
    case 'docx':
      return readDocx(bytes)
    case 'xlsx':
      return readXlsx(bytes)
  }
}
