// enters: a mail in a folder
// leaves: its attachments beside it, files like any others, and the reason with which the mail itself is left out
import { createHash } from 'node:crypto'
import { basename, dirname, extname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { ErrorReason } from '../../../../shared/domain/error-reason.ts'
import { AppError } from '../../../../shared/domain/errors.ts'
import { extensionOf, mailExtensions } from '../../../../shared/domain/limits.ts'
import type { Attachment } from '../../../../shared/domain/mail.ts'
import type { FileAccess } from '../../files/file-access.ts'
import { nameWith, safeFileName, temporaryName } from '../../files/file-names.ts'
import { codeOf, moveFile } from '../../files/move-file.ts'
import { openDocument } from '../../files/open-document.ts'
import { fileError } from '../../platform/upload.ts'
import type { Context } from '../context.ts'

/** What the file system says where nothing can be written, now or later. */
const notWritable: readonly (string | number)[] = ['EACCES', 'EPERM', 'EROFS']

/** Why a mail is no document, and the content that was looked at. */
export type Unpacked = { refusal: ErrorReason; sha256: Buffer }

/**
 * Saves the documents of a mail of a folder beside it, under its name and theirs; what lies there already, the same or another
 * file, stays as it is. `known` is what came of it before: the same content is not unpacked twice, or attachments that
 * somebody moved away would come back. Throws AppError `file_missing`, `file_unreadable` and `file_changed` for what
 * may pass, and what ends a reading thread.
 */
export async function unpackMail(
  { files, unpack, tables }: Pick<Context, 'files' | 'unpack' | 'tables'>,
  folderId: number,
  path: string,
  known: Unpacked | null,
): Promise<Unpacked> {
  const format = mailExtensions[extensionOf(path)]
  if (format === undefined) throw new AppError('internal', { detail: 'no mail' })
  const bytes = await contentOf(files, path)
  const sha256 = createHash('sha256').update(bytes).digest()
  if (known?.sha256.equals(sha256) === true && known.refusal.code === 'mail_unpacked') return known
  try {
    const { attachments, ...head } = await unpack(bytes, format)
    const names: string[] = []
    for (const [index, attachment] of attachments.entries())
      names.push(await saveBeside(files, path, attachment, `${sha256.toString('hex').slice(0, 24)}-${index}`))
    if (names.length === 0) return { refusal: { code: 'mail_without_documents', details: {} }, sha256 }
    const refusal: ErrorReason = { code: 'mail_unpacked', details: { files: names.join('/') } }
    // A power cut may take it: then nobody knows with which mail they came.
    tables.transaction(() => tables.mails.saved(folderId, attachedTo(path, refusal), head), 'later')
    return { refusal, sha256 }
  } catch (error) {
    const refusal = finalReason(error)
    if (refusal === null) throw fileError(error, basename(path))
    return { refusal, sha256 }
  }
}

/** Why a mail is left out for good; null for what may pass. */
function finalReason(error: unknown): ErrorReason | null {
  if (error instanceof AppError) return error.policy === 'skip' || error.policy === 'fail' ? error.reason : null
  const detail = codeOf(error)
  return notWritable.includes(detail) ? { code: 'mail_not_unpacked', details: { detail } } : null
}

async function contentOf(files: FileAccess, path: string): Promise<Buffer> {
  try {
    const before = await files.stat(path)
    const opened = await openDocument(files, path)
    if (opened === null) throw new AppError('file_missing', { file: basename(path) })
    const content = await buffer(opened.content)
    const after = await files.stat(path)
    if (after.size !== content.length || after.size !== before.size || after.mtimeMs !== before.mtimeMs)
      throw new AppError('file_changed', { file: basename(path) })
    return content
  } catch (error) {
    throw fileError(error, basename(path))
  }
}

/** Where the attachments of a mail lie, by the reason with which it was left out. */
export function attachedTo(path: string, { code, details }: ErrorReason): string[] {
  const { files } = details
  return code === 'mail_unpacked' && typeof files === 'string'
    ? files.split('/').map((name) => join(dirname(path), name))
    : []
}

/** Returns the name under which it lies there. `part` is the same each time, so that a second time takes over. */
async function saveBeside(
  files: FileAccess,
  mailPath: string,
  { name, bytes }: Attachment,
  part: string,
): Promise<string> {
  const ending = `.${extensionOf(name)}`
  // A sender's name is no path, also where U+FFFD and two digits would stand for a byte (`textOfName`).
  const given = name.slice(0, -ending.length).split(/[/\\]/).at(-1)!.replaceAll('\ufffd', '_')
  const stem = `${basename(mailPath, extname(mailPath))} - ${safeFileName(given, 'attachment')}`
  const beside = (one: string): string => join(dirname(mailPath), one)
  const temporary = beside(temporaryName(part))
  await writeWhole(files, temporary, bytes)
  try {
    for (let number = 1; ; number += 1) {
      const to = beside(nameWith(stem, number === 1 ? ending : ` (${number})${ending}`))
      const isIt = async (place: string): Promise<boolean> => place === temporary
      // The same content that lies there takes the new file away; another content keeps its name.
      if (
        (await moveFile(files, { from: temporary, to, temporary: beside(temporaryName(`${part}-2`)), isIt })) !==
        'taken'
      )
        return basename(to)
    }
  } catch (error) {
    await files.unlink(temporary).catch(() => undefined)
    throw error
  }
}

/** On to the disk before it has its name: the mail is not looked at again. */
async function writeWhole(files: FileAccess, path: string, bytes: Uint8Array): Promise<void> {
  await files.writeFile(path, bytes)
  const handle = await files.open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
