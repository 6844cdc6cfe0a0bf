import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diskAccess } from '../../electron/core/files/file-access.ts'
import { isWithin } from '../../electron/core/files/paths.ts'
import { isSystemFolder } from '../../electron/core/files/system-folders.ts'
import { setUpFolder } from '../faults/folder-rig.ts'
import type { Rig } from '../faults/folder-rig.ts'
import { sentenceFor } from '../../shared/messages/sentences.ts'
import { calls } from '../../shared/contract/contract.ts'
import type { CallName } from '../../shared/contract/contract.ts'
import { dispatch } from '../../shared/contract/dispatch.ts'
import { pdfBytes, until } from '../helpers/core.ts'

const call = (rig: Rig, name: CallName, input: unknown): Promise<unknown> =>
  dispatch(calls, rig.core.handlers, name, input)

function add(rig: Rig, path: string, more: object = {}): Promise<unknown> {
  const { schemaId, connectionId } = rig.folder
  return call(rig, 'folders.add', { path, schemaId, connectionId, ...more })
}

const refused = (code: string, details: object = {}): object => ({ ok: false, error: { code, details } })

describe('folders that would hold the same file', () => {
  it('are refused when subfolders are included later', async () => {
    const rig = await setUpFolder({
      folder: { includeSubfolders: false },
      before: (inbox) => mkdir(join(inbox, 'inner')),
    })
    expect(await add(rig, join(rig.inbox, 'inner'))).toMatchObject({ ok: true })
    expect(await call(rig, 'folders.update', { id: rig.folder.id, includeSubfolders: true })).toMatchObject(
      refused('folder_holds', { path: rig.inbox, folder: join(rig.inbox, 'inner') }),
    )
    expect(await call(rig, 'folders.update', { id: rig.folder.id, paused: true })).toMatchObject({ ok: true })
  })

  it('are watched where the outer one is without its subfolders, which the refusal says', async () => {
    const rig = await setUpFolder({})
    const outer = dirname(rig.inbox)
    const given = { path: outer, folder: rig.inbox }
    expect(await add(rig, outer, { includeSubfolders: true })).toMatchObject(refused('folder_holds', given))
    expect(sentenceFor('folder_holds', given, 'en')).toBe(
      `The folder ${rig.inbox}, which is watched already, lies inside ${outer}. Watch ${outer} without its subfolders, or remove ${rig.inbox} first.`,
    )
    expect(await add(rig, outer, { includeSubfolders: false })).toMatchObject({ ok: true })
  })

  it('are refused under the name of a link', async () => {
    const rig = await setUpFolder({ before: (inbox) => mkdir(join(inbox, 'inner')) })
    const link = join(dirname(rig.inbox), 'link')
    await symlink(rig.inbox, link)
    expect(await add(rig, link)).toMatchObject(refused('folder_duplicate'))
    expect(await add(rig, join(link, 'inner'))).toMatchObject(
      refused('folder_inside', { path: join(link, 'inner'), folder: rig.inbox }),
    )
  })

  it('are told by their letters in any case where the system does so', () => {
    expect(isWithin('/Users/a/Invoices/2026', '/users/A/invoices', 'darwin')).toBe(true)
    expect(isWithin('/home/a/Invoices', '/home/a/invoices', 'linux')).toBe(false)
    expect(isWithin('/home/a/invoices 2', '/home/a/invoices', 'linux')).toBe(false)
    expect(isWithin('/home/a', '/', 'linux')).toBe(true)
  })
})

describe.runIf(process.platform === 'linux')('a folder of the operating system', () => {
  it.each(['/proc', '/proc/self', '/sys', '/sys/kernel', '/dev', '/dev/pts'])(
    'is refused, also for a dry run: %s',
    async (path) => {
      const rig = await setUpFolder({})
      const { schemaId, connectionId, id } = rig.folder
      expect(await add(rig, path)).toMatchObject(refused('folder_system'))
      expect(await call(rig, 'folders.update', { id, path })).toMatchObject(refused('folder_system'))
      const link = join(dirname(rig.inbox), 'link')
      await symlink(path, link)
      expect(await add(rig, link)).toMatchObject(refused('folder_system'))
      const target = { path, schemaId, connectionId, folderId: null, token: 'one' }
      const values = { includeSubfolders: false, afterwards: 'stay', include: [], exclude: [], agentReference: null }
      expect(await call(rig, 'folders.dryRun', { ...values, ...target })).toMatchObject(refused('folder_system'))
    },
  )

  it('is none that lies in memory', async () => {
    const path = await mkdtemp('/dev/shm/sheaf-')
    try {
      expect(await isSystemFolder(diskAccess, path)).toBe(false)
      expect(await isSystemFolder(diskAccess, tmpdir())).toBe(false)
    } finally {
      await rm(path, { recursive: true })
    }
  })
})

