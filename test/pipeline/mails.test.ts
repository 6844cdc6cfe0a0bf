import { mkdir, readFile, readdir, rename, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openMail } from '../../electron/reading/convert/mail.ts'
import { diskAccess } from '../../electron/core/files/file-access.ts'
import type { FileAccess } from '../../electron/core/files/file-access.ts'
import { exportSpec } from '../../shared/contract/exports.ts'
import { isOver, setUpFolder } from '../faults/folder-rig.ts'
import type { Rig } from '../faults/folder-rig.ts'
import { pdfBytes, until } from '../helpers/core.ts'
import { emlOf, msgOf } from '../helpers/mail-files.ts'

const invoice = { name: '../Rechnung: 7.pdf', bytes: pdfBytes('invoice') }
const photo = { name: 'page.pdf', bytes: pdfBytes('photo') }
/** A mail waits until it was long quiet. */
const timings = { longQuietMs: 120 }
const setUp = (onUnpack: () => unknown = () => undefined): Promise<Rig> =>
  setUpFolder({ options: { timings, unpack: (bytes, format) => (onUnpack(), openMail({ bytes, format })) } })
describe('a mail in a watched folder', () => {
  it.each([
    ['Invoice.eml', emlOf([invoice, photo])],
    ['Invoice.msg', msgOf([invoice, photo])],
  ])('is left out, and its attachments are documents beside it: %s', async (name, bytes) => {
    const rig = await setUp()
    const path = await rig.put(name, bytes)
    const names = ['Invoice - Rechnung_ 7.pdf', 'Invoice - page.pdf']
    await until(() => names.every((one) => rig.document(one)?.status === 'done'), 'both attachments')
    expect(rig.document(name)).toMatchObject({ status: 'skipped', reasonCode: 'mail_unpacked' })
    expect((await readdir(rig.inbox)).sort()).toEqual([name, ...names].sort())
    expect(await readFile(join(rig.inbox, names[1]!))).toEqual(photo.bytes)
    expect(await readFile(path)).toEqual(bytes)
    expect(rig.vendor.received).toHaveLength(2)
    rig.check([path, ...names.map((one) => join(rig.inbox, one))], 2)
  })

  it('is known of its documents, wherever they go, and of no other file that comes to their place', async () => {
    const rig = await setUp()
    await rig.put('a.eml', emlOf([photo]))
    await until(() => rig.document('a - page.pdf')?.status === 'done', 'the attachment')
    const { tables } = rig.core.context
    const { id } = rig.document('a - page.pdf')!
    const mail = { subject: 'Your invoice', sender: 'Wörle & Söhne <office@woerle.example>' }
    expect(tables.mails.of(id)).toEqual(mail)
    await rename(join(rig.inbox, 'a - page.pdf'), join(rig.inbox, 'July.pdf'))
    await until(() => rig.document('July.pdf')?.id === id, 'the renamed file')
    await rig.put('a - page.pdf', pdfBytes('another'))
    await until(() => rig.document('a - page.pdf')?.status === 'done', 'another file')
    expect([tables.mails.of(id), tables.mails.of(rig.document('a - page.pdf')!.id)]).toEqual([mail, null])
    const { schemaId } = tables.schemas.versionOf(tables.documents.get(id)!.schemaVersionId)
    const columns = (['mailSender', 'mailSubject'] as const).map((about) => ({ kind: 'about', about }))
    const spec = exportSpec.parse({ schemaId, format: 'csv', locale: 'en', lists: 'text', columns })
    const { tables: shown } = await rig.core.handlers['exports.preview']({ ...spec, limit: 5 })
    expect(shown[0]!.rows).toEqual([
      [mail.sender, mail.subject],
      ['', ''],
    ])
    expect((await rig.core.handlers['documents.get']({ id })).mail).toEqual(mail)
  })

  it('is the last one that a document stands for, and of no other document', async () => {
    const rig = await setUp()
    const { tables } = rig.core.context
    const named = (subject: string, parts: Parameters<typeof emlOf>[0]) =>
      Buffer.from(emlOf(parts).toString('latin1').replace('Subject: Your invoice', `Subject: ${subject}`), 'latin1')
    const subjectOf = (name: string) => tables.mails.of(rig.document(name)!.id)?.subject ?? null
    const damaged = { name: 'page.pdf', bytes: Buffer.from('no PDF') }
    await rig.put('a.eml', named('ONE', [damaged]))
    await until(() => rig.document('a - page.pdf')?.status === 'skipped', 'the damaged one')
    await rm(join(rig.inbox, 'a.eml'))
    await rm(join(rig.inbox, 'a - page.pdf'))
    await rig.put('a.eml', named('TWO', [photo]))
    await until(() => rig.document('a - page.pdf')?.status === 'done', 'the whole one')
    expect(subjectOf('a - page.pdf')).toBe('TWO')

    // The same content comes once more, after its file was taken away.
    await rm(join(rig.inbox, 'a - page.pdf'))
    await rig.put('b.eml', named('REMINDER', [photo]))
    await until(() => rig.document('b - page.pdf')?.status === 'done', 'the same content')
    expect(subjectOf('b - page.pdf')).toBe('REMINDER')
    await rename(join(rig.inbox, 'b - page.pdf'), join(rig.inbox, 'kept.pdf'))
    await until(() => rig.document('kept.pdf')?.status === 'done', 'the renamed one')
    await rig.put('b - page.pdf', pdfBytes('unrelated'))
    await until(() => rig.document('b - page.pdf')?.status === 'done', 'another file')
    expect(['kept.pdf', 'b - page.pdf'].map(subjectOf)).toEqual(['REMINDER', null])
  })

  it('is unpacked once, also when it is touched: an attachment that was thrown away stays away', async () => {
    let times = 0
    const rig = await setUp(() => (times += 1))
    const path = await rig.put('a.eml', emlOf([photo]))
    await until(() => rig.document('a - page.pdf')?.status === 'done', 'the attachment')
    await rm(join(rig.inbox, 'a - page.pdf'))
    const before = rig.document('a.eml')!.mtimeMs
    await utimes(path, new Date(), new Date(before + 5000))
    await until(() => rig.document('a.eml')!.mtimeMs !== before, 'the touched mail')
    await rig.restart()
    await rig.put('c.pdf', pdfBytes('c'))
    await until(isOver(rig, 'c.pdf'), 'what came later')
    expect(times).toBe(1)
    expect(await readdir(rig.inbox)).not.toContain('a - page.pdf')
  })

  it('pays for nothing twice when it comes again under another name', async () => {
    const rig = await setUp()
    await rig.put('a.eml', emlOf([photo]))
    await until(() => rig.document('a - page.pdf')?.status === 'done', 'the attachment')
    await rig.put('b.eml', emlOf([photo]))
    await until(isOver(rig, 'b - page.pdf'), 'the copy')
    expect(rig.document('b - page.pdf')).toMatchObject({ status: 'skipped', reasonCode: 'duplicate' })
    expect(rig.vendor.received).toHaveLength(1)
  })

  it('writes nowhere else, whatever its attachments are called', async () => {
    const rig = await setUp()
    await mkdir(join(rig.inbox, 'a - x'))
    const names = [
      'x\ufffd2F..\ufffd2F..\ufffd2Fout.pdf',
      '..\\..\\out.pdf',
      `${'n'.repeat(300_000)}.pdf`,
      'CON.pdf',
      ' .pdf',
    ]
    await rig.put('a.eml', emlOf(names.map((name, index) => ({ name, bytes: pdfBytes(`${index}`) }))))
    await until(isOver(rig, 'a.eml'), 'the mail')
    const beside = (await readdir(rig.inbox)).filter((name) => name.endsWith('.pdf'))
    expect(beside.sort()).toEqual(
      ['x_2F.._2F.._2Fout', 'out', 'n'.repeat(100), '_CON', 'attachment'].map((name) => `a - ${name}.pdf`).sort(),
    )
    expect(await readdir(join(rig.inbox, '..'))).not.toContain('out.pdf')
  })

  it('is tried again where its folder cannot be written for the moment', async () => {
    let refusals = 2
    const disk: FileAccess = {
      ...diskAccess,
      open: (async (path: string, flags: string, ...more: never[]) => {
        if (path.endsWith('.tmp') && flags === 'r+' && refusals-- > 0)
          throw Object.assign(new Error('full'), { code: 'ENOSPC' })
        return diskAccess.open(path, flags, ...more)
      }) as FileAccess['open'],
    }
    const rig = await setUpFolder({
      options: { files: disk, timings, unpack: (bytes, format) => openMail({ bytes, format }) },
    })
    await rig.put('a.eml', emlOf([photo]))
    await until(() => rig.document('a - page.pdf')?.status === 'done', 'the attachment')
    expect(rig.document('a.eml')).toMatchObject({ status: 'skipped', reasonCode: 'mail_unpacked' })
  })

  it('writes over no file that has the name of an attachment', async () => {
    const rig = await setUp()
    await rig.put('a - page.pdf', pdfBytes('my own'))
    await rig.put('a.eml', emlOf([photo]))
    await until(() => rig.document('a - page (2).pdf')?.status === 'done', 'the attachment')
    expect(await readFile(join(rig.inbox, 'a - page.pdf'))).toEqual(pdfBytes('my own'))
  })

  it('says when there is nothing in it to read, and when it is no mail', async () => {
    const rig = await setUp()
    await rig.put('empty.eml', emlOf([]))
    await rig.put('broken.msg', Buffer.from('no mail'))
    await until(() => isOver(rig, 'empty.eml')() && isOver(rig, 'broken.msg')(), 'both')
    expect(rig.document('empty.eml')).toMatchObject({ status: 'skipped', reasonCode: 'mail_without_documents' })
    expect(rig.document('broken.msg')).toMatchObject({ status: 'skipped', reasonCode: 'file_damaged' })
    expect(rig.vendor.received).toEqual([])
  })
})
