import type { FileKind } from '../../shared/domain/document.ts'
import type { ReadingLanguage } from '../../shared/domain/reading-languages.ts'
import type { Sorted, SortingQuestion } from '../../shared/domain/sorting.ts'
import { ThreadPool } from '../reading/thread-pool.ts'
import type { ThreadPoolOptions } from '../reading/thread-pool.ts'
import type { sortingTasks } from './thread-tasks.ts'

/** Sorts files in worker threads (from worker.ts), under the limits of a ThreadPool. */
export class SortingPool {
  readonly #threads: ThreadPool<typeof sortingTasks>

  constructor(options: ThreadPoolOptions) {
    this.#threads = new ThreadPool(options)
  }

  /**
   * Which parts a file has, and which schema asks for each. Rejects as `readDocument`, or with `interrupted` when the
   * pool closes first.
   */
  sort(bytes: Uint8Array, kind: FileKind, question: SortingQuestion): Promise<Sorted> {
    return this.#threads.run('sort', { source: bytes, kind, question })
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
