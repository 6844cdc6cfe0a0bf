import { performance } from 'node:perf_hooks'
import type { Document, FileKind } from '../../shared/domain/document.ts'
import type { Doubt, ExtractedRecord, FieldSource } from '../../shared/domain/result.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'

/** The values of a document with their places and doubts, and how many words and pages were read for them. */
export type Extraction = {
  data: ExtractedRecord
  sources: FieldSource[]
  doubts: Doubt[]
  words: number
  pages: number
}

/**
 * The work on documents, given to the service so that it knows neither PDF nor labels, and done outside of its event
 * loop. Both are given a path, so that a document of 36 MB never stands in this process, and throw AppError
 * `file_encrypted`, `file_damaged`, `file_too_complex` or `no_text`.
 */
export type Engine = {
  read(path: string, kind: FileKind): Promise<Document>
  /** Reads and extracts in one go: the text of a long document stays where it is read. */
  extract(path: string, kind: FileKind, schema: SchemaElement[]): Promise<Extraction>
}

export type ExtractionTask = { fileName: string; kind: FileKind; schema: SchemaElement[]; withSources: boolean }

/** The success body of spec, «Extraction result», without `status` and `extract_id`. */
type ExtractionOutcome = {
  data: ExtractedRecord
  metadata: { filename: string; duration: string; tokens_consumed: number; sources?: FieldSource[]; doubts?: Doubt[] }
}

/** What an extraction answers, and what it used. */
type FinishedExtraction = { outcome: ExtractionOutcome; words: number; pages: number }

/**
 * Reads and extracts one document. `duration` is the time of both in milliseconds, without the
 * time the request waited; `tokens_consumed` is the number of words read.
 */
export async function runExtraction(engine: Engine, path: string, task: ExtractionTask): Promise<FinishedExtraction> {
  const startedAt = performance.now()
  const { data, sources, doubts, words, pages } = await engine.extract(path, task.kind, task.schema)
  const duration = String(Math.max(1, Math.round(performance.now() - startedAt)))
  const metadata = { filename: task.fileName, duration, tokens_consumed: words }
  return { outcome: { data, metadata: task.withSources ? { ...metadata, sources, doubts } : metadata }, words, pages }
}
