import { rename, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultyFiles, setUpFolder } from '../faults/folder-rig.ts'
import type { Rig } from '../faults/folder-rig.ts'
import { dryRun } from '../../electron/core/pipeline/dry-run.ts'
import type { DryRunTarget, DryRunProgress } from '../../electron/core/pipeline/dry-run.ts'
import type { DryRun } from '../../shared/contract/folders.ts'
import { calls } from '../../shared/contract/contract.ts'
import type { EventPayload } from '../../shared/contract/contract.ts'
import { forNight, scaled } from '../helpers/scale.ts'
import { pdfBytes, until } from '../helpers/core.ts'

/**
 * A folder that nobody watches, so that all of it is still to be taken in; `place` looks into it as if it were to be
 * added.
 */
async function setUp(
  given: Parameters<typeof setUpFolder>[0] = {},
): Promise<{ rig: Rig; place: (more?: Partial<DryRunTarget>) => DryRunTarget }> {
  const rig = await setUpFolder(given)
  const { tables } = rig.core.context
  tables.folders.save({ ...rig.folder, paused: true })
  await rig.core.watchers.follow()
  const { path, includeSubfolders, afterwards, schemaId, connectionId, agentReference } = rig.folder
  return {
    rig,
    place: (more = {}) => ({
      folderId: rig.folder.id,
      path,
      includeSubfolders,
      afterwards,
      include: [],
      exclude: [],
      schemaId,
      connectionId,
      agentReference,
      ...more,
    }),
  }
}

async function dryRunOf(rig: Rig, place: DryRunTarget, token = 'dry run'): Promise<DryRun> {
  const { include, exclude, ...rest } = place
  const { result: seen } = await rig.core.handlers['folders.dryRun']({
    ...rest,
    include: [...include],
    exclude: [...exclude],
    token,
  })
  return seen!
}

const groups = (seen: Pick<DryRun, 'groups'>): Record<string, string[]> =>
  Object.fromEntries(seen.groups.map(({ why, names }) => [why, names]))

/** Lets the folder be read until everything in it came to an end, and rests it again. */
async function readAll(rig: Rig): Promise<void> {
  await rig.core.handlers['folders.update']({ id: rig.folder.id, paused: false })
  await until(
    () =>
      rig.core.watchers.isIdle(rig.folder.id) &&
      rig.documents().length > 0 &&
      rig.documents().every(({ status }) => status === 'done' || status === 'skipped'),
    'the folder to be read',
  )
  await rig.core.handlers['folders.update']({ id: rig.folder.id, paused: true })
}

