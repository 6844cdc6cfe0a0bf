import { burn } from '@kenjiuno/msgreader/lib/Burner.js'
import type { Entry } from '@kenjiuno/msgreader/lib/Burner.js'

/** `mails`: of a mail that is attached, what is attached to it (Outlook's files only). */
export type MailPart = {
  name: string
  bytes: Uint8Array
  type?: string
  isShownInText?: boolean
  disposition?: string
  mails?: readonly MailPart[]
}

/** A mail of these attachments, as mail programs save it (RFC 5322, RFC 2045). */
export function emlOf(parts: readonly MailPart[], boundary = 'b-2026-11'): Buffer {
  const lines = [
    'From: =?utf-8?B?V8O2cmxlICYgU8O2aG5l?= <office@woerle.example>',
    'To: accounts@kunden.example',
    'Subject: Your invoice',
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>Please find the invoice attached.</p><img src="cid:logo@woerle">',
    ...parts.flatMap(({ name, bytes, type = 'application/octet-stream', isShownInText, disposition }) => [
      `--${boundary}`,
      `Content-Type: ${type}`,
      ...(isShownInText === true ? ['Content-ID: <logo@woerle>'] : []),
      `Content-Disposition: ${disposition ?? (isShownInText === true ? 'inline' : 'attachment')};`,
      ` filename*=UTF-8''${encodeURIComponent(name)}`,
      ...(type === 'message/rfc822'
        ? ['', Buffer.from(bytes).toString('latin1')]
        : [
            'Content-Transfer-Encoding: base64',
            '',
            Buffer.from(bytes)
              .toString('base64')
              .replaceAll(/(.{76})/g, '$1\r\n'),
          ]),
    ]),
    `--${boundary}--`,
    '',
  ]
  return Buffer.from(lines.join('\r\n'))
}

const [directory, stream, root] = [1, 2, 5]

/** The same as Outlook saves it ([MS-OXMSG]). */
export function msgOf(parts: readonly MailPart[]): Buffer {
  const entries: Entry[] = [{ name: 'Root Entry', type: root, length: 0, children: [] }]
  const add = (parent: number, entry: Entry): number => {
    const index = entries.push(entry) - 1
    entries[parent]!.children!.push(index)
    return index
  }
  // It writes from the beginning of the memory that an array lies in.
  const put = (parent: number, name: string, bytes: Uint8Array): void =>
    void add(parent, { name, type: stream, length: bytes.length, binaryProvider: () => Uint8Array.from(bytes) })
  put(0, '__properties_version1.0', new Uint8Array(32))
  put(0, '__substg1.0_0037001F', Buffer.from('Your invoice', 'utf16le'))
  put(0, '__substg1.0_0C1A001F', Buffer.from('Wörle & Söhne', 'utf16le'))
  put(0, '__substg1.0_5D01001F', Buffer.from('office@woerle.example', 'utf16le'))
  const attach = (mail: number, attachments: readonly MailPart[]): void => {
    for (const [index, { name, bytes, mails }] of attachments.entries()) {
      const folder = `__attach_version1.0_#${String(index).padStart(8, '0')}`
      const attachment = add(mail, { name: folder, type: directory, length: 0, children: [] })
      put(attachment, '__properties_version1.0', new Uint8Array(8))
      put(attachment, '__substg1.0_3707001F', Buffer.from(name, 'utf16le'))
      if (mails === undefined) put(attachment, '__substg1.0_37010102', bytes)
      else attach(add(attachment, { name: '__substg1.0_3701000D', type: directory, length: 0, children: [] }), mails)
    }
  }
  attach(0, parts)
  return Buffer.from(burn(entries))
}
