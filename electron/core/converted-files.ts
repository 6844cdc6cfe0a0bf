import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { FileKind } from '../../shared/domain/document.ts'
import { AppError } from '../../shared/domain/errors.ts'
import { sizeText } from '../../shared/domain/file-rules.ts'
import { convertedExtensions, extensionOf, maxFileBytes, shownKind } from '../../shared/domain/limits.ts'
import type { ConvertedFormat } from '../../shared/domain/limits.ts'
import { writePrivateFile } from '../system/private-files.ts'
import type { FileAccess } from './files/file-access.ts'
import { openDocument } from './files/open-document.ts'
import type { ShownFile } from './files/open-document.ts'

/** Makes a PDF of a file that no service reads. Throws what `convertToPdf` throws. */
type ConvertFile = (bytes: Uint8Array, format: ConvertedFormat) => Promise<Uint8Array>

/**
 * PDFs made of files that no service reads, kept beside the database by the content that they were made of. They can be
 * made again at any time; the files themselves are never changed.
 */
export class ConvertedFiles {
  readonly #directory: string
  readonly #files: FileAccess
  readonly #convert: ConvertFile
  /** Those that are being made, by content. */
  readonly #open = new Map<string, Promise<string>>()

  constructor(directory: string, files: FileAccess, convert: ConvertFile) {
    this.#directory = directory
    this.#files = files
    this.#convert = convert
  }

  /**
   * The document's file as it is sent and shown. Throws what the file system and converting throw, `file_changed` when
   * the file is no longer the one that was taken in, and `file_too_large` when its PDF is.
   */
  async of(document: ShownFile): Promise<ShownFile> {
    const { path, name, sizeBytes, mtimeMs, sha256 } = document
    const format = convertedExtensions[extensionOf(name)]
    if (format === undefined) return { path, name, sizeBytes, mtimeMs, sha256 }
    const known = sha256 === null ? null : this.#pathOf(sha256)
    const pdf = known !== null && (await exists(known)) ? known : await this.#make(document, format)
    const made = await stat(pdf)
    if (made.size > maxFileBytes) throw new AppError('file_too_large', { size: sizeText(made.size) })
    return { path: pdf, name: `${name}.pdf`, sizeBytes: made.size, mtimeMs: Math.trunc(made.mtimeMs), sha256: null }
  }

  /** Content that lies nowhere yet, such as a sample, with the kind that it has then. */
  async ofContent(bytes: Uint8Array, extension: string): Promise<{ bytes: Uint8Array; kind: FileKind }> {
    const kind = shownKind(extension)
    if (kind === undefined) throw new AppError('unsupported_type', { extension: `.${extension}` })
    const format = convertedExtensions[extension]
    return { bytes: format === undefined ? bytes : await this.#convert(bytes, format), kind }
  }

  #pathOf(sha256: Buffer): string {
    return join(this.#directory, `${sha256.toString('hex')}.pdf`)
  }

  async #make({ path, name, sha256 }: ShownFile, format: ConvertedFormat): Promise<string> {
    const opened = await openDocument(this.#files, path)
    if (opened === null) throw new AppError('file_missing', { file: name })
    const bytes = await buffer(opened.content)
    const found = createHash('sha256').update(bytes).digest()
    if (sha256 !== null && !found.equals(sha256)) throw new AppError('file_changed', { file: name })
    const target = this.#pathOf(found)
    const making = this.#open.get(target) ?? this.#write(target, bytes, format).finally(() => this.#open.delete(target))
    this.#open.set(target, making)
    return making
  }

  async #write(target: string, bytes: Uint8Array, format: ConvertedFormat): Promise<string> {
    const pdf = await this.#convert(bytes, format)
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    // Whoever finds it takes it for whole.
    await writePrivateFile(target, pdf)
    return target
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  )
}
