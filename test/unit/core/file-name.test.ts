import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { storeSample } from '../../../electron/core/drafting/samples.ts'
import { storeUpload } from '../../../electron/core/uploads.ts'
import { asFileName, safeFileName } from '../../../electron/core/files/file-names.ts'
import { supportedExtensions } from '../../../shared/domain/limits.ts'

describe('a text as the name of a file', () => {
  it('has none of the characters, ends and names that a system refuses, and keeps the rest', () => {
    expect(asFileName('a<b>c:d"e/f\\g|h?i*j\0k\u001bl')).toBe('a_b_c_d_e_f_g_h_i_j_k_l')
    expect(['CON', 'nul.pdf', 'Com1.x.pdf', 'LPT9 .txt'].map(asFileName)).toEqual([
      '_CON',
      '_nul.pdf',
      '_Com1.x.pdf',
      '_LPT9 .txt',
    ])
    expect(['console', 'COM10', 'null.pdf', 'Rechnung März.pdf', '.hidden'].map(asFileName)).toEqual([
      'console',
      'COM10',
      'null.pdf',
      'Rechnung März.pdf',
      '.hidden',
    ])
    expect(['..', '. .', 'a. '].map(asFileName)).toEqual(['', '', 'a'])
    expect(asFileName('a\ud800')).toBe('a\ufffd')
  })

  it('is cut between characters, by bytes, so that it fits with what stands behind it', () => {
    expect(safeFileName('漢'.repeat(100), 'x')).toBe('漢'.repeat(33))
    expect(safeFileName('😀'.repeat(100), 'x')).toBe('😀'.repeat(25))
    expect(safeFileName('  ..a', 'x')).toBe('a')
    expect(safeFileName(' . ', 'Sheaf')).toBe('Sheaf')
  })
})

describe('an ending', () => {
  it('that every object of the language has is none of a document', async () => {
    for (const ending of ['__proto__', 'constructor', 'valueOf']) {
      expect(supportedExtensions[ending]).toBeUndefined()
      await expect(storeSample(join(tmpdir(), 'not-there'), `a.${ending}`, Readable.from([]))).rejects.toMatchObject({
        code: 'unsupported_type',
      })
    }
  })
})

describe('an upload', () => {
  let dir: string
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'sheaf-upload-'))
  })
  afterEach(() => rm(dir, { recursive: true, force: true }))

  it('is stored however long or odd its name is, with its ending', async () => {
    for (const name of [
      `${'漢'.repeat(200)}.pdf`,
      `${'漢'.repeat(200)}.pdf`,
      'scan:stream.pdf',
      '..',
      `a.${'x'.repeat(400)}`,
    ])
      await storeUpload(dir, name, Readable.from([Buffer.from('x')]))
    const names = await readdir(dir)
    expect(names).toHaveLength(5)
    expect(names).toContain('scan_stream.pdf')
    expect(names).toContain('document')
    expect(names.filter((name) => name.endsWith('漢.pdf'))).toHaveLength(1)
    expect(names.filter((name) => name.endsWith('漢 (2).pdf'))).toHaveLength(1)
    expect(Math.max(...names.map((name) => Buffer.byteLength(name)))).toBeLessThanOrEqual(255)
  })
})
