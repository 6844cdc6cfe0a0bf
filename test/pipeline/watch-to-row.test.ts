import { createHash } from 'node:crypto'
import { appendFile, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { defaultTimings } from '../../electron/core/timings.ts'
import { addFolder, pdfBytes, startTestCore, statuses, temporaryDir, until } from '../helpers/core.ts'
import { startVendor } from '../helpers/vendor.ts'
import { documentFilter } from '../../shared/contract/documents.ts'
import { scaled } from '../helpers/scale.ts'

const count = scaled(20, 500)

async function setUp(reply: Parameters<typeof startVendor>[0], concurrency = 8) {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  const vendor = await startVendor(reply)
  onTestFinished(vendor.close)
  const core = await startTestCore(join(dir.path, 'data'), { concurrency, timings: defaultTimings })
  onTestFinished(() => core.stop({ atOnce: true }))
  const inbox = join(dir.path, 'inbox')
  await mkdir(inbox)
  const folder = addFolder(core, vendor, { path: inbox })
  await core.run()
  return { vendor, core, inbox, folder }
}

function rowsOf(core: Core, schemaId: number, folderId: number): string[] {
  return [...core.context.tables.results.documents({ schemaId, folderId, documentIds: null })].map((document) =>
    String(document.records[0]!['invoice_number']),
  )
}

describe('from a file that lands in a folder to a row', () => {
  it(`turns ${count} files of 100 KiB into as many rows with 8 slots and an answer time of 50 ms`, async () => {
    const { vendor, core, inbox, folder } = await setUp(() => ({ delayMs: 50 }))
    const names = Array.from({ length: count }, (_, index) => `invoice-${index}.pdf`)
    for (const name of names) await writeFile(join(inbox, name), pdfBytes(name, 100 * 1024))

    await until(() => statuses(core)['done'] === count, 'all files done', 50_000)

    expect(new Set(rowsOf(core, folder.schemaId, folder.id)).size).toBe(count)
    expect(vendor.received).toHaveLength(count)
    expect(vendor.maxAtOnce()).toBeLessThanOrEqual(8)
    expect(vendor.tokensIssued()).toBe(1)
  })

  it('sends whole files although they were written in five pieces over a second', async () => {
    const { vendor, core, inbox } = await setUp(() => ({ delayMs: 50 }))
    const files = Array.from({ length: count }, (_, index) => ({
      name: `slow-${index}.pdf`,
      bytes: pdfBytes(`slow ${index}`, 100 * 1024),
    }))
    const fifth = Math.ceil((100 * 1024) / 5)
    for (let piece = 0; piece < 5; piece += 1) {
      const begun = Date.now()
      for (const { name, bytes } of files)
        await appendFile(join(inbox, name), bytes.subarray(piece * fifth, (piece + 1) * fifth))
      await until(() => Date.now() - begun >= 250, 'the pause of a slow writer')
    }

    await until(() => statuses(core)['done'] === count, 'all files done', 50_000)

    const sent = new Map(vendor.received.map((document) => [document.filename, document.sha256]))
    expect(vendor.received).toHaveLength(count)
    for (const { name, bytes } of files) expect(sent.get(name)).toBe(createHash('sha256').update(bytes).digest('hex'))
  })

  it('takes a replaced file as a new version and keeps the old result', async () => {
    const { core, inbox, folder, vendor } = await setUp(() => ({}))
    await writeFile(join(inbox, 'a.pdf'), pdfBytes('first'))
    await until(() => statuses(core)['done'] === 1, 'the first version')
    await writeFile(join(inbox, '.a.tmp'), pdfBytes('second version'))
    await rename(join(inbox, '.a.tmp'), join(inbox, 'a.pdf'))
    await until(() => statuses(core)['done'] === 2, 'the second version')

    expect(rowsOf(core, folder.schemaId, folder.id)).toHaveLength(2)
    expect(vendor.received).toHaveLength(2)
  })

  it('links a copy of a processed file instead of sending it', async () => {
    const { core, inbox, vendor } = await setUp(() => ({}))
    await writeFile(join(inbox, 'original.pdf'), pdfBytes('same'))
    await until(() => statuses(core)['done'] === 1, 'the original')
    await writeFile(join(inbox, 'copy.pdf'), pdfBytes('same'))
    await until(() => statuses(core)['skipped'] === 1, 'the copy')

    const { rows } = await core.handlers['documents.list']({
      ...documentFilter.parse({ search: 'copy' }),
      sort: 'name',
      descending: false,
      offset: 0,
      limit: 10,
    })
    expect(rows[0]!.reason).toEqual({ code: 'duplicate', details: { original: 'original.pdf' } })
    expect(rows[0]!.values[0]).toEqual({ name: 'invoice_number', value: 'original' })
    expect(vendor.received).toHaveLength(1)
  })

  it('goes on where it stopped after a restart, without sending anything again', async () => {
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    const vendor = await startVendor(() => ({}))
    onTestFinished(vendor.close)
    const inbox = join(dir.path, 'inbox')
    await mkdir(inbox)
    await writeFile(join(inbox, 'a.pdf'), pdfBytes('a'))
    const first = await startTestCore(join(dir.path, 'data'), { timings: defaultTimings })
    addFolder(first, vendor, { path: inbox })
    await first.run()
    await until(() => statuses(first)['done'] === 1, 'the first file')
    await first.stop()

    await writeFile(join(inbox, 'b.pdf'), pdfBytes('b'))
    const second = await startTestCore(join(dir.path, 'data'), { timings: defaultTimings })
    onTestFinished(() => second.stop({ atOnce: true }))
    await second.run()
    await until(() => statuses(second)['done'] === 2, 'the second file')
    expect(vendor.received.map((document) => document.filename)).toEqual(['a.pdf', 'b.pdf'])
  })
})
