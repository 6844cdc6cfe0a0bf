import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ErrorReason } from '../../shared/domain/error-reason.ts'
import { calls } from '../../shared/contract/contract.ts'
import { dispatch } from '../../shared/contract/dispatch.ts'
import { sentenceFor } from '../../shared/messages/sentences.ts'
import { pdfBytes, until } from '../helpers/core.ts'
import { faultyFiles, setUpFolder } from '../faults/folder-rig.ts'
import type { Rig } from '../faults/folder-rig.ts'

const refusal = { status: 422, body: '{"status":"error","error":"Unprocessable","detail":"no invoice\\u0007 in it"}' }
const move = { afterwards: 'move' } as const

async function filed(rig: Rig, name: string): Promise<void> {
  await until(() => (rig.document(name)?.archivedAs ?? null) !== null, `${name} in its folder of outcomes`)
}

function moveProblem(rig: Rig): ErrorReason | null {
  return rig.core.archiver.problemOf(rig.folder.id)
}

/** What the person reads about it. */
function said(rig: Rig): string {
  const problem = moveProblem(rig)!
  return sentenceFor(problem.code, problem.details, 'en')
}

describe('a folder that moves its files', () => {
  it('moves what is done to Done and what failed to Failed, below the same subfolders', async () => {
    const rig = await setUpFolder({
      reply: (document) => (document.filename === 'bad.pdf' ? refusal : {}),
      folder: move,
    })
    await rig.put('a.pdf', pdfBytes('a'))
    await rig.put('2026/march/b.pdf', pdfBytes('b'))
    await rig.put('2026/bad.pdf', pdfBytes('bad'))
    for (const name of ['Done/a.pdf', 'Done/2026/march/b.pdf', 'Failed/2026/bad.pdf']) await filed(rig, name)

    expect(await readFile(join(rig.inbox, 'Done/a.pdf'))).toEqual(pdfBytes('a'))
    expect(existsSync(join(rig.inbox, 'a.pdf'))).toBe(false)
    expect((await readdir(join(rig.inbox, 'Failed/2026'))).sort()).toEqual(['bad.pdf', 'bad.pdf.txt'])
    rig.check(
      ['Done/a.pdf', 'Done/2026/march/b.pdf', 'Failed/2026/bad.pdf'].map((name) => join(rig.inbox, name)),
      3,
    )
  })

  it('says in the person’s language beside a failed file what happened and what to do', async () => {
    const rig = await setUpFolder({ reply: () => refusal, folder: move })
    await dispatch(calls, rig.core.handlers, 'settings.update', { language: 'de' })
    await rig.put('rechnung.pdf', pdfBytes('r'))
    await filed(rig, 'Failed/rechnung.pdf')
    const note = await readFile(join(rig.inbox, 'Failed/rechnung.pdf.txt'), 'utf8')
    expect(note).toContain('rechnung.pdf\r\n')
    expect(note).toContain('Unprocessable')
    expect(note).toContain(String(new Date().getFullYear()))
    expect(note).toContain('„Erneut versuchen“')
    expect(note).not.toContain('\u0007')
  })

  it('leaves alone what is unknown, cancelled or skipped for another reason than being a copy', async () => {
    const rig = await setUpFolder({
      reply: (document) => (document.filename === 'lost.pdf' ? { drop: true } : {}),
      folder: move,
    })
    await rig.put('lost.pdf', pdfBytes('lost'))
    await rig.put('notes.md', 'text')
    await rig.put('last.pdf', pdfBytes('last'))
    await until(
      () => rig.document('lost.pdf')?.status === 'unknown' && rig.document('notes.md')?.status === 'skipped',
      'the outcomes',
    )
    await filed(rig, 'Done/last.pdf')
    expect((await readdir(rig.inbox)).sort()).toEqual(['Done', 'lost.pdf', 'notes.md'])
    rig.check(
      ['lost.pdf', 'notes.md', 'Done/last.pdf'].map((name) => join(rig.inbox, name)),
      2,
    )
  })

  it('never overwrites: a name that is taken gets a number', async () => {
    const rig = await setUpFolder({
      reply: (document) => (document.filename === 'bad.pdf' ? refusal : {}),
      folder: move,
      before: async (inbox) => {
        await mkdir(join(inbox, 'Done'))
        await mkdir(join(inbox, 'Failed'))
        await writeFile(join(inbox, 'Done/a.pdf'), 'somebody’s')
        await writeFile(join(inbox, 'Failed/bad.pdf.txt'), 'somebody’s notes')
      },
    })
    await rig.put('a.pdf', pdfBytes('first'))
    await rig.put('bad.pdf', pdfBytes('bad'))
    await filed(rig, 'Done/a (2).pdf')
    await filed(rig, 'Failed/bad (2).pdf')
    await rig.put('a.pdf', pdfBytes('second'))
    await filed(rig, 'Done/a (3).pdf')
    expect(await readFile(join(rig.inbox, 'Done/a.pdf'), 'utf8')).toBe('somebody’s')
    expect(await readFile(join(rig.inbox, 'Failed/bad.pdf.txt'), 'utf8')).toBe('somebody’s notes')
    expect((await readFile(join(rig.inbox, 'Done/a (3).pdf'))).equals(pdfBytes('second'))).toBe(true)
    // What a person keeps in Done is neither read nor moved.
    expect(rig.document('Done/a.pdf')).toBeNull()
    rig.check(
      ['Done/a (2).pdf', 'Done/a (3).pdf', 'Failed/bad (2).pdf'].map((name) => join(rig.inbox, name)),
      3,
    )
  })

  it('moves a copy of what is done, and does not send a file that was put back', async () => {
    const rig = await setUpFolder({ folder: move })
    await rig.put('a.pdf', pdfBytes('same'))
    await filed(rig, 'Done/a.pdf')
    await rig.put('copy.pdf', pdfBytes('same'))
    await filed(rig, 'Done/copy.pdf')
    await rename(join(rig.inbox, 'Done/a.pdf'), join(rig.inbox, 'back.pdf'))
    await filed(rig, 'Done/back.pdf')
    expect(rig.document('Done/back.pdf')).toMatchObject({ status: 'skipped', reasonCode: 'duplicate' })
    expect(rig.vendor.received).toHaveLength(1)
  })

  it('reads a failed file from Failed when it is tried again, moves it to Done and takes its own text away', async () => {
    let healthy = false
    const rig = await setUpFolder({ reply: () => (healthy ? {} : refusal), folder: move })
    for (const name of ['a.pdf', 'b.pdf']) await rig.put(name, pdfBytes(name))
    await filed(rig, 'Failed/a.pdf')
    await filed(rig, 'Failed/b.pdf')
    const noteOfB = join(rig.inbox, 'Failed/b.pdf.txt')
    await writeFile(noteOfB, `${await readFile(noteOfB, 'utf8')}called them, they send a new one`)
    healthy = true
    await rig.core.handlers['documents.retry']({ ids: rig.documents().map((document) => document.id) })
    await until(() => rig.document('Done/a.pdf') !== null && rig.document('Done/b.pdf') !== null, 'both in Done')
    expect(await readdir(join(rig.inbox, 'Failed'))).toEqual(['b.pdf.txt'])
    expect(rig.documents().every((document) => document.status === 'done' && document.archivedAs === 'done')).toBe(true)
  })

  it('renews the text when the file fails once more', async () => {
    let detail = 'first'
    const rig = await setUpFolder({
      reply: () => ({ status: 422, body: JSON.stringify({ status: 'error', error: 'no', detail }) }),
      folder: move,
    })
    await rig.put('a.pdf', pdfBytes('a'))
    await filed(rig, 'Failed/a.pdf')
    detail = 'second'
    await rig.core.handlers['documents.retry']({ ids: [rig.document('Failed/a.pdf')!.id] })
    const note = join(rig.inbox, 'Failed/a.pdf.txt')
    await until(() => existsSync(note) && rig.vendor.received.length === 2, 'the second refusal')
    await until(
      () => existsSync(note) && readFileSync(note, 'utf8').includes('second'),
      'the text about the second refusal',
    )
    expect(await readdir(join(rig.inbox, 'Failed'))).toEqual(['a.pdf', 'a.pdf.txt'])
  })

  it('moves only the version that was processed', async () => {
    let answer: () => void = () => undefined
    const rig = await setUpFolder({
      reply: (_document, index) => (index === 0 ? new Promise((resolve) => (answer = () => resolve({}))) : {}),
      folder: move,
    })
    await rig.put('a.pdf', pdfBytes('first'))
    await until(() => rig.vendor.received.length === 1, 'the first version to be sent')
    await rig.put('a.tmp', pdfBytes('second, longer', 3000))
    await rename(join(rig.inbox, 'a.tmp'), join(rig.inbox, 'a.pdf'))
    answer()
    await filed(rig, 'Done/a.pdf')
    expect((await readFile(join(rig.inbox, 'Done/a.pdf'))).equals(pdfBytes('second, longer', 3000))).toBe(true)
    expect(
      rig
        .documents()
        .filter((document) => document.status === 'done')
        .map((document) => [basename(document.path), document.archivedAs]),
    ).toEqual([
      ['a.pdf', 'left'],
      ['a.pdf', 'done'],
    ])
  })

  it('does not follow a Done that is a link to another place, and says so on the folder', async () => {
    const rig = await setUpFolder({
      folder: move,
      before: async (inbox) => {
        await mkdir(join(inbox, '..', 'elsewhere'))
        await symlink('../elsewhere', join(inbox, 'Done'))
      },
    })
    await rig.put('a.pdf', pdfBytes('a'))
    const problem = () => moveProblem(rig)
    await until(
      () => rig.core.context.tables.documents.latestAt(rig.folder.id, join(rig.inbox, 'a.pdf'))?.status === 'done',
      'the result',
    )
    await until(() => problem()?.details['detail'] === 'ENOTDIR', 'the folder to say so')
    expect(await readdir(join(rig.inbox, '..', 'elsewhere'))).toEqual([])
    await rm(join(rig.inbox, 'Done'))
    await filed(rig, 'Done/a.pdf')
    await until(() => problem() === null, 'the folder to say nothing more')
  })

  it('moves what was done before it was told to, once it is told', async () => {
    const rig = await setUpFolder({})
    await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.document('a.pdf')?.status === 'done', 'the result')
    await dispatch(calls, rig.core.handlers, 'folders.update', { id: rig.folder.id, afterwards: 'move' })
    await filed(rig, 'Done/a.pdf')
    await dispatch(calls, rig.core.handlers, 'folders.update', { id: rig.folder.id, afterwards: 'stay' })
    await rig.core.handlers['folders.rescan']({ id: rig.folder.id })
    expect(rig.documents().map((document) => [document.path, document.status])).toEqual([
      [join(rig.inbox, 'Done/a.pdf'), 'done'],
    ])
  })
})

