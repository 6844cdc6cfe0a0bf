import { describe, expect, it } from 'vitest'
import { spellings } from '../../../electron/core/db/search/words.ts'
import { expiryOf } from '../../../electron/core/platform/token.ts'
import { parseRetryAfter } from '../../../shared/wire/retry-after.ts'
import { readAnswer } from '../../../electron/core/platform/answer.ts'
import { diskAccess } from '../../../electron/core/files/file-access.ts'
import { uploadBody } from '../../../electron/core/platform/upload.ts'
import { locateValues } from '../../../electron/core/review/locate-values.ts'
import { templatesFor } from '../../../electron/core/drafting/templates.ts'
import type { Document, Token } from '../../../shared/domain/document.ts'
import { isSettled, documentStatuses, nextStatus } from '../../../shared/domain/document-status.ts'
import { parseSchema } from '../../../shared/domain/schema.ts'
import { locales, sentences } from '../../../shared/messages/sentences.ts'
import { temporaryDir } from '../../helpers/core.ts'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

describe('the transition table', () => {
  it('never sends what is unknown, done or waiting again without a person’s word', () => {
    for (const status of ['unknown', 'done', 'waiting', 'failed', 'skipped', 'cancelled'] as const)
      expect(nextStatus(status, 'submit')).toBeNull()
  })
  it('lets a late result settle everything that may have been sent', () => {
    for (const status of ['queued', 'submitting', 'waiting', 'failed', 'unknown', 'cancelled'] as const)
      expect(nextStatus(status, 'succeed')).toBe('done')
  })
  it('never lets a late failure take a result away', () => {
    expect(nextStatus('done', 'fail')).toBeNull()
    expect(nextStatus('done', 'lose')).toBeNull()
  })
  it('calls exactly the end states settled', () => {
    expect(documentStatuses.filter((status) => !isSettled(status))).toEqual(['queued', 'submitting', 'waiting'])
  })
})

