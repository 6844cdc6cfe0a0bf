import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addFolder, onThisComputer, until } from '../helpers/core.ts'
import { startVendor } from '../helpers/vendor.ts'
import { fieldsSent, idOf, inBin, setUpSorting, settled, shown } from './sorting-rig.ts'

/** A door that whatever is sorted waits at, once it is shut. */
function makeDoor(): { wait: () => Promise<void>; shut: () => void; open: () => void; waiting: () => number } {
  let opened = Promise.resolve()
  let open = (): void => undefined
  let waiting = 0
  return {
    wait: async () => {
      waiting += 1
      await opened
    },
    shut: () => {
      waiting = 0
      opened = new Promise((resolve) => (open = resolve))
    },
    open: () => open(),
    waiting: () => waiting,
  }
}

/** A stack that is being sorted, until the door opens. */
async function sortingStack(folder: Parameters<typeof setUpSorting>[0] = {}) {
  const door = makeDoor()
  door.shut()
  const set = await setUpSorting(folder, { sorting: door.wait })
  const path = await set.put('stack.pdf', 'INVOICE 1', 'STATEMENT 2')
  await until(() => door.waiting() > 0, 'the stack to be sorted')
  return { ...set, door, path, id: set.rig.document('stack.pdf')!.id }
}

describe('while a file is sorted', () => {
  it('a schema that a person chose is what it is asked by', async () => {
    const { rig, door, put, statement } = await sortingStack()
    const schema = await rig.core.handlers['documents.setSchema']({
      ids: [idOf(rig, 'stack.pdf')],
      schemaId: statement,
    })
    expect(schema).toMatchObject({ queued: 1 })
    door.open()
    expect(await settled(rig, 'stack.pdf')).toEqual(['done Statement'])
    expect(fieldsSent(rig)).toEqual(['iban'])
    await put('other.pdf', 'INVOICE 9')
    expect(await settled(rig, 'other.pdf')).toEqual(['done Invoice'])
  })

  it('nothing of it is sent once a person put it into the bin', async () => {
    const { rig, door, id } = await sortingStack()
    await rig.core.handlers['documents.bin']({ ids: [id] })
    door.open()
    expect(await settled(rig, 'stack.pdf')).toEqual([])
    expect(rig.documents().filter(inBin)).toHaveLength(1)
    expect(rig.vendor.received).toEqual([])
  })

  it('nothing of it is sent once its folder was removed', async () => {
    const { rig, door } = await sortingStack()
    await rig.core.handlers['folders.remove']({ id: rig.folder.id })
    door.open()
    expect(await settled(rig, 'stack.pdf')).toEqual(['cancelled folder_removed'])
    expect(rig.vendor.received).toEqual([])
  })

  it('it is cut as a person says, and not once more', async () => {
    const { rig, door, id, invoice, statement } = await sortingStack()
    const parts = [
      { pages: { first: 1, last: 1 }, schemaId: statement },
      { pages: { first: 2, last: 2 }, schemaId: invoice },
    ]
    const applied = rig.core.handlers['sorting.apply']({ id, parts })
    door.open()
    await applied
    expect(await settled(rig, 'stack.pdf')).toEqual(['skipped cut', 'done 1-1 Statement', 'done 2-2 Invoice'])
    expect(rig.documents()).toHaveLength(3)
  })

  it('it may be renamed: its parts lie where it lies', async () => {
    const { rig, door, path } = await sortingStack()
    await rename(path, join(rig.inbox, 'renamed.pdf'))
    await until(() => rig.document('renamed.pdf') !== null, 'the new name')
    door.open()
    expect(await settled(rig, 'renamed.pdf')).toEqual(['skipped cut', 'done 1-1 Invoice', 'done 2-2 Statement'])
    expect(rig.vendor.received).toHaveLength(2)
  })
})