describe('what becomes of files', () => {
  it('stays as it was when the folder is paused, found again by a command, or changed in another way', async () => {
    const rig = await setUpFolder({ folder: move })
    const { tables, now } = rig.core.context
    const afterwards = () => tables.folders.get(rig.folder.id)!.afterwards
    await dispatch(calls, rig.core.handlers, 'folders.update', { id: rig.folder.id, paused: true, mode: 'sync' })
    expect(afterwards()).toBe('move')
    const { id: _id, paused: _paused, afterwards: _afterwards, ...same } = rig.folder
    expect(tables.folders.findOrAdd(same, now())).toMatchObject({ id: rig.folder.id, afterwards: 'move' })
    const { schemaId, connectionId } = rig.folder
    const added = await dispatch(calls, rig.core.handlers, 'folders.add', {
      path: join(rig.dataDir, '..'),
      schemaId,
      connectionId,
      afterwards: 'move',
    })
    expect(added).toMatchObject({ ok: false, error: { code: 'folder_holds' } })
    await mkdir(join(rig.inbox, '..', 'other'))
    const other = await rig.core.handlers['folders.add']({
      path: join(rig.inbox, '..', 'other'),
      schemaId,
      connectionId,
      otherSchemaIds: [],
      cuts: 'never',
      agentReference: null,
      mode: 'auto',
      includeSubfolders: true,
      afterwards: 'move',
      archiveName: '',
      include: [],
      exclude: [],
      existing: 'take',
    })
    expect(tables.folders.get(other.id)!.afterwards).toBe('move')
  })
})

