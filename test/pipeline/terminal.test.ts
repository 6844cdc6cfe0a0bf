import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Document, Packer, Paragraph } from 'docx'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pdfBytes, simpleSchema, temporaryDir, until } from '../helpers/core.ts'
import { emlOf } from '../helpers/mail-files.ts'
import { platformOf, sheaf, startSheaf } from '../helpers/sheaf.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { Vendor, VendorReply } from '../helpers/vendor.ts'
import { forNight, scaled } from '../helpers/scale.ts'

let dir: { path: string; remove: () => void }
const vendors: Vendor[] = []
beforeEach(async () => {
  dir = temporaryDir()
  await writeFile(join(dir.path, 'schema.json'), JSON.stringify(simpleSchema))
  await mkdir(join(dir.path, 'in'))
})
afterEach(async () => {
  for (const vendor of vendors.splice(0)) await vendor.close()
  dir.remove()
})

async function vendor(
  reply: (index: number) => VendorReply | Promise<VendorReply> = () => ({}),
  options: Parameters<typeof startVendor>[1] = {},
): Promise<Vendor> {
  const started = await startVendor((_document, index) => reply(index), options)
  vendors.push(started)
  return started
}
const at = (...parts: string[]): string => join(dir.path, ...parts)
const environment = (platform?: Vendor): Record<string, string> => ({
  SHEAF_DATA_DIR: at('data'),
  ...(platform === undefined ? {} : platformOf(platform)),
})
const schema = (): string[] => ['--schema', at('schema.json')]

async function drop(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const name = `invoice-${String(index).padStart(3, '0')}.pdf`
    await writeFile(at('in', name), pdfBytes(name))
  }
}

