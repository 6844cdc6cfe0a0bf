import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readDocument } from '../../../electron/reading/read.ts'
import { maxPageOperations } from '../../../electron/reading/pdf/operators.ts'
import { maxStreamBytes } from '../../../electron/reading/pdf/stream-sizes.ts'
import { flateBomb, onePage, stream, textContent, zipBytes } from '../../faults/hostile-files.ts'
import { expectCode, noRecognition } from './expectations.ts'
import { docxOf, zipOf } from './office-files.ts'
import { forNight, isLong } from '../../helpers/scale.ts'

describe('an Office file that is not to be trusted', () => {
  it('whose entry shrank more than a hundredfold is file_too_complex', async () => {
    const bytes = await zipOf({ 'word/document.xml': Buffer.alloc(2 * 1024 * 1024, 0x20) })
    await expectCode(readDocument(bytes, 'docx', noRecognition), 'file_too_complex')
  })

  it('that unpacks to more than 100 MB is file_too_complex', async () => {
    // many entries below the size from which the ratio counts
    const parts = Object.fromEntries(
      Array.from({ length: 105 }, (_, index) => [`word/media/${index}.bin`, Buffer.alloc(1024 * 1024, index)]),
    )
    await expectCode(readDocument(await zipOf(parts), 'xlsx', noRecognition), 'file_too_complex')
  })

  it('with more than 10,000 entries is file_too_complex', async () => {
    const entries = Array.from({ length: 10_001 }, (_, index) => ({ name: `x/${index}`, data: Buffer.alloc(0) }))
    await expectCode(readDocument(zipBytes(entries), 'docx', noRecognition), 'file_too_complex')
    await expectCode(readDocument(zipBytes(entries.slice(1)), 'docx', noRecognition), 'file_damaged')
  })

  it('with a document type and entities is refused before any is expanded', async () => {
    const bytes = await docxOf('<w:p><w:r><w:t>&boom;</w:t></w:r></w:p>', '<!DOCTYPE x [<!ENTITY boom "boom">]>')
    await expectCode(readDocument(bytes, 'docx', noRecognition), 'file_damaged')
  })

  it('whose elements nest without end is file_too_complex', async () => {
    const bytes = await docxOf('<w:sdt><w:sdtContent>'.repeat(5000))
    await expectCode(readDocument(bytes, 'docx', noRecognition), 'file_too_complex')
  })

  it('that is wrapped for a password is file_encrypted', async () => {
    const compound = new Uint8Array(1024)
    compound.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
    await expectCode(readDocument(compound, 'xlsx', noRecognition), 'file_encrypted')
  })

  it('that is cut off, or any other archive, is file_damaged', async () => {
    const bytes = await docxOf('<w:p><w:r><w:t>half</w:t></w:r></w:p>')
    await expectCode(readDocument(bytes.slice(0, bytes.length - 60), 'docx', noRecognition), 'file_damaged')
    await expectCode(readDocument(await zipOf({ 'readme.txt': 'hello' }), 'docx', noRecognition), 'file_damaged')
    await expectCode(readDocument(await docxOf('<w:p><w:r></w:p>'), 'docx', noRecognition), 'file_damaged')
  })
})