describe('the end of a token', () => {
  const now = 1_700_000_000_000
  const jwt = (claims: object): string => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`
  it('is the one that the JWT names', () => {
    expect(expiryOf(jwt({ exp: 1_700_003_600 }), '1', now)).toBe(1_700_003_600_000)
  })
  it.each([
    ['3600', 3_600_000],
    [3600, 3_600_000],
    ['3600000', 3_600_000],
    ['', 300_000],
    ['0', 300_000],
    [undefined, 300_000],
    ['soon', 300_000],
  ])('from expires_in %j lies %i ms ahead', (expiresIn, ahead) => {
    expect(expiryOf('opaque', expiresIn, now) - now).toBe(ahead)
  })
})

describe('Retry-After', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  it.each([
    ['5', 5000],
    ['0', 0],
    ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['99999999', 86_400_000],
    ['1e12', 86_400_000],
    ['-5', 0],
    ['soon', null],
    ['', null],
    [null, null],
  ])('%j means %j ms', (header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected)
  })
})

describe('reading an answer', () => {
  const read = (body: string) => readAnswer(Buffer.from(body))
  it('takes numeric text and numbers in the metadata', () => {
    expect(read('{"status":"success","data":{},"metadata":{"duration":"1234","tokens_consumed":9}}')).toMatchObject({
      durationMs: 1234,
      tokensConsumed: 9,
    })
  })
  it('keeps a key named __proto__ as data and changes no prototype', () => {
    const answer = read('{"status":"success","data":{"__proto__":{"polluted":true}},"metadata":{}}')
    expect(answer.kind).toBe('result')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
  it('shows a failure of odd types as text', () => {
    expect(read('{"error":{"deep":[1]},"detail":7}')).toMatchObject({
      kind: 'failed',
      error: { code: 'extraction_failed', details: { detail: '{"deep":[1]}: 7' } },
    })
  })
  it('knows the codes of Sheaf’s own service', () => {
    expect(read('{"status":"error","code":"file_encrypted","error":"x","detail":"y"}')).toMatchObject({
      kind: 'failed',
      error: { code: 'file_encrypted' },
    })
  })
})

describe('the body of an upload', () => {
  it.each([1, 2, 3, 196_607, 196_608, 196_609, 400_000])(
    'of %i bytes is the JSON that the interface asks for, of exactly the size it said',
    async (size) => {
      const dir = temporaryDir()
      const bytes = Buffer.alloc(size, 'ÿ€x')
      const path = join(dir.path, 'file')
      writeFileSync(path, bytes)
      const { mtimeMs } = (await import('node:fs')).statSync(path)
      const body = uploadBody(
        {
          files: diskAccess,
          path,
          name: 'Ä "quoted"\n.pdf',
          sizeBytes: size,
          mtimeMs: Math.trunc(mtimeMs),
          sha256: null,
        },
        { params: [{ name: 'a' }], callback: 'http://x/' },
      )
      const parts: Uint8Array[] = []
      for await (const part of body.chunks) parts.push(Buffer.from(part))
      const whole = Buffer.concat(parts)
      const message = JSON.parse(whole.toString('utf8')) as Record<string, unknown>
      expect(whole.length).toBe(body.sizeBytes)
      expect(message).toMatchObject({ filename: 'Ä "quoted"\n.pdf', params: [{ name: 'a' }], callback: 'http://x/' })
      expect(Buffer.from(String(message['file']), 'base64').equals(bytes)).toBe(true)
      dir.remove()
    },
  )
})

describe('grounding values in a document', () => {
  const token = (text: string, x: number): Token => ({
    text,
    box: { x, y: 0.1, width: 0.05, height: 0.02 },
    fontSize: 0.02,
    bold: false,
  })
  const document: Document = {
    kind: 'pdf',
    pages: [
      {
        number: 1,
        width: 100,
        height: 100,
        origin: 'text',
        tokens: ['Hartmann', 'GmbH', '17.11.2026', '1.284,61', '€', '12.50', '12.50'].map((text, index) =>
          token(text, index / 10),
        ),
        tables: [],
      },
    ],
  }
  const pointers = (record: Record<string, string | number>) =>
    locateValues([record], document).map(({ pointer, text }) => [pointer, text])

  it('finds text over several words, numbers however they are punctuated, and dates', () => {
    expect(pointers({ seller: 'Hartmann GmbH', total: 1284.61, date: '2026-11-17' })).toEqual([
      ['/0/seller', 'Hartmann GmbH'],
      ['/0/total', '1.284,61'],
      ['/0/date', '17.11.2026'],
    ])
  })
  it('gives equal values places of their own, and none to what is not there', () => {
    const found = locateValues([{ a: 12.5, b: 12.5, c: 99, d: 'Muster AG' }], document)
    expect(found.map(({ pointer }) => pointer)).toEqual(['/0/a', '/0/b'])
    expect(found[0]!.box.x).not.toBe(found[1]!.box.x)
  })
})

describe('a search for a value', () => {
  it.each([
    ['6.067,81', '6067.81'],
    ['6,067.81', '6067.81'],
    ['6067,80', '6067.8'],
    ['17.09.2026', '2026-09-17'],
    ['DE02120300000000202051', 'DE02 1203 0000 0000 2020 51'],
    ['de02 1203 0000 0000 2020 51', 'de02120300000000202051'],
  ])('«%s» also looks for %s', (search, kept) => {
    expect(spellings(search)).toContain(kept)
  })
  it('looks for text as it is', () => {
    expect(spellings('Hartmann & Co')).toEqual(['Hartmann & Co'])
  })
})

describe('what comes with Sheaf', () => {
  it.each(locales)('has valid templates in %s', (locale) => {
    const templates = templatesFor(locale)
    expect(templates.map(({ key }) => key)).toEqual([
      'invoice',
      'receipt',
      'purchase_order',
      'delivery_note',
      'bank_statement',
      'form',
    ])
    for (const template of templates) expect(parseSchema(template.elements)).toEqual(template.elements)
  })
  it('has a sentence in every language for every error, with the same placeholders', () => {
    for (const [code, texts] of Object.entries(sentences)) {
      const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!).sort()
      for (const locale of locales) {
        expect(texts[locale], `${code} in ${locale}`).not.toBe('')
        expect(placeholders(texts[locale]), `${code} in ${locale}`).toEqual(placeholders(texts.en))
      }
    }
  })
})