describe('sheaf extract', () => {
  it('prints one JSON line for each file and nothing else on stdout, and ends with 0 when all are done', async () => {
    await drop(3)
    const run = await sheaf(['extract', at('in'), ...schema(), '--json'], environment(await vendor()))
    const lines = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(run.code).toBe(0)
    expect(lines).toHaveLength(3)
    expect(lines.find((line) => line['file'] === at('in', 'invoice-001.pdf'))).toEqual({
      file: at('in', 'invoice-001.pdf'),
      pages: null,
      schema: 'schema',
      status: 'done',
      reason: null,
      records: [{ invoice_number: 'invoice-001', total_amount: 12.5 }],
      flags: [],
      metadata: { filename: 'invoice-001.pdf', duration: 40, tokens_consumed: 7 },
    })
  })

  it('says what of each file needs a look, for programs and for people', async () => {
    await drop(2)
    const [doubt] = [{ pointer: '/0/total_amount', code: 'unsure', alternatives: [] }]
    const platform = await vendor((index) =>
      index > 0
        ? {}
        : {
            body: JSON.stringify({
              status: 'success',
              data: { invoice_number: 'A-1', total_amount: 12.5 },
              metadata: { filename: 'x.pdf', doubts: [doubt] },
            }),
          },
    )
    const arguments_ = ['extract', at('in'), ...schema(), '--concurrency', '1']
    const json = await sheaf([...arguments_, '--json'], environment(platform))
    const lines = json.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { file: string; flags: unknown })
    expect(lines.map(({ flags }) => flags)).toEqual(
      expect.arrayContaining([[{ pointer: '/0/total_amount', code: 'unsure' }], []]),
    )
    const flagged = lines.find(({ flags }) => (flags as unknown[]).length > 0)!
    const people = await sheaf([...arguments_, '--flagged'], environment(platform))
    expect(people).toMatchObject({
      code: 0,
      stdout: `${flagged.file}  /0/total_amount (12.5): not sure, check this value\n`,
    })
    expect(people.stderr).not.toContain('--flagged')
    const plain = await sheaf(arguments_, environment(platform))
    expect(plain.stderr).toContain('1 value needs a look: the same command with --flagged says which.')
    const both = await sheaf([...arguments_, '--flagged', '--json'], environment(platform))
    expect(both.code).not.toBe(0)
    expect(both.stderr).toContain('--flagged is for people')
  })

  it('writes a CSV and sends nothing again the second time', async () => {
    await drop(2)
    const platform = await vendor()
    for (let round = 0; round < 2; round += 1) {
      const run = await sheaf(['extract', at('in'), ...schema(), '--out', at('out.csv')], environment(platform))
      expect(run).toMatchObject({ code: 0, stdout: '' })
      expect(await readFile(at('out.csv'), 'utf8')).toBe(
        '\uFEFFFile,invoice_number,total_amount\r\ninvoice-000.pdf,invoice-000,12.50\r\ninvoice-001.pdf,invoice-001,12.50\r\n',
      )
    }
    expect(platform.received).toHaveLength(2)
  })

  it('goes on with the rest and ends with 1 when a named file cannot be taken, each with its reason', async () => {
    const bad: [string, Buffer | string, RegExp][] = [
      ['empty.pdf', '', /empty/],
      ['notes.txt', 'hello', /\.txt are not read/],
      ['photo.heic', 'x', /\.heic need a decoder/],
      ['picture.pdf', Buffer.from('89504e470d0a1a0a0000', 'hex'), /ends in \.pdf, but the content is PNG/],
      ['~$lock.docx', 'x', /lock file/],
      ['.hidden.pdf', pdfBytes('h'), /[Hh]idden/],
      ['large.pdf', pdfBytes('large', 36 * 1024 * 1024 + 1), /at most 36 MB/],
      ['line\nbreak.txt', 'x', /not read/],
    ]
    for (const [name, bytes] of bad) await writeFile(at('in', name), bytes)
    await drop(1)
    const run = await sheaf(
      [
        'extract',
        ...bad.map(([name]) => at('in', name)),
        at('in', 'invoice-000.pdf'),
        at('in', 'gone.pdf'),
        ...schema(),
        '--json',
      ],
      environment(await vendor()),
    )
    const lines = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { file: string; status: string; reason: string })
    expect(run.code).toBe(1)
    for (const [name, , reason] of bad) {
      const line = lines.find(({ file }) => file === at('in', name))
      expect(line?.status).toBe('skipped')
      expect(line?.reason).toMatch(reason)
    }
    expect(lines.find(({ file }) => file === at('in', 'invoice-000.pdf'))?.status).toBe('done')
    expect(run.stderr).toContain(`${at('in', 'gone.pdf')} does not exist`)
    expect(run.stderr).toContain('line\\u000abreak.txt')
  })

  it('accepts 36 MB to the byte and a name of 255 bytes', forNight, async () => {
    const long = `${'n'.repeat(251)}.pdf`
    await writeFile(at('in', 'limit.pdf'), pdfBytes('limit', 36 * 1024 * 1024))
    await writeFile(at('in', long), pdfBytes('long'))
    const platform = await vendor()
    const run = await sheaf(['extract', at('in'), ...schema(), '--json', '--mode', 'sync'], environment(platform))
    expect(run.code).toBe(0)
    expect(platform.received.map((document) => document.filename).sort()).toEqual(['limit.pdf', long])
  })

  it('goes on with the attachments of a mail, named or found, and sends them once', async () => {
    await writeFile(at('in', 'post.eml'), emlOf([{ name: 'a.pdf', bytes: pdfBytes('a') }]))
    const platform = await vendor()
    const filesOf = ({ stdout }: { stdout: string }): string[] =>
      stdout
        .trim()
        .split('\n')
        .map((line) => `${JSON.parse(line).file.slice(at('in').length + 1)} ${JSON.parse(line).status}`)
    const named = await sheaf(['extract', at('in', 'post.eml'), ...schema(), '--json'], environment(platform))
    const found = await sheaf(['extract', at('in'), ...schema(), '--json'], environment(platform))
    for (const run of [named, found]) {
      expect(filesOf(run).sort()).toEqual(['post - a.pdf done', 'post.eml skipped'])
      expect(run.code).toBe(0)
    }
    expect(platform.received.map(({ filename }) => filename)).toEqual(['post - a.pdf'])
  })

  it('does not mind files of other kinds that merely lie in a folder', async () => {
    await drop(1)
    await writeFile(at('in', 'readme.txt'), 'x')
    const run = await sheaf(['extract', at('in'), ...schema(), '--json'], environment(await vendor()))
    expect(run.code).toBe(0)
    expect(run.stdout).toContain('"status":"skipped"')
  })

  it.each([
    [['extract'], /Name at least one file/],
    [['extract', 'x.pdf'], /--schema FILE\.json/],
    [['extract', 'x.pdf', '--schema', 'nowhere.json'], /nowhere\.json cannot be used: it does not exist/],
    [['extract', 'x.pdf', '--schema', 'bad.json'], /not JSON/],
    [['extract', 'x.pdf', '--schema', 'date.json'], /format is "date"; use text, number, boolean or list/],
    [['extract', 'x.pdf', '--schema', 'noitems.json'], /list without items/],
    [['extract', 'x.pdf', '--schema', 'twice.json'], /"a" is used twice/],
    [['extract', 'x.pdf', '--schema', 'unnamed.json'], /name is empty/],
    [['extract', 'x.pdf', '--schema', 'schema.json', '--out', 'x.pdf'], /--out ends in \.csv or \.xlsx or \.json/],
    [
      ['extract', 'x.pdf', '--schema', 'schema.json', '--out', 'nowhere/o.csv'],
      /The folder .*nowhere of --out does not exist/,
    ],
    [['extract', 'x.pdf', '--schema', 'schema.json', '--concurrency', '0'], /from 1 to 64/],
    [['extract', 'x.pdf', '--schema', 'schema.json', '--mode', 'fast'], /auto, sync or async/],
    [['extract', 'x.pdf', '--schema', 'schema.json', '--colour'], /colour/],
    [['watch', 'nowhere', '--schema', 'schema.json', '--out', 'o.csv'], /nowhere does not exist/],
    [['watch', 'in', '--schema', 'schema.json'], /Say where the spreadsheet goes/],
    [['dance'], /no command «dance»/],
  ])('ends with 2 and says what is wrong: sheaf %j', async (args, message) => {
    await writeFile(at('bad.json'), '{nope')
    await writeFile(at('date.json'), '[{"name":"a","format":"date","description":""}]')
    await writeFile(at('noitems.json'), '[{"name":"a","format":"list","description":"","items":[]}]')
    await writeFile(
      at('twice.json'),
      '[{"name":"a","format":"text","description":""},{"name":"a","format":"text","description":""}]',
    )
    await writeFile(at('unnamed.json'), '[{"name":" ","format":"text","description":""}]')
    const run = await sheaf(args, environment(), dir.path)
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toMatch(message)
  })

  it('says plainly that the credentials are wrong, keeps the files and ends with 1', async () => {
    await drop(2)
    const run = await sheaf(
      ['extract', at('in'), ...schema(), '--json'],
      environment(await vendor(() => ({}), { refuseTokens: true })),
    )
    expect(run.code).toBe(1)
    expect(run.stderr).toMatch(/2 files are still waiting: 127\.0\.0\.1:\d+ does not accept the client id and secret/)
    expect(
      run.stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { status: string }).status),
    ).toEqual(['queued', 'queued'])
  })

  it('refuses a second process on the same data folder, and says where the first is', async () => {
    await drop(1)
    const { promise: isOver, resolve: answer } = Promise.withResolvers<VendorReply>()
    const slow = await vendor(() => isOver)
    const first = startSheaf(['extract', at('in'), ...schema()], environment(slow))
    await until(() => slow.received.length === 1, 'the first process to be at work')
    const second = await sheaf(['extract', at('in'), ...schema()], environment(slow))
    expect(second.code).toBe(1)
    expect(second.stderr).toContain(`already running with the data folder ${at('data')}`)
    answer({})
    expect((await first.ended).code).toBe(0)
  })

  it('says so when the spreadsheet cannot be written, and loses nothing', async () => {
    await drop(1)
    const platform = await vendor()
    await mkdir(at('taken.csv'))
    const run = await sheaf(['extract', at('in'), ...schema(), '--out', at('taken.csv')], environment(platform))
    expect(run.code).toBe(1)
    expect(run.stderr).toMatch(/taken\.csv (could not be written|is open in another program)/)
    const again = await sheaf(['extract', at('in'), ...schema(), '--out', at('o.csv')], environment(platform))
    expect(again.code).toBe(0)
    expect(platform.received).toHaveLength(1)
  })

  it('sends what was cancelled while the service had it only with --resend', async () => {
    await drop(1)
    const platform = await vendor((index) => (index === 0 ? { drop: true } : {}))
    await sheaf(['extract', at('in'), ...schema()], environment(platform))
    const db = new Sqlite(at('data', 'sheaf.db'))
    db.exec(
      "UPDATE documents SET status = 'cancelled', reason_code = NULL, reason_details = NULL WHERE status = 'unknown'",
    )
    db.close()
    const again = await sheaf(['extract', at('in'), ...schema()], environment(platform))
    expect(again.code).toBe(1)
    expect(again.stderr).toMatch(/invoice-000\.pdf: cancelled[^]*may already be billed\. .* --resend/)
    expect(platform.received).toHaveLength(1)
    expect(await sheaf(['extract', at('in'), ...schema(), '--resend'], environment(platform))).toMatchObject({
      code: 0,
    })
    expect(platform.received).toHaveLength(2)
  })

  it('F15 sends nothing after the database was restored until the person says so, also over a connection that it forgot', async () => {
    await drop(2)
    const platform = await vendor()
    await sheaf(['extract', at('in'), ...schema()], environment(platform))
    for (const name of ['journal.db', 'backups']) await rm(at('data', name), { recursive: true })
    await writeFile(at('data', 'sheaf.db'), Buffer.alloc(20_000, 'x'))
    for (let round = 0; round < 2; round += 1) {
      const run = await sheaf(['extract', at('in'), ...schema()], environment(platform))
      expect(run.code).toBe(1)
      expect(run.stderr).toMatch(/restored from a snapshot.*\n.*--resume/)
      const watched = await sheaf(
        ['watch', at('in'), ...schema(), '--out', at('o.csv'), '--once'],
        environment(platform),
      )
      expect(watched).toMatchObject({ code: 1, stderr: run.stderr })
    }
    expect(platform.received).toHaveLength(2)
    expect(await sheaf(['extract', at('in'), ...schema(), '--resume'], environment(platform))).toMatchObject({
      code: 0,
    })
    expect(platform.received).toHaveLength(4)
  })

  it('leaves a snapshot where the last one is an hour old, so that the journal does not grow for ever', async () => {
    await drop(1)
    const platform = await vendor()
    for (let run = 0; run < 2; run += 1)
      expect(await sheaf(['extract', at('in'), ...schema()], environment(platform))).toMatchObject({ code: 0 })
    expect(await readdir(at('data', 'backups'))).toMatchObject([expect.stringMatching(/^000001-hourly-.*\.db$/)])
    const journal = new Sqlite(at('data', 'journal.db'), { readonly: true })
    expect(journal.prepare('SELECT count(*) AS entries FROM entries').get()).toEqual({ entries: 0 })
    journal.close()
  })

  it('stops cleanly on Ctrl-C and goes on where it stopped', async () => {
    await drop(30)
    const platform = await vendor(() => ({ delayMs: 100 }))
    const first = startSheaf(['extract', at('in'), ...schema(), '--concurrency', '2'], environment(platform))
    await until(() => platform.received.length >= 5, 'the first few documents')
    first.child.kill('SIGINT')
    expect((await first.ended).code).toBe(130)
    const run = await sheaf(['extract', at('in'), ...schema(), '--json'], environment(platform))
    expect(run.code).toBe(0)
    expect(platform.received).toHaveLength(30)
  })
})

