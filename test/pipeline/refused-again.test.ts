import { appendFile, utimes, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { setUpFolder } from '../faults/folder-rig.ts'
import type { Rig } from '../faults/folder-rig.ts'
import { pdfBytes, until } from '../helpers/core.ts'
import { gate } from '../helpers/vendor-questions.ts'

/** What the documents of a folder came to, in the order in which they were made. */
const ends = (rig: Rig): unknown[] => rig.documents().map(({ status, reasonCode }) => [status, reasonCode])

async function skipped(rig: Rig, name: string, reason: string): Promise<void> {
  await until(
    () => rig.document(name)?.status === 'skipped' && rig.document(name)?.reasonCode === reason,
    `${name} skipped as ${reason}`,
  )
}

describe('F07 a file that is refused again at every change', () => {
  it('is one document in the list, with its size and time as they are now', async () => {
    const rig = await setUpFolder({})
    const names = ['server.log', '.DS_Store', 'Thumbs.db', '~$x.docx']
    const paths = await Promise.all(names.map((name) => rig.put(name, 'one')))
    for (const length of [6, 9, 12]) {
      for (const path of paths) await appendFile(path, 'one')
      await until(() => names.every((name) => rig.document(name)?.sizeBytes === length), `the size ${length}`)
    }
    await utimes(paths[0]!, new Date(1_700_000_000_000), new Date(1_700_000_000_000))
    await until(() => rig.document('server.log')?.mtimeMs === 1_700_000_000_000, 'the time')
    expect(rig.documents()).toHaveLength(names.length)
    expect(rig.documents().every(({ status }) => status === 'skipped')).toBe(true)
    rig.check(paths, 0)
  })

  it('says the reason of now, and is processed once it can be', async () => {
    const rig = await setUpFolder({})
    const path = await rig.put('a.pdf', '')
    await skipped(rig, 'a.pdf', 'empty_file')
    await writeFile(
      path,
      Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(40), Buffer.from('%%EOF')]),
    )
    await skipped(rig, 'a.pdf', 'extension_mismatch')
    expect(rig.documents()).toHaveLength(1)
    await writeFile(path, pdfBytes('a'))
    await until(() => rig.document('a.pdf')?.status === 'done', 'the result')
    // One document: nothing in the list still says that it was refused.
    expect(ends(rig)).toEqual([['done', null]])
    rig.check([path], 1)
  })

  it('takes the place of nothing that has a result, its own or that of its original', async () => {
    const rig = await setUpFolder({})
    const a = await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.document('a.pdf')?.status === 'done', 'the result')
    const copy = await rig.put('copy.pdf', pdfBytes('a'))
    await skipped(rig, 'copy.pdf', 'duplicate')
    const [original] = rig.documents()
    for (const path of [a, copy]) await writeFile(path, '')
    await skipped(rig, 'a.pdf', 'empty_file')
    await skipped(rig, 'copy.pdf', 'empty_file')
    for (const path of [a, copy]) await writeFile(path, `${'no document '.repeat(20)}%%EOF`)
    await skipped(rig, 'a.pdf', 'file_damaged')
    await skipped(rig, 'copy.pdf', 'file_damaged')
    expect(ends(rig)).toEqual([
      ['done', null],
      ['skipped', 'duplicate'],
      ['skipped', 'file_damaged'],
      ['skipped', 'file_damaged'],
    ])
    const records = await Promise.all(
      rig
        .documents()
        .slice(0, 2)
        .map(async ({ id }) => (await rig.core.handlers['documents.get']({ id })).records),
    )
    expect(rig.documents()[1]!.originalDocumentId).toBe(original!.id)
    expect(records[0]!.length).toBeGreaterThan(0)
    expect(records[1]).toEqual(records[0])
    rig.check([a, copy], 1)
  })

  it('is one document too when it is a copy that only gets a new time', async () => {
    const rig = await setUpFolder({})
    const a = await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.document('a.pdf')?.status === 'done', 'the result')
    const copy = await rig.put('copy.pdf', pdfBytes('a'))
    await skipped(rig, 'copy.pdf', 'duplicate')
    for (const at of [1_700_000_000_000, 1_700_000_100_000]) {
      await utimes(copy, new Date(at), new Date(at))
      await until(() => rig.document('copy.pdf')?.mtimeMs === at, 'the new time')
    }
    expect(ends(rig)).toEqual([
      ['done', null],
      ['skipped', 'duplicate'],
    ])
    expect(rig.document('copy.pdf')!.originalDocumentId).toBe(rig.document('a.pdf')!.id)
    rig.check([a, copy], 1)
  })
})

