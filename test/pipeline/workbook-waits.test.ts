import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diskAccess } from '../../electron/core/files/file-access.ts'
import type { FileAccess } from '../../electron/core/files/file-access.ts'
import { temporaryDir, until } from '../helpers/core.ts'
import {
  approve,
  at,
  book,
  core,
  files,
  folderId,
  names,
  reached,
  received,
  start,
  state,
  turnOn,
  written,
  withFolder,
} from './workbook-rig.ts'

withFolder()

/** A disk of half a megabyte, and how to take it away; null where this user may not mount one. */
function mountSmallDisk(path: string): (() => void) | null {
  mkdirSync(path)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    return null
  }
  return () => void execFileSync('umount', [path])
}

const canMount = (() => {
  const place = temporaryDir()
  const unmount = mountSmallDisk(join(place.path, 'disk'))
  unmount?.()
  place.remove()
  return unmount !== null
})()

describe('a workbook that another program holds open', () => {
  it('is written once it is closed, and says until then how many rows wait', async () => {
    const [a, b, c] = await received(['a', 'b', 'c'])
    await turnOn()
    await approve([a!])
    await written()
    const before = readFileSync(book())
    let held = true
    files.rename = async (from, to) => {
      if (held && to === book()) throw Object.assign(new Error('held'), { code: 'EBUSY' })
      await diskAccess.rename(from, to)
    }
    await approve([b!, c!])
    const row = await reached(
      ({ problem, waitingRows }) => problem !== null && waitingRows === 4,
      'the word that it is open',
    )
    expect(row).toMatchObject({
      problem: { code: 'workbook_open', details: { file: 'Invoices.xlsx' } },
      waitingDocuments: 2,
      rows: 2,
      documents: 1,
    })
    expect(readFileSync(book()).equals(before)).toBe(true)
    expect(
      readdirSync(at('Documents', 'Sheaf')).filter((name) => name !== 'Invoices.xlsx' && !name.endsWith('.tmp')),
    ).toEqual([])
    held = false
    await written()
    expect(await names()).toHaveLength(6)
  })

  it.each(['~$Invoices.xlsx', '.~lock.Invoices.xlsx#'])(
    'is left alone while %s lies beside it, until a person says that it is closed',
    async (lock) => {
      const ids = await received(['a'])
      mkdirSync(at('Documents', 'Sheaf'), { recursive: true })
      writeFileSync(at('Documents', 'Sheaf', lock), 'Ada')
      await turnOn()
      await approve(ids)
      await reached(({ problem }) => problem?.code === 'workbook_open', 'the word that it is open')
      expect(existsSync(book())).toBe(false)
      expect(await core.handlers['workbooks.writeNow']({ folderId })).toMatchObject({ documents: 1, problem: null })
      expect(await names()).toHaveLength(2)
    },
  )
})

describe('a workbook that a person changed', () => {
  it('stays as it is for ever; another one has everything, and that is said once', async () => {
    const [a, b, c] = await received(['a', 'b', 'c'])
    await turnOn()
    await approve([a!])
    await written()
    appendFileSync(book(), 'by hand')
    const changed = readFileSync(book())
    await approve([b!])
    const row = await reached(({ documents }) => documents === 2, 'the second workbook')
    expect(row).toMatchObject({ place: book('Invoices (2).xlsx'), changedByHand: book() })
    expect(await names(book('Invoices (2).xlsx'))).toEqual(['a.pdf', 'a.pdf', 'b.pdf', 'b.pdf'])
    expect(await core.handlers['workbooks.dismiss']({ folderId })).toMatchObject({ changedByHand: null })
    await approve([c!])
    await reached(({ documents }) => documents === 3, 'the third document')
    expect((await state()).changedByHand).toBeNull()
    expect(readFileSync(book()).equals(changed)).toBe(true)
    expect(readdirSync(at('Documents', 'Sheaf')).sort()).toEqual(['Invoices (2).xlsx', 'Invoices.xlsx'])
  })

  it('while it was being written stays as well', async () => {
    const [a, b] = await received(['a', 'b'])
    await turnOn()
    await approve([a!])
    await written()
    files.open = (async (path: string, flags: string) => {
      if (flags === 'wx' && !readFileSync(book()).includes('by hand')) appendFileSync(book(), 'by hand')
      return diskAccess.open(path, flags)
    }) as FileAccess['open']
    await approve([b!])
    await reached(({ documents }) => documents === 2, 'the second workbook')
    expect(readFileSync(book()).includes('by hand')).toBe(true)
    expect(await state()).toMatchObject({ place: book('Invoices (2).xlsx'), changedByHand: book() })
  })

  it('in nothing but its time is still Sheaf’s', async () => {
    const [a, b] = await received(['a', 'b'])
    await turnOn()
    await approve([a!])
    await written()
    utimesSync(book(), 1_000_000, 1_000_000)
    await approve([b!])
    await reached(({ documents }) => documents === 2, 'the second document')
    expect(readdirSync(at('Documents', 'Sheaf'))).toEqual(['Invoices.xlsx'])
  })

  it('is never one that was there before: a file in its place stays', async () => {
    mkdirSync(at('Documents', 'Sheaf'), { recursive: true })
    writeFileSync(book(), 'somebody’s')
    await approve(await received(['a']))
    await turnOn()
    expect(await written()).toMatchObject({ place: book('Invoices (2).xlsx'), changedByHand: null })
    expect(readFileSync(book(), 'utf8')).toBe('somebody’s')
  })
})