describe('sheaf watch --once', () => {
  it('extracts what is in the folder, writes the spreadsheet and ends', async () => {
    await drop(5)
    const run = await sheaf(
      ['watch', at('in'), ...schema(), '--out', at('o.csv'), '--once'],
      environment(await vendor()),
    )
    expect(run.code).toBe(0)
    expect((await readFile(at('o.csv'), 'utf8')).trim().split('\r\n')).toHaveLength(6)
  })
})

describe('sheaf watch', () => {
  it('keeps the spreadsheet up to date, also with copies of what is known, and does not take it for a document', async () => {
    await drop(2)
    const platform = await vendor()
    await sheaf(['extract', at('in'), ...schema()], environment(platform))
    await mkdir(at('watched'))
    const running = startSheaf(
      ['watch', at('watched'), ...schema(), '--out', at('watched', 'o.csv')],
      environment(platform),
    )
    const rows = async (): Promise<string[]> =>
      (await readFile(at('watched', 'o.csv'), 'utf8').catch(() => '')).trim().split('\r\n').slice(1)
    let seen: string[] = []
    const count = (wanted: number) => {
      void rows().then((found) => (seen = found))
      return seen.length === wanted
    }
    for (const [index, name] of ['invoice-000.pdf', 'invoice-001.pdf'].entries()) {
      await writeFile(at('watched', `copy of ${name}`), pdfBytes(name))
      await until(() => count(index + 1), `the row of ${name}`)
    }
    running.child.kill('SIGINT')
    expect((await running.ended).code).toBe(0)
    expect(running.output.stderr).not.toContain('o.csv: ')
    expect(platform.received).toHaveLength(2)
  })
})

