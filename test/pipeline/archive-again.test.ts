import { existsSync } from 'node:fs'
import { readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diskAccess } from '../../electron/core/files/file-access.ts'
import { pdfBytes, until } from '../helpers/core.ts'
import { faultyFiles, setUpFolder } from '../faults/folder-rig.ts'
import type { Fault, Rig } from '../faults/folder-rig.ts'

type Held = { rig: Rig; faults: Fault[]; calls: string[] }

/** A file that is done and stays where it is: another program holds it. */
async function heldFile(options: Parameters<typeof setUpFolder>[0]['options'] = {}): Promise<Held> {
  const { files, faults, calls } = faultyFiles()
  const rig = await setUpFolder({ folder: { afterwards: 'move' }, options: { files, ...options } })
  faults.push({ code: 'EBUSY', below: join(rig.inbox, 'a.pdf'), calls: ['unlink'] })
  await rig.put('a.pdf', pdfBytes('first'))
  await until(() => rig.core.archiver.problemOf(rig.folder.id) !== null, 'the folder to say so')
  return { rig, faults, calls }
}

const triesOf = (calls: string[], rig: Rig): number =>
  calls.filter((call) => call === `unlink ${join(rig.inbox, 'a.pdf')}`).length

describe('a move that was refused', () => {
  it('is not made with a newer version of the file, which is sent first', async () => {
    const { rig, faults } = await heldFile()
    rig.core.queue.pause()
    const second = pdfBytes('second, longer', 3000)
    await writeFile(join(rig.inbox, '.a.tmp'), second)
    await rename(join(rig.inbox, '.a.tmp'), join(rig.inbox, 'a.pdf'))
    faults.length = 0
    await until(() => rig.documents()[0]!.archivedAs !== null, 'the first version to be filed or left')
    expect(rig.documents()[0]).toMatchObject({ status: 'done', archivedAs: 'left', moveTo: null })
    expect((await readFile(join(rig.inbox, 'a.pdf'))).equals(second)).toBe(true)
    await until(
      () => rig.documents().some((document) => document.status === 'queued'),
      'the document of the newer version',
    )
    rig.core.queue.resume()
    await until(() => rig.document('Done/a.pdf')?.archivedAs === 'done', 'the newer version in Done')
    expect((await readFile(join(rig.inbox, 'Done/a.pdf'))).equals(second)).toBe(true)
    expect(await readdir(join(rig.inbox, 'Done'))).toEqual(['a.pdf'])
    rig.check([join(rig.inbox, 'Done/a.pdf')], 2)
  })

  it('is tried again and said on the folder, however long one round takes', async () => {
    const { rig, faults, calls } = await (async () => {
      const slow = faultyFiles()
      const { stat } = slow.files
      // Longer than any back-off: what was not due when the round began is due at its end.
      slow.files.stat = (async (path: string, ...rest: never[]) => {
        if (path.endsWith('/in')) await new Promise((resolve) => setTimeout(resolve, 120))
        return (stat as (path: string, ...rest: never[]) => unknown)(path, ...rest)
      }) as typeof stat
      const rig = await setUpFolder({
        folder: { afterwards: 'move' },
        options: { files: slow.files, timings: { firstRetryMs: 20, longestRetryMs: 40 } },
      })
      slow.faults.push({ code: 'EBUSY', below: join(rig.inbox, 'a.pdf'), calls: ['unlink'] })
      await rig.put('a.pdf', pdfBytes('first'))
      return { rig, ...slow }
    })()
    const problem = (): unknown => rig.core.archiver.problemOf(rig.folder.id)
    await until(() => problem() !== null, 'the folder to say so')
    for (let tries = triesOf(calls, rig); tries < 4; tries = triesOf(calls, rig)) {
      await until(() => triesOf(calls, rig) > tries, `try ${tries + 1}`, 5000)
      expect(problem()).not.toBeNull()
    }
    faults.length = 0
    await until(() => rig.document('Done/a.pdf')?.archivedAs === 'done', 'the move', 5000)
    await until(() => problem() === null, 'nothing more to say', 5000)
  })

  it('is tried again in a folder that was paused, or told to leave its files, since it began', async () => {
    for (const change of [{ paused: true }, { afterwards: 'stay' }] as const) {
      const { rig, faults, calls } = await heldFile()
      await rig.core.handlers['folders.update']({ id: rig.folder.id, ...change })
      const tries = triesOf(calls, rig)
      await until(() => triesOf(calls, rig) > tries + 2, 'more tries', 5000)
      faults.length = 0
      await until(() => rig.document('Done/a.pdf')?.archivedAs === 'done', 'the move', 5000)
      expect(existsSync(join(rig.inbox, 'a.pdf'))).toBe(false)
    }
  })

  it('is forgotten once the person asks for the document again', async () => {
    const { files, faults } = faultyFiles()
    const rig = await setUpFolder({
      folder: { afterwards: 'move' },
      options: { files },
      reply: () => ({ status: 422, body: '{"status":"error","error":"no"}' }),
    })
    faults.push({ code: 'EROFS', below: rig.inbox, calls: ['mkdir'] })
    await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.core.archiver.problemOf(rig.folder.id) !== null, 'the folder to say so')
    rig.core.queue.pause()
    await rig.core.handlers['documents.retry']({ ids: [rig.documents()[0]!.id] })
    await until(() => rig.core.archiver.problemOf(rig.folder.id) === null, 'nothing more to say', 5000)
  })
})

describe('a round that fails for a reason nobody expected', () => {
  it('is made again, and is not taken for a full disk', async () => {
    const rig = await setUpFolder({
      folder: { afterwards: 'move' },
      options: { files: diskAccess, timings: { storageRetryMs: 50 } },
    })
    const { places } = rig.core.context.tables
    const unarchived = places.unarchived.bind(places)
    let failures = 0
    places.unarchived = (...given) => {
      failures += 1
      if (failures <= 2) throw new TypeError('nobody expected this')
      return unarchived(...given)
    }
    await rig.put('a.pdf', pdfBytes('a'))
    await until(() => failures > 0, 'the failure')
    expect(rig.core.queue.storageTrouble).toBeNull()
    await until(() => rig.document('Done/a.pdf')?.archivedAs === 'done', 'the move', 5000)
    expect(rig.core.queue.storageTrouble).toBeNull()
  })
})
