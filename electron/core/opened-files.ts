import { basename } from 'node:path'
import type { OpenedFile } from '../../shared/contract/opened-files.ts'
import type { ErrorReason } from '../../shared/domain/error-reason.ts'
import { AppError } from '../../shared/domain/errors.ts'
import type { FileAccess } from './files/file-access.ts'
import { openDocument } from './files/open-document.ts'
import { fileError } from './platform/upload.ts'
import type { Upload } from './uploads.ts'

type Options = {
  files: FileAccess
  /** Others wait, or none any more. */
  onChange: () => void
  /** Puts a file into the inbox, as one that was dropped on the window. */
  receive: (upload: Upload) => Promise<void>
}

/** Files that a person opened with Sheaf, until it is said what becomes of them. A restart forgets them. */
export class OpenedFiles {
  readonly #options: Options
  readonly #paths = new Set<string>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Absolute paths; one that waits already waits once. */
  add(paths: readonly string[]): void {
    if (paths.length === 0) return
    for (const path of paths) this.#paths.add(path)
    this.#options.onChange()
  }

  /** Those that are still where they were. */
  async list(): Promise<OpenedFile[]> {
    const files = await Promise.all(
      [...this.#paths].map(async (path) => {
        const found = await this.#options.files.stat(path).catch(() => null)
        return found === null ? [] : [{ name: basename(path), sizeBytes: found.size }]
      }),
    )
    return files.flat()
  }

  /** Copies all of them into the inbox. Returns how many were added, and what kept others from it. */
  async take(target: { schemaId: number; connectionId: number }): Promise<{ added: number; failed: ErrorReason[] }> {
    const paths = [...this.#paths]
    this.dismiss()
    const failed = await Promise.all(
      paths.map(async (path) => {
        const name = basename(path)
        try {
          const file = await openDocument(this.#options.files, path)
          if (file === null) throw new AppError('file_missing', { file: name })
          await this.#options.receive({ ...target, name, content: file.content })
          return []
        } catch (error) {
          return [fileError(error, name).reason]
        }
      }),
    )
    return { added: paths.length - failed.flat().length, failed: failed.flat() }
  }

  /** Does nothing with them. */
  dismiss(): void {
    this.#paths.clear()
    this.#options.onChange()
  }
}
