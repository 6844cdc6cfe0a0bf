import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { passagesOf } from '../../electron/service/answering/passages.ts'
import type { Passage } from '../../electron/service/answering/passages.ts'
import type { FileKind } from '../../shared/domain/document.ts'
import { docx, pdf, xlsx } from './documents.ts'
import { readDocument } from './setup.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-passages-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function cut(bytes: Buffer, kind: FileKind): Promise<Passage[]> {
  const path = join(folder, `document.${kind}`)
  await writeFile(path, bytes)
  const document = await readDocument(path, kind)
  return document.pages.flatMap((page) => passagesOf(page, document.kind))
}

describe('passages', () => {
  it('repeat the heading row wherever a long table is cut, and lose no row', async () => {
    const rows = Array.from({ length: 80 }, (_, index) => [
      `A-${index + 100}`,
      `Article number ${index}`,
      String(index * 3),
    ])
    const passages = await cut(await xlsx([['Code', 'Description', 'Quantity'], ...rows]), 'xlsx')
    expect(passages.length).toBeGreaterThan(2)
    for (const { text, page } of passages) {
      expect(text.startsWith('Code  Description  Quantity\n')).toBe(true)
      expect(text.length).toBeLessThanOrEqual(950)
      expect(page).toBe(1)
    }
    const text = passages.map((passage) => passage.text).join('\n')
    for (const row of rows) expect(text).toContain(row.join('  '))
  })

  it('are as long as a few paragraphs, end with sentences and keep every word', async () => {
    const sentences = Array.from(
      { length: 40 },
      (_, index) => `Sentence ${index} says something about the rules of the house and its guests.`,
    )
    const passages = await cut(await docx([sentences.slice(0, 20).join(' '), sentences.slice(20).join(' ')]), 'docx')
    for (const { text } of passages) {
      expect(text.length).toBeLessThanOrEqual(1100)
      expect(text).toMatch(/\.$/)
    }
    expect(
      passages
        .map(({ text }) => text)
        .join(' ')
        .replace(/\s+/g, ' '),
    ).toBe(sentences.join(' '))
  })

  it('put a word together that was cut at the end of a line', async () => {
    const [passage] = await cut(
      pdf([
        'The tenant may end the contract with a written cancella-',
        'tion three months before the end of a calendar year, not later.',
      ]),
      'pdf',
    )
    expect(passage!.text).toContain('a written cancellation three months')
  })

  it('are one for a short page', async () => {
    expect(await cut(pdf(['Parking', 'Visitors park behind the north gate.']), 'pdf')).toEqual([
      { page: 1, text: 'Parking\nVisitors park behind the north gate.' },
    ])
  })
})