describe('a move that the file system refuses', () => {
  it('for a held file is tried again, is said on the folder, and changes no outcome', async () => {
    const { files, faults } = faultyFiles()
    const rig = await setUpFolder({ folder: move, options: { files } })
    faults.push({ code: 'EBUSY', below: join(rig.inbox, 'held.pdf'), calls: ['unlink'] })
    await rig.put('held.pdf', pdfBytes('held'))
    await until(() => rig.core.context.tables.documents.inFolder(rig.folder.id)[0]?.status === 'done', 'the result')
    await until(() => moveProblem(rig) !== null, 'the folder to say so')
    const { folders } = await rig.core.handlers['folders.list']({})
    expect(folders[0]!.moveProblem).toEqual({
      code: 'move_failed',
      details: { file: 'held.pdf', folder: 'Done', detail: 'EBUSY' },
    })
    // Another one is not held up by it.
    await rig.put('free.pdf', pdfBytes('free'))
    await filed(rig, 'Done/free.pdf')
    expect(existsSync(join(rig.inbox, 'held.pdf'))).toBe(true)
    expect(rig.documents()[0]!.status).toBe('done')
    faults.length = 0
    await filed(rig, 'Done/held.pdf')
    await until(() => moveProblem(rig) === null, 'the folder to say nothing more')
    expect(await readdir(rig.inbox)).toEqual(['Done'])
    rig.check([join(rig.inbox, 'Done/held.pdf'), join(rig.inbox, 'Done/free.pdf')], 2)
  })

  it('for a document that failed does not speak of values', async () => {
    const { files, faults } = faultyFiles()
    const rig = await setUpFolder({ reply: () => refusal, folder: move, options: { files } })
    faults.push({ code: 'EBUSY', below: join(rig.inbox, 'bad.pdf'), calls: ['unlink'] })
    await rig.put('bad.pdf', pdfBytes('bad'))
    await until(() => moveProblem(rig) !== null, 'the folder to say so')
    expect(moveProblem(rig)).toEqual({
      code: 'failed_not_moved',
      details: { file: 'bad.pdf', folder: 'Failed', detail: 'EBUSY' },
    })
    expect(said(rig)).toBe(
      '“bad.pdf” failed, and could not be moved to “Failed” (EBUSY). The document in Sheaf says why it failed; Sheaf tries again to move it.',
    )
    faults.length = 0
    await filed(rig, 'Failed/bad.pdf')
    await until(() => moveProblem(rig) === null, 'the folder to say nothing more')
  })

  it('for the text beside a failed file only says that of the text, whether it is new, renewed or taken away', async () => {
    let healthy = false
    const { files, faults } = faultyFiles()
    const rig = await setUpFolder({ reply: () => (healthy ? {} : refusal), folder: move, options: { files } })
    const note = join(rig.inbox, 'Failed/bad.pdf.txt')
    const ofText = { code: 'failed_note_stale', details: { file: 'bad.pdf', detail: 'EACCES' } }
    const isSaid = () => until(() => moveProblem(rig) !== null, 'the folder to say so')
    const isOver = () => until(() => moveProblem(rig) === null, 'the folder to say nothing more')

    faults.push({ code: 'EACCES', below: note, calls: ['writeFile', 'unlink'] })
    await rig.put('bad.pdf', pdfBytes('bad'))
    await isSaid()
    expect(moveProblem(rig)).toEqual(ofText)
    expect(said(rig)).toBe(
      'The text about “bad.pdf” in “Failed” could not be brought up to date (EACCES). The document in Sheaf says what is true now; Sheaf tries again.',
    )
    expect(await readdir(join(rig.inbox, 'Failed'))).toEqual(['bad.pdf'])
    faults.length = 0
    await filed(rig, 'Failed/bad.pdf')
    await isOver()

    for (const isHealthy of [false, true]) {
      healthy = isHealthy
      faults.push({ code: 'EACCES', below: note, calls: ['writeFile', 'unlink'] })
      await rig.core.handlers['documents.retry']({ ids: [rig.documents()[0]!.id] })
      await isSaid()
      expect(moveProblem(rig)).toEqual(ofText)
      faults.length = 0
      await isOver()
    }
    expect(existsSync(note)).toBe(false)
    expect(rig.document('Done/bad.pdf')).toMatchObject({ status: 'done', archivedAs: 'done' })
  })

  it('because there are no links goes by a copy that is compared and keeps the file’s date', async () => {
    const { files, faults, calls: made } = faultyFiles()
    const rig = await setUpFolder({ folder: move, options: { files } })
    faults.push({ code: 'EPERM', below: rig.inbox, calls: ['link'] })
    const path = await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.document('a.pdf') !== null, 'the document')
    const { mtimeMs } = rig.document('a.pdf')!
    await filed(rig, 'Done/a.pdf')
    expect((await readFile(join(rig.inbox, 'Done/a.pdf'))).equals(pdfBytes('a'))).toBe(true)
    expect(existsSync(path)).toBe(false)
    expect(await readdir(join(rig.inbox, 'Done'))).toEqual(['a.pdf'])
    expect(Math.abs(rig.document('Done/a.pdf')!.mtimeMs - mtimeMs)).toBeLessThan(2)
    expect(made.some((call) => call.startsWith('copyFile'))).toBe(true)
  })

  it('because the disk is full or may not be written leaves every file where it was', async () => {
    for (const code of ['ENOSPC', 'EROFS', 'EACCES']) {
      const { files, faults } = faultyFiles()
      const rig = await setUpFolder({ folder: move, options: { files } })
      faults.push({ code, below: rig.inbox, calls: ['mkdir', 'link', 'copyFile', 'writeFile'] })
      for (const name of ['a.pdf', 'b.pdf']) await rig.put(name, pdfBytes(name))
      await until(() => rig.documents().filter((document) => document.status === 'done').length === 2, 'both results')
      await until(() => rig.core.context.tables.places.unarchived(rig.folder.id, 0, 10).length === 2, 'both to wait')
      expect((await readdir(rig.inbox)).sort()).toEqual(['a.pdf', 'b.pdf'])
      faults.length = 0
      await filed(rig, 'Done/a.pdf')
      await filed(rig, 'Done/b.pdf')
      rig.check([join(rig.inbox, 'Done/a.pdf'), join(rig.inbox, 'Done/b.pdf')], 2)
    }
  })
})