describe('a look into a folder', () => {
  it('estimates nothing for e-invoices as XML, which a platform never gets', async () => {
    const { rig, place } = await setUp()
    await rig.put('a.pdf', pdfBytes('a', 3000))
    const before = (await dryRunOf(rig, place())).estimate
    await rig.put('invoice.xml', '<Invoice/>')
    const seen = await dryRunOf(rig, place())
    expect(seen).toMatchObject({ documents: 2, readHere: 1 })
    expect(seen.estimate).toEqual({ ...before, sizeBytes: seen.sizeBytes })
  })

  it('says how many documents would be sent, how large they are, and which files would be passed over for which reason', async () => {
    const { rig, place } = await setUp()
    await rig.put('a.pdf', pdfBytes('a', 3000))
    await rig.put('deeper/b.PDF', pdfBytes('b', 2000))
    await rig.put('notes.txt', 'x')
    await rig.put('empty.pdf', '')
    await rig.put('~$a.docx', 'x')
    await rig.put('.hidden.pdf', 'x')
    await rig.put('c.pdf.part', 'x')
    await truncate(await rig.put('huge.pdf', 'x'), 36 * 1024 * 1024 + 1)
    await symlink(join(rig.inbox, 'a.pdf'), join(rig.inbox, 'link.pdf'))
    const seen = await dryRunOf(rig, place())
    expect(seen).toMatchObject({ files: 9, documents: 2, sizeBytes: 5000, notCompared: 0 })
    expect(groups(seen)).toEqual({
      unsupported_type: ['notes.txt'],
      file_too_large: ['huge.pdf'],
      empty_file: ['empty.pdf'],
      hidden_file: ['.hidden.pdf'],
      lock_file: ['~$a.docx'],
      unfinished_download: ['c.pdf.part'],
      symbolic_link: ['link.pdf'],
    })
    expect(await dryRunOf(rig, place({ includeSubfolders: false }))).toMatchObject({ documents: 1, sizeBytes: 3000 })
  })

  it('stores nothing and sends nothing, not even for a token', async () => {
    const { rig, place } = await setUp()
    await rig.put('a.pdf', pdfBytes('a'))
    await rig.put('copy.pdf', pdfBytes('a'))
    await dryRunOf(rig, place())
    await dryRunOf(rig, place({ folderId: null }))
    expect(rig.documents()).toEqual([])
    expect(rig.core.context.tables.folders.list()).toHaveLength(1)
    expect(rig.vendor.received).toEqual([])
    expect(rig.vendor.tokensIssued()).toBe(0)
  })

  it('counts what patterns leave out, with its names', async () => {
    const { rig, place } = await setUp()
    for (const name of ['Invoice 1.pdf', 'invoice draft.pdf', 'letter.pdf', 'sub/letter.png'])
      await rig.put(name, pdfBytes(name))
    const seen = await dryRunOf(rig, place({ include: ['invoice*'], exclude: ['*draft*'] }))
    expect(seen).toMatchObject({ files: 4, documents: 1 })
    expect(groups(seen)).toEqual({ left_out: ['invoice draft.pdf', 'letter.pdf', join('sub', 'letter.png')] })
  })

  it('tells what has its document already: in its place, under another name, or in another folder', async () => {
    const { rig, place } = await setUp()
    await rig.put('a.pdf', pdfBytes('a'))
    await rig.put('b.pdf', pdfBytes('b'))
    await readAll(rig)
    await rename(join(rig.inbox, 'b.pdf'), join(rig.inbox, 'renamed.pdf'))
    await rig.put('changed.pdf', pdfBytes('of the same size'))
    const seen = await dryRunOf(rig, place())
    expect(groups(seen)).toEqual({ known: ['a.pdf'], duplicate: ['renamed.pdf'] })
    expect(seen.documents).toBe(1)
    // With another question it is another document.
    expect(await dryRunOf(rig, place({ folderId: null, agentReference: 'other' }))).toMatchObject({ documents: 2 })
  })

  it('takes the first of several files with one content for the document, as intake does', async () => {
    const { rig, place } = await setUp()
    for (const name of ['1.pdf', '2.pdf', '3.pdf']) await rig.put(name, pdfBytes('the same'))
    await rig.put('4.pdf', pdfBytes('another of that size'))
    const seen = await dryRunOf(rig, place())
    expect(seen.documents).toBe(2)
    expect(groups(seen)).toEqual({ duplicate: ['2.pdf', '3.pdf'] })
    await readAll(rig)
    expect(rig.vendor.received).toHaveLength(2)
    expect(
      rig
        .documents()
        .filter(({ status }) => status === 'skipped')
        .map(({ reasonCode }) => reasonCode),
    ).toEqual(['duplicate', 'duplicate'])
  })

  it('agrees with what intake does then', async () => {
    const { rig, place } = await setUp()
    for (const name of ['a.pdf', 'b.pdf', 'notes.txt', '~$c.docx', 'deeper/d.pdf']) await rig.put(name, pdfBytes(name))
    await rig.put('again.pdf', pdfBytes('a.pdf'))
    await rig.put(
      'wrong.pdf',
      Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), pdfBytes('png', 1992)]),
    )
    const seen = await dryRunOf(rig, place())
    await readAll(rig)
    expect(rig.documents().filter(({ status }) => status === 'done')).toHaveLength(seen.documents)
    expect(
      rig
        .documents()
        .filter(({ status }) => status === 'skipped')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(seen.groups.flatMap(({ names }) => names).sort())
  })

  it('reads no file whose size nothing else has', async () => {
    const { files, calls } = faultyFiles()
    const { rig, place } = await setUp({ options: { files } })
    for (const [name, size] of [
      ['a', 1000],
      ['b', 1001],
      ['same one', 1002],
      ['same two', 1002],
    ] as const)
      await rig.put(`${name}.pdf`, pdfBytes(name, size))
    calls.length = 0
    expect(await dryRunOf(rig, place())).toMatchObject({ documents: 4, notCompared: 0 })
    const opened = calls.filter((said) => said.startsWith('open '))
    expect(opened).toHaveLength(2)
    expect(opened.every((said) => said.includes('same '))).toBe(true)
  })

  it('leaves aside what lay there when only new files were wanted, what Sheaf wrote, and the folders of outcomes', async () => {
    const { rig, place } = await setUp()
    await rig.put('Done/filed.pdf', pdfBytes('filed'))
    await rig.put('old.pdf', pdfBytes('old', 900))
    const { tables } = rig.core.context
    tables.earlierFiles.replace(rig.folder.id, [
      {
        path: join(rig.inbox, 'old.pdf'),
        sizeBytes: 900,
        mtimeMs: Math.trunc((await rig.core.context.files.stat(join(rig.inbox, 'old.pdf'))).mtimeMs),
      },
    ])
    expect(await dryRunOf(rig, place({ afterwards: 'move' }))).toMatchObject({
      files: 1,
      documents: 0,
      groups: [{ why: 'earlier', files: 1 }],
    })
    expect(await dryRunOf(rig, place({ afterwards: 'stay' }))).toMatchObject({ files: 2, documents: 1 })
  })

  it('names the tokens by what was measured, for a connection that bills', async () => {
    const { rig, place } = await setUp()
    await rig.put('a.pdf', pdfBytes('a'))
    expect((await dryRunOf(rig, place())).estimate).toMatchObject({ tokens: null, measured: 0, bills: true })
    await readAll(rig)
    for (const name of ['b.pdf', 'c.pdf']) await rig.put(name, pdfBytes(name))
    expect((await dryRunOf(rig, place())).estimate).toMatchObject({
      documents: 2,
      skipped: 1,
      tokens: 14,
      measured: 1,
      bills: true,
    })
    const local = rig.core.context.tables.connections.local().id
    expect((await dryRunOf(rig, place({ connectionId: local }))).estimate).toMatchObject({ tokens: null, bills: false })
  })

  it('says that a folder cannot be listed', async () => {
    const { rig, place } = await setUp()
    await expect(dryRunOf(rig, place({ path: join(rig.inbox, 'gone') }))).rejects.toMatchObject({
      code: 'folder_missing',
    })
  })

  it('compares no more than a bound allows, and says how much it left', async () => {
    const { rig, place } = await setUp()
    for (const name of ['1.pdf', '2.pdf', '3.pdf', '4.pdf']) await rig.put(name, pdfBytes('the same', 1000))
    const seen = await dryRun(rig.core.context, place(), {
      signal: new AbortController().signal,
      onProgress: () => undefined,
      maxBytes: 2500,
    })
    expect(seen).toMatchObject({ documents: 3, notCompared: 2, groups: [{ why: 'duplicate', files: 1 }] })
  })
})

