import { execFileSync } from 'node:child_process'
import { mkdir, readdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { describe, expect, it, onTestFinished } from 'vitest'
import { exportSpec } from '../../shared/contract/exports.ts'
import { documentFilter } from '../../shared/contract/documents.ts'
import type { DocumentRow } from '../../shared/contract/documents.ts'
import { pdfBytes, statuses, until } from '../helpers/core.ts'
import { setUpFolder } from './folder-rig.ts'
import type { Rig } from './folder-rig.ts'
import { scaled } from '../helpers/scale.ts'

const done = (rig: Rig, count: number): Promise<void> =>
  until(() => rig.documents().filter((document) => document.status === 'done').length === count, `${count} done`)

async function listed(rig: Rig): Promise<DocumentRow[]> {
  const filter = documentFilter.parse({})
  return (
    await rig.core.handlers['documents.list']({ ...filter, sort: 'name', descending: false, offset: 0, limit: 100 })
  ).rows
}

describe('F07 files that are no documents', () => {
  it('are skipped, each with its reason', async () => {
    const rig = await setUpFolder({})
    const reasons: Record<string, string> = {
      '~$x.docx': 'lock_file',
      '.DS_Store': 'hidden_file',
      '._scan.pdf': 'hidden_file',
      'Thumbs.db': 'hidden_file',
      'desktop.ini': 'hidden_file',
      'scan.pdf.part': 'unfinished_download',
      'scan.pdf.crdownload': 'unfinished_download',
      'empty.pdf': 'empty_file',
      'notes.txt': 'unsupported_type',
      'IMG_0012.HEIC': 'no_codec',
      'no extension': 'unsupported_type',
    }
    const paths = await Promise.all(Object.keys(reasons).map((name) => rig.put(name, name === 'empty.pdf' ? '' : 'x')))
    paths.push(await rig.put('scan.pdf', pdfBytes('scan')))
    await until(
      () => rig.documents().length === paths.length && rig.document('scan.pdf')?.status === 'done',
      'all to be settled',
    )
    for (const [name, reason] of Object.entries(reasons))
      expect(rig.document(name), name).toMatchObject({ status: 'skipped', reasonCode: reason })
    rig.check(paths, 1)
  })
})

describe('F08 links and what is no file', () => {
  it('are listed and never followed', async () => {
    const rig = await setUpFolder({
      before: async (inbox) => {
        const outside = join(inbox, '..', 'outside')
        await mkdir(outside)
        await writeFile(join(outside, 'secret.pdf'), pdfBytes('secret'))
        await symlink('loop-b.pdf', join(inbox, 'loop-a.pdf'))
        await symlink('loop-a.pdf', join(inbox, 'loop-b.pdf'))
        await symlink('.', join(inbox, 'again'))
        await symlink(outside, join(inbox, 'out'))
        await symlink(join(outside, 'secret.pdf'), join(inbox, 'secret.pdf'))
        execFileSync('mkfifo', [join(inbox, 'pipe.pdf')])
      },
    })
    await rig.put('a.pdf', pdfBytes('a'))
    const names = ['loop-a.pdf', 'loop-b.pdf', 'again', 'out', 'secret.pdf', 'pipe.pdf']
    await until(
      () => names.every((name) => rig.document(name)?.status === 'skipped') && rig.document('a.pdf')?.status === 'done',
      'all to be settled',
    )
    expect(names.map((name) => rig.document(name)!.reasonCode)).toEqual([
      ...Array<string>(5).fill('symbolic_link'),
      'not_a_file',
    ])
    expect(rig.documents()).toHaveLength(7)
    expect(rig.vendor.received.map((document) => document.filename)).toEqual(['a.pdf'])
    rig.check(
      [...names, 'a.pdf'].map((name) => join(rig.inbox, name)),
      1,
    )
  })
})

describe('F09 names that differ by case or by Unicode form only', () => {
  it('are entries of their own, in the list, in Done and in an export', async () => {
    const rig = await setUpFolder({ folder: { afterwards: 'move' } })
    const names = ['Caf\u00e9.pdf', 'Cafe\u0301.pdf', 'RECHNUNG.pdf', 'rechnung.pdf']
    for (const name of names) await rig.put(name, pdfBytes(name))
    await until(
      () => rig.documents().filter((document) => document.archivedAs === 'done').length === 4,
      'all four in Done',
    )
    expect((await readdir(join(rig.inbox, 'Done'))).sort()).toEqual([...names].sort())
    expect(rig.vendor.received.map((document) => document.filename).sort()).toEqual([...names].sort())
    const { tables } = await rig.core.handlers['exports.preview']({
      ...exportSpec.parse({ schemaId: rig.folder.schemaId, format: 'csv', locale: 'en', lists: 'sheets' }),
      limit: 50,
    })
    expect(new Set(tables[0]!.rows.map((row) => JSON.stringify(row))).size).toBe(4)
    rig.check(
      names.map((name) => join(rig.inbox, 'Done', name)),
      4,
    )
  })

  it('of schemas never make one export overwrite the other', async () => {
    const rig = await setUpFolder({})
    await rig.put('a.pdf', pdfBytes('a'))
    await done(rig, 1)
    const run = async () =>
      (
        await rig.core.handlers['exports.run']({
          ...exportSpec.parse({ schemaId: rig.folder.schemaId, format: 'csv', locale: 'en', lists: 'sheets' }),
          askWhere: false,
        })
      ).export!
    const paths = [...(await run()).paths, ...(await run()).paths]
    expect(new Set(paths).size).toBe(paths.length)
    expect(paths.every((path) => existsSync(path))).toBe(true)
  })
})

describe('F10 names that are hard to carry', () => {
  it('of 255 bytes, reserved ones and right-to-left marks are processed and moved', async () => {
    const rig = await setUpFolder({
      folder: { afterwards: 'move' },
      reply: (document) =>
        document.filename.startsWith('no ') ? { status: 422, body: '{"status":"error","error":"no"}' } : {},
    })
    const longest = `${'ä'.repeat(125)}x.pdf`
    expect(Buffer.byteLength(longest)).toBe(255)
    const refused = `no ${'b'.repeat(248)}.pdf`
    const names = [
      longest,
      'CON.pdf',
      'nul.pdf',
      'invoice\u202efdp.exe.pdf',
      'tab\tand\nline.pdf',
      '=cmd|calc.pdf',
      '-rf.pdf',
      refused,
    ]
    for (const name of names) await rig.put(name, pdfBytes(name))
    await until(
      () => rig.documents().filter((document) => document.archivedAs !== null).length === names.length,
      'all to be moved',
    )
    // The same name once more: the number fits into it.
    await rig.put(longest, pdfBytes('another'))
    await until(
      () => rig.documents().filter((document) => document.archivedAs === 'done').length === names.length,
      'the second one',
    )
    const moved = (await readdir(join(rig.inbox, 'Done'))).filter((name) => name.startsWith('ä')).sort()
    expect(moved).toEqual([`${'ä'.repeat(123)} (2).pdf`, longest].sort())
    expect((await readdir(join(rig.inbox, 'Failed'))).sort()).toEqual([refused, `${refused.slice(0, 251)}.txt`].sort())
    rig.check(
      rig.documents().map((document) => document.path),
      names.length + 1,
    )
  })

  it('that lie more than 1,024 characters deep are processed and moved', async () => {
    const rig = await setUpFolder({ folder: { afterwards: 'move' } })
    const deep = join(...Array.from({ length: 12 }, (_, index) => `${index}-${'d'.repeat(90)}`), 'a.pdf')
    await rig.put(deep, pdfBytes('deep'))
    await until(() => rig.document(join('Done', deep))?.archivedAs === 'done', 'the deep one in Done')
    expect(join(rig.inbox, deep).length).toBeGreaterThan(1024)
    rig.check([join(rig.inbox, 'Done', deep)], 1)
  })

  it('that are not UTF-8 are shown escaped, told apart, processed and moved', async () => {
    const rig = await setUpFolder({ folder: { afterwards: 'move' } })
    const prefix = Buffer.from(`${rig.inbox}/`)
    const raw = [
      Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x2e, 0x70, 0x64, 0x66]),
      Buffer.from([0x63, 0x61, 0x66, 0xe8, 0x2e, 0x70, 0x64, 0x66]),
      Buffer.from('caf\ufffdE9.pdf'),
    ]
    for (const [index, name] of raw.entries()) await writeFile(Buffer.concat([prefix, name]), pdfBytes(`raw ${index}`))
    await mkdir(Buffer.concat([prefix, Buffer.from([0xff, 0xfe])]))
    await writeFile(Buffer.concat([prefix, Buffer.from([0xff, 0xfe]), Buffer.from('/in.pdf')]), pdfBytes('in'))
    await until(
      () => rig.documents().filter((document) => document.archivedAs === 'done').length === 4,
      'all four in Done',
    )
    expect((await listed(rig)).map((row) => row.name).sort()).toEqual([
      'caf\ufffdE8.pdf',
      'caf\ufffdE9.pdf',
      'caf\ufffdEF\ufffdBF\ufffdBDE9.pdf',
      'in.pdf',
    ])
    expect(
      (await readdir(Buffer.from(join(rig.inbox, 'Done')), { encoding: 'buffer' }))
        .map((name) => name.toString('latin1'))
        .sort(),
    ).toEqual([...raw, Buffer.from([0xff, 0xfe])].map((name) => name.toString('latin1')).sort())
    expect(rig.vendor.received.map((document) => document.filename)).toContain('caf\ufffdE9.pdf')
    rig.check(
      rig.documents().map((document) => document.path),
      4,
    )
  })
})

