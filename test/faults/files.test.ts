import { appendFileSync, openSync, readFileSync, utimesSync, writeSync } from 'node:fs'
import { chmod, copyFile, lstat, mkdir, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { candidateAt } from '../../electron/core/pipeline/files/file-rules.ts'
import { takeIn as takeInAll } from '../../electron/core/pipeline/intake.ts'
import { takeIn } from '../helpers/take-in.ts'
import { pdfBytes, until } from '../helpers/core.ts'
import { age, correctAndApprove, expectApproved, faultyFiles, setUpFolder } from './folder-rig.ts'
import type { Rig } from './folder-rig.ts'

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const done = (rig: Rig, count: number): Promise<void> =>
  until(() => rig.documents().filter((document) => document.status === 'done').length === count, `${count} done`)

async function pause(ms: number): Promise<void> {
  const begun = performance.now()
  await until(() => performance.now() - begun >= ms, 'the pause of a slow writer')
}

describe('F01 a slow writer', () => {
  it('has its files submitted once, with the final bytes, whether they grow or their size is there from the start', async () => {
    // A sixth of the usual times: pauses of 10 s are 1.7 s.
    const rig = await setUpFolder({ options: { timings: { quietMs: 160, longQuietMs: 2000 } } })
    const bytes = pdfBytes('slow', 90_000)
    const grown = openSync(await rig.put('grown.pdf', bytes.subarray(0, 30_000)), 'r+')
    const reserved = join(rig.inbox, 'reserved.pdf')
    await writeFile(reserved, '')
    await truncate(reserved, bytes.length)
    const inPlace = openSync(reserved, 'r+')
    const other = pdfBytes('reserved', 90_000)
    writeSync(inPlace, other, 0, 30_000, 0)
    for (const from of [30_000, 60_000]) {
      await pause(1200)
      expect(rig.documents()).toEqual([])
      writeSync(grown, bytes, from, 30_000, from)
      writeSync(inPlace, other, from, 30_000, from)
    }
    await done(rig, 2)
    expect(rig.vendor.received.map((document) => document.sha256).sort()).toEqual([sha256(bytes), sha256(other)].sort())
    rig.check(
      ['grown.pdf', 'reserved.pdf'].map((name) => join(rig.inbox, name)),
      2,
    )
  })
})

describe('F02 a file that changes while it is read', () => {
  it('for its upload has this attempt aborted before it counts, and is sent once, with the final bytes', async () => {
    const rig = await setUpFolder({})
    const first = pdfBytes('first', 8_000_000)
    const path = join(rig.inbox, 'a.pdf')
    let changed = false
    onTestFinished(
      rig.core.onEvent((name) => {
        if (name !== 'document.progress' || changed) return
        changed = true
        appendFileSync(path, '\n% one more line\n%%EOF\n')
      }),
    )
    await writeFile(path, first)
    await done(rig, 1)
    const final = readFileSync(path)
    expect(final.length).toBeGreaterThan(first.length)
    expect(rig.vendor.received.map((document) => document.sha256)).toEqual([sha256(final)])
    const attempts = rig.documents().flatMap((document) => rig.core.context.tables.attempts.ofDocument(document.id))
    expect(attempts.map((attempt) => attempt.outcome).sort()).toEqual(['returned', 'succeeded'])
    rig.check([path], 1)
  })

  it('is noticed although size and time are as before', async () => {
    const rig = await setUpFolder({})
    const path = join(rig.inbox, 'a.pdf')
    const at = new Date(Date.now() - 60_000)
    let changed = false
    onTestFinished(
      rig.core.onEvent((name) => {
        if (name !== 'document.progress' || changed) return
        changed = true
        writeSync(openSync(path, 'r+'), 'other content', 7_900_000)
        utimesSync(path, at, at)
      }),
    )
    const first = pdfBytes('first', 8_000_000)
    await writeFile(path, first)
    await age(path)
    utimesSync(path, at, at)
    await done(rig, 1)
    expect(rig.vendor.received.map((document) => document.sha256)).toEqual([sha256(readFileSync(path))])
    expect(rig.vendor.received[0]!.sha256).not.toBe(sha256(first))
    rig.check([path], 1)
  })

  it('for its SHA-256 is looked at again', async () => {
    const { files } = faultyFiles()
    let changed = false
    let readings = 0
    const open = files.open
    files.open = (async (path: string, ...rest: never[]) => {
      const handle = await open(path, ...rest)
      const read = handle.read.bind(handle) as (...given: unknown[]) => Promise<unknown>
      handle.read = (async (...given: unknown[]) => {
        // Only what is read from the beginning to the end is read without a position.
        if (given[3] !== null) return read(...given)
        readings += 1
        if (!changed) appendFileSync(path, '\n%%EOF\n')
        changed = true
        return read(...given)
      }) as unknown as typeof handle.read
      return handle
    }) as typeof open
    const rig = await setUpFolder({ options: { files } })
    const path = await rig.put('a.pdf', pdfBytes('a'))
    await done(rig, 1)
    expect(rig.vendor.received.map((document) => document.sha256)).toEqual([sha256(readFileSync(path))])
    // A file of known size is read in one piece.
    expect(readings).toBeGreaterThan(1)
    rig.check([path], 1)
  })
})

describe('F03 a file that is replaced under the same name', () => {
  it('is processed as a new version, and the old result is kept', async () => {
    const rig = await setUpFolder({})
    const path = await rig.put('a.pdf', pdfBytes('first'))
    await done(rig, 1)
    await writeFile(join(rig.inbox, '.a.tmp'), pdfBytes('second'))
    await rename(join(rig.inbox, '.a.tmp'), path)
    await done(rig, 2)
    expect(rig.documents().filter((document) => document.resultId !== null)).toHaveLength(2)
    rig.check([path], 2)
  })

  it('while the old version is being sent has both results', async () => {
    const rig = await setUpFolder({ reply: () => ({ delayMs: 300 }) })
    const path = await rig.put('a.pdf', pdfBytes('first'))
    await until(() => rig.vendor.received.length === 1, 'the first version to arrive')
    await writeFile(join(rig.inbox, '.a.tmp'), pdfBytes('second'))
    await rename(join(rig.inbox, '.a.tmp'), path)
    await done(rig, 2)
    expect(rig.vendor.received.map((document) => document.sha256)).toEqual([
      sha256(pdfBytes('first')),
      sha256(pdfBytes('second')),
    ])
    rig.check([path], 2)
  })

  it('or moved while it waits is one document, at its new place', async () => {
    const rig = await setUpFolder({})
    rig.core.queue.pause()
    const path = await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.document('a.pdf') !== null, 'the document')
    await mkdir(join(rig.inbox, '2026'))
    await rename(path, join(rig.inbox, '2026/b.pdf'))
    await until(() => rig.document('2026/b.pdf') !== null, 'the document at its new place')
    rig.core.queue.resume()
    await done(rig, 1)
    expect(rig.documents()).toHaveLength(1)
    expect(rig.vendor.received.map((document) => document.filename)).toEqual(['b.pdf'])
    rig.check([join(rig.inbox, '2026/b.pdf')], 1)
  })

  it('or moved and copied while it waits is one document with a copy', async () => {
    const rig = await setUpFolder({})
    rig.core.queue.pause()
    const path = await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.document('a.pdf') !== null, 'the document')
    const { context } = rig.core
    const [b, c] = [join(rig.inbox, 'b.pdf'), join(rig.inbox, 'c.pdf')]
    await rig.core.watchers.stop()
    await copyFile(path, b)
    await rename(path, c)
    await takeInAll(context, rig.folder, [candidateAt(b, await lstat(b)), candidateAt(c, await lstat(c))])
    expect(rig.documents().map(({ name, status, reasonCode }) => [name, status, reasonCode])).toEqual([
      ['b.pdf', 'queued', null],
      ['c.pdf', 'skipped', 'duplicate'],
    ])
  })

  it('or moved while it waits keeps its place where the take-in is broken off', async () => {
    const rig = await setUpFolder({})
    rig.core.queue.pause()
    const path = await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.document('a.pdf') !== null, 'the document')
    const b = join(rig.inbox, 'b.pdf')
    await rig.core.watchers.stop()
    await rename(path, b)
    const taking = takeInAll(rig.core.context, rig.folder, [candidateAt(b, await lstat(b))], AbortSignal.abort())
    await expect(taking).rejects.toThrow()
    expect(rig.documents().map(({ name, status }) => [name, status])).toEqual([['a.pdf', 'queued']])
  })

  it('or moved when it is done stays one document, with its values and its approval, whether Sheaf runs or not', async () => {
    const rig = await setUpFolder({})
    const path = await rig.put('a.pdf', pdfBytes('a'))
    await done(rig, 1)
    const id = await correctAndApprove(rig, 'a.pdf')
    await mkdir(join(rig.inbox, '2026'))
    await rename(path, join(rig.inbox, '2026/b.pdf'))
    await until(() => rig.document('2026/b.pdf') !== null, 'the document at its new place')
    await rig.core.stop()
    await rename(join(rig.inbox, '2026/b.pdf'), join(rig.inbox, 'c.pdf'))
    await rig.restart()
    await until(() => rig.document('c.pdf') !== null, 'the document at its newest place')
    expect(rig.documents()).toMatchObject([{ id, name: 'c.pdf', path: join(rig.inbox, 'c.pdf'), status: 'done' }])
    await expectApproved(rig, id)
    rig.check([join(rig.inbox, 'c.pdf')], 1)
  })

  for (const order of [
    ['a', 'b'],
    ['b', 'a'],
  ])
    it(`or swapped with another one takes its document along, ${order.join(' before ')}`, async () => {
      const rig = await setUpFolder({})
      for (const name of ['a', 'b']) {
        await rig.put(`${name}.pdf`, pdfBytes(name))
        await until(() => rig.document(`${name}.pdf`)?.status === 'done', `${name} to be done`)
      }
      const ids = ['a', 'b'].map((name) => rig.document(`${name}.pdf`)!.id)
      await rig.core.watchers.stop()
      const [a, b, between] = ['a.pdf', 'b.pdf', '.between'].map((name) => join(rig.inbox, name)) as [
        string,
        string,
        string,
      ]
      await rename(a, between)
      await rename(b, a)
      await rename(between, b)
      const candidates = await Promise.all(
        order.map((name) => join(rig.inbox, `${name}.pdf`)).map(async (path) => candidateAt(path, await lstat(path))),
      )
      await takeInAll(rig.core.context, rig.folder, candidates)
      expect(rig.documents().map(({ id, name }) => [id, name])).toEqual([
        [ids[0], 'b.pdf'],
        [ids[1], 'a.pdf'],
      ])
      rig.check([a, b], 2)
    })

  it('or deleted when it is done and restored, under its name or another one, is the document that it was', async () => {
    const rig = await setUpFolder({})
    const path = await rig.put('a.pdf', pdfBytes('a'))
    await done(rig, 1)
    const id = await correctAndApprove(rig, 'a.pdf')
    const expectUnchanged = async (name: string): Promise<void> => {
      expect(rig.documents()).toMatchObject([{ id, name, status: 'done' }])
      await expectApproved(rig, id)
    }
    await rm(path)
    await rig.core.watchers.sweep(rig.folder.id)
    await expectUnchanged('a.pdf')
    await rig.put('a.pdf', pdfBytes('a'))
    await rig.core.watchers.sweep(rig.folder.id)
    await expectUnchanged('a.pdf')
    await rm(path)
    await rig.put('b.pdf', pdfBytes('a'))
    await until(() => rig.document('b.pdf') !== null, 'the document under its new name')
    await expectUnchanged('b.pdf')
    rig.check([join(rig.inbox, 'b.pdf')], 1)
  })

  it('or deleted when it is done and restored beside what took its place, is the document that it was', async () => {
    const rig = await setUpFolder({})
    const path = await rig.put('a.pdf', pdfBytes('a'))
    await done(rig, 1)
    const { id } = rig.document('a.pdf')!
    await rm(path)
    await rig.put('a.pdf', pdfBytes('another'))
    await done(rig, 2)
    await rig.put('a (1).pdf', pdfBytes('a'))
    await until(() => rig.document('a (1).pdf') !== null, 'the restored file')
    expect(rig.documents().map(({ id, name, status }) => [id, name, status])).toEqual([
      [id, 'a (1).pdf', 'done'],
      [id + 1, 'a.pdf', 'done'],
    ])
    rig.check([path, join(rig.inbox, 'a (1).pdf')], 2)
  })

  it('or copied when it is done has a copy, and stays where it is', async () => {
    const rig = await setUpFolder({})
    const path = await rig.put('a.pdf', pdfBytes('a'))
    await done(rig, 1)
    await copyFile(path, join(rig.inbox, 'b.pdf'))
    await until(() => rig.document('b.pdf') !== null, 'the copy')
    expect(rig.documents().map(({ name, status, reasonCode }) => [name, status, reasonCode])).toEqual([
      ['a.pdf', 'done', null],
      ['b.pdf', 'skipped', 'duplicate'],
    ])
    rig.check([path, join(rig.inbox, 'b.pdf')], 1)
  })

  it('or moved when it is done, and again before it is looked at, is followed, and its old place is free', async () => {
    const rig = await setUpFolder({})
    const path = await rig.put('a.pdf', pdfBytes('a'))
    await done(rig, 1)
    const { id } = rig.document('a.pdf')!
    await rename(path, join(rig.inbox, 'b.pdf'))
    await rig.put('a.pdf', pdfBytes('another'))
    await done(rig, 2)
    await until(() => rig.document('b.pdf') !== null, 'what lies at the new place')
    expect(rig.vendor.received).toHaveLength(2)
    expect(rig.documents().filter(({ status }) => status === 'done')).toHaveLength(2)
    expect(rig.document('b.pdf')).toMatchObject({ id, status: 'done' })
    rig.check(
      ['a.pdf', 'b.pdf'].map((name) => join(rig.inbox, name)),
      2,
    )
  })

  it('or deleted while a copy of it waits leaves the copy to be sent', async () => {
    const rig = await setUpFolder({})
    rig.core.queue.pause()
    const path = await rig.put('a.pdf', pdfBytes('same'))
    await until(() => rig.document('a.pdf') !== null, 'the document')
    await rig.put('b.pdf', pdfBytes('same'))
    await until(() => rig.document('b.pdf')?.reasonCode === 'duplicate', 'the copy')
    await rm(path)
    rig.core.queue.resume()
    await until(() => rig.document('b.pdf')?.status === 'done', 'the copy to be done')
    expect(rig.document('a.pdf')).toMatchObject({ status: 'failed', reasonCode: 'file_missing' })
    rig.check([path, join(rig.inbox, 'b.pdf')], 1)
  })
})

