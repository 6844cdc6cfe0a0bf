import { describe, expect, it } from 'vitest'
import { readRequestBody } from '../../electron/service/http/request-body.ts'

const content = Buffer.from(Array.from({ length: 500 }, (_, index) => (index * 7919) % 256))

async function read(
  body: Buffer,
  cuts: number[],
): Promise<{ fields: Record<string, unknown>; fileBytes: number; file: Buffer }> {
  async function* pieces(): AsyncGenerator<Buffer> {
    let from = 0
    for (const cut of [...cuts, body.length]) {
      yield body.subarray(from, cut)
      from = cut
    }
  }
  const written: Buffer[] = []
  const result = await readRequestBody(pieces(), (bytes) => {
    written.push(Buffer.from(bytes))
    return Promise.resolve()
  })
  return { ...result, file: Buffer.concat(written) }
}

function bodyWith(file: string): Buffer {
  return Buffer.from(
    `{"a":{"file":"no"},"filename":"ü\\"file\\".pdf","fi\\u006ce" : "${file}","params":[{"name":"x,\\\\"}]}`,
  )
}

const expected = { a: { file: 'no' }, filename: 'ü"file".pdf', file: '', params: [{ name: 'x,\\' }] }

describe('Extraction request, wherever the network cuts it', () => {
  const plain = bodyWith(content.toString('base64'))
  const escaped = bodyWith(
    content
      .subarray(0, 100)
      .toString('base64')
      .replaceAll('/', '\\/')
      .replaceAll('+', '\\u002B')
      .replaceAll('=', '\\u003d'),
  )

  it('is the same when it comes byte by byte', async () => {
    const result = await read(
      plain,
      Array.from({ length: plain.length - 1 }, (_, index) => index + 1),
    )
    expect(result.fields).toEqual(expected)
    expect(result.file.equals(content)).toBe(true)
    expect(result.fileBytes).toBe(content.length)
  })

  it('is the same when it is cut in two at any place', async () => {
    for (let cut = 0; cut <= escaped.length; cut++) {
      const result = await read(escaped, [cut])
      expect(result.fields, `cut at ${cut}`).toEqual(expected)
      expect(result.file.equals(content.subarray(0, 100)), `cut at ${cut}`).toBe(true)
    }
  })

  it.each([0, 1, 2, 3, 4])(
    'keeps all bytes of a file whose length is %d more than a multiple of three',
    async (more) => {
      const file = content.subarray(0, 30 + more)
      for (const size of [1, 2, 3, 4, 5, 7]) {
        const body = bodyWith(file.toString('base64'))
        const cuts = Array.from({ length: Math.floor(body.length / size) }, (_, index) => (index + 1) * size).filter(
          (cut) => cut < body.length,
        )
        expect((await read(body, cuts)).file.equals(file)).toBe(true)
      }
    },
  )

  it.each(['QUI', 'QUJD=', 'QQ=', 'QQ=A', 'QQ==Q', 'QR==', 'QUJ\\n', 'QU\\"D', '\\u00c4', 'QUJ D', '=', '=='])(
    'refuses %j as a file however it is cut',
    async (file) => {
      const body = bodyWith(file)
      for (let cut = 0; cut <= body.length; cut++)
        await expect(read(body, [cut]), `cut at ${cut}`).rejects.toMatchObject({ status: 400, code: 'invalid_request' })
    },
  )
})
