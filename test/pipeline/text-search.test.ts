import { describe, expect, it } from 'vitest'
import { documentFilter } from '../../shared/contract/documents.ts'
import type { Document } from '../../shared/domain/document.ts'
import { setUpFolder } from '../faults/folder-rig.ts'
import type { Rig } from '../faults/folder-rig.ts'
import { pdfBytes, until } from '../helpers/core.ts'

const box = { x: 0.1, y: 0.1, width: 0.1, height: 0.1 }
const saying = (...words: string[]): Document => ({
  kind: 'pdf',
  pages: [
    {
      number: 1,
      width: 595,
      height: 842,
      origin: 'text',
      tokens: words.map((text) => ({ text, box, fontSize: 0.01, bold: false })),
      tables: [],
    },
  ],
})
const search = async ({ core }: Rig, words: string) =>
  (
    await core.handlers['documents.list']({
      ...documentFilter.parse({ search: words }),
      sort: 'name',
      descending: false,
      offset: 0,
      limit: 10,
    })
  ).rows

describe('the search for words of documents', () => {
  it('finds what a document says besides its values, though nobody opened it', async () => {
    const rig = await setUpFolder({ options: { read: async () => saying('Tannery', 'Yard') } })
    await rig.put('a.pdf', pdfBytes('a'))
    await expect
      .poll(() => search(rig, 'tannery'), { timeout: 10_000 })
      .toMatchObject([{ name: 'a.pdf', hit: { field: 'text', text: 'Tannery Yard' } }])
  })

  it('does not take the words of another file that lies in its place by now', async () => {
    const unread: string[] = []
    const rig = await setUpFolder({ options: { read: () => (unread.push('asked'), new Promise(() => undefined)) } })
    await rig.put('a.pdf', pdfBytes('first'))
    await until(() => unread.length > 0, 'the first look')
    const [first] = rig.documents()
    await rig.put('a.pdf', pdfBytes('second'))
    await until(() => rig.documents().filter(({ status }) => status === 'done').length === 2, 'both documents')
    await rig.restart({ read: async () => saying('Orchard') })
    await expect.poll(() => search(rig, 'orchard'), { timeout: 10_000 }).toHaveLength(1)
    await rig.core.handlers['documents.preview']({ id: first!.id })
    expect((await search(rig, 'orchard')).map(({ id }) => id)).toEqual([rig.document('a.pdf')!.id])
  })

  it('reads a document once for the search and for whoever opens it meanwhile', async () => {
    let reads = 0
    let answer = (_read: Document): void => undefined
    const reading = new Promise<Document>((resolve) => (answer = resolve))
    const rig = await setUpFolder({ options: { read: () => ((reads += 1), reading) } })
    await rig.put('a.pdf', pdfBytes('a'))
    await until(() => reads > 0, 'the reading for the search')
    const opened = rig.core.handlers['documents.preview']({ id: rig.document('a.pdf')!.id })
    answer(saying('Tannery'))
    expect((await opened).pages[0]!.words).toMatchObject([{ text: 'Tannery' }])
    expect(reads).toBe(1)
  })

  it('finds it after the next start where a run ended before', async () => {
    const unread: string[] = []
    const rig = await setUpFolder({ options: { read: () => (unread.push('asked'), new Promise(() => undefined)) } })
    await rig.put('a.pdf', pdfBytes('a'))
    await until(() => unread.length > 0, 'the first look')
    expect(await search(rig, 'tannery')).toEqual([])
    await rig.restart({ read: async () => saying('Tannery') })
    await expect.poll(() => search(rig, 'tannery'), { timeout: 10_000 }).toMatchObject([{ name: 'a.pdf' }])
  })
})
