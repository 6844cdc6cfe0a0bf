import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { FileKind } from '../../shared/domain/document.ts'
import { AppError } from '../../shared/domain/errors.ts'
import { sizeText } from '../../shared/domain/file-rules.ts'
import { convertedExtensions, extensionOf, maxFileBytes, shownKind } from '../../shared/domain/limits.ts'
import type { ConvertedFormat } from '../../shared/domain/limits.ts'
import type { PageSpan } from '../../shared/domain/sorting.ts'
import { writePrivateFile } from '../system/private-files.ts'
import type { FileAccess } from './files/file-access.ts'
import { openDocument } from './files/open-document.ts'
import type { DocumentFile, ShownFile } from './files/open-document.ts'

type Makers = {
  /** Makes a PDF of a file that no service reads. Throws what `convertToPdf` throws. */
  convert: (bytes: Uint8Array, format: ConvertedFormat) => Promise<Uint8Array>
  /** Makes a PDF of some pages of another. Throws what `pdfPart` throws. */
  cut: (bytes: Uint8Array, pages: PageSpan) => Promise<Uint8Array>
}

/**
 * PDFs made of files that no service reads, and of parts of files, kept beside the database by the content that they
 * were made of. They can be made again at any time; the files themselves are never changed.
 */
export class ConvertedFiles {
  readonly #directory: string
  readonly #files: FileAccess
  readonly #makers: Makers
  /** Those that are being made, by their place. */
  readonly #open = new Map<string, Promise<string>>()

  constructor(directory: string, files: FileAccess, makers: Makers) {
    this.#directory = directory
    this.#files = files
    this.#makers = makers
  }

  /**
   * The document's file as it is sent and shown: of a part a PDF of its pages. Throws what the file system, converting
   * and cutting throw, `file_changed` when the file is no longer the one that was taken in, and `file_too_large` when
   * its PDF is.
   */
  async of(document: DocumentFile): Promise<ShownFile> {
    const { name, sha256, firstPage = null, lastPage = null } = document
    const whole = await this.#whole(document)
    if (firstPage === null || lastPage === null) return whole
    if (sha256 === null) throw new AppError('file_changed', { file: name })
    const pages = { first: firstPage, last: lastPage }
    const isOriginal = whole.path === document.path
    const part = await this.#made(`${sha256.toString('hex')}.${firstPage}-${lastPage}`, async () => {
      const { bytes } = await this.#contentOf(whole, isOriginal ? sha256 : null)
      return this.#makers.cut(bytes, pages)
    })
    return shownAs(part, name)
  }

  async #whole({ path, name, sizeBytes, mtimeMs, sha256 }: DocumentFile): Promise<ShownFile> {
    const format = convertedExtensions[extensionOf(name)]
    const file = { path, name, sizeBytes, mtimeMs, sha256 }
    if (format === undefined) return file
    // Of one that is known nothing is read where its PDF lies already.
    const content = sha256 === null ? await this.#contentOf(file, null) : null
    const pdf = await this.#made(content?.found ?? sha256!.toString('hex'), async () =>
      this.#makers.convert((content ?? (await this.#contentOf(file, sha256))).bytes, format),
    )
    return shownAs(pdf, name)
  }

  /** Content that lies nowhere yet, such as a sample, with the kind that it has then. */
  async ofContent(bytes: Uint8Array, extension: string): Promise<{ bytes: Uint8Array; kind: FileKind }> {
    const kind = shownKind(extension)
    if (kind === undefined) throw new AppError('unsupported_type', { extension: `.${extension}` })
    const format = convertedExtensions[extension]
    return { bytes: format === undefined ? bytes : await this.#makers.convert(bytes, format), kind }
  }

  /** The bytes of a file and their hash in hex. Throws `file_missing`, and `file_changed` when they are others. */
  async #contentOf({ path, name }: ShownFile, sha256: Buffer | null): Promise<{ bytes: Buffer; found: string }> {
    const opened = await openDocument(this.#files, path)
    if (opened === null) throw new AppError('file_missing', { file: name })
    const bytes = await buffer(opened.content)
    const found = createHash('sha256').update(bytes).digest('hex')
    if (sha256 !== null && found !== sha256.toString('hex')) throw new AppError('file_changed', { file: name })
    return { bytes, found }
  }

  /** The path of a PDF by its key, which is made where it is not there; once for all who ask meanwhile. */
  async #made(key: string, make: () => Promise<Uint8Array>): Promise<string> {
    const target = join(this.#directory, `${key}.pdf`)
    if (await exists(target)) return target
    const making = this.#open.get(target) ?? this.#write(target, make).finally(() => this.#open.delete(target))
    this.#open.set(target, making)
    return making
  }

  async #write(target: string, make: () => Promise<Uint8Array>): Promise<string> {
    const pdf = await make()
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    // Whoever finds it takes it for whole.
    await writePrivateFile(target, pdf)
    return target
  }
}

/** A PDF that was made of a file. Throws `file_too_large` when no service takes it. */
async function shownAs(path: string, name: string): Promise<ShownFile> {
  const { size, mtimeMs } = await stat(path)
  if (size > maxFileBytes) throw new AppError('file_too_large', { size: sizeText(size) })
  return {
    path,
    name: extensionOf(name) === 'pdf' ? name : `${name}.pdf`,
    sizeBytes: size,
    mtimeMs: Math.trunc(mtimeMs),
    sha256: null,
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  )
}
