import { existsSync, readdirSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diskAccess } from '../../electron/core/files/file-access.ts'
import type { FileAccess } from '../../electron/core/files/file-access.ts'
import { pdfBytes, until } from '../helpers/core.ts'
import { setUpFolder } from '../faults/folder-rig.ts'
import type { Rig } from '../faults/folder-rig.ts'

const numbers: Record<string, string | null> = { 'a.pdf': 'R-1', 'b.pdf': 'R-2', 'twice.pdf': 'R-1', 'none.pdf': null }
const named = { afterwards: 'move', archiveName: 'by number/No {invoice_number}' } as const

const setUp = (folder: Partial<Rig['folder']> = named, files?: FileAccess): Promise<Rig> =>
  setUpFolder({
    folder,
    ...(files && { options: { files } }),
    reply: ({ filename }) => ({
      body: JSON.stringify({
        status: 'success',
        data: { invoice_number: numbers[filename] ?? null, total: 119 },
        metadata: {},
      }),
    }),
  })

function filesIn({ inbox }: Rig): string[] {
  const done = join(inbox, 'Done')
  if (!existsSync(done)) return []
  return readdirSync(done, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(done, join(parentPath, name)))
    .toSorted()
}

async function untilDone(rig: Rig, ...names: string[]): Promise<void> {
  await until(() => JSON.stringify(filesIn(rig)) === JSON.stringify(names), `${names.join(', ')} in Done`)
  const isSettled = (): boolean =>
    rig.documents().every(({ moveTo, archivedAs }) => moveTo === null && archivedAs === 'done')
  await until(isSettled, 'the moves to be over')
}

const change = (rig: Rig, archiveName: string): Promise<unknown> =>
  rig.core.handlers['folders.update']({ id: rig.folder.id, archiveName })

const correct = (rig: Rig, number: string): Promise<unknown> => {
  const { id } = rig.documents()[0]!
  return rig.core.handlers['review.correct']({ id, changes: [{ pointer: '/0/invoice_number', value: number }] })
}

