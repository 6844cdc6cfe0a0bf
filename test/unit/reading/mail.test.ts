import { describe, expect, it } from 'vitest'
import { openMail } from '../../../electron/reading/convert/mail.ts'
import { emlOf, msgOf } from '../../helpers/mail-files.ts'
import { pdfBytes } from '../../helpers/core.ts'

const invoice = { name: 'Rechnung Wörle.pdf', bytes: pdfBytes('invoice', 9000) }
const list = { name: 'Liste.XLSX', bytes: Buffer.from('PK\u0003\u0004') }
const terms = { name: 'terms.html', bytes: Buffer.from('<p>') }
const asRead = ({ name, bytes }: { name: string; bytes: Uint8Array }) => ({ name, bytes: Buffer.from(bytes) })

describe('a mail', () => {
  it.each([
    ['eml', emlOf([invoice, terms, list])],
    ['msg', msgOf([invoice, terms, list])],
  ] as const)('gives those of its attachments that are documents, under their own names: %s', async (format, bytes) => {
    expect((await openMail({ bytes, format })).attachments.map(asRead)).toEqual([invoice, list].map(asRead))
  })

  it('says what it is about, and who sent it', async () => {
    const head = { subject: 'Your invoice', sender: 'Wörle & Söhne <office@woerle.example>' }
    for (const mail of [
      { bytes: emlOf([invoice]), format: 'eml' },
      { bytes: msgOf([invoice]), format: 'msg' },
    ] as const)
      expect(await openMail(mail)).toMatchObject(head)
    const bare = Buffer.from(
      `From: office@woerle.example\r\nSubject: ${'=?utf-8?Q?a=0A=00b?= '.repeat(200)}\r\n\r\nText`,
    )
    const { subject, sender } = await openMail({ bytes: bare, format: 'eml' })
    expect(sender).toBe('office@woerle.example')
    expect(subject).toMatch(/^[ab ]{100,500}$/)
    const none = Buffer.from('To: office@woerle.example\r\n\r\nText')
    expect(await openMail({ bytes: none, format: 'eml' })).toEqual({ subject: null, sender: null, attachments: [] })
  })

  it('keeps the pictures that its text shows, such as a logo', async () => {
    const logo = { name: 'logo.png', type: 'image/png', isShownInText: true, bytes: Buffer.from('png') }
    expect(
      (await openMail({ bytes: emlOf([logo, invoice]), format: 'eml' })).attachments.map(({ name }) => name),
    ).toEqual([invoice.name])
  })

  it('gives documents that are said to be shown in it, and photos that are shown without being part of its text', async () => {
    const shown = { name: 'Rechnung.pdf', type: 'application/pdf', isShownInText: true, bytes: pdfBytes('shown') }
    const photo = { name: 'IMG_1.jpeg', type: 'image/jpeg', disposition: 'inline', bytes: Buffer.from('jpeg') }
    const { attachments: found } = await openMail({ bytes: emlOf([shown, photo]), format: 'eml' })
    expect(found.map(({ name }) => name)).toEqual(['Rechnung.pdf', 'IMG_1.jpeg'])
  })

  it('tells by its type what a part is whose name does not say it', async () => {
    const parts = [
      { name: 'Rechnung 2024.11', type: 'application/pdf', bytes: pdfBytes('one') },
      { name: 'forwarded', type: 'message/rfc822', bytes: emlOf([invoice], 'inner') },
    ]
    const { attachments: found } = await openMail({ bytes: emlOf(parts), format: 'eml' })
    expect(found.map(({ name }) => name)).toEqual(['Rechnung 2024.11.pdf', invoice.name])
  })

  it('gives what is attached to a mail that it forwards', async () => {
    const forwarded = { name: 'first.eml', type: 'message/rfc822', bytes: emlOf([invoice], 'inner') }
    const inOutlook = { name: 'first', bytes: Buffer.alloc(0), mails: [invoice] }
    for (const mail of [
      { bytes: emlOf([forwarded]), format: 'eml' },
      { bytes: msgOf([inOutlook]), format: 'msg' },
    ] as const)
      expect((await openMail(mail)).attachments.map(({ name }) => name)).toEqual([invoice.name])
  })

  it.each([
    ['eml', Buffer.from('')],
    ['eml', pdfBytes('no mail')],
    ['msg', Buffer.from('no compound file')],
    ['msg', msgOf([invoice]).subarray(0, 700)],
  ] as const)('is refused where it is none: %s', async (format, bytes) => {
    const found = await openMail({ bytes, format }).then(
      ({ attachments }) => attachments,
      (error: { code: string }) => error.code,
    )
    expect([[], 'file_damaged']).toContainEqual(found)
  })
})
