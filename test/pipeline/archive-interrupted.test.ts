import { existsSync } from 'node:fs'
import { readFile, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pdfBytes, until } from '../helpers/core.ts'
import { faultyFiles, setUpFolder } from '../faults/folder-rig.ts'
import type { Rig } from '../faults/folder-rig.ts'

type Ending = { rig: Rig; dead: boolean }

/**
 * A folder whose process ends at the n-th access of a move that changes something: that one and all that follow fail,
 * what came before is done. Without links the move goes by a copy.
 */
async function endAt(nth: number, links: boolean, fails = false): Promise<Ending> {
  const { files, faults, calls } = faultyFiles()
  const changing = /^(link|unlink|copyFile|writeFile|rename|open .*\.tmp)/
  const state = { at: 0, dead: false }
  const mortal = Object.fromEntries(
    Object.entries(files).map(([name, access]) => [
      name,
      (path: string, ...rest: never[]) => {
        if (changing.test(`${name} ${path}`)) state.at += 1
        if (state.at >= nth) state.dead = true
        if (state.dead) return Promise.reject(Object.assign(new Error('the process is gone'), { code: 'EIO' }))
        return (access as (path: string, ...rest: never[]) => unknown)(path, ...rest)
      },
    ]),
  ) as unknown as typeof files
  const rig = await setUpFolder({
    folder: { afterwards: 'move' },
    options: { files: mortal },
    ...(fails ? { reply: () => ({ status: 422, body: '{"status":"error","error":"no"}' }) } : {}),
  })
  if (!links) faults.push({ code: 'EPERM', below: rig.inbox, calls: ['link'] })
  await rig.put('a.pdf', pdfBytes('a'))
  await until(
    () => rig.documents().some((document) => document.status === 'done' || document.status === 'failed'),
    'the outcome',
  )
  await until(() => state.dead || rig.documents().some((document) => document.archivedAs !== null), 'the end')
  expect(calls.length).toBeGreaterThan(0)
  await rig.core.stop({ atOnce: true })
  return { rig, dead: state.dead }
}

async function start(rig: Rig): Promise<void> {
  const { diskAccess } = await import('../../electron/core/files/file-access.ts')
  await rig.restart({ files: diskAccess })
}

describe('a process that ends while a file moves', () => {
  for (const links of [true, false]) {
    it(`${links ? 'by link' : 'by copy'} has it finished at the next start, wherever it ended`, async () => {
      for (let nth = 1; ; nth += 1) {
        const { rig, dead } = await endAt(nth, links)
        if (!dead) {
          expect(nth).toBeGreaterThan(links ? 2 : 5)
          break
        }
        await start(rig)
        await until(
          () => rig.documents().every((document) => document.archivedAs === 'done' && document.moveTo === null),
          `the move that ended at its step ${nth}`,
        )
        expect(await readdir(rig.inbox)).toEqual(['Done'])
        expect(await readdir(join(rig.inbox, 'Done'))).toEqual(['a.pdf'])
        expect((await readFile(join(rig.inbox, 'Done/a.pdf'))).equals(pdfBytes('a'))).toBe(true)
        rig.check([join(rig.inbox, 'Done/a.pdf')], 1)
      }
    })
  }

  it('to Failed has its text beside it all the same', async () => {
    const { rig } = await endAt(3, true, true)
    await start(rig)
    await until(() => rig.documents()[0]!.archivedAs === 'failed', 'the move')
    expect((await readdir(join(rig.inbox, 'Failed'))).sort()).toEqual(['a.pdf', 'a.pdf.txt'])
  })

  it('leaves alone what a person did in the meantime: deleted, or moved away', async () => {
    for (const what of ['deleted', 'moved'] as const) {
      const { rig } = await endAt(1, true)
      const path = join(rig.inbox, 'a.pdf')
      if (what === 'deleted') await rm(path)
      else await rename(path, join(rig.inbox, '..', 'elsewhere.pdf'))
      await start(rig)
      await until(() => rig.documents()[0]!.archivedAs === 'left', 'the document to be left')
      expect(rig.documents()[0]).toMatchObject({ status: 'done', moveTo: null })
      expect(existsSync(join(rig.inbox, 'Done/a.pdf'))).toBe(false)
    }
  })
})
