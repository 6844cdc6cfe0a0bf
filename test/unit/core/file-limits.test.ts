import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { diskAccess } from '../../../electron/core/platform/file-access.ts'
import type { FileAccess } from '../../../electron/core/platform/file-access.ts'
import { withTimeLimits } from '../../../electron/core/platform/file-limits.ts'
import { moveFile } from '../../../electron/core/platform/move-file.ts'
import { readThrough } from '../../../electron/core/platform/read-through.ts'
import { temporaryDir, until } from '../../helpers/core.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

/** Two folders, of which one can hang: then `asked` are the accesses to it that were begun. */
function twoFolders() {
  const { path, remove } = temporaryDir()
  cleanups.push(remove)
  const [share, local] = [join(path, 'share'), join(path, 'local')]
  for (const folder of [share, local]) {
    mkdirSync(folder)
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) writeFileSync(join(folder, name), name)
  }
  let answer: (() => void) | null = null
  let answered: Promise<void> | null = null
  const asked: string[] = []
  const opened: { closed: boolean }[] = []
  const hanging = (access: unknown) => async (place: string, ...rest: unknown[]) => {
    if (answered !== null && place.startsWith(share)) {
      asked.push(place)
      await answered
    }
    return (access as (place: string, ...rest: unknown[]) => unknown)(place, ...rest)
  }
  const files: FileAccess = {
    ...diskAccess,
    lstat: hanging(diskAccess.lstat) as FileAccess['lstat'],
    open: hanging(async (place: string) => {
      const handle = await diskAccess.open(place)
      const state = { closed: false }
      opened.push(state)
      const close = handle.close.bind(handle)
      handle.close = async () => {
        await close()
        state.closed = true
      }
      return handle
    }) as FileAccess['open'],
  }
  return {
    share,
    local,
    asked,
    opened,
    files: withTimeLimits(files, 100, () => [share, local]),
    hang: () => void (answered = new Promise((resolve) => (answer = resolve))),
    goOn: () => {
      answered = null
      answer?.()
    },
  }
}

describe('a folder that does not answer', () => {
  it('is asked two questions and no more until it answers, and others are not held up', async () => {
    const { share, local, asked, files, hang, goOn } = twoFolders()
    hang()
    const looks = ['a.pdf', 'b.pdf', 'c.pdf', 'a.pdf'].map((name) => files.lstat(join(share, name)))
    await expect(files.lstat(join(local, 'a.pdf'))).resolves.toMatchObject({ size: 5 })
    const ended = await Promise.allSettled(looks)
    expect(ended.map((one) => one.status === 'rejected' && (one.reason as NodeJS.ErrnoException).code)).toEqual(['ETIMEDOUT', 'ETIMEDOUT', 'ETIMEDOUT', 'ETIMEDOUT'])
    await expect(files.readdir(share)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    await expect(readThrough(files, join(share, 'a.pdf'))).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    expect(asked).toHaveLength(2)
    await expect(readThrough(files, join(local, 'a.pdf'))).resolves.toMatchObject({ sizeBytes: 5 })
    goOn()
    await expect.poll(() => files.lstat(join(share, 'c.pdf')).then((stats) => stats.size, () => null)).toBe(5)
    await expect(readThrough(files, join(share, 'a.pdf'))).resolves.toMatchObject({ sizeBytes: 5 })
  })

  it('has a file closed that was opened too late', async () => {
    const { share, opened, files, hang, goOn } = twoFolders()
    hang()
    await expect(files.open(join(share, 'a.pdf'), 'r')).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    goOn()
    await until(() => opened.length === 1 && opened[0]!.closed, 'the file to be closed', 5000)
  })
})

describe('a folder that answers', () => {
  it('has many files read, written, listed and moved as without limits', async () => {
    const { local, files } = twoFolders()
    const read = await Promise.all(Array.from({ length: 20 }, (_, index) => readThrough(files, join(local, `${'abc'[index % 3]!}.pdf`))))
    expect(read.map(({ sizeBytes }) => sizeBytes)).toEqual(Array.from({ length: 20 }, () => 5))
    await files.mkdir(join(local, 'sub'))
    await files.writeFile(join(local, 'sub/note.txt'), 'note')
    expect((await files.readdir(local)).sort()).toEqual(['a.pdf', 'b.pdf', 'c.pdf', 'sub'])
    await mkdir(join(local, 'Done'))
    const noLinks: FileAccess = { ...files, link: () => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' })) }
    for (const [name, access] of [['a.pdf', files], ['b.pdf', noLinks]] as const) {
      const to = join(local, 'Done', name)
      expect(await moveFile(access, { from: join(local, name), to, temporary: `${to}.tmp`, isIt: async () => true })).toBe('moved')
      expect(await readFile(to, 'utf8')).toBe(name)
    }
    await writeFile(join(local, 'c.pdf'), '')
    await expect(readThrough(files, join(local, 'none.pdf'))).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(readThrough(files, join(local, 'c.pdf'))).resolves.toMatchObject({ sizeBytes: 0 })
  })
})