describe('a file that is put right', () => {
  it('leaves nothing failed behind when it failed at the service: its old version leads to the new one', async () => {
    const rig = await setUpFolder({
      reply: ({ filename }, index) =>
        index === 0
          ? { status: 422, body: '{"status":"error","error":"The document cannot be read"}' }
          : { body: JSON.stringify({ status: 'success', data: [{ invoice_number: 'A' }], metadata: { filename } }) },
    })
    const path = await rig.put('a.pdf', pdfBytes('broken'))
    await until(() => rig.document('a.pdf')?.status === 'failed', 'the failure')
    await writeFile(path, pdfBytes('put right'))
    await until(() => rig.document('a.pdf')?.status === 'done', 'the result')
    const [old, fresh] = rig.documents()
    expect(old).toMatchObject({ status: 'cancelled', reasonCode: 'file_replaced' })
    expect((await rig.core.handlers['documents.get']({ id: old!.id })).newerDocumentId).toBe(fresh!.id)
    expect((await rig.core.handlers['app.state']({})).counts).toMatchObject({ failed: 0, done: 1 })
    rig.check([path], 2)
  })

  it('stays failed as long as what took its place cannot be taken in', async () => {
    const rig = await setUpFolder({
      reply: () => ({ status: 422, body: '{"status":"error","error":"The document cannot be read"}' }),
    })
    const path = await rig.put('a.pdf', pdfBytes('broken'))
    await until(() => rig.document('a.pdf')?.status === 'failed', 'the failure')
    await writeFile(path, '')
    await skipped(rig, 'a.pdf', 'empty_file')
    expect(ends(rig)).toEqual([
      ['failed', expect.any(String)],
      ['skipped', 'empty_file'],
    ])
    rig.check([path], 1)
  })
})

describe('a file that is saved again as it was', () => {
  it('is still the document it was, not a copy of itself', async () => {
    const rig = await setUpFolder({})
    const path = await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.document('a.pdf')?.status === 'done', 'the result')
    await utimes(path, new Date(1_700_000_000_000), new Date(1_700_000_000_000))
    await until(() => rig.document('a.pdf')?.mtimeMs === 1_700_000_000_000, 'the time')
    expect(ends(rig)).toEqual([['done', null]])
    rig.check([path], 1)
  })

  it('goes again when it had failed, as the same document', async () => {
    const rig = await setUpFolder({
      reply: ({ filename }, index) =>
        index === 0
          ? { status: 422, body: '{"status":"error","error":"The document cannot be read"}' }
          : { body: JSON.stringify({ status: 'success', data: [{ invoice_number: 'A' }], metadata: { filename } }) },
    })
    const path = await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.document('a.pdf')?.status === 'failed', 'the failure')
    await utimes(path, new Date(1_700_000_000_000), new Date(1_700_000_000_000))
    await until(() => rig.document('a.pdf')?.status === 'done', 'the result')
    expect(ends(rig)).toEqual([['done', null]])
    rig.check([path], 2)
  })

  it('is no copy of itself while it is with the service, or its outcome is unclear', async () => {
    const held = gate()
    const rig = await setUpFolder({
      reply: async (_document, index) => {
        if (index === 0) return { drop: true }
        await held.opened
        return {}
      },
    })
    const lost = await rig.put('lost.pdf', pdfBytes('lost'))
    await until(() => rig.document('lost.pdf')?.status === 'unknown', 'the lost answer')
    const slow = await rig.put('slow.pdf', pdfBytes('slow'))
    await until(() => rig.vendor.received.length === 2, 'the other one to be on its way')
    for (const path of [lost, slow]) await utimes(path, new Date(1_700_000_000_000), new Date(1_700_000_000_000))
    await until(
      () => ['lost.pdf', 'slow.pdf'].every((name) => rig.document(name)?.mtimeMs === 1_700_000_000_000),
      'the times',
    )
    held.open()
    await until(() => rig.document('slow.pdf')?.status === 'done', 'the result')
    expect(rig.documents().map(({ status }) => status)).toEqual(['unknown', 'done'])
    rig.check([lost, slow], 2)
  })
})
