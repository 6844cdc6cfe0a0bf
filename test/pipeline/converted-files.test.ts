import { readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CoreOptions } from '../../electron/core/core.ts'
import { convertToPdf } from '../../electron/reading/convert/convert.ts'
import { isOver, setUpFolder } from '../faults/folder-rig.ts'
import type { Rig } from '../faults/folder-rig.ts'
import { onThisComputer, pdfBytes, simpleSchema, until } from '../helpers/core.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { Vendor } from '../helpers/vendor.ts'
import { tiffOf } from '../helpers/picture-files.ts'
import { ciiInvoice, ublInvoice } from '../unit/invoices-as-xml.ts'

const convert: CoreOptions['convert'] = (bytes, format, locale) =>
  convertToPdf({ bytes, format, locale }, async () => undefined)
const scan = tiffOf([
  { width: 16, height: 8, bits: 1, samples: 1, photometric: 0, data: new Uint8Array(16).fill(0x3c) },
])

/** A folder whose files go to a platform, with a service on this computer beside it. */
async function setUp(
  more: Partial<CoreOptions> = {},
  reply?: Parameters<typeof startVendor>[0],
): Promise<{ rig: Rig; here: Vendor }> {
  const here = await startVendor(reply)
  onTestFinished(here.close)
  const rig = await setUpFolder({ options: { convert, localService: onThisComputer(here), ...more } })
  return { rig, here }
}

describe('a picture that a platform does not take', () => {
  it.each([
    ['scan.tif', scan],
    ['Photo.WEBP', createCanvas(8, 8).toBuffer('image/webp')],
  ])('is sent as a PDF, and stays as it is: %s', async (name, bytes) => {
    const { rig, here } = await setUp()
    const path = await rig.put(name, bytes)
    await until(isOver(rig, name), 'the document')
    expect(rig.document(name)).toMatchObject({ status: 'done', name })
    expect(rig.vendor.received.map(({ filename }) => filename)).toEqual([`${name}.pdf`])
    expect(here.received).toEqual([])
    expect(await readFile(path)).toEqual(Buffer.from(bytes))
    const [pdf] = await readdir(join(rig.dataDir, 'converted'))
    expect((await readFile(join(rig.dataDir, 'converted', pdf!))).subarray(0, 5).toString()).toBe('%PDF-')
    expect(await rig.core.shownPath(rig.document(name)!.id)).toBe(join(rig.dataDir, 'converted', pdf!))
    rig.check([path], 1)
  })

  it('fails with its reason where it is damaged, and nothing is sent', async () => {
    const { rig } = await setUp()
    await rig.put('cut.tif', scan.subarray(0, 20))
    await until(isOver(rig, 'cut.tif'), 'the document')
    expect(rig.document('cut.tif')).toMatchObject({ status: 'failed', reasonCode: 'file_damaged' })
    expect(rig.vendor.received).toEqual([])
  })

  it('is converted once for all who want it, and anew where somebody took the PDF away', async () => {
    let times = 0
    const { rig } = await setUp({ convert: (...given) => ((times += 1), convert(...given)) })
    await rig.put('scan.tif', scan)
    await until(isOver(rig, 'scan.tif'), 'the document')
    const { id } = rig.document('scan.tif')!
    const [path] = await Promise.all([rig.core.shownPath(id), rig.core.shownPath(id)])
    expect(times).toBe(1)
    await rm(path)
    await Promise.all([rig.core.shownPath(id), rig.core.shownPath(id)])
    expect(times).toBe(2)
  })
})

describe('an electronic invoice that is an XML file', () => {
  it('is read on this computer, whatever platform its folder sends to', async () => {
    const { rig, here } = await setUp()
    await rig.put('xrechnung.xml', Buffer.from(ublInvoice('Invoice')))
    await rig.put('letter.pdf', pdfBytes('letter'))
    await until(() => isOver(rig, 'xrechnung.xml')() && isOver(rig, 'letter.pdf')(), 'both')
    expect(here.received.map(({ filename }) => filename)).toEqual(['xrechnung.xml.pdf'])
    expect(rig.vendor.received.map(({ filename }) => filename)).toEqual(['letter.pdf'])
  })

  it('stays here when it is asked for again', async () => {
    const { rig, here } = await setUp({}, (_, index) => (index === 0 ? { status: 400 } : {}))
    await rig.put('a.xml', Buffer.from(ciiInvoice()))
    await until(() => rig.document('a.xml')?.status === 'failed', 'a refusal')
    await rig.core.handlers['documents.retry']({ ids: [rig.document('a.xml')!.id] })
    await until(() => rig.document('a.xml')?.status === 'done', 'the second time')
    expect(here.received).toHaveLength(2)
    expect(rig.document('a.xml')!.connectionId).not.toBe(rig.folder.connectionId)
    expect(rig.vendor.received).toEqual([])
  })

  it('stays here when its folder gets another connection', async () => {
    const { rig, here } = await setUp()
    rig.core.queue.pause()
    await rig.put('a.xml', Buffer.from(ciiInvoice()))
    await until(() => rig.document('a.xml')?.status === 'queued', 'the queue')
    rig.core.context.tables.documents.adoptFolder(rig.folder.id)
    rig.core.queue.resume()
    await until(isOver(rig, 'a.xml'), 'the document')
    expect(here.received).toHaveLength(1)
    expect(rig.vendor.received).toEqual([])
  })

  it('is refused by the way to a platform itself', async () => {
    const { rig } = await setUp()
    await rig.put('a.xml', Buffer.from(ciiInvoice()))
    await until(isOver(rig, 'a.xml'), 'the document')
    const { core, folder, vendor } = rig
    const other = core.context.tables.schemas.save(null, 'Other', [...simpleSchema], 0)
    const { id } = await core.handlers['documents.extractWith']({
      ids: [rig.document('a.xml')!.id],
      schemaId: other.id,
      connectionId: folder.connectionId,
    })
    await until(() => core.context.tables.documents.get(id!)?.status === 'skipped', 'its end')
    expect(core.context.tables.documents.get(id!)).toMatchObject({ reasonCode: 'read_here_only' })
    expect(vendor.received).toEqual([])
  })

  it('is left out with its reason where it is other XML', async () => {
    const { rig, here } = await setUp()
    await rig.put('settings.xml', Buffer.from('<?xml version="1.0"?><!-- <Invoice> --><settings/>'))
    await until(isOver(rig, 'settings.xml'), 'the document')
    expect(rig.document('settings.xml')).toMatchObject({ status: 'skipped', reasonCode: 'no_e_invoice' })
    expect(here.received).toEqual([])
  })
})
