import { appendFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseSchema } from '../../shared/domain/schema.ts'
import { addFolder, pdfBytes, until } from '../helpers/core.ts'
import { eventually } from '../helpers/eventually.ts'
import { readXlsx } from '../unit/export/read-back.ts'
import {
  approve,
  at,
  book,
  core,
  folderId,
  documents,
  names,
  reached,
  received,
  state,
  turnOn,
  vendor,
  written,
  withFolder,
} from './workbook-rig.ts'

withFolder()

describe('the workbook of a folder', () => {
  it('is not there until the folder wants one, and then has what is approved already', async () => {
    const ids = await received(['a', 'b', 'c'])
    await approve(ids.slice(0, 2))
    expect(await state()).toMatchObject({ on: false, place: book(), rows: 0, waitingRows: 0 })
    expect(existsSync(book())).toBe(false)
    await turnOn()
    expect(await written()).toMatchObject({ on: true, rows: 4, documents: 2, problem: null, changedByHand: null })
    const [sheet] = await readXlsx(book())
    expect(sheet!.values).toEqual([
      ['File', 'Number', 'Total', 'Text'],
      ['a.pdf', 'a', '10', 'one'],
      ['a.pdf', 'a', '10', 'two'],
      ['b.pdf', 'b', '10', 'one'],
      ['b.pdf', 'b', '10', 'two'],
    ])
  })

  it('grows in the order of approval', async () => {
    const [a, b] = await received(['a', 'b'])
    await turnOn()
    await approve([b!])
    await written()
    await approve([a!])
    await reached((row) => row.documents === 2, 'the second document')
    expect(await names()).toEqual(['b.pdf', 'b.pdf', 'a.pdf', 'a.pdf'])
  })

  it('loses a document whose approval is taken back, and has it with its new values when it is approved again', async () => {
    const [a, b] = await received(['a', 'b'])
    await turnOn()
    await approve([a!, b!])
    await reached((row) => row.documents === 2, 'both documents')
    await core.handlers['review.reopen']({ ids: [a!] })
    await reached((row) => row.documents === 1, 'one document')
    expect(await names()).toEqual(['b.pdf', 'b.pdf'])
    await core.handlers['review.correct']({ id: a!, changes: [{ pointer: '/0/Total', value: 11 }] })
    await approve([a!])
    await reached((row) => row.documents === 2, 'both documents again')
    const [sheet] = await readXlsx(book())
    expect(sheet!.values.slice(1).map((row) => [row[0], row[2]])).toEqual([
      ['b.pdf', '10'],
      ['b.pdf', '10'],
      ['a.pdf', '11'],
      ['a.pdf', '11'],
    ])
  })

  it('has a document under its new name when its file is renamed', async () => {
    const [a, b] = await received(['a', 'b'])
    await turnOn()
    await approve([a!, b!])
    await reached((row) => row.documents === 2, 'both documents')
    renameSync(at('in', 'a.pdf'), at('in', 'c.pdf'))
    await eventually(async () => expect(await names()).toEqual(['c.pdf', 'c.pdf', 'b.pdf', 'b.pdf']))
  })

  it('changes a document in its place when it is corrected and approved before it was taken out', async () => {
    const [a, b] = await received(['a', 'b'])
    await turnOn()
    await approve([a!, b!])
    await reached((row) => row.documents === 2, 'both documents')
    mkdirSync(at('Documents', 'Sheaf', '.~lock.Invoices.xlsx#'))
    await core.handlers['review.correct']({ id: a!, changes: [{ pointer: '/0/Items', value: [{ Text: 'only' }] }] })
    await approve([a!])
    await reached((row) => row.waitingRows === 1, 'the one row of the corrected document to wait')
    rmSync(at('Documents', 'Sheaf', '.~lock.Invoices.xlsx#'), { recursive: true })
    await written()
    expect((await readXlsx(book()))[0]!.values.slice(1).map((row) => row[3])).toEqual(['only', 'one', 'two'])
  })

  it('is written once more when it is told to have lists on their own', async () => {
    const ids = await received(['a'])
    await approve(ids)
    await turnOn()
    await written()
    await turnOn({ lists: 'sheets' })
    await core.handlers['workbooks.writeNow']({ folderId })
    expect((await readXlsx(book())).map(({ name, values }) => [name, values.length])).toEqual([
      ['Documents', 2],
      ['Items', 3],
    ])
    expect(readdirSync(at('Documents', 'Sheaf'))).toEqual(['Invoices.xlsx'])
  })

  it('ends with its headers when every approval is taken back, and stops when it is turned off', async () => {
    const ids = await received(['a'])
    await approve(ids)
    await turnOn()
    await written()
    await core.handlers['review.reopen']({ ids })
    await reached((row) => row.documents === 0, 'no document')
    expect(await names()).toEqual([])
    await core.handlers['workbooks.set']({ folderId, on: false })
    await approve(ids)
    expect(await core.handlers['workbooks.writeNow']({ folderId })).toMatchObject({
      on: false,
      waitingRows: 0,
      documents: 0,
    })
    expect(await names()).toEqual([])
  })

  it('has sheets for each schema that its folder had', async () => {
    await approve(await received(['a']))
    const other = core.context.tables.schemas.save(
      null,
      'Letter',
      parseSchema([{ name: 'Number', format: 'text', description: '' }]),
      2,
    )
    await core.handlers['folders.update']({ id: folderId, schemaId: other.id })
    await turnOn()
    await approve(await received(['letter']))
    const { place } = await reached((row) => row.documents === 2, 'both documents')
    expect((await readXlsx(place)).map(({ name, values }) => [name, values.slice(1).map((row) => row[0])])).toEqual([
      ['Invoice', ['a.pdf', 'a.pdf']],
      ['Letter', ['letter.pdf']],
    ])
  })

  it('has the result of an original elsewhere once, however many copies lie in the folder', async () => {
    mkdirSync(at('other'))
    const other = addFolder(core, vendor, { path: at('other'), name: 'Others' })
    await core.handlers['folders.rescan']({ id: other.id })
    await core.watchers.follow()
    await turnOn()
    await core.handlers['workbooks.set']({ folderId: other.id, on: true, lists: 'rows' })
    const [a] = await received(['a'])
    for (const name of ['copy', 'copy again']) writeFileSync(at('other', `${name}.pdf`), pdfBytes('a'))
    await until(() => documents().filter(({ status }) => status === 'skipped').length === 2, 'the copies')
    await approve([a!])
    await written(other.id)
    expect(await names(book('Others.xlsx'))).toHaveLength(2)
    expect((await names(book('Others.xlsx')))[0]).toMatch(/^copy/)
    await written()
    expect(await names()).toEqual(['a.pdf', 'a.pdf'])
    await core.handlers['review.reopen']({ ids: [a!] })
    await reached((row) => row.documents === 0, 'no document', other.id)
    expect(await names(book('Others.xlsx'))).toEqual([])
  })
})

