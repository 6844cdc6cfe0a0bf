import { buffer } from 'node:stream/consumers'
import type { Document, FileKind } from '../../shared/domain/document.ts'
import { AppError } from '../../shared/domain/errors.ts'
import { extensionOf, shownKind } from '../../shared/domain/limits.ts'
import type { Sorted, SortingQuestion } from '../../shared/domain/sorting.ts'
import type { ReadingLanguage } from '../../shared/domain/reading-languages.ts'
import type { ExtractedRecord, FieldSource } from '../../shared/domain/result.ts'
import { isStorageTrouble } from './db/durability/storage-trouble.ts'
import type { StoredDocument } from './db/tables/documents.ts'
import type { Tables } from './db/tables/tables.ts'
import type { ConvertedFiles } from './converted-files.ts'
import type { FileAccess } from './files/file-access.ts'
import { noAnswerCode } from './files/file-limits.ts'
import { codeOf } from './files/move-file.ts'
import { openDocument } from './files/open-document.ts'
import type { DocumentFile } from './files/open-document.ts'
import { hashFile } from './files/hash-file.ts'
import { fileError } from './platform/upload.ts'
import { locateValues } from './review/locate-values.ts'

/** Whether somebody waits for a reading, or it must not keep what somebody waits for. */
type ReadingUrgency = 'awaited' | 'whenIdle'

/** Reads a document's content outside of this thread, its pictures in these languages. */
export type ReadContent = (
  content: Uint8Array,
  kind: FileKind,
  languages: readonly ReadingLanguage[],
  urgency: ReadingUrgency,
) => Promise<Document>

/** As `ReadContent`, for what it says of the parts of a file. */
export type SortContent = (
  content: Uint8Array,
  kind: FileKind,
  languages: readonly ReadingLanguage[],
  question: SortingQuestion,
) => Promise<Sorted>

type Options = {
  tables: Tables
  files: FileAccess
  converted: ConvertedFiles
  read: ReadContent
  /** What a search finds has changed. */
  onTextStored: () => void
  /** Aborted when core stops: nothing is stored any more. */
  ended: AbortSignal
}

const maxKeptSources = 200

/** Reads documents for review, preview and the search, and keeps what costs a reading. */
export class DocumentReader {
  readonly #options: Options
  /** Places that were looked up for results whose service gives none. */
  readonly #sources = new Map<number, FieldSource[]>()
  /** Documents that are being read, by document, place and version of the file. */
  readonly #readings = new Map<string, Promise<Document>>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Content of files of this extension. Throws `unsupported_type` and what converting and reading throw. */
  async readContent(content: Uint8Array, extension: string): Promise<Document> {
    const { bytes, kind } = await this.#options.converted.ofContent(content, extension)
    return this.#read(bytes, kind, 'awaited')
  }

