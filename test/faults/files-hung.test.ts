import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addFolder, pdfBytes, until } from '../helpers/core.ts'
import { age, faultyFiles, setUpFolder } from './folder-rig.ts'
import type { FileAccess } from '../../electron/core/files/file-access.ts'
import type { Fault, Rig } from './folder-rig.ts'

type Hung = { rig: Rig; faults: Fault[]; calls: string[]; local: string; localId: number }

/** A folder with three queued documents whose share does not answer any more, beside one that does. */
async function hungFolder(): Promise<Hung> {
  const { files, faults, calls } = faultyFiles()
  const rig = await setUpFolder({ options: { files, concurrency: 2, timings: { fileAccessMs: 400 } } })
  const local = join(rig.inbox, '..', 'local')
  await mkdir(local)
  const { id: localId } = addFolder(rig.core, rig.vendor, { path: local })
  await rig.core.watchers.follow()
  rig.core.queue.pause()
  for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) await rig.put(name, pdfBytes(name))
  await until(() => rig.documents().length === 3, 'the documents')
  faults.push({ code: 'HANG', below: rig.inbox })
  return { rig, faults, calls, local, localId }
}

describe('F05 a share that does not answer, not even with an error', () => {
  it('is offline after a while, holds up no other folder, and goes on where it was when it answers', async () => {
    const { rig, faults, calls, local, localId } = await hungFolder()
    rig.core.queue.resume()
    const other = join(local, 'other.pdf')
    await writeFile(other, pdfBytes('other'))
    await until(
      () => rig.core.context.tables.documents.inFolder(localId)[0]?.status === 'done',
      'the file of the other folder',
      10_000,
    )
    await until(() => !rig.core.watchers.isOnline(rig.folder.id), 'the folder to be offline', 10_000)
    await until(
      () => rig.documents().some((document) => document.reasonCode === 'folder_offline'),
      '«Folder offline»',
      10_000,
    )
    expect(rig.documents()).toHaveLength(3)
    // As long as one access is not answered no other one is begun.
    await until(
      () => rig.documents().every((document) => document.reasonCode === 'folder_offline'),
      '«Folder offline» for all',
      10_000,
    )
    const asked = calls.filter((call) => call.includes(rig.inbox)).length
    for (let look = 0; look < 3; look += 1) await rig.core.watchers.sweep(rig.folder.id)
    expect(calls.filter((call) => call.includes(rig.inbox))).toHaveLength(asked)

    faults.length = 0
    await until(() => rig.documents().every((document) => document.status === 'done'), 'all to be done', 10_000)
    await until(() => rig.core.watchers.isOnline(rig.folder.id), 'the folder to be online', 10_000)
    rig.check([other, ...['a.pdf', 'b.pdf', 'c.pdf'].map((name) => join(rig.inbox, name))], 4)
  })

  it('can be removed, and Sheaf can be ended', async () => {
    const { rig } = await hungFolder()
    rig.core.queue.resume()
    const ended: string[] = []
    void rig.core.handlers['folders.remove']({ id: rig.folder.id }).then(() => ended.push('removed'))
    await until(() => ended.includes('removed'), 'the folder to be removed', 10_000)
    void rig.core.stop({ atOnce: true }).then(() => ended.push('stopped'))
    await until(() => ended.includes('stopped'), 'the end', 10_000)
  })

  it('in the middle of a move is left alone, and the file is moved when it answers', async () => {
    const { files, faults } = faultyFiles()
    const rig = await setUpFolder({
      folder: { afterwards: 'move' },
      options: { files, timings: { fileAccessMs: 400 } },
    })
    faults.push({ code: 'HANG', below: join(rig.inbox, 'a.pdf'), calls: ['link'] })
    await rig.put('a.pdf', pdfBytes('a'))
    await until(
      () => rig.core.archiver.problemOf(rig.folder.id)?.details['detail'] === 'ETIMEDOUT',
      'the folder to say so',
      10_000,
    )
    faults.length = 0
    await until(() => rig.document('Done/a.pdf')?.archivedAs === 'done', 'the move', 10_000)
    await until(() => rig.core.archiver.problemOf(rig.folder.id) === null, 'nothing more to say', 10_000)
    rig.check([join(rig.inbox, 'Done/a.pdf')], 1)
  })
})

/**
 * What is read from its beginning to its end, for its hash, is read without a position; an upload's pieces have one.
 */
type Reading = { path: string; position: number | null }

/** The computer's file system, where `before` is waited for before anything is read from an open file. */
function readingFiles(before: (reading: Reading) => Promise<void>): FileAccess {
  const { files } = faultyFiles()
  const open = files.open
  files.open = (async (path: string, ...rest: never[]) => {
    const handle = await open(path, ...rest)
    const read = handle.read.bind(handle) as (...given: unknown[]) => Promise<unknown>
    handle.read = (async (...given: unknown[]) => {
      await before({ path, position: given[3] as number | null })
      return read(...given)
    }) as unknown as typeof handle.read
    return handle
  }) as typeof open
  return files
}

const outcomesOf = (rig: Rig): (string | null)[] =>
  rig.documents().flatMap(({ id }) => rig.core.context.tables.attempts.ofDocument(id).map(({ outcome }) => outcome))

describe('F05 a share that is slow', () => {
  it('has a batch sent while the rest of it is still being read, and nothing becomes «may be billed» by that', async () => {
    const names = Array.from({ length: 70 }, (_, index) => `${String(index).padStart(2, '0')}.pdf`)
    const files = readingFiles(
      ({ position }) => new Promise((resolve) => setTimeout(resolve, position === null ? 15 : 0)),
    )
    const rig = await setUpFolder({ options: { files, concurrency: 4, timings: { stallMs: 150 } } })
    rig.core.queue.pause()
    for (const name of names) await age(await rig.put(name, pdfBytes(name)))
    rig.core.queue.resume()
    await until(
      () => rig.documents().filter(({ status }) => status === 'done').length === names.length,
      'all to be done',
      30_000,
    )
    expect(outcomesOf(rig)).toEqual(names.map(() => 'succeeded'))
    rig.check(
      names.map((name) => join(rig.inbox, name)),
      names.length,
    )
  })

  it('in the middle of an upload, for longer than the line may stand still, has its document sent again: the request never was whole', async () => {
    let hangs = true
    const files = readingFiles(async ({ path, position }) => {
      while (hangs && position === 384 * 1024 && path.endsWith('a.pdf'))
        await new Promise((resolve) => setTimeout(resolve, 10))
    })
    const rig = await setUpFolder({ options: { files, timings: { fileAccessMs: 400, stallMs: 100 } } })
    const path = await rig.put('a.pdf', pdfBytes('a', 1_000_000))
    await until(() => outcomesOf(rig).includes('returned'), 'the attempt to be broken off', 10_000)
    expect(rig.vendor.received).toEqual([])
    hangs = false
    await until(() => rig.document('a.pdf')?.status === 'done', 'the document to be done', 10_000)
    expect(new Set(outcomesOf(rig))).toEqual(new Set(['succeeded', 'returned']))
    rig.check([path], 1)
  })
})
