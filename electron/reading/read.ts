import type { Document, FileKind } from '../../shared/domain/document.ts'
import { AppError } from '../../shared/domain/errors.ts'
import { readDocx } from './office/read-docx.ts'
import { readXlsx } from './office/read-xlsx.ts'
import { readPdf } from './pdf/read-pdf.ts'
import { readPicture } from './picture/read-picture.ts'
import type { ReserveMemory, Recognise } from './recognise.ts'

export type { Picture, Recognise, Recognised } from './recognise.ts'

/**
 * Turns the bytes of one file into text with places. `recognise` is asked for the words of pictures and scanned pages,
 * `reserveMemory` for memory before a large picture is decoded. Starts no process and no thread, touches no disk and no
 * network. Throws AppError `file_encrypted`, `file_damaged`, `file_too_complex` (over a limit) or `no_text` (nothing
 * readable at all).
 */
export async function readDocument(
  bytes: Uint8Array,
  kind: FileKind,
  recognise: Recognise,
  reserveMemory: ReserveMemory = async () => undefined,
): Promise<Document> {
  const document = await read(bytes, kind, recognise, reserveMemory)
  if (document.pages.every((page) => page.tokens.length === 0)) throw new AppError('no_text')
  return document
}

async function read(
  bytes: Uint8Array,
  kind: FileKind,
  recognise: Recognise,
  reserveMemory: ReserveMemory,
): Promise<Document> {
  switch (kind) {
    case 'pdf':
      return readPdf(bytes, recognise, reserveMemory)
    case 'png':
    case 'jpeg':
      return readPicture(bytes, kind, recognise, reserveMemory)
    case 'docx':
      return readDocx(bytes)
    case 'xlsx':
      return readXlsx(bytes)
  }
}