describe('a PDF that is not to be trusted', () => {
  const over = maxStreamBytes / 1024 / 1024 + 1
  const tooLarge = { code: 'file_too_complex', details: { maxUnpackedBytes: maxStreamBytes } }

  it('is refused before anything is made of a stream that unpacks to more than 64 MB', async () => {
    const once = deflateSync(Buffer.alloc(over * 1024 * 1024, '1 1 1 1 re f\n'))
    const files = [
      onePage(once, { dictionary: '/Filter /FlateDecode' }),
      onePage(flateBomb(over, ' '), { dictionary: '/Filter [/FlateDecode /FlateDecode]' }),
      onePage(once, { dictionary: '/Filter 6 0 R /Length 7', more: ['[/FlateDecode]'] }),
      // cut off in the middle, as far as it goes
      onePage(once.subarray(0, once.length - 9), { dictionary: '/Filter /FlateDecode' }),
      // a small picture, which pdf.js would unpack whole all the same
      onePage('/Im Do', {
        resources: '/XObject << /Im 6 0 R >>',
        more: [stream(once, '/Subtype /Image /Width 9 /Height 9 /Filter /FlateDecode')],
      }),
    ]
    for (const file of files) await expect(readDocument(file, 'pdf', noRecognition)).rejects.toMatchObject(tooLarge)
  })

  it('is damaged with a line of many megabytes outside of its streams', async () => {
    const long = '7'.repeat(5 * 1024 * 1024)
    const whole = Buffer.concat([
      onePage(textContent('Invoice'), { more: [stream(long)] }),
      Buffer.from(`\n % <${long}\n`),
    ])
    const read = await readDocument(whole, 'pdf', noRecognition)
    expect(read.pages).toHaveLength(1)
    for (const junk of ['[', '[]', '1', '/a ', 'stream '])
      for (const file of [Buffer.from('%PDF-1.4\n'), whole])
        await expect(
          readDocument(Buffer.concat([file, Buffer.alloc(5 * 1024 * 1024, junk)]), 'pdf', noRecognition),
        ).rejects.toMatchObject({ code: 'file_damaged', details: { maxLineBytes: 4 * 1024 * 1024 } })
  })

  it.runIf(isLong)('is refused where many streams together unpack to more than 512 MB', async () => {
    const one = stream(deflateSync(Buffer.alloc(60 * 1024 * 1024)), '/Filter /FlateDecode')
    const file = onePage(textContent('Invoice'), { more: Array.from({ length: 9 }, () => one) })
    await expect(readDocument(file, 'pdf', noRecognition)).rejects.toMatchObject({
      code: 'file_too_complex',
      details: { maxUnpackedBytes: 512 * 1024 * 1024 },
    })
  })

  it('is refused where a page lists contents that together unpack to more than 64 MB, each as often as it is listed', async () => {
    const tooLarge = { code: 'file_too_complex', details: { maxUnpackedBytes: maxStreamBytes } }
    const spaces = Buffer.alloc(4 * 1024 * 1024, ' ')
    const packed = { dictionary: '/Filter /FlateDecode' }
    const list = (times: number): string => `[${'4 0 R\n'.repeat(times)}]`
    const page = (times: number): string => `/Contents ${list(times)}`
    const objects = deflateSync(Buffer.from(`7 0 ${list(20)}`))
    const files = [
      onePage(deflateSync(spaces), { ...packed, page: page(20) }),
      onePage(spaces, { page: page(20) }),
      onePage(deflateSync(spaces), { ...packed, page: '/Contents 6 0 R', more: [list(20)] }),
      onePage(deflateSync(spaces), {
        ...packed,
        more: [stream(objects, '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode')],
      }),
    ]
    for (const file of files) await expect(readDocument(file, 'pdf', noRecognition)).rejects.toMatchObject(tooLarge)
    const few = onePage(textContent('Invoice number: SAFE-5'), {
      page: `/Contents [4 0 R ${'6 0 R '.repeat(15)}]`,
      more: [stream(spaces)],
    })
    await expect(readDocument(few, 'pdf', noRecognition)).resolves.toMatchObject({ kind: 'pdf' })
  })

  it.runIf(isLong)('is read where a picture unpacks to more, as large as it says it is', async () => {
    const scan = stream(
      deflateSync(Buffer.alloc(5000 * 7000 * 3, 0xff)),
      '/Subtype /Image /Width 5000 /Height 7000 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /FlateDecode',
    )
    const file = onePage(textContent('Invoice number: SAFE-5'), { more: [scan] })
    await expect(readDocument(file, 'pdf', noRecognition)).resolves.toMatchObject({ kind: 'pdf' })
  })

  it.runIf(isLong)(
    'is refused where a picture unpacks to more than can be read, whatever size it says it has',
    async () => {
      const picture = stream(
        flateBomb(230, ' '),
        '/Subtype /Image /Width 10000 /Height 10000 /BitsPerComponent 16 /Filter [/FlateDecode /FlateDecode]',
      )
      const file = onePage('/Im Do', { resources: '/XObject << /Im 6 0 R >>', more: [picture] })
      await expect(readDocument(file, 'pdf', noRecognition)).rejects.toMatchObject({
        code: 'file_too_complex',
        details: { maxUnpackedBytes: 224 * 1024 * 1024 },
      })
    },
  )

  it('reserves what its largest picture will take before it is decoded', async () => {
    const reserved: number[] = []
    const picture = (width: number | string, height: number): Buffer =>
      stream('x', `/Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8`)
    const document = onePage(textContent('Invoice A-1', 'with a few words more', 'and two pictures'), {
      more: [picture(3000, 4000), picture(20, 10), picture('8 0 R', 9000)],
    })
    await readDocument(document, 'pdf', noRecognition, async (bytes) => void reserved.push(bytes))
    expect(reserved).toEqual([3000 * 4000 * 14 + 44_000_000])
  })

  it('is refused where a page draws too much, while it is parsed', forNight, async () => {
    const tooMuch = { code: 'file_too_complex', details: { maxOperations: maxPageOperations } }
    const drawing = '1 1 1 1 re f\n'.repeat(400_000)
    const refused = readDocument(onePage(drawing), 'pdf', noRecognition)
    await expect(refused).rejects.toMatchObject(tooMuch)
    const operations = await refused.catch((error: { details: { operations: number } }) => error.details.operations)
    // it stopped there, not at the end of the page
    expect(operations).toBeLessThan(maxPageOperations + 2000)
    // small, and drawn again and again
    const again = onePage(drawing.slice(0, 130_000), { page: `/Contents [${'4 0 R '.repeat(40)}]` })
    await expect(readDocument(again, 'pdf', noRecognition)).rejects.toMatchObject(tooMuch)
  })
})