describe('parts of a file', () => {
  const stack = ['INVOICE 1', 'STATEMENT 2']

  it('that waited when their folder was removed are taken anew when it is watched again', async () => {
    const { rig, put } = await setUpSorting()
    await put('stack.pdf', ...stack)
    await settled(rig, 'stack.pdf')
    // As if both had still waited when it was removed.
    const { tables, now } = rig.core.context
    tables.transaction(() => {
      for (const firstPage of [1, 2]) {
        const id = idOf(rig, 'stack.pdf', firstPage)
        tables.documents.apply(id, 'requeue', {}, now())
        tables.documents.apply(id, 'cancel', { reason: { code: 'folder_removed', details: {} } }, now())
      }
    })
    await rig.core.watchers.sweepAll()
    await until(() => rig.vendor.received.length === 4, 'the parts to be sent')
    expect(await settled(rig, 'stack.pdf')).toEqual(['skipped cut', 'done 1-1 Invoice', 'done 2-2 Statement'])
  })

  it('go where their folder sends by now', async () => {
    const here = await startVendor()
    const { rig, put } = await setUpSorting({}, { localService: onThisComputer(here) })
    const { tables } = rig.core.context
    tables.connections.pause(rig.folder.connectionId, 'access_denied', {})
    const local = tables.connections.local().id
    await put('stack.pdf', ...stack)
    await until(() => rig.document('stack.pdf') !== null, 'the stack')
    await rig.core.handlers['folders.update']({ id: rig.folder.id, connectionId: local })
    expect(await settled(rig, 'stack.pdf')).toEqual(['skipped cut', 'done 1-1 Invoice', 'done 2-2 Statement'])
    expect(rig.vendor.received).toEqual([])
    expect(here.received).toHaveLength(2)
    await here.close()
  })

  it('have schemas of their own: none can be given to the file that was cut', async () => {
    const { rig, put, statement } = await setUpSorting()
    await put('stack.pdf', ...stack)
    await settled(rig, 'stack.pdf')
    const ids = [idOf(rig, 'stack.pdf')]
    expect(await rig.core.handlers['documents.setSchema']({ ids, schemaId: statement })).toMatchObject({
      queued: 0,
      refused: 1,
      problem: { code: 'cut' },
    })
    expect(rig.vendor.received).toHaveLength(2)
  })

  it('are tried each by itself: a draft asks of one page is no answer of another', async () => {
    const { rig, put, invoice } = await setUpSorting()
    await put('stack.pdf', 'INVOICE 1', 'INVOICE 2')
    await settled(rig, 'stack.pdf')
    const elements = [{ name: 'buyer', format: 'text' as const, description: 'who bought' }]
    const documentIds = [idOf(rig, 'stack.pdf', 1), idOf(rig, 'stack.pdf', 2)]
    const { id } = await rig.core.handlers['trials.begin']({
      schemaId: invoice,
      connectionId: rig.folder.connectionId,
      elements,
      documentIds,
    })
    const states = async () => (await rig.core.handlers['trials.get']({ id })).columns.map(({ state }) => state)
    await expect.poll(states).not.toContain('looking')
    await rig.core.handlers['trials.send']({ id, documentIds })
    await expect.poll(states).toEqual(['answered', 'answered'])
    expect(rig.vendor.received.slice(2)).toHaveLength(2)
  })

  it('wait for nobody when another version lies in the place of their file', async () => {
    const { rig, put } = await setUpSorting()
    await put('stack.pdf', 'INVOICE 1', 'maybe either')
    await settled(rig, 'stack.pdf')
    await put('stack.pdf', 'INVOICE 3')
    await until(() => rig.vendor.received.length === 2, 'the new version')
    await settled(rig, 'stack.pdf')
    expect((await rig.core.handlers['sorting.list']({ limit: 5 })).total).toBe(0)
  })

  it('follow their file into another folder that asks the same', async () => {
    const { rig, put, statement } = await setUpSorting()
    const path = await put('stack.pdf', ...stack)
    await settled(rig, 'stack.pdf')
    const elsewhere = join(rig.inbox, '..', 'paid')
    await mkdir(elsewhere)
    const second = addFolder(rig.core, rig.vendor, { path: elsewhere, otherSchemaIds: [statement], cuts: 'sure' })
    await rig.core.watchers.follow()
    await rename(path, join(elsewhere, 'stack.pdf'))
    const inSecond = () => rig.core.context.tables.documents.inFolder(second.id)
    await until(() => inSecond().length === 3, 'the file and its parts')
    expect(rig.documents()).toEqual([])
    expect(rig.vendor.received).toHaveLength(2)
  })
})

describe('a copy of a file', () => {
  it('in a folder with one schema is asked by that, whatever the original comes to be', async () => {
    const { rig, put } = await setUpSorting()
    const elsewhere = join(rig.inbox, '..', 'invoices')
    await mkdir(elsewhere)
    const second = addFolder(rig.core, rig.vendor, { path: elsewhere })
    await rig.core.watchers.follow()
    await put('s.pdf', 'STATEMENT 1')
    await settled(rig, 's.pdf')
    await writeFile(join(elsewhere, 'copy.pdf'), await readFile(join(rig.inbox, 's.pdf')))
    const copies = () => rig.core.context.tables.documents.inFolder(second.id)
    await until(() => copies()[0]?.status === 'done', 'the copy')
    expect(fieldsSent(rig)).toEqual(['iban', 'invoice_number'])
    expect(shown(rig, 's.pdf')).toEqual(['done Statement'])
  })

  it('is asked for itself when the original is gone before anybody said what it is', async () => {
    const { rig, put, statement } = await setUpSorting()
    const path = await put('c.pdf', 'maybe either')
    await settled(rig, 'c.pdf')
    await rig.put('copy.pdf', await readFile(path))
    expect(await settled(rig, 'copy.pdf')).toEqual(['skipped duplicate_unread'])
    await rm(path)
    await rig.core.handlers['documents.setSchema']({ ids: [idOf(rig, 'c.pdf')], schemaId: statement })
    expect(await settled(rig, 'copy.pdf')).toEqual(['skipped kind_unsure'])
  })
})

describe('a document that was sent', () => {
  it('keeps the schema that it was sent with when its folder is given others', async () => {
    const { rig, put, statement } = await setUpSorting({ otherSchemaIds: [], cuts: 'never' })
    await put('s.pdf', 'STATEMENT 1')
    await settled(rig, 's.pdf')
    await rig.core.handlers['folders.update']({ id: rig.folder.id, otherSchemaIds: [statement] })
    const { tables, now } = rig.core.context
    tables.documents.apply(idOf(rig, 's.pdf'), 'requeue', {}, now())
    rig.core.queue.wake()
    await until(() => rig.vendor.received.length === 2, 'the second request')
    expect(fieldsSent(rig)).toEqual(['invoice_number', 'invoice_number'])
  })
})
