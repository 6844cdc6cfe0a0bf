import { describe, it } from 'vitest'
import { readDocument } from '../../../electron/reading/read.ts'
import { expectCode, noRecognition } from './expectations.ts'
import { docxOf, zipOf } from './office-files.ts'

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
    const parts = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`x/${index}`, '']))
    await expectCode(readDocument(await zipOf(parts), 'docx', noRecognition), 'file_too_complex')
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
