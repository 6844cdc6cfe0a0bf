import { mkdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { exportSpec, presetSpec } from '../../shared/contract/exports.ts'
import type { ExportColumn, ExportSpec } from '../../shared/contract/exports.ts'
import { addFolder } from '../helpers/core.ts'
import { readCsv } from '../unit/export/read-back.ts'
import { approve, at, core, received, start, vendor, withFolder } from './workbook-rig.ts'

withFolder()

const schemaId = (): number => core.context.tables.schemas.list()[0]!.id
const spec = (more: Partial<ExportSpec> = {}): ExportSpec =>
  exportSpec.parse({ schemaId: schemaId(), format: 'csv', locale: 'en', lists: 'sheets', ...more })
/** The names of the documents that an export has. */
async function exported(more: Partial<ExportSpec>): Promise<string[]> {
  const { tables } = await core.handlers['exports.preview']({ ...spec(more), limit: 50 })
  return tables[0]!.rows.map((row) => row[1]!)
}
const dayOf = (days: number): string => {
  const date = new Date()
  date.setDate(date.getDate() + days)
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`
}

describe('an export', () => {
  it('has what is approved only, or what needs a look only, when that is asked for', async () => {
    const [a] = await received(['a', 'b'])
    await approve([a!])
    expect(await exported({ reviews: ['approved'] })).toEqual(['a.pdf'])
    expect(await exported({ reviews: ['ready', 'flagged'] })).toEqual(['b.pdf'])
    expect((await exported({})).sort()).toEqual(['a.pdf', 'b.pdf'])
    await core.handlers['review.reopen']({ ids: [a!] })
    await expect(
      core.handlers['exports.run']({ ...spec({ reviews: ['approved'] }), askWhere: false }),
    ).rejects.toMatchObject({ code: 'export_empty' })
  })

  it('has a copy as approved as its original', async () => {
    mkdirSync(at('other'))
    const other = addFolder(core, vendor, { path: at('other'), name: 'Others' })
    await core.watchers.follow()
    const [a] = await received(['a'])
    const { tables } = core.context
    const document = tables.documents.get(a!)!
    tables.documents.insert(
      {
        ...document,
        folderId: other.id,
        name: 'copy.pdf',
        path: at('other', 'copy.pdf'),
        status: 'skipped',
        reason: { code: 'duplicate', details: {} },
        originalDocumentId: a!,
      },
      5,
    )
    expect(await exported({ folderId: other.id, reviews: ['approved'] })).toEqual([])
    await approve([a!])
    expect(await exported({ folderId: other.id, reviews: ['approved'] })).toEqual(['copy.pdf'])
  })

  it('has what was received or approved on some days', async () => {
    const [a] = await received(['a', 'b'])
    await approve([a!])
    const days = (given: object) => ({ days: exportSpec.shape.days.parse(given) })
    expect(await exported(days({ last: 1 }))).toHaveLength(2)
    expect(await exported(days({ from: dayOf(0), to: dayOf(0) }))).toHaveLength(2)
    expect(await exported(days({ to: dayOf(-1) }))).toEqual([])
    expect(await exported(days({ from: dayOf(1) }))).toEqual([])
    expect(await exported(days({ by: 'approved', from: dayOf(-1), to: dayOf(1) }))).toEqual(['a.pdf'])
  })

  it('has the columns that were chosen, with the day and the person of approval', async () => {
    await approve(await received(['a']))
    const columns: ExportColumn[] = [
      { kind: 'about', about: 'approvedBy', header: 'Who' },
      { kind: 'about', about: 'approvedOn', header: null },
      { kind: 'about', about: 'folderName', header: null },
      { kind: 'constant', header: 'Account', value: '4400' },
      { kind: 'field', field: ['Items'], header: 'What' },
    ]
    const { export: made } = await core.handlers['exports.run']({
      ...spec({ columns, lists: 'text' }),
      askWhere: false,
    })
    expect(await readCsv(made!.paths[0]!, ',')).toEqual([
      ['Who', 'Approved', 'Folder', 'Account', 'What'],
      ['Ada', dayOf(0), 'Invoices', '4400', 'one; two'],
    ])
  })
})

describe('an export of the history', () => {
  it('can be made again, with the documents of now, also after a restart', async () => {
    await received(['a'])
    const { export: first } = await core.handlers['exports.run']({ ...spec({ lists: 'text' }), askWhere: false })
    expect(first).toMatchObject({ documents: 1, repeatable: true })
    await received(['b'])
    await core.stop()
    await start()
    await core.run()
    const { export: second } = await core.handlers['exports.again']({ id: first!.id, askWhere: false })
    expect(second).toMatchObject({ documents: 2, rows: 2, format: 'csv' })
    expect(second!.paths).not.toEqual(first!.paths)
    expect((await readCsv(second!.paths[0]!, ','))[0]).toEqual(['File', 'Number', 'Total', 'Items'])
  })

  it('of an earlier version cannot, and says so', async () => {
    await received(['a'])
    const { tables } = core.context
    const { export: made } = await core.handlers['exports.run']({ ...spec(), askWhere: false })
    tables.exports.specOf = () => null
    await expect(core.handlers['exports.again']({ id: made!.id, askWhere: false })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(core.handlers['exports.again']({ id: 99, askWhere: false })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('a preset', () => {
  it('is kept, replaced and removed, and is there after a restart', async () => {
    const monthly = presetSpec.parse({
      schemaId: schemaId(),
      format: 'xlsx',
      locale: 'de',
      lists: 'columns',
      listLimit: 3,
      reviews: ['approved'],
      days: { by: 'approved', last: 31 },
    })
    const saved = await core.handlers['exports.presets.save']({ id: null, name: 'Monthly', spec: monthly })
    expect(saved).toEqual({ id: saved.id, name: 'Monthly', spec: monthly })
    await core.handlers['exports.presets.save']({
      id: saved.id,
      name: 'Every month',
      spec: { ...monthly, format: 'csv' },
    })
    await core.stop()
    await start()
    await core.run()
    expect(await core.handlers['exports.presets.list']({})).toEqual({
      presets: [{ id: saved.id, name: 'Every month', spec: { ...monthly, format: 'csv' } }],
    })
    await core.handlers['exports.presets.remove']({ id: saved.id })
    expect(await core.handlers['exports.presets.list']({})).toEqual({ presets: [] })
  })

  it('is refused for a schema that is not there, and not found once it was removed', async () => {
    const given = presetSpec.parse({ schemaId: schemaId(), format: 'csv', locale: 'en' })
    await expect(
      core.handlers['exports.presets.save']({ id: null, name: 'x', spec: { ...given, schemaId: 99 } }),
    ).rejects.toMatchObject({ code: 'not_found' })
    await expect(core.handlers['exports.presets.save']({ id: 99, name: 'x', spec: given })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(core.handlers['exports.presets.remove']({ id: 99 })).rejects.toMatchObject({ code: 'not_found' })
  })
})
