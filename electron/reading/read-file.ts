import { readFile } from 'node:fs/promises'
import type { Document, FileKind } from '../../shared/domain/document.ts'
import { AppError } from '../../shared/domain/errors.ts'
import type { Mail } from '../../shared/domain/mail.ts'
import type { FileToConvert } from './convert/convert.ts'
import type { MailFile } from './convert/mail.ts'
import type { PdfToCut } from './convert/pdf-part.ts'
import { readDocument } from './read.ts'
import type { ReserveMemory, Recognise } from './recognise.ts'

/** A file by its path or its bytes. */
export type FileToRead = { source: string | Uint8Array; kind: FileKind }

/** What a thread that reads can do. */
export const readingTasks = { read: readFileToDocument, convert: convertFile, cut: cutPdf, unpack: unpackMail }

/** The task of a reading thread. Throws as `readDocument`, and AppError `file_missing` or `file_unreadable`. */
export async function readFileToDocument(
  { source, kind }: FileToRead,
  recognise: Recognise,
  reserveMemory: ReserveMemory,
): Promise<Document> {
  return readDocument(typeof source === 'string' ? await load(source) : source, kind, recognise, reserveMemory)
}

async function convertFile(file: FileToConvert, _: Recognise, reserveMemory: ReserveMemory): Promise<Uint8Array> {
  // A thread that only reads does without the libraries that write a PDF.
  const { convertToPdf } = await import('./convert/convert.ts')
  return convertToPdf(file, reserveMemory)
}

async function cutPdf(file: PdfToCut): Promise<Uint8Array> {
  const { pdfPart } = await import('./convert/pdf-part.ts')
  return pdfPart(file)
}

async function unpackMail(mail: MailFile): Promise<Mail> {
  const { openMail } = await import('./convert/mail.ts')
  return openMail(mail)
}

async function load(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new AppError(missing ? 'file_missing' : 'file_unreadable', {}, { cause: error })
  }
}