describe('the place of a workbook', () => {
  it('is its own for each of two folders with the same name', async () => {
    mkdirSync(at('more'))
    mkdirSync(at('more', 'in'))
    const other = addFolder(core, vendor, { path: at('more', 'in'), name: 'INVOICES' })
    await core.watchers.follow()
    await turnOn()
    await core.handlers['workbooks.set']({ folderId: other.id, on: true, lists: 'rows' })
    await approve(await received(['a']))
    await approve(await received(['b'], join('more', 'in')))
    await reached(({ documents }) => documents === 1, 'the one')
    await reached(({ documents }) => documents === 1, 'the other', other.id)
    const places = [(await state()).place, (await state(other.id)).place]
    expect(new Set(places.map((place) => place.toLowerCase())).size).toBe(2)
    expect((await names(places[0])).concat(await names(places[1]))).toEqual(['a.pdf', 'a.pdf', 'b.pdf', 'b.pdf'])
  })

  it('has no character that Windows forbids', async () => {
    const { tables } = core.context
    tables.folders.save({ ...tables.folders.get(folderId)!, name: 'a<b>:"c|?*. ' })
    await turnOn()
    expect(basename((await written()).place)).toBe('a_b___c___.xlsx')
  })

  it('in a watched folder makes it no document, nor what it was before a person changed it', async () => {
    await turnOn({ path: at('in', 'Book.xlsx') })
    await approve(await received(['a']))
    await reached(({ documents }) => documents === 1, 'the workbook')
    const skipped = () => core.context.tables.documents.inFolder(folderId).filter(({ name }) => name.endsWith('.xlsx'))
    await until(() => skipped().length === 1, 'the workbook to be seen')
    appendFileSync(at('in', 'Book.xlsx'), 'by hand')
    await approve(await received(['b']))
    await reached(({ place }) => place === at('in', 'Book (2).xlsx'), 'another workbook')
    await until(() => skipped().length === 2, 'both workbooks to be seen')
    expect(skipped().map(({ status, reasonCode }) => [status, reasonCode])).toEqual([
      ['skipped', 'own_export'],
      ['skipped', 'own_export'],
    ])
    expect(documents()).toHaveLength(4)
  })

  it('is refused where the folder is missing, or is Sheaf’s own', async () => {
    await expect(turnOn({ path: at('nowhere', 'Book.xlsx') })).rejects.toMatchObject({ code: 'folder_missing' })
    await expect(turnOn({ path: at('data', 'Book.xlsx') })).rejects.toMatchObject({ code: 'folder_own' })
    await expect(core.handlers['workbooks.set']({ folderId: 99, on: true })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('can become another one: the new file has everything, the old stays', async () => {
    await turnOn()
    await approve(await received(['a']))
    await written()
    await turnOn({ path: at('Book.xlsx') })
    await reached(({ place, documents }) => place === at('Book.xlsx') && documents === 1, 'the new place')
    expect(await names(at('Book.xlsx'))).toHaveLength(2)
    expect(await names()).toHaveLength(2)
    expect((await state()).changedByHand).toBeNull()
  })
})