const files = scaled(12, 200)

describe(`kill -9 in the middle of ${files} files`, () => {
  it('against a platform: what was in flight is unknown and not sent again, the rest is done', async () => {
    await drop(files)
    const [half, killed] = [files * 0.4, Promise.withResolvers<void>()]
    const platform = await vendor(async (index) => {
      // What comes in the middle of the batch has no answer before the end of the program.
      if (index >= half) await killed.promise
      return {}
    })
    const first = startSheaf(['extract', at('in'), ...schema(), '--concurrency', '8'], environment(platform))
    await until(() => platform.received.length > half, 'the middle of the batch')
    first.child.kill('SIGKILL')
    await first.ended
    killed.resolve()
    const run = await sheaf(['extract', at('in'), ...schema(), '--json', '--concurrency', '8'], environment(platform))
    const lines = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { status: string })
    const count = (status: string): number => lines.filter((line) => line.status === status).length
    expect(lines).toHaveLength(files)
    expect(count('done') + count('unknown')).toBe(files)
    expect(count('unknown')).toBeGreaterThan(0)
    expect(count('unknown')).toBeLessThanOrEqual(8)
    expect(platform.received.length).toBeLessThanOrEqual(files)
    expect(new Set(platform.received.map((document) => document.sha256)).size).toBe(platform.received.length)
    expect(run.code).toBe(1)
    expect(run.stderr).toMatch(new RegExp(`answer to ${count('unknown')} files? was lost: .* --resend`))
    const before = platform.received.length
    const last = await sheaf(['extract', at('in'), ...schema(), '--json', '--resend'], environment(platform))
    expect(last.code).toBe(0)
    expect(platform.received.length - before).toBe(count('unknown'))
  })

  it('on this computer: what was in flight is sent again, as many rows and none twice', async () => {
    for (let index = 0; index < files; index += 1) {
      const document = new Document({
        sections: [
          { children: [new Paragraph(`Invoice number: INV-${1000 + index}`), new Paragraph('Total amount: 12.50')] },
        ],
      })
      await writeFile(at('in', `invoice-${index}.docx`), await Packer.toBuffer(document))
    }
    const first = startSheaf(['extract', at('in'), ...schema(), '--json', '--concurrency', '4'], environment())
    await until(() => first.output.stdout.split('\n').length > files * 0.3, 'the middle of the batch')
    first.child.kill('SIGKILL')
    await first.ended
    const run = await sheaf(
      ['extract', at('in'), ...schema(), '--out', at('o.csv'), '--concurrency', '4'],
      environment(),
    )
    expect(run.code).toBe(0)
    const rows = (await readFile(at('o.csv'), 'utf8')).trim().split('\r\n').slice(1)
    expect(rows).toHaveLength(files)
    expect(new Set(rows.map((row) => row.split(',')[1])).size).toBe(files)
  })
})

describe('what one run leaves open', () => {
  it('asynchronously on this computer comes back in the next run', async () => {
    const document = new Document({
      sections: [{ children: [new Paragraph('Invoice number: INV-7'), new Paragraph('Total amount: 12.50')] }],
    })
    await writeFile(at('in', 'a.docx'), await Packer.toBuffer(document))
    const args = ['extract', at('in', 'a.docx'), ...schema(), '--mode', 'async', '--json']
    const first = startSheaf(args, environment())
    const status = (): unknown => {
      try {
        const db = new Sqlite(at('data', 'sheaf.db'), { readonly: true })
        const row = db.prepare('SELECT status FROM documents').get() as { status: string } | undefined
        db.close()
        return row?.status
      } catch {
        return undefined
      }
    }
    await until(() => ['submitting', 'waiting', 'done'].includes(String(status())), 'the document to be on its way')
    first.child.kill('SIGKILL')
    await first.ended
    const run = await sheaf(args, environment())
    expect(run.code).toBe(0)
    expect((JSON.parse(run.stdout) as { records: unknown }).records).toEqual([
      { invoice_number: 'INV-7', total_amount: 12.5 },
    ])
  })
})