describe('a dry run of a folder with many files', () => {
  const many = scaled(600, 3000)

  /** Files of one size, every tenth a copy of the first. */
  async function withMany(): Promise<{
    rig: Rig
    place: () => DryRunTarget
    told: EventPayload<'folders.dryRunProgress'>[]
  }> {
    const { rig, place } = await setUp()
    await rig.put('0.pdf', pdfBytes('copy', 300))
    for (let at = 1; at < many; at += 200) {
      await Promise.all(
        Array.from({ length: Math.min(200, many - at) }, (_, index) =>
          writeFile(
            join(rig.inbox, `${at + index}.pdf`),
            pdfBytes((at + index) % 10 === 0 ? 'copy' : `file ${at + index}`, 300),
          ),
        ),
      )
    }
    const told: EventPayload<'folders.dryRunProgress'>[] = []
    rig.core.onEvent(
      (name, payload) =>
        void (name === 'folders.dryRunProgress' && told.push(payload as EventPayload<'folders.dryRunProgress'>)),
    )
    return { rig, place, told }
  }

  it('tells how far it is, and lets others have their turn', forNight, async () => {
    const { rig, place, told } = await withMany()
    let isOver = false
    let answers = 0
    const seen = dryRunOf(rig, place()).finally(() => (isOver = true))
    while (!isOver) {
      await rig.core.handlers['folders.list']({})
      answers += 1
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await seen).toMatchObject({ files: many, documents: many - many / 10 + 1, notCompared: 0 })
    expect(answers).toBeGreaterThan(20)
    expect(told.length).toBeGreaterThan(1)
    expect(told.some(({ toCompare }) => toCompare === 0)).toBe(true)
    expect(told.at(-1)!.toCompare).toBe(many)
  })

  it('is stopped when a person says so: with what it knows until then, or nothing while files are still listed', async () => {
    const { rig, place } = await withMany()
    const stopWhen = async (when: (progress: DryRunProgress) => boolean): Promise<DryRun | null> => {
      const stop = rig.core.onEvent((name, payload) => {
        const looking = payload as EventPayload<'folders.dryRunProgress'>
        if (name === 'folders.dryRunProgress' && when(looking))
          void rig.core.handlers['folders.stopDryRun']({ token: looking.token })
      })
      try {
        return await dryRunOf(rig, place())
      } finally {
        stop()
      }
    }
    expect(await stopWhen(() => true)).toBeNull()
    const partly = (await stopWhen(({ toCompare }) => toCompare > 0))!
    expect(partly.notCompared).toBeGreaterThan(0)
    expect(partly.documents).toBeGreaterThan(many - many / 10)
    expect(partly.files).toBe(many)
  })

  it('ends with the program', async () => {
    const { rig, place } = await withMany()
    const seen = dryRunOf(rig, place()).catch(() => null)
    await rig.core.stop({ atOnce: true })
    expect(await seen).toSatisfy((found: DryRun | null) => found === null || found.notCompared > 0)
  })
})

describe('what a folder shows of today', () => {
  it('counts what was received since midnight by its state, and names the last file', async () => {
    const clock = { now: new Date(2026, 10, 20, 12).getTime() }
    const rig = await setUpFolder({ options: { now: () => clock.now } })
    await rig.put('yesterday.pdf', pdfBytes('yesterday'))
    await until(() => rig.document('yesterday.pdf')?.status === 'done', 'the document of yesterday')
    clock.now += 24 * 60 * 60_000
    for (const name of ['a.pdf', 'b.txt']) await rig.put(name, pdfBytes(name))
    await until(
      () => rig.documents().length === 3 && rig.document('a.pdf')!.status === 'done',
      'the documents of today',
    )
    const answer = await rig.core.handlers['folders.activity']({})
    // Whatever a document can be is counted, also what nobody put into the bin.
    expect(calls['folders.activity'].output.parse(answer)).toEqual(answer)
    const activity = answer.folders[0]!
    expect(activity).toMatchObject({ folderId: rig.folder.id, today: { done: 1, skipped: 1, queued: 0 } })
    expect(['a.pdf', 'b.txt']).toContain(activity.lastFile!.name)
  })
})
