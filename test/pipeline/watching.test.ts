import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FolderWatcher } from '../../electron/core/pipeline/watch.ts'
import { diskAccess } from '../../electron/core/files/file-access.ts'
import { pdfBytes, temporaryDir, until } from '../helpers/core.ts'
import { faultyFiles, setUpFolder } from '../faults/folder-rig.ts'
import type { Rig } from '../faults/folder-rig.ts'

/** A folder that is changed while it is being looked at; `goOn` lets that look end. */
async function changedDuringSweep(): Promise<{
  rig: Rig
  calls: string[]
  changed: Promise<unknown>
  goOn: () => void
}> {
  const { files, faults, calls } = faultyFiles()
  const rig = await setUpFolder({ options: { files, timings: { quietMs: 0 } } })
  faults.push({ code: 'HANG', below: `${rig.inbox}/slow.pdf`, calls: ['stat'] })
  await rig.put('slow.pdf', pdfBytes('slow'))
  await until(() => calls.includes(`stat ${rig.inbox}/slow.pdf`), 'the file to be read')
  rig.core.context.tables.folders.save({ ...rig.folder, mode: 'sync' })
  const changed = rig.core.watchers.follow()
  return { rig, calls, changed, goOn: () => void (faults.length = 0) }
}

describe('a folder that is changed while it is being looked at', () => {
  for (const what of ['removed', 'paused'] as const) {
    it(`and ${what} at once is not looked at any more`, async () => {
      const { rig, changed, goOn } = await changedDuringSweep()
      const { id } = rig.folder
      const { tables, now } = rig.core.context
      if (what === 'removed') tables.folders.remove(id, now())
      else tables.folders.pause(id)
      const ended = rig.core.watchers.follow()
      goOn()
      await Promise.all([changed, ended])
      const before = rig.documents().length
      await rig.put('new.pdf', pdfBytes('new'))
      for (let look = 0; look < 2; look += 1) await rig.core.watchers.sweep(id)
      expect(rig.document('new.pdf')).toBeNull()
      expect(rig.documents()).toHaveLength(before)
    })
  }

  it('is not looked at after the end either', async () => {
    const { rig, calls, changed, goOn } = await changedDuringSweep()
    const stopped = rig.core.watchers.stop()
    const asked = calls.length
    goOn()
    await Promise.all([changed, stopped])
    await rig.core.watchers.sweep(rig.folder.id)
    expect(calls.slice(asked).filter((call) => call.startsWith('readdir'))).toEqual([])
  })

  it('takes each of its files once', async () => {
    const { rig, changed, goOn } = await changedDuringSweep()
    goOn()
    await changed
    await until(() => rig.document('slow.pdf')?.status === 'done', 'the result')
    expect(rig.documents()).toHaveLength(1)
    rig.check([`${rig.inbox}/slow.pdf`], 1)
  })
})

describe('files that were written one after the other', () => {
  it('are taken in that order, also when the look at them is held up halfway', async () => {
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    const inbox = join(dir.path, 'inbox')
    mkdirSync(inbox)
    for (const name of ['a.pdf', 'b.pdf']) writeFileSync(join(inbox, name), pdfBytes(name))
    const minute = 60_000
    let heldUpMs = 0
    const asked: string[] = []
    const lstat = (async (path: string) => {
      asked.push(path)
      // First it was listed; now the look at it is held up for as long as a file has to be quiet.
      if (path.endsWith('b.pdf') && asked.filter((other) => other === path).length === 2) heldUpMs = minute
      return diskAccess.lstat(path)
    }) as typeof diskAccess.lstat
    const taken: string[][] = []
    const watcher = new FolderWatcher({
      path: inbox,
      includeSubfolders: false,
      files: { ...diskAccess, lstat },
      timings: { quietMs: minute, longQuietMs: 10 * minute, sweepIntervalMs: 10 * minute },
      known: () => new Map(),
      onPresent: () => undefined,
      ignores: () => false,
      isLeftOut: () => false,
      take: async (candidates) => void taken.push(candidates.map(({ path }) => path)),
      onOnline: () => undefined,
      onLeftOut: () => undefined,
      onArriving: () => undefined,
      onTrouble: (error) => {
        throw error
      },
      now: () => Date.now() + heldUpMs,
    })
    onTestFinished(() => watcher.stop())
    await watcher.sweep()
    expect(heldUpMs).toBe(minute)
    expect(taken).toEqual([])
    await watcher.sweep()
    expect(taken[0]).toEqual([join(inbox, 'a.pdf'), join(inbox, 'b.pdf')])
  })
})