describe('F11 a copy of a processed file', () => {
  it('is «Already extracted», linked to its original, and not sent', async () => {
    const rig = await setUpFolder({})
    const paths = [await rig.put('a.pdf', pdfBytes('same'))]
    await done(rig, 1)
    paths.push(await rig.put('sub/copy.pdf', pdfBytes('same')))
    await until(() => rig.document('sub/copy.pdf')?.status === 'skipped', 'the copy')
    const row = (await listed(rig)).find(({ name }) => name === 'copy.pdf')!
    expect(row).toMatchObject({
      reason: { code: 'duplicate', details: { original: 'a.pdf' } },
      originalDocumentId: rig.document('a.pdf')!.id,
    })
    expect(row.values[0]).toEqual({ name: 'invoice_number', value: 'a' })
    rig.check(paths, 1)
  })
})

const atOnce = scaled(400, 10_000)

describe(`F12 a file of 5 GB and ${atOnce} at once`, () => {
  it('has the first refused with its reason and the rest processed, with a quick loop and little memory', {
    timeout: 180_000,
  }, async () => {
    const count = atOnce
    const contents = count / 20
    const rig = await setUpFolder({ options: { concurrency: 16 } })
    rig.core.queue.pause()
    const huge = await rig.put('huge.pdf', '')
    await truncate(huge, 5 * 1024 ** 3)
    const before = process.memoryUsage().rss
    const paths = Array.from({ length: count }, (_, index) => join(rig.inbox, `${index}.pdf`))
    for (const [index, path] of paths.entries()) writeFileSync(path, pdfBytes(`file ${index % contents}`, 300))
    const { tables } = rig.core.context
    const seen = { taken: 0, turn: 0, maxInTurn: 0, maxBytes: 0 }
    onTestFinished(rig.core.onEvent((name) => void (name === 'document.changed' && (seen.taken += 1))))
    // Counted by turns of the loop, which no other work of the machine changes.
    const turns = setInterval(() => {
      seen.maxInTurn = Math.max(seen.maxInTurn, seen.taken - seen.turn)
      seen.turn = seen.taken
    }, 1)
    onTestFinished(() => clearInterval(turns))
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const begun = performance.now()
    await until(
      () => {
        seen.maxBytes = Math.max(seen.maxBytes, process.memoryUsage().rss - before)
        return seen.taken >= count + 1
      },
      'all to be taken in',
      150_000,
    )
    const tookMs = Math.round(performance.now() - begun)
    delay.disable()
    clearInterval(turns)
    expect(seen.maxInTurn).toBeLessThanOrEqual(128)
    rig.core.queue.resume()
    await until(() => tables.documents.openCount() === 0, 'all to be settled', 60_000)
    expect(rig.document('huge.pdf')).toMatchObject({
      status: 'skipped',
      reasonCode: 'file_too_large',
      reasonDetails: { size: '5120 MB' },
    })
    expect(statuses(rig.core)).toEqual({ done: contents, skipped: count - contents + 1 })
    const [typical, longest] = [delay.percentile(99), delay.max].map((ns) => Math.round(ns / 1e6))
    process.stdout.write(
      `F12: ${count} files taken in in ${tookMs} ms, loop p99 ${typical} ms, longest ${longest} ms, ${Math.round(seen.maxBytes / 2 ** 20)} MB more\n`,
    )
    expect(seen.maxBytes).toBeLessThan(200 * 2 ** 20)
    rig.check([...paths, huge], contents)
  })
})