describe('what Sheaf writes itself', () => {
  it('is not read as a document: an export that is saved into a watched folder', async () => {
    const choice = { path: '' }
    const desktop = {
      reveal: () => undefined,
      chooseFolder: async () => null,
      chooseExportPath: async () => choice.path,
      startDrag: () => undefined,
      isOnBattery: () => false,
    }
    const rig = await setUpFolder({ options: { desktop } })
    await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.document('a.pdf')?.status === 'done', 'the result')
    const link = join(dirname(rig.inbox), 'link')
    await symlink(rig.inbox, link)
    choice.path = join(link, 'overview.xlsx')
    const { schemaId } = rig.folder
    expect(
      await call(rig, 'exports.run', {
        schemaId,
        folderId: null,
        documentIds: null,
        format: 'xlsx',
        locale: 'de',
        askWhere: true,
      }),
    ).toMatchObject({ ok: true })
    await until(() => rig.document('overview.xlsx') !== null, 'the export is seen')
    expect(rig.document('overview.xlsx')).toMatchObject({ status: 'skipped', reasonCode: 'own_export' })
    expect(rig.vendor.received).toHaveLength(1)
    // Somebody's own table of another name is a document.
    await cp(join(rig.inbox, 'overview.xlsx'), join(rig.inbox, 'other.xlsx'))
    await until(() => rig.document('other.xlsx')?.status === 'done', 'the other table')
  })

  it('is left alone in a watched folder that holds the data folder, which itself cannot be watched', async () => {
    const rig = await setUpFolder({})
    await mkdir(join(rig.dataDir, 'exports'), { recursive: true })
    await writeFile(join(rig.dataDir, 'exports', 'old.pdf'), pdfBytes('old'))
    expect(await add(rig, join(rig.dataDir, 'exports'))).toMatchObject(refused('folder_own'))
    expect(await add(rig, rig.dataDir)).toMatchObject(refused('folder_own'))
    await call(rig, 'folders.remove', { id: rig.folder.id })
    expect(await add(rig, dirname(rig.dataDir))).toMatchObject({ ok: true })
    await rig.put('a.pdf', pdfBytes('a'))
    const folder = rig.core.context.tables.folders.list()[0]!
    await until(
      () => rig.core.context.tables.documents.inFolder(folder.id).some(({ status }) => status === 'done'),
      'the document',
    )
    expect(rig.core.context.tables.documents.inFolder(folder.id).map(({ name }) => name)).toEqual(['a.pdf'])
  })
})

describe('a folder that is no longer watched', () => {
  async function withQueued(): Promise<Rig> {
    const rig = await setUpFolder({})
    rig.core.queue.pause()
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) await rig.put(name, pdfBytes(name))
    await rig.put('copy of a.pdf', pdfBytes('a.pdf'))
    await until(() => rig.documents().length === 4, 'the documents')
    return rig
  }

  it('has nothing sent of what was still queued in it, and says how much that is', async () => {
    const rig = await withQueued()
    expect(await call(rig, 'folders.list', {})).toMatchObject({ value: { folders: [{ queued: 3 }] } })
    expect(await call(rig, 'folders.remove', { id: rig.folder.id })).toMatchObject({
      ok: true,
      value: { cancelled: 3 },
    })
    expect(new Set(rig.documents().map(({ status, reasonCode }) => `${status} ${reasonCode}`))).toEqual(
      new Set(['cancelled folder_removed']),
    )
    rig.core.queue.resume()
    expect(await call(rig, 'documents.retry', { ids: [rig.document('b.pdf')!.id] })).toMatchObject({ ok: true })
    await until(() => rig.document('b.pdf')!.status === 'done', 'the one that is asked for')
    expect(rig.vendor.received).toHaveLength(1)
    expect(existsSync(join(rig.inbox, 'a.pdf'))).toBe(true)
  })

  it('takes them anew once it is watched again', async () => {
    const rig = await withQueued()
    await call(rig, 'folders.remove', { id: rig.folder.id })
    rig.core.queue.resume()
    await add(rig, rig.inbox)
    await until(() => rig.documents().filter(({ status }) => status === 'done').length === 3, 'the results')
    await until(() => rig.documents().some(({ status }) => status === 'skipped'), 'the copy')
    rig.check(
      ['a.pdf', 'b.pdf', 'c.pdf'].map((name) => join(rig.inbox, name)),
      3,
    )
    expect(rig.documents()).toHaveLength(4)
  })

  it('leaves to another folder what was a copy of its own', async () => {
    const rig = await withQueued()
    const other = join(dirname(rig.inbox), 'other')
    await mkdir(other)
    await writeFile(join(other, 'again.pdf'), pdfBytes('b.pdf'))
    await add(rig, other)
    const { tables } = rig.core.context
    const inOther = () => tables.documents.inFolder(tables.folders.list().find(({ path }) => path === other)!.id)[0]
    await until(() => inOther()?.status === 'skipped', 'the copy')
    await call(rig, 'folders.remove', { id: rig.folder.id })
    rig.core.queue.resume()
    await until(() => inOther()?.status === 'done', 'the copy in its place')
    expect(rig.vendor.received).toHaveLength(1)
  })

  it('does not keep a document queued for ever whose agent is refused', async () => {
    const rig = await setUpFolder({
      reply: () => ({ status: 404, body: JSON.stringify({ status: 'error', error: 'Agent not found' }) }),
      folder: { agentReference: 'gone' },
    })
    rig.core.queue.pause()
    await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.document('a.pdf') !== null, 'the document')
    await call(rig, 'folders.remove', { id: rig.folder.id })
    rig.core.queue.resume()
    await call(rig, 'documents.retry', { ids: [rig.document('a.pdf')!.id] })
    await until(() => rig.document('a.pdf')!.status === 'failed', 'the refusal')
    expect(rig.document('a.pdf')!.reasonCode).toBe('agent_not_found')
  })
})