  /** Throws `file_missing`, `folder_offline`, `file_unreadable`, and what reading throws. */
  async read(document: StoredDocument, urgency: ReadingUrgency = 'awaited'): Promise<Document> {
    const { files, converted } = this.#options
    const { content, kind } = await readableOf(files, converted, await withFile(this.#options, document))
    return this.#read(content, kind, urgency)
  }

  #read(content: Uint8Array, kind: FileKind, urgency: ReadingUrgency): Promise<Document> {
    const { read, tables } = this.#options
    return read(content, kind, tables.settings.get().readingLanguages, urgency)
  }

  /**
   * `read`, once for all who ask meanwhile; what the document says is found by a search from then on, unless another
   * file lies in its place by now.
   */
  readAndIndex(document: StoredDocument, urgency: ReadingUrgency = 'awaited'): Promise<Document> {
    // A file that moved, or is another version, is another one to be read.
    const key = JSON.stringify([document.id, document.path, document.sizeBytes, document.mtimeMs])
    const reading =
      this.#readings.get(key) ?? this.#readAndStoreText(document, urgency).finally(() => this.#readings.delete(key))
    this.#readings.set(key, reading)
    return reading
  }

  /**
   * Lets a search find all that an extracted document says, and looks its values up where its service gives no places.
   * False when its file is not there, or is another one by now. Throws nothing.
   */
  async index(documentId: number): Promise<boolean> {
    const { tables, files } = this.#options
    try {
      const document = tables.documents.get(documentId)
      if (document === null || document.resultId === null || tables.search.hasText(documentId)) return true
      if ((await fileStateOf(files, document)) !== 'there') return false
      const { sources, extracted } = tables.results.get(document.resultId)
      await (sources === null
        ? this.findSources(document, document.resultId, extracted, 'whenIdle')
        : this.readAndIndex(document, 'whenIdle'))
    } catch {
      // A document that cannot be read here is found by its name and its values.
    }
    return true
  }

  /** The places of a result's values, where they were looked up before. */
  knownSources(resultId: number): FieldSource[] | null {
    return this.#sources.get(resultId) ?? null
  }

  /** Looking values up costs a reading of the document: done once for each result, and kept for the next opening. */
  async findSources(
    document: StoredDocument,
    resultId: number,
    records: ExtractedRecord[],
    urgency: ReadingUrgency = 'awaited',
  ): Promise<FieldSource[]> {
    const kept = this.#sources.get(resultId)
    if (kept !== undefined) return kept
    try {
      const content = await this.readAndIndex(document, urgency)
      const sources = this.#sources.get(resultId) ?? locateValues(records, content)
      // What a person opened stays, whatever is read meanwhile.
      if (urgency === 'whenIdle' && this.#sources.size >= maxKeptSources) return sources
      if (this.#sources.size >= maxKeptSources) this.#sources.delete(this.#sources.keys().next().value!)
      this.#sources.set(resultId, sources)
      return sources
    } catch {
      // A document that cannot be read here leaves its values without a place; the values themselves are what matters.
      return []
    }
  }

  async #readAndStoreText(document: StoredDocument, urgency: ReadingUrgency): Promise<Document> {
    const { tables, files, ended, onTextStored } = this.#options
    const content = await this.read(document, urgency)
    if ((await fileStateOf(files, document)) !== 'there' || ended.aborted) return content
    try {
      const words = content.pages.flatMap(({ tokens }) => tokens.map(({ text }) => text))
      tables.search.setText(document.id, words.join(' '))
      onTextStored()
    } catch (error) {
      // On a full disk it can still be read.
      if (!isStorageTrouble(error)) throw error
    }
    return content
  }
}

type FileState = 'there' | 'replaced' | 'missing' | 'unreachable'

/** The values of a document are of the version that was read: another file in its place is not shown as theirs. */
export async function fileStateOf(files: FileAccess, document: StoredDocument): Promise<FileState> {
  try {
    const { size, mtimeMs } = await files.stat(document.path)
    // What still waits stands for whatever lies there when its turn comes.
    if (document.status === 'queued' || (size === document.sizeBytes && Math.trunc(mtimeMs) === document.mtimeMs))
      return 'there'
    if (size !== document.sizeBytes || document.sha256 === null) return 'replaced'
    return (await hashFile(files, document.path)).sha256.equals(document.sha256) ? 'there' : 'replaced'
  } catch (error) {
    return fileError(error, document.name).code === 'file_missing' ? 'missing' : 'unreachable'
  }
}

/** A document as it can be shown: where its own file is gone, with that of a copy, which is the same. */
export async function withFile(
  { tables, files }: { tables: Tables; files: FileAccess },
  document: StoredDocument,
): Promise<StoredDocument> {
  if ((await fileStateOf(files, document)) !== 'missing') return document
  for (const id of tables.places.copiesOf(document.id)) {
    const { path, name, sizeBytes, mtimeMs, ...copy } = tables.documents.get(id)!
    const here = { ...document, path, name, sizeBytes, mtimeMs, sha256: copy.sha256 }
    if ((await fileStateOf(files, here)) === 'there') return here
  }
  return document
}

/**
 * The content of a document as it is read, and what it is. Throws `unsupported_type`, `file_missing`, `folder_offline`,
 * `file_unreadable`, and what converting throws.
 */
export async function readableOf(
  files: FileAccess,
  converted: ConvertedFiles,
  document: DocumentFile,
): Promise<{ content: Buffer; kind: FileKind }> {
  const kind = shownKind(extensionOf(document.name))
  if (kind === undefined) throw new AppError('unsupported_type', { extension: `.${extensionOf(document.name)}` })
  return { content: await contentOf(files, converted, document), kind }
}

async function contentOf(files: FileAccess, converted: ConvertedFiles, document: DocumentFile): Promise<Buffer> {
  try {
    const opened = await openDocument(files, (await converted.of(document)).path)
    if (opened === null) throw new AppError('file_missing', { file: document.name })
    return await buffer(opened.content)
  } catch (error) {
    throw codeOf(error) === noAnswerCode
      ? new AppError('folder_offline', {}, { cause: error })
      : fileError(error, document.name)
  }
}
