import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { deflateRawSync, deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { entryPath } from '../../electron/entries.ts'
import { startHost } from '../../electron/host.ts'
import { ReadingPool } from '../../electron/reading/pool.ts'
import type { ErrorCode } from '../../shared/domain/errors.ts'
import { sentenceFor } from '../../shared/messages/sentences.ts'
import { simpleSchema, temporaryDir, until } from '../helpers/core.ts'
import {
  docxEntries,
  docxXml,
  externalXml,
  flateBomb,
  laughingXml,
  manyElements,
  onePage,
  paragraph,
  pdfBytes,
  stream,
  textContent,
  xlsxEntries,
  zeroes,
  zipBytes,
} from './hostile-files.ts'
import { expectInvariants } from './invariants.ts'
import { forNight } from '../helpers/scale.ts'

/** What a document of these files may reach for; nothing ever may. */
const asked: string[] = []
const lure = createServer((request, response) => {
  asked.push(request.url ?? '')
  response.end('<x/>')
})
const dir = temporaryDir()
const inbox = join(dir.path, 'in')
let core: Core
let address: string

type Outcome = ErrorCode | 'done'
type HostileFile = { name: string; bytes: Buffer; outcome: Outcome }

/** The whole product: core, the service's process, and the threads of both. */
beforeAll(async () => {
  await new Promise<void>((resolve) => lure.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(lure.address() as AddressInfo).port}/`
  await mkdir(inbox)
  core = await startHost({
    dataDir: join(dir.path, 'data'),
    secrets: { get: async () => null, set: async () => undefined, remove: async () => undefined },
    desktop: null,
    concurrency: 2,
  })
  await core.run()
})
afterAll(async () => {
  await core.stop({ atOnce: true })
  lure.close()
  dir.remove()
})

/**
 * Puts files into a watched folder of their own, waits until each has its outcome, and asks for the preview of each.
 */
async function outcomesOf(folderName: string, files: readonly HostileFile[]): Promise<Record<string, Outcome[]>> {
  const path = join(inbox, folderName)
  await mkdir(path)
  for (const { name, bytes } of files) await writeFile(join(path, name), bytes)
  const { tables, now } = core.context
  const schema = tables.schemas.save(null, folderName, [...simpleSchema], now())
  const { id } = await core.handlers['folders.add']({
    path,
    schemaId: schema.id,
    connectionId: tables.connections.local().id,
    otherSchemaIds: [],
    cuts: 'never',
    agentReference: null,
    mode: 'auto',
    includeSubfolders: true,
    afterwards: 'stay',
    archiveName: '',
    include: [],
    exclude: [],
    existing: 'take',
  })
  const documents = (): ReturnType<typeof tables.documents.inFolder> => tables.documents.inFolder(id)
  await until(
    () =>
      documents().length === files.length &&
      documents().every(({ status }) => status === 'done' || status === 'failed'),
    `the outcomes of ${folderName}`,
  )
  const outcomes: Record<string, Outcome[]> = {}
  for (const document of documents()) {
    const row = await core.handlers['documents.get']({ id: document.id })
    const preview = await core.handlers['documents.preview']({ id: document.id }).then(
      () => 'done' as const,
      (error: { code: ErrorCode }) => error.code,
    )
    outcomes[document.name] = [row.reason?.code ?? 'done', preview]
  }
  return outcomes
}

const expected = (files: readonly HostileFile[]): Record<string, Outcome[]> =>
  Object.fromEntries(files.map(({ name, outcome }) => [name, [outcome, outcome]]))
const facts = (): Parameters<typeof expectInvariants>[1] => ({
  paths: core.context.tables.folders
    .list()
    .flatMap(({ id }) => core.context.tables.documents.inFolder(id).map(({ path }) => path)),
  billable: 0,
  filesSent: 0,
  approvedResends: 0,
})

const good = onePage(textContent('Invoice number: SAFE-1', 'Total amount: 119.50'))

describe('F16 an Office file that is a bomb', () => {
  it('is refused with its reason by the service and by the preview, and the file after it goes on', async () => {
    const kernel = Buffer.alloc(1024 * 1024, 0x20)
    const packed = deflateRawSync(kernel)
    const small = docxEntries(docxXml(paragraph('Invoice number: SAFE-2')))
    const files: HostileFile[] = [
      {
        name: 'over 100 MB.docx',
        bytes: zipBytes([
          ...small,
          ...Array.from({ length: 101 }, (_, index) => ({ name: `m/${index}`, data: kernel, packed })),
        ]),
        outcome: 'file_too_complex',
      },
      {
        name: 'more than a hundredfold.xlsx',
        bytes: zipBytes(xlsxEntries(`<worksheet>${zeroes(2).toString()}</worksheet>`)),
        outcome: 'file_too_complex',
      },
      {
        name: 'more than 10,000 parts.xlsx',
        bytes: zipBytes([
          ...xlsxEntries('<worksheet/>'),
          ...Array.from({ length: 10_001 }, (_, index) => ({ name: `x/${index}`, data: Buffer.alloc(0) })),
        ]),
        outcome: 'file_too_complex',
      },
      {
        name: 'parts that share their bytes.docx',
        bytes: zipBytes([
          ...small,
          ...Array.from({ length: 200 }, (_, index) => ({
            name: `o/${index}`,
            data: kernel,
            packed: Buffer.alloc(0),
            says: { offset: 0, packedBytes: 900_000 },
          })),
        ]),
        outcome: 'file_too_complex',
      },
      {
        name: 'larger than its directory says.docx',
        bytes: zipBytes(
          docxEntries(zeroes(20)).map((entry) =>
            entry.name.startsWith('word') ? { ...entry, says: { unpackedBytes: 100 } } : entry,
          ),
        ),
        outcome: 'file_damaged',
      },
      {
        name: 'smaller than its directory says.docx',
        bytes: zipBytes(small.map((entry) => ({ ...entry, says: { unpackedBytes: 900_000 } }))),
        outcome: 'file_damaged',
      },
      {
        name: 'entities.docx',
        bytes: zipBytes(docxEntries(docxXml(paragraph('&j;'), laughingXml))),
        outcome: 'file_damaged',
      },
      {
        name: 'entities from elsewhere.docx',
        bytes: zipBytes(docxEntries(docxXml(paragraph('&f;&g;'), externalXml(address)))),
        outcome: 'file_damaged',
      },
      {
        name: 'entities in strings.xlsx',
        bytes: zipBytes(xlsxEntries('<worksheet/>', `${laughingXml}<sst><si><t>&j;</t></si></sst>`)),
        outcome: 'file_damaged',
      },
      {
        name: 'one string in every cell.xlsx',
        bytes: zipBytes(
          xlsxEntries(
            `<worksheet><sheetData><row>${'<c t="s"><v>0</v></c>'.repeat(2000)}</row></sheetData></worksheet>`,
            `<sst><si><t>${'w'.repeat(900_000)}</t></si></sst>`,
          ),
        ),
        outcome: 'file_too_complex',
      },
      // An archive in an archive is never opened, so neither is one that holds itself.
      {
        name: 'archives in archives.docx',
        bytes: zipBytes([
          ...small,
          { name: 'word/embeddings/again.docx', data: zipBytes([{ name: 'again', data: zipBytes(small) }]) },
        ]),
        outcome: 'done',
      },
      {
        name: 'zz healthy.docx',
        bytes: zipBytes(docxEntries(docxXml(paragraph('Invoice number: SAFE-3')))),
        outcome: 'done',
      },
    ]
    const before = process.memoryUsage().rss
    expect(await outcomesOf('bombs', files)).toEqual(expected(files))
    expect(process.memoryUsage().rss - before).toBeLessThan(600 * 1024 * 1024)
    expect(asked).toEqual([])
    expectInvariants(join(dir.path, 'data'), facts())
  })

  it('costs its own thread only, when it is no bomb by any count but becomes one in memory', async () => {
    const pool = new ReadingPool({ workerPath: entryPath('reading-worker'), size: 1, memoryMb: 32 })
    const grows = pool.read(zipBytes(docxEntries(docxXml(manyElements(3 * 1024 * 1024)))), 'docx')
    await expect(grows).rejects.toMatchObject({ code: 'file_too_complex', details: { memoryMb: 32 } })
    await expect(pool.read(good, 'pdf')).resolves.toMatchObject({ kind: 'pdf' })
    await pool.close()
  })
})

/** What a document may do when it is opened, closed, printed or looked at. */
const script = (code: string): string => `<< /S /JavaScript /JS (${code.replace(/[\\()]/g, '\\$&')}) >>`

describe('F17 a hostile PDF', () => {
  it('runs no script, follows no action and reads nothing from elsewhere', async () => {
    const call = `app.launchURL('${address}js'); this.submitForm('${address}form'); fetch('${address}fetch'); process.exit(1)`
    const actions = `/OpenAction ${script(call)} /AA << /WC ${script(call)} /DC ${script(call)} >> /URI << /Base (${address}) >> /Names << /JavaScript << /Names [(a) ${script(call)}] >> /EmbeddedFiles << /Names [(x.exe) 6 0 R] >> >>`
    const annotations =
      `/AA << /O ${script(call)} >> /Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 595 842] /A << /S /URI /URI (${address}uri) >> >> ` +
      `<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /Launch /F (${address}launch) >> >> << /Type /Annot /Subtype /Widget /FT /Tx /T (t) /V (v) /Rect [0 0 9 9] /A ${script(call)} /AA << /C ${script(call)} >> >>]`
    // A font matrix that is a program: glyph outlines were once compiled from it.
    const font = `<< /Type /Font /Subtype /Type1 /BaseFont /X /FontMatrix [1 0 0 1 0 (0\\); globalThis.fetch('${address}font'); \\(0)] /FirstChar 65 /LastChar 65 /Widths [600] >>`
    const file = `<< /Type /Filespec /F (${address}file) /UF (${address}file) /EF << /F 7 0 R >> >>`
    const image = stream('', `/Type /XObject /Subtype /Image /Width 1 /Height 1 /F << /FS /URL /F (${address}image) >>`)
    const bytes = onePage(`${textContent('Invoice number: SAFE-4')} /Im Do BT /F2 9 Tf 60 60 Td (A) Tj ET`, {
      catalog: `${actions} /AcroForm << /Fields [] /XFA (${address}) /CO [] >>`,
      page: annotations,
      resources: '/XObject << /Im 8 0 R >>',
      more: [file, stream('MZ', '/Type /EmbeddedFile'), image, font],
    })
    const files: HostileFile[] = [{ name: 'active.pdf', bytes, outcome: 'done' }]
    expect(await outcomesOf('scripts', files)).toEqual(expected(files))
    expect(asked).toEqual([])
  })

  it('fails with its reason, whatever is broken, endless or enormous in it, and the next document goes on', async () => {
    const leaf = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>'
    const root = '<< /Type /Catalog /Pages 2 0 R >>'
    const garbage = Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * index * 31 + index * 7919) % 256))
    const image = stream(
      deflateSync(Buffer.alloc(1000)),
      '/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /FlateDecode',
    )
    const files: HostileFile[] = [
      {
        name: '100,000 pages.pdf',
        bytes: pdfBytes({
          objects: [root, `<< /Type /Pages /Kids [${'3 0 R '.repeat(100_000)}] /Count 100000 >>`, leaf],
        }),
        outcome: 'file_too_complex',
      },
      {
        name: 'pages without end.pdf',
        bytes: pdfBytes({ objects: [root, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 3 >>'] }),
        outcome: 'file_damaged',
      },
      {
        name: 'a table that leads to itself.pdf',
        bytes: pdfBytes({
          objects: [root, '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', leaf],
          afterXref: (at) => `/Prev ${at}`,
        }),
        outcome: 'no_text',
      },
      {
        name: 'a picture of 10 gigapixels.pdf',
        bytes: onePage('q 595 0 0 842 0 0 cm /Im Do Q', { resources: '/XObject << /Im 6 0 R >>', more: [image] }),
        outcome: 'no_text',
      },
      {
        name: 'nested dictionaries.pdf',
        bytes: onePage(textContent('x'), { page: `/X ${'<< /A '.repeat(100_000)}` }),
        outcome: 'file_damaged',
      },
      { name: 'nested lists.pdf', bytes: onePage('['.repeat(500_000)), outcome: 'no_text' },
      {
        name: 'a form in itself.pdf',
        bytes: onePage('/Fm Do', {
          resources: '/XObject << /Fm 6 0 R >>',
          more: [
            stream(
              '/Fm Do /Fm Do',
              '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /Fm 6 0 R >> >>',
            ),
          ],
        }),
        outcome: 'no_text',
      },
      {
        name: 'a font of garbage.pdf',
        bytes: onePage(textContent('Invoice'), {
          font: '<< /Type /Font /Subtype /TrueType /BaseFont /X /FirstChar 0 /LastChar 1 /Widths [1] /FontDescriptor 6 0 R >>',
          more: ['<< /Type /FontDescriptor /FontName /X /Flags 4 /FontFile2 7 0 R >>', stream(garbage)],
        }),
        outcome: 'no_text',
      },
      {
        name: 'locked.pdf',
        bytes: onePage(textContent('x'), {
          more: [`<< /Filter /Standard /V 1 /R 2 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> /P -4 >>`],
          trailer: '/Encrypt 6 0 R /ID [<00><00>]',
        }),
        outcome: 'file_encrypted',
      },
      { name: 'zz healthy.pdf', bytes: good, outcome: 'done' },
    ]
    expect(await outcomesOf('broken', files)).toEqual(expected(files))
    for (const { outcome } of files) if (outcome !== 'done') expect(sentenceFor(outcome, {}, 'de')).not.toBe('')
    expectInvariants(join(dir.path, 'data'), facts())
  })

  it(
    'that takes too long, or unpacks to more than there is room for, ends its thread and fails alone',
    forNight,
    async () => {
      const pools = [768, 96].map(
        (budgetMb) => new ReadingPool({ workerPath: entryPath('reading-worker'), size: 1, budgetMb }),
      )
      const [roomy, small] = pools as [ReadingPool, ReadingPool]
      for (const pool of pools) await pool.read(good, 'pdf')
      const forms = Array.from({ length: 30 }, (_, index) =>
        stream(
          '/Fm Do /Fm Do',
          `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /Fm ${7 + index} 0 R >> >>`,
        ),
      )
      const doubling = onePage('/Fm Do', {
        resources: '/XObject << /Fm 6 0 R >>',
        more: [...forms, stream('0 0 m', '/Type /XObject /Subtype /Form /BBox [0 0 9 9]')],
      })
      await expect(roomy.read(doubling, 'pdf', { timeoutMs: 300 })).rejects.toMatchObject({
        code: 'file_too_complex',
        details: { timeoutMs: 300 },
      })
      // it says to be a picture, which may be large
      const bomb = onePage(flateBomb(150, ' '), {
        dictionary: '/Filter [/FlateDecode /FlateDecode] /Subtype /Image /Width 10000 /Height 10000',
      })
      expect(bomb.length).toBeLessThan(5000)
      await expect(small.read(bomb, 'pdf')).rejects.toMatchObject({
        code: 'file_too_complex',
        details: { budgetMb: 96 },
      })
      for (const pool of pools) {
        await expect(pool.read(good, 'pdf')).resolves.toMatchObject({ kind: 'pdf' })
        await pool.close()
      }
    },
  )
})
