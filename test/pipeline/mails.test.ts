import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { attachmentsOf } from '../../electron/reading/convert/mail.ts'
import { setUpFolder } from '../faults/folder-rig.ts'
import type { Rig } from '../faults/folder-rig.ts'
import { pdfBytes, until } from '../helpers/core.ts'
import { emlOf, msgOf } from '../helpers/mail-files.ts'

const invoice = { name: '../Rechnung: 7.pdf', bytes: pdfBytes('invoice') }
const photo = { name: 'page.pdf', bytes: pdfBytes('photo') }
const setUp = (): Promise<Rig> =>
  setUpFolder({ options: { unpack: (bytes, format) => attachmentsOf({ bytes, format }) } })
const isOver =
  ({ document }: Rig, name: string) =>
  (): boolean =>
    ['done', 'failed', 'skipped'].includes(document(name)?.status ?? '')

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

  it('is unpacked once, and pays for nothing twice when it comes again under another name', async () => {
    const rig = await setUp()
    await rig.put('a.eml', emlOf([photo]))
    await until(() => rig.document('a - page.pdf')?.status === 'done', 'the attachment')
    await rig.restart()
    await rig.put('b.eml', emlOf([photo]))
    await until(isOver(rig, 'b - page.pdf'), 'the copy')
    expect(rig.document('b - page.pdf')).toMatchObject({ status: 'skipped', reasonCode: 'duplicate' })
    expect(rig.vendor.received).toHaveLength(1)
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
