import type { Document } from '../../../shared/domain/document.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { readFileToDocument, readingTasks } from '../../reading/read-file.ts'
import type { FileToRead } from '../../reading/read-file.ts'
import type { ReserveMemory, Recognise } from '../../reading/recognise.ts'
import type { Extraction } from '../extraction-run.ts'
import { holdsSeveral, isOtherKind } from '../../sorting/one-document.ts'
import { extractFields } from '../finding/find.ts'

/**
 * What a thread of the service can do. The document of an extraction stays in the thread: only its values cross over.
 */
export const extractionTasks = {
  ...readingTasks,
  extract: async (
    { schema, ...file }: FileToRead & { schema: SchemaElement[] },
    recognise: Recognise,
    reserveMemory: ReserveMemory,
  ): Promise<Extraction> => extractDocument(await readFileToDocument(file, recognise, reserveMemory), schema),
}

/**
 * The values of a document that was read, and how much of it there was to read. Throws AppError `no_text` when nothing.
 */
export function extractDocument(document: Document, schema: SchemaElement[]): Extraction {
  const words = document.pages.reduce((sum, page) => sum + page.tokens.length, 0)
  if (words === 0 && document.pages.every((page) => page.tables.length === 0)) throw new AppError('no_text')
  const { doubts, ...found } = extractFields(document, schema)
  if (isOtherKind(document, schema)) doubts.push({ pointer: '/0', code: 'other_kind', alternatives: [] })
  if (holdsSeveral(document)) doubts.push({ pointer: '/0', code: 'several_documents', alternatives: [] })
  return { ...found, doubts, words, pages: document.pages.length }
}