const offline = ['ENOENT', 'EIO', 'EHOSTDOWN', 'ESTALE', 'ENOTCONN']

describe('F05 a share that vanishes and returns', () => {
  for (const code of offline) {
    it(`with ${code} is offline, what waits in it waits, and nothing is taken for deleted`, async () => {
      const { files, faults } = faultyFiles()
      const rig = await setUpFolder({ options: { files } })
      const paths = [await rig.put('done.pdf', pdfBytes('done'))]
      await done(rig, 1)
      rig.core.queue.pause()
      for (const name of ['a.pdf', 'sub/b.pdf']) paths.push(await rig.put(name, pdfBytes(name)))
      await until(() => rig.documents().length === 3, 'both to be queued')
      faults.push({ code, below: rig.inbox })
      await until(() => !rig.core.watchers.isOnline(rig.folder.id), 'the folder to be offline')
      rig.core.queue.resume()
      await until(
        () => rig.documents().filter((document) => document.reasonCode === 'folder_offline').length === 2,
        '«Folder offline»',
      )
      const { folders } = await rig.core.handlers['folders.list']({})
      expect(folders[0]).toMatchObject({ online: false, total: 3, done: 1, open: 2 })
      expect(rig.vendor.received).toHaveLength(1)
      faults.length = 0
      await done(rig, 3)
      expect(rig.documents()).toHaveLength(3)
      rig.check(paths, 3)
    })
  }

  it('in the middle of an upload has its document sent again, since the request never was whole', async () => {
    const { files, faults } = faultyFiles()
    const open = files.open
    let broken = false
    files.open = (async (path: string, ...rest: never[]) => {
      const handle = await open(path, ...rest)
      const stat = handle.stat.bind(handle)
      handle.stat = (async () => {
        if (broken) return stat()
        broken = true
        faults.push({ code: 'EHOSTDOWN', below: rig.inbox })
        throw Object.assign(new Error('the host is down'), { code: 'EHOSTDOWN' })
      }) as typeof handle.stat
      return handle
    }) as typeof open
    const rig = await setUpFolder({ options: { files } })
    const path = await rig.put('a.pdf', pdfBytes('a', 1_000_000))
    await until(() => rig.document('a.pdf')?.reasonCode === 'folder_offline', '«Folder offline»')
    expect(rig.vendor.received).toEqual([])
    faults.length = 0
    await done(rig, 1)
    rig.check([path], 1)
  })

  it('in one of its subfolders only keeps the rest going', async () => {
    const { files, faults } = faultyFiles()
    const rig = await setUpFolder({ options: { files } })
    rig.core.queue.pause()
    const path = await rig.put('sub/a.pdf', pdfBytes('a'))
    await until(() => rig.document('sub/a.pdf') !== null, 'the document')
    faults.push({ code: 'ESTALE', below: join(rig.inbox, 'sub') })
    rig.core.queue.resume()
    const other = await rig.put('b.pdf', pdfBytes('b'))
    await until(
      () => rig.document('b.pdf')?.status === 'done' && rig.document('sub/a.pdf')?.reasonCode === 'file_unreadable',
      'the other file',
    )
    expect(rig.core.watchers.isOnline(rig.folder.id)).toBe(true)
    faults.length = 0
    await done(rig, 2)
    rig.check([path, other], 2)
  })

  it('as an empty directory, or another one in its place, is watched again as soon as it is back', async () => {
    const rig = await setUpFolder({})
    rig.core.queue.pause()
    const paths = [await rig.put('a.pdf', pdfBytes('a')), join(rig.inbox, 'b.pdf')]
    await until(() => rig.documents().length === 1, 'the document')
    const away = `${rig.inbox} away`
    await rename(rig.inbox, away)
    await until(() => !rig.core.watchers.isOnline(rig.folder.id), 'the folder to be offline')
    // An unmounted share leaves its mount point.
    await mkdir(rig.inbox)
    await until(() => rig.core.watchers.isOnline(rig.folder.id), 'the empty directory')
    rig.core.queue.resume()
    await until(() => rig.document('a.pdf')?.reasonCode === 'file_missing', 'the file to be missed')
    await rm(rig.inbox, { recursive: true })
    await rename(away, rig.inbox)
    await done(rig, 1)
    await rig.put('b.pdf', pdfBytes('b'))
    await done(rig, 2)
    expect(rig.documents()).toHaveLength(2)
    rig.check(paths, 2)
  })
})

