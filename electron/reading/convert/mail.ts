import PostalMime from 'postal-mime'
import { AppError } from '../../../shared/domain/errors.ts'
import {
  acceptedExtensions,
  extensionOf,
  mailExtensions,
  maxFileBytes,
  shownKind,
} from '../../../shared/domain/limits.ts'
import type { Attachment, Mail, MailFormat } from '../../../shared/domain/mail.ts'
import { asDamaged } from '../damaged.ts'
import { openCompoundFile } from './compound-file.ts'
import type { Storage } from './compound-file.ts'

export type MailFile = { bytes: Uint8Array; format: MailFormat }

const maxAttachments = 100
const maxDepth = 5

/** No program shows more of a subject or a name in one line. */
const longestHead = 500

/**
 * A mail with its attachments that are documents, in their order, also of mails that are attached to it. Pictures that
 * its text shows, such as the logo of a signature, are none. Throws AppError `file_damaged` for what is no mail, and
 * `file_too_complex` for more than 100 attachments.
 */
export async function openMail({ bytes, format }: MailFile): Promise<Mail> {
  const { subject, sender, attachments } = await documentsIn(bytes, format, 0)
  if (attachments.length > maxAttachments)
    throw new AppError('file_too_complex', { attachments: attachments.length, maxAttachments })
  return { subject: headOf(subject), sender: headOf(sender), attachments }
}

/** A part of the head in one line; null where there is none. */
function headOf(text: string | null): string | null {
  const line = (text ?? '')
    .slice(0, longestHead)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return line === '' ? null : line
}

async function documentsIn(bytes: Uint8Array, format: MailFormat, depth: number): Promise<Mail> {
  const { attachments, ...head } = await read(bytes, format).catch((error: unknown) => Promise.reject(asDamaged(error)))
  const documents: Attachment[] = []
  for (const one of attachments) {
    const extension = extensionOf(one.name)
    const inner = mailExtensions[extension]
    const isDocument = shownKind(extension) !== undefined && one.bytes.length > 0 && one.bytes.length <= maxFileBytes
    if (isDocument) documents.push(one)
    // Of a mail within a mail that is damaged nothing comes, and the others do.
    else if (inner !== undefined && depth < maxDepth)
      documents.push(
        ...(await documentsIn(one.bytes, inner, depth + 1).then(
          (mail) => mail.attachments,
          () => [],
        )),
      )
  }
  return { ...head, attachments: documents }
}

async function read(bytes: Uint8Array, format: MailFormat): Promise<Mail> {
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

async function ofMime(bytes: Uint8Array): Promise<Mail> {
  const { headers, html = '', attachments, subject = null, from } = await PostalMime.parse(bytes)
  if (headers.length === 0) throw new AppError('file_damaged')
  const documents = attachments.flatMap(({ filename, mimeType, disposition, contentId, content }) => {
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
  return { subject, sender: senderOf(from?.name ?? '', from?.address ?? ''), attachments: documents }
}

function namedBy(name: string, mimeType: string): string {
  const extension = extensionsOfTypes[mimeType]
  return extension === undefined || acceptedExtensions.includes(extensionOf(name)) ? name : `${name}.${extension}`
}

/** [MS-OXMSG]. The sender: PidTagSenderName with PidTagSenderSmtpAddress. */
function ofOutlook(root: Storage): Mail {
  const said = (id: string): string => textOf(root.streams, id) ?? ''
  return { subject: said('0037'), sender: senderOf(said('0C1A'), said('5D01')), attachments: attachedTo(root) }
}

function senderOf(name: string, address: string): string {
  return name !== '' && address !== '' && name !== address ? `${name} <${address}>` : name || address
}

/** Each attachment is a folder, a mail within a mail a folder in that. */
function attachedTo({ storages }: Storage): Attachment[] {
  // They are numbered by their names, and lie in any order.
  return [...storages]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, { streams, storages: inner }]): Attachment[] => {
      if (!name.startsWith('__attach_version1.0_') || isHidden(streams.get('__properties_version1.0')?.())) return []
      const mail = inner.get(property('3701', '000D'))
      if (mail !== undefined) return attachedTo(mail)
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
