import type { FileKind } from './document.ts'
import type { MailFormat } from './mail.ts'

const mebibyte = 1024 * 1024

/**
 * spec, Limits, Extractor: «Maximum file size 36 MB»; MB is 1,048,576 bytes as in the proxy's «2 MB (2,097,152 bytes)».
 */
export const maxFileBytes = 36 * mebibyte

/** spec, Limits, Extractor: «Asynchronous mode: strongly recommended for files over 20 MB». */
export const asyncThresholdBytes = 20 * mebibyte

/** spec, Limits, Proxy, «Request size»: the body of a chat completion. */
export const maxProxyRequestBytes = 2 * mebibyte

/** What the window may send in one call, on both hosts: many times what a schema or a long list of items takes. */
export const maxCallBytes = 4 * mebibyte

/**
 * What a page may still send as it ends: Fetch, 4.6 «HTTP-network-or-cache fetch», allows 64 kibibytes in all bodies
 * with `keepalive`.
 */
export const maxKeepaliveBytes = 64 * 1024

/**
 * spec, Limits, Extractor, «Supported formats»: file name extension (lower case, no dot) → kind. Nothing else is in it,
 * not even for `a.constructor`.
 */
export const supportedExtensions: Readonly<Record<string, FileKind>> = Object.assign(
  Object.create(null) as object,
  {
    pdf: 'pdf',
    png: 'png',
    jpg: 'jpeg',
    jpeg: 'jpeg',
    docx: 'docx',
    xlsx: 'xlsx',
  } as const,
)

export type ConvertedFormat = 'tiff' | 'webp' | 'bmp' | 'xml'

/** What Sheaf takes beside these: no service reads it, so a PDF is made of it on this computer. */
export const convertedExtensions: Readonly<Record<string, ConvertedFormat>> = Object.assign(
  Object.create(null) as object,
  { tif: 'tiff', tiff: 'tiff', webp: 'webp', bmp: 'bmp', xml: 'xml' } as const,
)

/** Mails are no documents: their attachments are, and are saved beside them. */
export const mailExtensions: Readonly<Record<string, MailFormat>> = Object.assign(
  Object.create(null) as object,
  {
    eml: 'eml',
    msg: 'msg',
  } as const,
)

/** The extensions of files that are documents, and all that Sheaf takes. */
export const documentExtensions = [supportedExtensions, convertedExtensions].flatMap(Object.keys)
export const acceptedExtensions = [...documentExtensions, ...Object.keys(mailExtensions)]

/** As what a file of this extension is sent, read and shown; undefined for one that Sheaf does not take. */
export function shownKind(extension: string): FileKind | undefined {
  return supportedExtensions[extension] ?? (convertedExtensions[extension] === undefined ? undefined : 'pdf')
}

/** Whether a file never goes to a platform: an e-invoice says its values itself, and this computer reads them. */
export function isReadHereOnly(fileName: string): boolean {
  return convertedExtensions[extensionOf(fileName)] === 'xml'
}

/** The lower-case extension of a file name without its dot, or '' when it has none. */
export function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.')
  return dot <= 0 ? '' : fileName.slice(dot + 1).toLowerCase()
}
