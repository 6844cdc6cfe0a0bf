import { execFileSync } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { closeSync, constants, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { diskAccess } from '../../../electron/core/files/file-access.ts'
import type { FileAccess } from '../../../electron/core/files/file-access.ts'
import { withTimeLimits } from '../../../electron/core/files/file-limits.ts'
import { moveFile } from '../../../electron/core/files/move-file.ts'
import { hashFile } from '../../../electron/core/files/hash-file.ts'
import { temporaryDir, until } from '../../helpers/core.ts'

/** Two folders, of which one can hang: then `asked` are the accesses to it that were begun. */
function twoFolders(limitMs = 100) {
  const { path, remove } = temporaryDir()
  onTestFinished(remove)
  const [share, local] = [join(path, 'share'), join(path, 'local')]
  for (const folder of [share, local]) {
    mkdirSync(folder)
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) writeFileSync(join(folder, name), name)
  }
  let answer: (() => void) | null = null
  let answered: Promise<void> | null = null
  const asked: string[] = []
  const opened: { closed: boolean }[] = []
  const hanging =
    (access: unknown) =>
    async (place: string, ...rest: unknown[]) => {
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
    // The first is that of a command in a terminal.
    files: withTimeLimits(files, limitMs, () => ['', share, local]),
    hang: () => void (answered = new Promise((resolve) => (answer = resolve))),
    goOn: () => {
      answered = null
      answer?.()
    },
  }
}

describe('a folder that does not answer', () => {
  it('is asked one question and no more until it answers, and others are not held up', async () => {
    // The local folder has to answer within it on a busy computer, too.
    const { share, local, asked, files, hang, goOn } = twoFolders(1000)
    hang()
    const looks = ['a.pdf', 'b.pdf', 'c.pdf', 'a.pdf'].map((name) => files.lstat(join(share, name)))
    await expect(files.lstat(join(local, 'a.pdf'))).resolves.toMatchObject({ size: 5 })
    const ended = await Promise.allSettled(looks)
    expect(ended.map((one) => one.status === 'rejected' && (one.reason as NodeJS.ErrnoException).code)).toEqual([
      'ETIMEDOUT',
      'ETIMEDOUT',
      'ETIMEDOUT',
      'ETIMEDOUT',
    ])
    await expect(files.readdir(share)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    await expect(hashFile(files, join(share, 'a.pdf'))).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    expect(asked).toHaveLength(1)
    await expect(hashFile(files, join(local, 'a.pdf'))).resolves.toMatchObject({ sizeBytes: 5 })
    goOn()
    await expect
      .poll(() =>
        files.lstat(join(share, 'c.pdf')).then(
          (stats) => stats.size,
          () => null,
        ),
      )
      .toBe(5)
    await expect(hashFile(files, join(share, 'a.pdf'))).resolves.toMatchObject({ sizeBytes: 5 })
  })

  it('has a file closed that was opened too late', async () => {
    const { share, opened, files, hang, goOn } = twoFolders()
    hang()
    await expect(files.open(join(share, 'a.pdf'), 'r')).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    goOn()
    await until(() => opened.length === 1 && opened[0]!.closed, 'the file to be closed', 5000)
  })
})

/** Folders with a document each, of which those named by `hung` do not answer. */
function someFolders(names: string[], limitMs: number) {
  const { path, remove } = temporaryDir()
  onTestFinished(remove)
  const folders = names.map((name) => join(path, name))
  for (const folder of folders) {
    mkdirSync(folder)
    writeFileSync(join(folder, 'a.pdf'), 'a.pdf')
  }
  const hung = new Set<string>()
  const closed: string[] = []
  const answered = async (place: string): Promise<void> => {
    while (hung.has(place.slice(path.length + 1).split('/')[0]!)) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const files: FileAccess = {
    ...diskAccess,
    lstat: (async (place: string) => {
      await answered(place)
      return diskAccess.lstat(place)
    }) as FileAccess['lstat'],
    open: (async (place: string) => {
      const handle = await diskAccess.open(place)
      const [read, close] = [handle.read.bind(handle), handle.close.bind(handle)]
      handle.read = (async (...given: Parameters<typeof read>) => {
        await answered(place)
        return read(...given)
      }) as typeof handle.read
      handle.close = async () => {
        closed.push(place)
        await answered(place)
        await close()
      }
      return handle
    }) as FileAccess['open'],
  }
  return {
    hung,
    closed,
    at: (name: string) => join(path, name, 'a.pdf'),
    files: withTimeLimits(files, limitMs, () => folders, 4),
  }
}

const codeOf = (access: Promise<unknown>): Promise<unknown> =>
  access.then(
    () => null,
    (error: NodeJS.ErrnoException) => error.code,
  )

describe('folders that hang', () => {
  it.skipIf(process.platform === 'win32')(
    'leave threads of the process to other folders and to the names of hosts',
    async () => {
      const { path, remove } = temporaryDir()
      onTestFinished(remove)
      const [one, other, local] = ['one', 'other', 'local'].map((name) => join(path, name)) as [string, string, string]
      for (const folder of [one, other, local]) mkdirSync(folder)
      writeFileSync(join(local, 'a.pdf'), 'a.pdf')
      // To open a pipe holds a thread until somebody writes into it.
      const pipes = [one, other].flatMap((folder) => ['a', 'b'].map((name) => join(folder, name)))
      execFileSync('mkfifo', pipes)
      onTestFinished(() => {
        for (const pipe of pipes) {
          try {
            closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK))
          } catch {
            // Nobody waits for this one.
          }
        }
      })
      const files = withTimeLimits(diskAccess, 1000, () => [one, other, local], 4)
      const hung = pipes.map((pipe) => codeOf(files.open(pipe, 'r')))
      await expect(files.lstat(join(local, 'a.pdf'))).resolves.toMatchObject({ size: 5 })
      await Promise.all(hung)
      await expect(hashFile(files, join(local, 'a.pdf'))).resolves.toMatchObject({ sizeBytes: 5 })
      await expect(lookup('localhost')).resolves.toMatchObject({ family: expect.any(Number) })
    },
  )

  it('never make another one seem to hang: it waits for its turn, however long', async () => {
    const { hung, at, files } = someFolders(['one', 'two', 'three', 'local'], 50)
    for (const name of ['one', 'two', 'three']) hung.add(name)
    const ended = await Promise.all(['one', 'two', 'three'].map((name) => codeOf(files.lstat(at(name)))))
    expect(ended).toEqual(['ETIMEDOUT', 'ETIMEDOUT', 'ETIMEDOUT'])
    const outcomes: unknown[] = []
    const waiting = codeOf(files.lstat(at('local'))).then((code) => outcomes.push(code))
    // What is asked of an open file has somebody at the other end who does not wait for ever.
    expect(await codeOf(files.open(at('local'), 'r'))).toBe('EBUSY')
    expect(outcomes).toEqual([])
    hung.delete('two')
    await waiting
    expect(outcomes).toEqual([null])
    hung.clear()
  })

  it('are not asked to close what is open in them until they answer', async () => {
    const { hung, closed, at, files } = someFolders(['share'], 50)
    // One after the other: none waits for its turn on a busy computer.
    const handles: Awaited<ReturnType<typeof files.open>>[] = []
    while (handles.length < 3) handles.push(await files.open(at('share'), 'r'))
    hung.add('share')
    expect(await codeOf(handles[0]!.read(Buffer.alloc(5), 0, 5, 0))).toBe('ETIMEDOUT')
    await Promise.all(handles.map((handle) => handle.close()))
    expect(closed).toEqual([])
    hung.clear()
    await until(() => closed.length === 3, 'the files to be closed', 5000)
  })
})