describe('a workbook that is gone', () => {
  it.each([
    ['deleted', () => rmSync(book())],
    ['moved away', () => renameSync(book(), at('archive.xlsx'))],
  ])('because it was %s is begun anew, with everything', async (how, remove) => {
    const [a, b] = await received(['a', 'b'])
    await turnOn()
    await approve([a!])
    await written()
    remove()
    await approve([b!])
    await reached(({ documents }) => documents === 2, 'the new workbook')
    expect(await names()).toEqual(['a.pdf', 'a.pdf', 'b.pdf', 'b.pdf'])
    if (how === 'moved away') expect(await names(at('archive.xlsx'))).toHaveLength(2)
    expect((await state()).changedByHand).toBeNull()
  })

  it('with its folder waits, says why, and goes on by itself', async () => {
    mkdirSync(at('share'))
    await approve(await received(['a']))
    await turnOn({ path: at('share', 'Book') })
    expect(await written()).toMatchObject({ place: at('share', 'Book.xlsx') })
    renameSync(at('share'), at('away'))
    await approve(await received(['b']))
    expect(await reached(({ problem }) => problem !== null, 'the reason')).toMatchObject({
      problem: { code: 'workbook_unreachable', details: { file: 'Book.xlsx', folder: at('share'), detail: 'ENOENT' } },
      waitingRows: 2,
    })
    renameSync(at('away'), at('share'))
    await written()
    expect(await names(at('share', 'Book.xlsx'))).toHaveLength(4)
  })
})

describe('a workbook on a full disk', () => {
  it.runIf(canMount)('waits as it was, says why, and goes on by itself when there is room', async () => {
    const unmount = mountSmallDisk(at('disk'))!
    try {
      const [a, b] = await received(['a', 'b'])
      await turnOn({ path: at('disk', 'Book.xlsx') })
      await approve([a!])
      await reached(({ documents }) => documents === 1, 'the workbook')
      const ballast = at('disk', 'ballast')
      writeFileSync(ballast, '')
      expect(() => {
        for (;;) appendFileSync(ballast, Buffer.alloc(1024))
      }).toThrow('ENOSPC')
      await approve([b!])
      const { problem, waitingRows } = await reached(
        (row) => row.problem !== null && row.waitingRows === 2,
        'the reason',
      )
      expect({ problem, waitingRows }).toEqual({
        problem: { code: 'workbook_disk_full', details: { file: 'Book.xlsx' } },
        waitingRows: 2,
      })
      expect(await names(at('disk', 'Book.xlsx'))).toHaveLength(2)
      rmSync(ballast)
      await written()
      expect(await names(at('disk', 'Book.xlsx'))).toHaveLength(4)
    } finally {
      await core.stop({ atOnce: true })
      unmount()
    }
    await start()
  })
})

describe('what waits', () => {
  it('when the program ends is written before that', async () => {
    const ids = await received(['a', 'b'])
    await turnOn()
    await written().catch(() => undefined)
    await approve(ids)
    await core.stop()
    expect(await names()).toHaveLength(4)
    await start()
    await core.run()
  })

  it('when the program ends at once is written at the next start', async () => {
    const ids = await received(['a', 'b'])
    await turnOn()
    await approve(ids)
    await core.stop({ atOnce: true })
    await start()
    await core.run()
    await written()
    expect(await names()).toHaveLength(4)
  })

  it('is not doubled when the file was in its place and nobody was told, as a crash leaves it', async () => {
    const ids = await received(['a', 'b'])
    await turnOn()
    await approve(ids.slice(0, 1))
    await written()
    const { tables } = core.context
    const settle = tables.workbooks.written
    tables.workbooks.written = (() => {
      throw new Error('the process is gone')
    }) as unknown as typeof settle
    await approve(ids.slice(1))
    await until(
      () => tables.workbooks.file(folderId)!.next!.sizeBytes !== tables.workbooks.file(folderId)!.last!.sizeBytes,
      'the file to be announced',
    )
    await until(
      () => readFileSync(book()).length === tables.workbooks.file(folderId)!.next!.sizeBytes,
      'the file to be in its place',
    )
    await core.stop({ atOnce: true })
    tables.workbooks.written = settle
    await start()
    await core.run()
    await reached(({ documents }) => documents === 2, 'both documents')
    expect(readdirSync(at('Documents', 'Sheaf'))).toEqual(['Invoices.xlsx'])
    expect(await names()).toEqual(['a.pdf', 'a.pdf', 'b.pdf', 'b.pdf'])
  })

  it('leaves nothing half-written of a process that was killed', async () => {
    const ids = await received(['a', 'b'])
    await turnOn()
    await approve(ids.slice(0, 1))
    await written()
    const { temporary } = core.context.tables.workbooks.file(folderId)!
    writeFileSync(at('Documents', 'Sheaf', temporary), 'half')
    await approve(ids.slice(1))
    await reached(({ documents }) => documents === 2, 'the second document')
    expect(readdirSync(at('Documents', 'Sheaf'))).toEqual(['Invoices.xlsx'])
  })
})
