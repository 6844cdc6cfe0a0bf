import type { Document, FileKind } from '../../shared/domain/document.ts'
import type { ReadingLanguage } from '../../shared/domain/reading-languages.ts'
import type { Mail } from '../../shared/domain/mail.ts'
import type { FileToConvert } from './convert/convert.ts'
import type { MailFile } from './convert/mail.ts'
import type { PdfToCut } from './convert/pdf-part.ts'
import type { readingTasks } from './read-file.ts'
import { ThreadPool } from './thread-pool.ts'
import type { ThreadPoolOptions } from './thread-pool.ts'

type ReadOptions = {
  /** Processor time for one file, without the recognition of its pictures; default: the pool's. */
  timeoutMs?: number
}

/** Reads files in worker threads (from worker.ts), under the limits of a ThreadPool. */
export class ReadingPool {
  readonly #threads: ThreadPool<typeof readingTasks>

  constructor(options: ThreadPoolOptions) {
    this.#threads = new ThreadPool(options)
  }

  /**
   * Reads a file by its path or its bytes (which are copied). Rejects with AppError `file_encrypted`,
   * `file_damaged`, `file_too_complex`, `no_text`, `file_missing`, `file_unreadable`, or `interrupted`
   * when the pool closes first.
   */
  read(filePathOrBytes: string | Uint8Array, kind: FileKind, options: ReadOptions = {}): Promise<Document> {
    return this.#threads.run('read', { source: filePathOrBytes, kind }, options.timeoutMs)
  }

  /** Makes a PDF of a file. Rejects as `convertToPdf`, or with `interrupted` when the pool closes first. */
  convert(file: FileToConvert): Promise<Uint8Array> {
    return this.#threads.run('convert', file)
  }

  /** A PDF of some pages of another. Rejects as `pdfPart`, or with `interrupted` when the pool closes first. */
  cut(file: PdfToCut): Promise<Uint8Array> {
    return this.#threads.run('cut', file)
  }

  /** A mail taken apart. Rejects as `openMail`, or with `interrupted` when the pool closes first. */
  unpack(mail: MailFile): Promise<Mail> {
    return this.#threads.run('unpack', mail)
  }

  /** In which languages pictures are read, from the next picture on; all of them until then. */
  useLanguages(languages: readonly ReadingLanguage[]): void {
    this.#threads.useLanguages(languages)
  }

  /** Ends every thread. Files that are being read or wait fail with `interrupted`. */
  close(): Promise<void> {
    return this.#threads.close()
  }
}