describe('a folder that answers', () => {
  it('has many files read, written, listed and moved as without limits', async () => {
    const { local, files } = twoFolders(60_000)
    const read = await Promise.all(
      Array.from({ length: 20 }, (_, index) => hashFile(files, join(local, `${'abc'[index % 3]!}.pdf`))),
    )
    expect(read.map(({ sizeBytes }) => sizeBytes)).toEqual(Array.from({ length: 20 }, () => 5))
    await files.mkdir(join(local, 'sub'))
    await files.writeFile(join(local, 'sub/note.txt'), 'note')
    expect((await files.readdir(local)).sort()).toEqual(['a.pdf', 'b.pdf', 'c.pdf', 'sub'])
    await mkdir(join(local, 'Done'))
    const noLinks: FileAccess = {
      ...files,
      link: () => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' })),
    }
    for (const [name, access] of [
      ['a.pdf', files],
      ['b.pdf', noLinks],
    ] as const) {
      const to = join(local, 'Done', name)
      expect(
        await moveFile(access, { from: join(local, name), to, temporary: `${to}.tmp`, isIt: async () => true }),
      ).toBe('moved')
      expect(await readFile(to, 'utf8')).toBe(name)
    }
    await writeFile(join(local, 'c.pdf'), '')
    await expect(hashFile(files, join(local, 'none.pdf'))).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(hashFile(files, join(local, 'c.pdf'))).resolves.toMatchObject({ sizeBytes: 0 })
  })
})
