/** A mail as a file: RFC 5322, or Outlook's own format ([MS-OXMSG]). */
export type MailFormat = 'eml' | 'msg'

/** A document that came with a mail, under the name that its sender gave it. */
export type Attachment = { name: string; bytes: Uint8Array }

/** What a mail says of itself; null where it says nothing. */
export type MailHead = { subject: string | null; sender: string | null }

/** A mail that was taken apart. */
export type Mail = MailHead & { attachments: Attachment[] }