describe('a folder with a directory that does not answer yet', () => {
  /** Watches a folder with a file and a directory; `answer` says what listing that directory comes to. */
  function watched(answer: () => Promise<void>): {
    watcher: FolderWatcher
    taken: string[]
    online: boolean[]
    root: string
  } {
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    const root = join(dir.path, 'inbox')
    const taken: string[] = []
    const online: boolean[] = []
    const readdir = (async (path: string, ...rest: never[]) => {
      if (path.endsWith('later')) await answer()
      return diskAccess.readdir(path, ...rest)
    }) as typeof diskAccess.readdir
    const watcher = new FolderWatcher({
      path: root,
      includeSubfolders: true,
      files: { ...diskAccess, readdir },
      timings: { quietMs: 0, longQuietMs: 0, sweepIntervalMs: 600_000 },
      known: () => new Map(),
      onPresent: () => undefined,
      ignores: () => false,
      isLeftOut: () => false,
      take: async (candidates) => void taken.push(...candidates.map(({ path }) => basename(path))),
      onOnline: (isOnline) => void online.push(isOnline),
      onLeftOut: () => undefined,
      onArriving: () => undefined,
      onTrouble: (error) => {
        throw error
      },
      now: () => Date.now(),
    })
    onTestFinished(() => watcher.stop())
    return { watcher, taken, online, root }
  }

  function fill(root: string, files: number): void {
    mkdirSync(join(root, 'later'), { recursive: true })
    for (let index = 0; index < files; index += 1) writeFileSync(join(root, `${index}.pdf`), pdfBytes(`file ${index}`))
    writeFileSync(join(root, 'later', 'last.pdf'), pdfBytes('last'))
  }

  it('has its other files taken in meanwhile', async () => {
    let answer = (): void => undefined
    const asked = new Promise<void>((resolve) => (answer = resolve))
    const { watcher, taken, root } = watched(() => asked)
    fill(root, 100)
    const swept = watcher.sweep()
    await until(() => taken.length === 100, 'the files beside it')
    expect(taken).not.toContain('last.pdf')
    answer()
    await swept
    expect(taken.at(-1)).toBe('last.pdf')
  })

  it('has nothing taken in after it was out of reach, until all of it is there', async () => {
    let isThere = false
    const { watcher, taken, online, root } = watched(async () => {
      if (!isThere) throw Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })
    })
    await watcher.sweep()
    expect(online).toEqual([false])
    fill(root, 100)
    await watcher.sweep()
    expect([online, taken]).toEqual([[false], []])
    isThere = true
    await watcher.sweep()
    expect(online).toEqual([false, true])
    expect(taken).toHaveLength(101)
  })
})

describe('a file that cannot be taken in', () => {
  it('holds up no other one, and is listed with a reason', async () => {
    const rig = await setUpFolder({})
    const { documents } = rig.core.context.tables
    const insert = documents.insert.bind(documents)
    documents.insert = (document, now) => {
      if (document.name === 'b.pdf' && document.status === 'queued')
        throw Object.assign(new Error('constraint failed'), { code: 'SQLITE_CONSTRAINT' })
      return insert(document, now)
    }
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) await rig.put(name, pdfBytes(name))
    await until(
      () => rig.document('a.pdf')?.status === 'done' && rig.document('c.pdf')?.status === 'done',
      'the other files',
      10_000,
    )
    await until(() => rig.document('b.pdf') !== null, 'the file itself', 10_000)
    expect(rig.document('b.pdf')).toMatchObject({ status: 'skipped', reasonCode: 'internal' })
    rig.check(
      ['a.pdf', 'b.pdf', 'c.pdf'].map((name) => `${rig.inbox}/${name}`),
      2,
    )
  })
})

describe('files on their way into the list', () => {
  it('are told while a file is incomplete, and no more once it was taken in', async () => {
    const rig = await setUpFolder({ options: { timings: { longQuietMs: 60_000 } } })
    const isArriving = async (): Promise<boolean> => (await rig.core.handlers['folders.list']({})).folders[0]!.arriving
    await rig.core.watchers.sweep(rig.folder.id)
    expect(await isArriving()).toBe(false)
    let told = 0
    rig.core.onEvent((name) => (told += Number(name === 'folders.changed')))
    const whole = pdfBytes('a')
    await rig.put('a.pdf', whole.subarray(0, 1500))
    await until(() => told > 0, 'the incomplete file')
    expect(await isArriving()).toBe(true)
    expect(rig.documents()).toEqual([])
    await rig.put('a.pdf', whole)
    await until(() => rig.document('a.pdf') !== null && told > 1, 'the document')
    expect(await isArriving()).toBe(false)
  })
})
