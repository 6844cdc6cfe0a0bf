import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Folder, FolderValues } from '../../electron/core/db/tables/folders.ts'
import { correctAndApprove, expectApproved, setUpFolder } from '../faults/folder-rig.ts'
import type { Rig } from '../faults/folder-rig.ts'
import { addFolder, pdfBytes, until } from '../helpers/core.ts'

/** A document that is approved, and a second watched folder. */
async function setUp(other: Partial<FolderValues> = {}): Promise<{
  rig: Rig
  second: Folder
  id: number
  from: string
  to: string
  inSecond: () => { id: number; status: string }[]
}> {
  const rig = await setUpFolder({ options: {} })
  const secondPath = join(rig.inbox, '..', 'paid')
  await mkdir(secondPath)
  const second = addFolder(rig.core, rig.vendor, { path: secondPath, name: 'Paid', ...other })
  await rig.core.watchers.follow()
  const from = await rig.put('a.pdf', pdfBytes('a'))
  await until(() => rig.document('a.pdf')?.status === 'done', 'the document')
  const id = await correctAndApprove(rig, 'a.pdf')
  const { documents } = rig.core.context.tables
  const inSecond = () => documents.inFolder(second.id).map(({ id: one, status }) => ({ id: one, status }))
  return { rig, second, id, from, to: join(secondPath, 'a.pdf'), inSecond }
}

describe('a file that moves from one watched folder to another', () => {
  it('takes its document along, with values and approval, and is not sent again', async () => {
    const { rig, second, id, from, to, inSecond } = await setUp()
    await rename(from, to)
    await until(() => inSecond().length > 0, 'the document in the second folder')
    expect(inSecond()).toEqual([{ id, status: 'done' }])
    expect(rig.documents()).toEqual([])
    await expectApproved(rig, id)
    expect(rig.vendor.received).toHaveLength(1)
    const counts = (await rig.core.handlers['folders.list']({})).folders.map((one) => [one.name, one.total])
    expect(Object.fromEntries(counts)).toEqual({ Invoices: 0, [second.name]: 1 })
  })

  it('and back again is the same document', async () => {
    const { rig, id, from, to, inSecond } = await setUp()
    await rename(from, to)
    await until(() => inSecond().length === 1, 'the document in the second folder')
    await rename(to, from)
    await until(() => rig.documents().length === 1, 'the document in the first folder')
    expect(rig.document('a.pdf')).toMatchObject({ id, status: 'done' })
    expect(inSecond()).toEqual([])
    expect(rig.vendor.received).toHaveLength(1)
  })

  it('stays where it was as long as its file is there: what comes is a copy', async () => {
    const { rig, id, from, to, inSecond } = await setUp()
    await copyFile(from, to)
    await until(() => inSecond().length === 1, 'the copy')
    expect(inSecond()).toMatchObject([{ status: 'skipped' }])
    expect(rig.document('a.pdf')).toMatchObject({ id, status: 'done' })
  })

  it('is shown by its copy once its own file is gone', async () => {
    const { rig, id, from, to, inSecond } = await setUp()
    await copyFile(from, to)
    await until(() => inSecond().length === 1, 'the copy')
    await rm(from)
    expect(await rig.core.handlers['documents.file']({ id })).toEqual({ file: 'there' })
    expect(await rig.core.shownPath(id)).toBe(to)
    await rm(to)
    expect(await rig.core.handlers['documents.file']({ id })).toEqual({ file: 'missing' })
  })

  it('stays where it was when its whole folder is out of reach: nothing in it is gone', async () => {
    const { rig, id, from, to, inSecond } = await setUp()
    const bytes = pdfBytes('a')
    await rm(rig.inbox, { recursive: true })
    await writeFile(to, bytes)
    await until(() => inSecond().length === 1, 'the copy')
    expect(inSecond()).toMatchObject([{ status: 'skipped' }])
    expect(rig.core.context.tables.documents.get(id)).toMatchObject({ path: from, status: 'done' })
  })

  it('is asked anew by a folder with another schema', async () => {
    const { rig, from, to, inSecond } = await setUp()
    const { tables, now } = rig.core.context
    const schema = tables.schemas.save(
      null,
      'Other',
      [{ name: 'total', format: 'number', description: 'total' }],
      now(),
    )
    const second = tables.folders.list().find(({ name }) => name === 'Paid')!
    await rig.core.handlers['folders.update']({ id: second.id, schemaId: schema.id })
    await rename(from, to)
    await until(() => inSecond().some(({ status }) => status === 'done'), 'the second document')
    expect(rig.vendor.received).toHaveLength(2)
  })
})
