import { rmSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { setUpFolder } from '../faults/folder-rig.ts'
import type { Rig } from '../faults/folder-rig.ts'
import { calls } from '../../shared/contract/contract.ts'
import type { CallName } from '../../shared/contract/contract.ts'
import type { FolderRow } from '../../shared/contract/folders.ts'
import { dispatch } from '../../shared/contract/dispatch.ts'
import { leftOutBy } from '../../electron/core/patterns.ts'
import { patternList, patternsIn, patternsText } from '../../shared/domain/file-patterns.ts'
import { pdfBytes, until } from '../helpers/core.ts'

const call = (rig: Rig, name: CallName, input: unknown): Promise<unknown> =>
  dispatch(calls, rig.core.handlers, name, input)

async function shown(rig: Rig): Promise<FolderRow> {
  return (await rig.core.handlers['folders.list']({})).folders.find(({ id }) => id === rig.folder.id)!
}

/** The names that patterns let through. */
function taken(patterns: { include?: string; exclude?: string }, names: string[]): string[] {
  const isOut = leftOutBy({ include: patternsIn(patterns.include ?? ''), exclude: patternsIn(patterns.exclude ?? '') })
  return names.filter((name) => !isOut(name))
}

describe('file patterns', () => {
  it('are a list with semicolons or lines, and read the same when typed again', () => {
    expect(patternsIn(' Rechnung*.pdf ;*.png;\n; *.png')).toEqual(['Rechnung*.pdf', '*.png'])
    expect(patternsIn(patternsText(['a b*.pdf', '*, final.png']))).toEqual(['a b*.pdf', '*, final.png'])
    expect(patternsIn('  ')).toEqual([])
    expect(patternList.safeParse(['a;b']).success).toBe(false)
    expect(patternList.safeParse(patternsIn('a;b')).success).toBe(true)
  })

  it('take letters of either case, and accents in either spelling, for the same', () => {
    expect(taken({ include: 'rechnung*.PDF' }, ['Rechnung 1.pdf', 'RECHNUNG.Pdf', 'Brief.pdf'])).toEqual([
      'Rechnung 1.pdf',
      'RECHNUNG.Pdf',
    ])
    expect(taken({ include: 'Müller*' }, ['Mu\u0308ller.pdf', 'MÜLLER.pdf'])).toHaveLength(2)
  })

  it('know * and ? only: every other character is itself', () => {
    expect(taken({ include: 'Rechnung (1)*.pdf' }, ['Rechnung (1) neu.pdf', 'Rechnung 1.pdf'])).toEqual([
      'Rechnung (1) neu.pdf',
    ])
    expect(taken({ include: '[a-c]?.pdf' }, ['[a-c]1.pdf', 'a1.pdf', 'b1.pdf'])).toEqual(['[a-c]1.pdf'])
    expect(taken({ include: '!*; {a,b}.pdf' }, ['!wichtig.pdf', '{a,b}.pdf', 'a.pdf'])).toEqual([
      '!wichtig.pdf',
      '{a,b}.pdf',
    ])
    expect(taken({ include: '?.pdf' }, ['😀.pdf', 'a.pdf', 'ab.pdf', '.pdf'])).toEqual(['😀.pdf', 'a.pdf'])
    expect(taken({ include: '*' }, ['.hidden', 'a\nb.pdf', 'x'])).toHaveLength(3)
    expect(taken({ include: 'a*b*c' }, ['abc', 'a-b-b-c', 'acb', 'ab-c-'])).toEqual(['abc', 'a-b-b-c'])
    expect(taken({ include: 'scan' }, ['scan.pdf', 'scan'])).toEqual(['scan'])
  })

  it('leave out what «not these» names, also where «only these» names it', () => {
    const names = ['a.pdf', 'a draft.pdf', 'b.png', 'DRAFT.png', 'c.docx']
    expect(taken({ include: '*.pdf; *.png', exclude: '*draft*' }, names)).toEqual(['a.pdf', 'b.png'])
    expect(taken({ exclude: '*draft*' }, names)).toEqual(['a.pdf', 'b.png', 'c.docx'])
    expect(taken({}, names)).toEqual(names)
  })

  it('decide about the longest name at once, whatever it is', () => {
    const name = 'a'.repeat(255)
    // As a regular expression this is a matter of minutes.
    expect(taken({ include: '*a*a*a*a*a*a*a*a*a*b' }, [name])).toEqual([])
    expect(taken({ include: '*a*a*a*a*a*a*a*a*a*' }, [name])).toEqual([name])
  })
})

describe('a folder with patterns', () => {
  it('takes what matches, and lists nothing of the rest but its number', async () => {
    const rig = await setUpFolder({ folder: { include: ['Invoice*.pdf', '*.png'], exclude: ['*draft*'] } })
    await rig.put('letter.pdf', pdfBytes('letter'))
    await rig.put('notes.txt', 'nothing of Sheaf')
    await rig.put('invoice draft.pdf', pdfBytes('draft'))
    await rig.put('deeper/letter.pdf', pdfBytes('deeper'))
    await rig.put('letters/INVOICE 1.PDF', pdfBytes('one'))
    await symlink(join(rig.inbox, 'letter.pdf'), join(rig.inbox, 'link.pdf'))
    await until(() => rig.document('letters/INVOICE 1.PDF')?.status === 'done', 'the invoice')
    await until(() => rig.core.watchers.leftOut(rig.folder.id) === 5, 'the others to be counted')
    expect(rig.documents().map(({ name }) => name)).toEqual(['INVOICE 1.PDF'])
    expect(await shown(rig)).toMatchObject({ leftOut: 5, include: ['Invoice*.pdf', '*.png'], exclude: ['*draft*'] })
    expect(rig.vendor.received).toHaveLength(1)
  })

  it('keeps them over a restart, and when it is watched again', async () => {
    const rig = await setUpFolder({ folder: { include: ['*.png'] } })
    await rig.put('a.pdf', pdfBytes('a'))
    await rig.restart()
    await until(() => rig.core.watchers.leftOut(rig.folder.id) === 1, 'the first sweep')
    expect(rig.documents()).toEqual([])
    const { tables, now } = rig.core.context
    const { kind, path, name, schemaId, connectionId, agentReference, mode, includeSubfolders } = rig.folder
    const again = tables.folders.findOrAdd(
      { kind, path, name, schemaId, connectionId, agentReference, mode, includeSubfolders },
      now(),
    )
    expect(again).toMatchObject({ id: rig.folder.id, include: ['*.png'], exclude: [] })
  })

  it('takes in what was left out as soon as they let it', async () => {
    const rig = await setUpFolder({ folder: { include: ['*.png'] } })
    await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.core.watchers.leftOut(rig.folder.id) === 1, 'the file to be left out')
    expect(await call(rig, 'folders.update', { id: rig.folder.id, include: [] })).toMatchObject({ ok: true })
    await until(() => rig.document('a.pdf')?.status === 'done', 'the file')
    expect((await shown(rig)).leftOut).toBe(0)
  })

  it('sends nothing that waits and is left out from now on, and sends it once it is not', async () => {
    const rig = await setUpFolder({})
    rig.core.queue.pause()
    for (const name of ['a.pdf', 'draft.pdf', 'other.pdf']) await rig.put(name, pdfBytes(name))
    await until(() => rig.documents().length === 3, 'the documents')
    expect(await call(rig, 'folders.update', { id: rig.folder.id, exclude: ['*draft*'] })).toMatchObject({ ok: true })
    expect(rig.document('draft.pdf')).toMatchObject({ status: 'cancelled', reasonCode: 'left_out' })
    rig.core.queue.resume()
    await until(() => rig.documents().filter(({ status }) => status === 'done').length === 2, 'the two others')
    expect(rig.vendor.received.map(({ filename }) => filename).sort()).toEqual(['a.pdf', 'other.pdf'])
    await call(rig, 'folders.update', { id: rig.folder.id, exclude: [] })
    await until(() => rig.document('draft.pdf')?.status === 'done', 'the one that was left out')
    expect(rig.documents()).toHaveLength(3)
    rig.check(
      ['a.pdf', 'draft.pdf', 'other.pdf'].map((name) => join(rig.inbox, name)),
      3,
    )
  })

  it('keeps what was sent before it was left out', async () => {
    const rig = await setUpFolder({})
    await rig.put('draft.pdf', pdfBytes('draft'))
    await until(() => rig.document('draft.pdf')?.status === 'done', 'the result')
    await call(rig, 'folders.update', { id: rig.folder.id, exclude: ['*draft*'] })
    await until(() => rig.core.watchers.leftOut(rig.folder.id) === 1, 'the file to be left out')
    expect(rig.document('draft.pdf')!.status).toBe('done')
  })

  it('has them still when only the journal knows of it', async () => {
    const rig = await setUpFolder({ folder: { include: ['*.pdf'], exclude: ['*draft*', 'a;'] } })
    await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.document('a.pdf')?.status === 'done', 'the result')
    await rig.core.stop({ atOnce: true })
    for (const name of ['sheaf.db', 'sheaf.db-wal', 'sheaf.db-shm', 'backups'])
      rmSync(join(rig.dataDir, name), { recursive: true, force: true })
    await rig.restart()
    expect(rig.core.context.tables.folders.list()).toMatchObject([
      { path: rig.inbox, include: ['*.pdf'], exclude: ['*draft*', 'a;'], paused: true },
    ])
  })

  it('refuses a pattern that could not be typed into a list', async () => {
    const rig = await setUpFolder({})
    expect(await call(rig, 'folders.update', { id: rig.folder.id, include: ['a;b'] })).toMatchObject({
      ok: false,
      error: { code: 'invalid_input' },
    })
    expect(await call(rig, 'folders.update', { id: rig.folder.id, include: ['a\nb'] })).toMatchObject({
      ok: false,
      error: { code: 'invalid_input' },
    })
  })
})