describe('F06 a file that may not be read for now', () => {
  for (const code of ['EACCES', 'EPERM', 'EBUSY']) {
    it(`with ${code} is waited for with back-off, then processed`, async () => {
      const { files, faults } = faultyFiles()
      const rig = await setUpFolder({ options: { files } })
      const path = join(rig.inbox, 'a.pdf')
      faults.push({ code, below: path, calls: ['open', 'readFile'] })
      await writeFile(path, pdfBytes('a'))
      await until(() => (rig.document('a.pdf')?.tries ?? 0) >= 3, '«Waiting for the file», three times')
      expect(rig.document('a.pdf')).toMatchObject({
        status: 'queued',
        reasonCode: 'file_unreadable',
        reasonDetails: { file: 'a.pdf', detail: code },
      })
      expect(rig.document('a.pdf')!.notBefore).toBeGreaterThan(0)
      faults.length = 0
      await done(rig, 1)
      expect(rig.documents()).toHaveLength(1)
      rig.check([path], 1)
    })
  }

  it('because even its size is refused is listed as waiting, then processed', async () => {
    const { files, faults } = faultyFiles()
    const rig = await setUpFolder({ options: { files } })
    const path = join(rig.inbox, 'a.pdf')
    faults.push({ code: 'EACCES', below: path })
    await writeFile(path, pdfBytes('a'))
    await until(() => rig.document('a.pdf')?.reasonCode === 'file_unreadable', '«Waiting for the file»')
    faults.length = 0
    await done(rig, 1)
    expect(rig.documents()).toHaveLength(1)
    rig.check([path], 1)
  })

  it('is not listed twice when it was sent while its place was still being looked at', async () => {
    const rig = await setUpFolder({})
    const path = await rig.put('a.pdf', pdfBytes('a'))
    await done(rig, 1)
    const { context } = rig.core
    const folder = context.tables.folders.get(rig.document('a.pdf')!.folderId)!
    expect(await takeIn(context, folder, candidateAt(path, await lstat(path)))).toBe(rig.document('a.pdf')!.id)
    expect(rig.documents()).toHaveLength(1)
    rig.check([path], 1)
  })

  it.skipIf(process.getuid?.() === 0)('by its own mode (chmod 000) is waited for, then processed', async () => {
    const rig = await setUpFolder({})
    const path = await rig.put('a.pdf', pdfBytes('a'))
    await chmod(path, 0o000)
    await until(() => rig.document('a.pdf')?.reasonCode === 'file_unreadable', '«Waiting for the file»')
    await chmod(path, 0o600)
    await done(rig, 1)
    rig.check([path], 1)
  })
})