describe('a folder whose files are called by their values', () => {
  it('calls them so in Done, and knows them by that name', async () => {
    const rig = await setUp()
    await rig.put('2026/a.pdf', pdfBytes('a'))
    await untilDone(rig, 'by number/No R-1.pdf')
    const document = rig.document('Done/by number/No R-1.pdf')!
    expect(document).toMatchObject({ name: 'No R-1.pdf', status: 'done', archivedAs: 'done' })
    expect(await readFile(document.path)).toEqual(pdfBytes('a'))
    expect(await readdir(join(rig.inbox, 'Done'))).toEqual(['by number'])
    rig.check([document.path], 1)
  })

  it('gives a number to a second one of the same values, and leaves it there over a restart', async () => {
    const rig = await setUp()
    await rig.put('a.pdf', pdfBytes('a'))
    await untilDone(rig, 'by number/No R-1.pdf')
    await rig.put('twice.pdf', pdfBytes('another'))
    await untilDone(rig, 'by number/No R-1 (2).pdf', 'by number/No R-1.pdf')
    await rig.restart()
    await change(rig, 'by number/No {invoice_number} ')
    await rig.put('b.pdf', pdfBytes('b'))
    await untilDone(rig, 'by number/No R-1 (2).pdf', 'by number/No R-1.pdf', 'by number/No R-2.pdf')
    expect(await readFile(join(rig.inbox, 'Done/by number/No R-1.pdf'))).toEqual(pdfBytes('a'))
  })

  it('leaves one without such a value as it was called', async () => {
    const rig = await setUp()
    await rig.put('none.pdf', pdfBytes('n'))
    await untilDone(rig, 'none.pdf')
    await correct(rig, 'R-9')
    await untilDone(rig, 'by number/No R-9.pdf')
  })

  it('calls one anew when its value is corrected, and leaves no empty folder behind', async () => {
    const rig = await setUp({ ...named, archiveName: '{invoice_number}/a {total}' })
    await rig.put('a.pdf', pdfBytes('a'))
    await untilDone(rig, 'R-1/a 119.pdf')
    await correct(rig, 'R-7')
    await untilDone(rig, 'R-7/a 119.pdf')
    expect(await readdir(join(rig.inbox, 'Done'))).toEqual(['R-7'])
  })

  it('is undone: each file is where it was, under its old name', async () => {
    const rig = await setUp({ afterwards: 'move' })
    await rig.put('2026/a.pdf', pdfBytes('a'))
    await rig.put('b.pdf', pdfBytes('b'))
    await untilDone(rig, '2026/a.pdf', 'b.pdf')
    await change(rig, named.archiveName)
    await untilDone(rig, 'by number/No R-1.pdf', 'by number/No R-2.pdf')
    await change(rig, '{invoice_number}')
    await untilDone(rig, 'R-1.pdf', 'R-2.pdf')
    await change(rig, '')
    await untilDone(rig, '2026/a.pdf', 'b.pdf')
    expect(
      rig
        .documents()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['a.pdf', 'b.pdf'])
    expect((await readdir(join(rig.inbox, 'Done'))).toSorted()).toEqual(['2026', 'b.pdf'])
    rig.check(
      ['2026/a.pdf', 'b.pdf'].map((name) => join(rig.inbox, 'Done', name)),
      2,
    )
  })

  it('stops in the middle when the rule is taken away, and all are back', async () => {
    const rig = await setUp({ afterwards: 'move' })
    const all = Array.from({ length: 40 }, (_, at) => `${at + 10}.pdf`)
    for (const name of all) await rig.put(name, pdfBytes(name))
    await untilDone(rig, ...all)
    await change(rig, '{total}')
    await until(() => filesIn(rig).filter((name) => name.startsWith('119')).length >= 3, 'the first to be renamed')
    await change(rig, '')
    expect(filesIn(rig).some((name) => !name.startsWith('119'))).toBe(true)
    await untilDone(rig, ...all)
    expect(
      rig
        .documents()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(all)
  })

  it('has the last of two values that are corrected while it is on its way', async () => {
    const gate = { isClosed: false, open: () => {} }
    const held: FileAccess = {
      ...diskAccess,
      link: async (from, to) => {
        if (gate.isClosed) await new Promise<void>((resolve) => (gate.open = resolve))
        return diskAccess.link(from, to)
      },
    }
    const rig = await setUp(named, held)
    await rig.put('a.pdf', pdfBytes('a'))
    await untilDone(rig, 'by number/No R-1.pdf')
    gate.isClosed = true
    await correct(rig, 'R-2')
    await until(() => rig.documents()[0]!.moveTo !== null, 'the move')
    await correct(rig, 'R-3')
    gate.isClosed = false
    gate.open()
    await untilDone(rig, 'by number/No R-3.pdf')
  })

  it('keeps what it was called in the bin and by another schema', async () => {
    const rig = await setUp()
    for (const name of ['a.pdf', 'b.pdf']) await rig.put(name, pdfBytes(name))
    await untilDone(rig, 'by number/No R-1.pdf', 'by number/No R-2.pdf')
    const { handlers } = rig.core
    const [first, second] = rig.documents()
    await handlers['documents.bin']({ ids: [first!.id] })
    const elements = [{ name: 'invoice_number', format: 'text' as const, description: 'another' }]
    const { id: schemaId } = await handlers['schemas.save']({
      id: null,
      name: 'Other',
      elements,
      rules: [],
      columns: null,
    })
    await handlers['documents.setSchema']({ ids: [second!.id], schemaId })
    await until(() => rig.documents().filter(({ status }) => status === 'done').length === 3, 'the other answer')
    await change(rig, '')
    await until(() => filesIn(rig).includes('b.pdf'), 'the other one to be back')
    await handlers['documents.restore']({ ids: [first!.id] })
    await until(() => JSON.stringify(filesIn(rig)) === '["a.pdf","b.pdf"]', 'both to be back')
  })

  it('gives each of two that came under one name that name back', async () => {
    const rig = await setUp({ afterwards: 'move' })
    await rig.put('a.pdf', pdfBytes('a'))
    await untilDone(rig, 'a.pdf')
    await rig.put('a.pdf', pdfBytes('another'))
    await untilDone(rig, 'a (2).pdf', 'a.pdf')
    await change(rig, 'No {invoice_number}')
    await untilDone(rig, 'No R-1 (2).pdf', 'No R-1.pdf')
    await change(rig, '')
    await untilDone(rig, 'a (2).pdf', 'a.pdf')
    expect(rig.documents().map(({ name }) => name)).toEqual(['a.pdf', 'a.pdf'])
  })

  it('shows before what the last documents would be called', async () => {
    const rig = await setUp({ afterwards: 'move' })
    for (const name of ['a.pdf', 'none.pdf']) await rig.put(name, pdfBytes(name))
    await untilDone(rig, 'a.pdf', 'none.pdf')
    const input = { schemaIds: [rig.folder.schemaId], archiveName: '{invoice_number}/{total}' }
    const { names } = await rig.core.handlers['folders.previewNames'](input)
    expect(names.map(({ from, to }) => `${from} ${to}`).toSorted()).toEqual(['a.pdf R-1/119.pdf', 'none.pdf null'])
    expect(filesIn(rig)).toEqual(['a.pdf', 'none.pdf'])
  })

  it('finishes at the next start what an end of the process left, wherever that was, and can undo it', async () => {
    const changing = new Set(['link', 'unlink', 'copyFile', 'writeFile', 'rename', 'rmdir', 'mkdir'])
    for (let nth = 1; ; nth += 1) {
      const state = { isRenaming: false, at: 0, isDead: false }
      const mortal = Object.fromEntries(
        Object.entries(diskAccess).map(([name, access]) => [
          name,
          (path: string, ...rest: never[]) => {
            if (state.isRenaming && changing.has(name)) state.at += 1
            if (state.at >= nth) state.isDead = true
            if (state.isDead) return Promise.reject(Object.assign(new Error('the process is gone'), { code: 'EIO' }))
            return (access as (path: string, ...rest: never[]) => unknown)(path, ...rest)
          },
        ]),
      ) as unknown as FileAccess
      const rig = await setUp({ afterwards: 'move' }, mortal)
      await rig.put('a.pdf', pdfBytes('a'))
      await untilDone(rig, 'a.pdf')
      state.isRenaming = true
      await change(rig, named.archiveName)
      const isOver = (): boolean => existsSync(join(rig.inbox, 'Done/by number/No R-1.pdf'))
      await until(() => state.isDead || (isOver() && rig.documents()[0]!.moveTo === null), 'the end')
      await rig.restart({ files: diskAccess })
      await untilDone(rig, 'by number/No R-1.pdf')
      expect(rig.documents()).toMatchObject([{ name: 'No R-1.pdf', status: 'done' }])
      await change(rig, '')
      await untilDone(rig, 'a.pdf')
      rig.check([join(rig.inbox, 'Done/a.pdf')], 1)
      if (state.isDead) continue
      expect(nth).toBeGreaterThan(3)
      break
    }
  })
})
