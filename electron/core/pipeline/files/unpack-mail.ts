// enters: a mail in a folder
// leaves: its attachments beside it, files like any others, and the reason with which the mail itself is left out
import { randomUUID } from 'node:crypto'
import { basename, dirname, extname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { ErrorReason } from '../../../../shared/domain/error-reason.ts'
import { AppError } from '../../../../shared/domain/errors.ts'
import { extensionOf, mailExtensions } from '../../../../shared/domain/limits.ts'
import type { Attachment } from '../../../../shared/domain/mail.ts'
import type { FileAccess } from '../../files/file-access.ts'
import { asFileName, nameWith, temporaryName } from '../../files/file-names.ts'
import { codeOf, moveFile, statOf } from '../../files/move-file.ts'
import { openDocument } from '../../files/open-document.ts'
import { fileError } from '../../platform/upload.ts'
import type { Context } from '../context.ts'

/**
 * Saves the documents of a mail beside it, under its name and theirs; what lies there already, the same or another file,
 * stays as it is. Returns why the mail is no document. Throws AppError `file_missing` and `file_unreadable` for a mail
 * that cannot be read now.
 */
export async function unpackMail(
  { files, unpack }: Pick<Context, 'files' | 'unpack'>,
  path: string,
): Promise<ErrorReason> {
  const format = mailExtensions[extensionOf(path)]
  if (format === undefined) throw new AppError('internal', { detail: 'no mail' })
  const bytes = await contentOf(files, path)
  try {
    const attachments = await unpack(bytes, format)
    if (attachments.length === 0) return { code: 'mail_without_documents', details: {} }
    const names: string[] = []
    for (const attachment of attachments) names.push(await saveBeside(files, path, attachment))
    return { code: 'mail_unpacked', details: { files: names.join('/') } }
  } catch (error) {
    if (error instanceof AppError) return error.reason
    return { code: 'mail_not_unpacked', details: { detail: codeOf(error) } }
  }
}

async function contentOf(files: FileAccess, path: string): Promise<Buffer> {
  try {
    const opened = await openDocument(files, path)
    if (opened === null) throw new AppError('file_missing', { file: basename(path) })
    return await buffer(opened.content)
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

/** Returns the name under which it lies there. */
async function saveBeside(files: FileAccess, mailPath: string, { name, bytes }: Attachment): Promise<string> {
  const directory = dirname(mailPath)
  const ending = extname(name)
  const mail = basename(mailPath, extname(mailPath))
  const stem = asFileName(`${mail} - ${basename(name, ending)}`)
  const temporary = join(directory, temporaryName(randomUUID()))
  await files.writeFile(temporary, bytes, { flag: 'wx' })
  try {
    for (let number = 1; ; number += 1) {
      const to = join(directory, nameWith(stem, number === 1 ? ending : ` (${number})${ending}`))
      const move = {
        from: temporary,
        to,
        temporary: `${temporary}2`,
        isIt: async (place: string) => place === temporary,
      }
      // The same content that lies there takes the new file away; another content keeps its name.
      if ((await moveFile(files, move)) !== 'taken') return basename(to)
    }
  } finally {
    if ((await statOf(files, temporary)) !== null) await files.unlink(temporary)
  }
}
