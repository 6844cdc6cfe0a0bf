import PostalMime from 'postal-mime'
import { AppError } from '../../../shared/domain/errors.ts'
import {
  acceptedExtensions,
  extensionOf,
  mailExtensions,
  maxFileBytes,
  shownKind,
} from '../../../shared/domain/limits.ts'
import type { Attachment, MailFormat } from '../../../shared/domain/mail.ts'
import { asDamaged } from '../damaged.ts'
import { openCompoundFile } from './compound-file.ts'
import type { Storage } from './compound-file.ts'

export type MailFile = { bytes: Uint8Array; format: MailFormat }

const maxAttachments = 100
const maxDepth = 5

/**
 * The attachments of a mail that are documents, in their order, also of mails that are attached to it. Pictures that
 * its text shows, such as the logo of a signature, are none. Throws AppError `file_damaged` for what is no mail, and
 * `file_too_complex` for more than 100.
 */
export async function attachmentsOf({ bytes, format }: MailFile): Promise<Attachment[]> {
  const documents = await documentsIn(bytes, format, 0)
  if (documents.length > maxAttachments)
    throw new AppError('file_too_complex', { attachments: documents.length, maxAttachments })
  return documents
}

async function documentsIn(bytes: Uint8Array, format: MailFormat, depth: number): Promise<Attachment[]> {
  const found = await attachedTo(bytes, format).catch((error: unknown) => Promise.reject(asDamaged(error)))
  const documents: Attachment[] = []
  for (const one of found) {
    const extension = extensionOf(one.name)
    const inner = mailExtensions[extension]
    const isDocument = shownKind(extension) !== undefined && one.bytes.length > 0 && one.bytes.length <= maxFileBytes
    if (isDocument) documents.push(one)
    // Of a mail within a mail that is damaged nothing comes, and the others do.
    else if (inner !== undefined && depth < maxDepth)
      documents.push(...(await documentsIn(one.bytes, inner, depth + 1).catch(() => [])))
  }
  return documents
}

async function attachedTo(bytes: Uint8Array, format: MailFormat): Promise<Attachment[]> {
  return format === 'eml' ? ofMime(bytes) : ofOutlook(openCompoundFile(Buffer.from(bytes)))
}

/** By its type, what a part is whose name does not say it. */
const extensionsOfTypes: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/xml': 'xml',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/tiff': 'tif',
  'message/rfc822': 'eml',
  'text/xml': 'xml',
}

async function ofMime(bytes: Uint8Array): Promise<Attachment[]> {
  const { headers, html = '', attachments } = await PostalMime.parse(bytes)
  if (headers.length === 0) throw new AppError('file_damaged')
  return attachments.flatMap(({ filename, mimeType, disposition, contentId, content }) => {
    const isShown =
      mimeType.startsWith('image/') &&
      disposition !== 'attachment' &&
      contentId !== undefined &&
      html.includes(`cid:${contentId.replaceAll(/[<>]/g, '')}`)
    if (isShown || typeof content === 'string') return []
    return [
      {
        name: namedBy(filename ?? '', mimeType),
        bytes: content instanceof Uint8Array ? content : new Uint8Array(content),
      },
    ]
  })
}

function namedBy(name: string, mimeType: string): string {
  const extension = extensionsOfTypes[mimeType]
  return extension === undefined || acceptedExtensions.includes(extensionOf(name)) ? name : `${name}.${extension}`
}

/** [MS-OXMSG]: each attachment is a folder, a mail within a mail a folder in that. */
function ofOutlook({ storages }: Storage): Attachment[] {
  return [...storages].flatMap(([name, { streams, storages: inner }]): Attachment[] => {
    if (!name.startsWith('__attach_version1.0_') || isHidden(streams.get('__properties_version1.0')?.())) return []
    const mail = inner.get(property('3701', '000D'))
    if (mail !== undefined) return ofOutlook(mail)
    const bytes = streams.get(property('3701', '0102'))?.()
    const given = ['3707', '3704'].flatMap((id) => textOf(streams, id) ?? [])
    return bytes === undefined ? [] : [{ name: given[0] ?? '', bytes: Uint8Array.from(bytes) }]
  })
}

const property = (id: string, type: string): string => `__substg1.0_${id}${type}`

function textOf(streams: Storage['streams'], id: string): string | undefined {
  const text =
    streams.get(property(id, '001F'))?.().toString('utf16le') ??
    streams.get(property(id, '001E'))?.().toString('latin1')
  return text?.split('\0')[0]
}

/** PidTagAttachmentHidden, in a list of properties of 16 bytes each, behind eight bytes. */
function isHidden(properties: Buffer = Buffer.alloc(0)): boolean {
  for (let at = 8; at + 16 <= properties.length; at += 16)
    if (properties.readUInt32LE(at) === 0x7ffe000b) return properties[at + 8] !== 0
  return false
}
