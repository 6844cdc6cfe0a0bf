import { performance } from 'node:perf_hooks'
import { AppError } from '../../shared/errors.ts'
import type { Document, FileKind } from '../../shared/document.ts'
import type { ExtractedRecord, FieldSource } from '../../shared/result.ts'
import type { SchemaElement } from '../../shared/schema.ts'

export type Extraction = { data: ExtractedRecord; sources: FieldSource[] }

/** The two halves of the service's work, given to it so that it knows neither PDF nor labels. */
export type Engine = {
  /** Throws AppError `file_encrypted`, `file_damaged`, `file_too_complex` or `no_text`. */
  read(path: string, kind: FileKind): Promise<Document>
  extract(document: Document, schema: SchemaElement[]): Extraction | Promise<Extraction>
}

export type ExtractionTask = { fileName: string; kind: FileKind; schema: SchemaElement[]; withSources: boolean }

/** The success body of spec, «Extraction result», without `status` and `extract_id`. */
export type ExtractionOutcome = {
  data: ExtractedRecord
  metadata: { filename: string; duration: string; tokens_consumed: number; sources?: FieldSource[] }
}

/** What an extraction answers, and what it used. */
export type FinishedExtraction = { outcome: ExtractionOutcome; words: number; pages: number }

/**
 * Reads and extracts one document. `duration` is the time of both in milliseconds, without the
 * time the request waited; `tokens_consumed` is the number of words read.
 */
export async function runExtraction(engine: Engine, path: string, task: ExtractionTask): Promise<FinishedExtraction> {
  const startedAt = performance.now()
  const document = await engine.read(path, task.kind)
  const words = document.pages.reduce((sum, page) => sum + page.tokens.length, 0)
  if (words === 0 && document.pages.every((page) => page.tables.length === 0)) throw new AppError('no_text')
  const { data, sources } = await engine.extract(document, task.schema)
  const duration = String(Math.max(1, Math.round(performance.now() - startedAt)))
  const metadata = { filename: task.fileName, duration, tokens_consumed: words }
  return { outcome: { data, metadata: task.withSources ? { ...metadata, sources } : metadata }, words, pages: document.pages.length }
}
