import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { setUpFolder } from '../faults/folder-rig.ts'
import type { Rig } from '../faults/folder-rig.ts'
import { documentFilter } from '../../shared/contract/documents.ts'
import { addFolder, pdfBytes, until } from '../helpers/core.ts'

async function pause(rig: Rig, paused: boolean): Promise<void> {
  await rig.core.handlers['folders.update']({ id: rig.folder.id, paused })
}

/** The documents as the window lists them. */
async function listed(rig: Rig): Promise<{ name: string; status: string; why: string | undefined }[]> {
  const { rows } = await rig.core.handlers['documents.list']({
    ...documentFilter.parse({}),
    sort: 'name',
    descending: false,
    offset: 0,
    limit: 100,
  })
  return rows.map(({ name, status, reason }) => ({ name, status, why: reason?.code }))
}

/** A second folder of the same connection, which goes on. */
async function besides(rig: Rig): Promise<{ path: string; done: () => number }> {
  const path = join(dirname(rig.inbox), 'other')
  await mkdir(path)
  const folder = addFolder(rig.core, rig.vendor, { path, name: 'Other' })
  await rig.core.watchers.follow()
  return {
    path,
    done: () => rig.core.context.tables.documents.inFolder(folder.id).filter(({ status }) => status === 'done').length,
  }
}

describe('a paused folder', () => {
  it('takes nothing in and sends nothing of its own, while others go on', async () => {
    const rig = await setUpFolder({})
    rig.core.queue.pause()
    await rig.put('waits.pdf', pdfBytes('waits'))
    await until(() => rig.document('waits.pdf') !== null, 'the document')
    const other = await besides(rig)
    await pause(rig, true)
    rig.core.queue.resume()
    await rig.put('later.pdf', pdfBytes('later'))
    await writeFile(join(other.path, 'a.pdf'), pdfBytes('a'))
    await until(() => other.done() === 1, 'the other folder')
    expect(rig.vendor.received.map(({ filename }) => filename)).toEqual(['a.pdf'])
    expect(rig.documents().map(({ name, status }) => `${name} ${status}`)).toEqual(['waits.pdf queued'])
    await pause(rig, false)
    await until(
      () => rig.documents().filter(({ status }) => status === 'done').length === 2,
      'what waited and what came meanwhile',
    )
    rig.check([join(rig.inbox, 'waits.pdf'), join(rig.inbox, 'later.pdf'), join(other.path, 'a.pdf')], 3)
  })

  it('says with each document why it waits, and not once it goes on', async () => {
    const rig = await setUpFolder({})
    rig.core.queue.pause()
    await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.document('a.pdf') !== null, 'the document')
    expect(await listed(rig)).toEqual([{ name: 'a.pdf', status: 'queued', why: undefined }])
    await pause(rig, true)
    expect(await listed(rig)).toEqual([{ name: 'a.pdf', status: 'queued', why: 'folder_paused' }])
    expect((await rig.core.handlers['folders.list']({})).folders[0]).toMatchObject({
      paused: true,
      queued: 1,
      leftOut: null,
    })
    rig.core.queue.resume()
    await pause(rig, false)
    await until(() => rig.document('a.pdf')!.status === 'done', 'the result')
    expect(await listed(rig)).toEqual([{ name: 'a.pdf', status: 'done', why: undefined }])
  })

  it('stays paused over a restart', async () => {
    const rig = await setUpFolder({})
    await pause(rig, true)
    await rig.put('a.pdf', pdfBytes('a'))
    await rig.restart()
    const other = await besides(rig)
    await writeFile(join(other.path, 'b.pdf'), pdfBytes('b'))
    await until(() => other.done() === 1, 'the other folder')
    expect(rig.documents()).toEqual([])
    await pause(rig, false)
    await until(() => rig.document('a.pdf')?.status === 'done', 'the file that came while it was paused')
  })

  it('is no part of the progress: what waits in it is not on its way', async () => {
    const rig = await setUpFolder({})
    rig.core.queue.pause()
    for (const name of ['a.pdf', 'b.pdf']) await rig.put(name, pdfBytes(name))
    await until(() => rig.documents().length === 2, 'the documents')
    const other = await besides(rig)
    await pause(rig, true)
    rig.core.queue.resume()
    await writeFile(join(other.path, 'c.pdf'), pdfBytes('c'))
    await until(() => other.done() === 1 && rig.core.queue.idle, 'the other folder')
    expect(rig.core.queue.progress()).toBeNull()
  })

  it('takes a result that comes for what was sent before', async () => {
    const held: (() => void)[] = []
    const rig = await setUpFolder({ reply: () => new Promise((resolve) => held.push(() => resolve({}))) })
    await rig.put('a.pdf', pdfBytes('a'))
    await until(() => held.length === 1, 'the document to be with the service')
    await pause(rig, true)
    held[0]!()
    await until(() => rig.document('a.pdf')!.status === 'done', 'its result')
  })

  it('can be asked whether it is there, which nobody watches', async () => {
    const rig = await setUpFolder({})
    await pause(rig, true)
    const reach = async (): Promise<string> => (await rig.core.handlers['folders.reach']({ id: rig.folder.id })).reach
    expect(await reach()).toBe('there')
    rig.core.context.tables.folders.save({
      ...rig.core.context.tables.folders.get(rig.folder.id)!,
      path: join(rig.inbox, 'gone'),
    })
    expect(await reach()).toBe('missing')
    await writeFile(join(rig.inbox, 'gone'), 'a file, not a folder')
    expect(await reach()).toBe('missing')
  })
})