describe('a folder of which only new files are wanted', () => {
  const add = (rig: Rig, path: string): Promise<unknown> =>
    call(rig, 'folders.add', {
      path,
      schemaId: rig.folder.schemaId,
      connectionId: rig.folder.connectionId,
      existing: 'leave',
    })

  async function withEarlier(): Promise<{ rig: Rig; names: () => string[]; added: number }> {
    const rig = await setUpFolder({})
    await call(rig, 'folders.remove', { id: rig.folder.id })
    await rig.put('earlier/old.pdf', pdfBytes('old'))
    await rig.put('earlier/deeper/old too.pdf', pdfBytes('old too'))
    const answer = (await add(rig, join(rig.inbox, 'earlier'))) as { value: { id: number } }
    await rig.put('earlier/new.pdf', pdfBytes('new'))
    const names = (): string[] =>
      rig.core.context.tables.documents
        .inFolder(answer.value.id)
        .filter(({ status }) => status === 'done')
        .map(({ name }) => name)
    await until(() => names().length === 1, 'the new one')
    return { rig, names, added: answer.value.id }
  }

  it('leaves what was there alone, over a restart too, until it changes', async () => {
    const { rig, names } = await withEarlier()
    await rig.restart()
    await rig.put('earlier/another.pdf', pdfBytes('another'))
    await until(() => names().length === 2, 'another new one')
    expect(names()).toEqual(['new.pdf', 'another.pdf'])
    await rig.put('earlier/old.pdf', pdfBytes('old, in a new version'))
    await until(() => names().length === 3, 'the new version')
    expect(names()).toEqual(['new.pdf', 'another.pdf', 'old.pdf'])
    expect(rig.vendor.received).toHaveLength(3)
  })

  it('takes it in when a person says so after all', async () => {
    const { rig, names, added } = await withEarlier()
    const leaves = async (): Promise<boolean> => (await rig.core.handlers['folders.list']({})).folders[0]!.leavesEarlier
    expect(await leaves()).toBe(true)
    expect(await call(rig, 'folders.takeEarlier', { id: added })).toMatchObject({ ok: true })
    await until(() => names().length === 3, 'the earlier ones')
    expect(await leaves()).toBe(false)
  })

  it('takes it in when the folder is added anew with what is there', async () => {
    const { rig, names, added } = await withEarlier()
    await call(rig, 'folders.remove', { id: added })
    const { schemaId, connectionId } = rig.folder
    expect(await call(rig, 'folders.add', { path: join(rig.inbox, 'earlier'), schemaId, connectionId })).toMatchObject({
      ok: true,
      value: { id: added },
    })
    await until(() => names().length === 3, 'the earlier ones')
  })
})
