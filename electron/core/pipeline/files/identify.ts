// enters: the place of a file whose name and size were accepted
// leaves: its SHA-256, or the reason why its content is refused
import { AppError } from '../../../../shared/domain/errors.ts'
import { contentMatches, sniffType } from '../../../../shared/domain/file-type.ts'
import type { SniffedType } from '../../../../shared/domain/file-type.ts'
import {
  convertedExtensions,
  extensionOf,
  isReadHereOnly,
  supportedExtensions,
} from '../../../../shared/domain/limits.ts'
import type { ReadAccess } from '../../files/file-access.ts'
import { hashFile } from '../../files/hash-file.ts'
import { fileError } from '../../platform/upload.ts'

export type Identity = { sizeBytes: number; mtimeMs: number; sha256: Buffer }

const contentNames: Record<SniffedType, string> = {
  pdf: 'PDF',
  png: 'PNG',
  jpeg: 'JPG',
  docx: 'DOCX',
  xlsx: 'XLSX',
  tiff: 'TIFF',
  webp: 'WebP',
  bmp: 'BMP',
  xml: 'XML',
  zip: 'ZIP',
  'encrypted-office': 'Office',
  unknown: '',
}

/**
 * Reads the whole file once. Throws `file_changed` when it was written to meanwhile or has more than `maxBytes`,
 * `file_missing`, `file_unreadable`, `no_e_invoice` for other XML, `extension_mismatch` when the first bytes say it is
 * another type than its name, and `file_damaged` when they are no known type at all.
 */
export async function identify(files: ReadAccess, path: string, name: string, maxBytes = Infinity): Promise<Identity> {
  try {
    const before = await files.stat(path)
    if (before.size > maxBytes) throw new AppError('file_changed', { file: name })
    const { sizeBytes, sha256, head } = await hashFile(files, path, before.size)
    const after = await files.stat(path)
    if (after.size !== before.size || after.mtimeMs !== before.mtimeMs || sizeBytes !== after.size) {
      throw new AppError('file_changed', { file: name })
    }
    checkContent(name, sniffType(head))
    if (isReadHereOnly(name) && isOtherXml(head)) throw new AppError('no_e_invoice')
    return { sizeBytes, mtimeMs: Math.trunc(after.mtimeMs), sha256 }
  } catch (error) {
    throw fileError(error, name)
  }
}

function checkContent(name: string, content: SniffedType): void {
  const extension = extensionOf(name)
  const kind = supportedExtensions[extension] ?? convertedExtensions[extension]
  if (kind === undefined || contentMatches(content, kind)) return
  // Not worth a paid request: no service can read what is not even the beginning of a document.
  if (content === 'unknown' || content === 'xml') throw new AppError('file_damaged', { file: name })
  throw new AppError('extension_mismatch', { extension: `.${extension}`, actual: contentNames[content] })
}

/** Whether XML begins with another element than an invoice does; one that begins later is judged when it is read. */
function isOtherXml(head: Uint8Array): boolean {
  const text = Buffer.from(head)
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/<!--[^]*?(?:-->|$)/g, '')
  const [, root] = /<(?:[\w.-]{1,100}:)?([A-Za-z][\w.-]{0,100})[\s/>]/.exec(text) ?? []
  return root !== undefined && !invoiceRoots.has(root)
}

/** UBL 2.1, UN/CEFACT Cross Industry Invoice since 2.0, ZUGFeRD 1.0, and Order-X. */
const invoiceRoots = new Set([
  'Invoice',
  'CreditNote',
  'CrossIndustryInvoice',
  'CrossIndustryDocument',
  'SCRDMCCBDACIOMessageStructure',
])
