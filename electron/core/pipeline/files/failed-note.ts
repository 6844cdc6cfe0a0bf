// enters: a document that failed, and where its file lies now
// leaves: a text beside it that says what happened and what to do, or that text taken away again
import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { AppError } from '../../../../shared/domain/errors.ts'
import { failedNote } from '../../../../shared/messages/folder-sentences.ts'
import { localeOf, sentenceFor } from '../../../../shared/messages/sentences.ts'
import type { StoredDocument } from '../../db/tables/documents.ts'
import type { FileAccess } from '../../files/file-access.ts'
import { nameWith } from '../../files/file-names.ts'
import { codeOf, statOf } from '../../files/move-file.ts'
import type { Context } from '../context.ts'

const longestSentence = 2000
const longestNoteBytes = 16_384

/** Where the note of a file lies: beside it, with `.txt` after its name. Pure. */
export function notePath(path: string): string {
  return join(dirname(path), nameWith(basename(path), '.txt'))
}

/**
 * Writes the note of a document whose file lies at `path` anew; a text of somebody else at its place stays. Throws
 * `failed_note_stale`.
 */
export async function writeNote(context: Context, document: StoredDocument, path: string): Promise<void> {
  const note = noteFor(context, document)
  await removeNote(context.files, document, path)
  try {
    await context.files.writeFile(notePath(path), note, { flag: 'wx' })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw stale(document, error)
  }
}

/** Takes the note away, if it is the text that Sheaf wrote and nobody added to it. Throws `failed_note_stale`. */
export async function removeNote(files: FileAccess, document: StoredDocument, path: string): Promise<void> {
  const place = notePath(path)
  try {
    const stats = await statOf(files, place)
    if (stats === null || !stats.isFile() || stats.size > longestNoteBytes) return
    if (isOurs(await files.readFile(place, 'utf8'))) await files.unlink(place)
  } catch (error) {
    throw stale(document, error)
  }
}

function stale(document: StoredDocument, cause: unknown): AppError {
  return new AppError('failed_note_stale', { file: document.name, detail: codeOf(cause) }, { cause })
}

function noteFor({ tables, now }: Context, document: StoredDocument): string {
  const locale = localeOf(tables.settings.get().language)
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }).format(now())
  const reason = document.reasonCode === null ? '' : sentenceFor(document.reasonCode, document.reasonDetails, locale)
  const lines = [oneLine(document.name), date, '', oneLine(reason), '', failedNote[locale]]
  const text = `${lines.join('\r\n')}\r\n\r\n`
  return `${text}${signature(text)}\r\n`
}

/** Words of a service and names are somebody else's: one line of bounded length. */
function oneLine(text: string): string {
  return text.slice(0, longestSentence).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}

/** The last line says what stands above it, so that a note to which a person added something is told from ours. */
function signature(text: string): string {
  return `Sheaf ${createHash('sha256').update(text).digest('hex').slice(0, 12)}`
}

function isOurs(note: string): boolean {
  const text = note.slice(0, note.lastIndexOf('Sheaf '))
  return note === `${text}${signature(text)}\r\n`
}
