import { expect, it } from 'vitest'
import { answerText } from '../../electron/core/platform/answer-text.ts'

async function textOf(pieces: readonly string[]): Promise<string> {
  const body = (async function* () {
    for (const piece of pieces) yield Buffer.from(piece)
  })()
  let whole = ''
  for await (const text of answerText(null, body)) whole += text
  return whole
}

const blanks = Array.from({ length: 100 }, () => '\n'.repeat(1000))

it('reads a stream that begins with many blanks, as keep-alives are, by what comes after them', async () => {
  await expect(textOf([...blanks, '{"text":"a"}\n', '{"text":"b"}\n'])).resolves.toBe('ab')
  await expect(textOf([...blanks, 'data: a\n\n', 'data: b\n\n'])).resolves.toBe('ab')
})

it('loses nothing of a text that begins with many blanks', async () => {
  await expect(textOf([...blanks, 'a', ' b'])).resolves.toBe(`${blanks.join('')}a b`)
})
