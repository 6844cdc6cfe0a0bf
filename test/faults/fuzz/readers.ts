import { readdirSync, readFileSync } from 'node:fs'
import { createCanvas } from '@napi-rs/canvas'
import { PDFDocument } from 'pdf-lib'
import { deflateSync } from 'node:zlib'
import { ThreadPool } from '../../../electron/reading/thread-pool.ts'
import { toAppError } from '../../../shared/domain/errors.ts'
import { testProgram } from '../../helpers/built.ts'
import { docxEntries, docxXml, onePage, paragraph, stream, xlsxEntries, zipBytes } from '../hostile-files.ts'
import type { ZipEntry } from '../hostile-files.ts'
import { emlOf, msgOf } from '../../helpers/mail-files.ts'
import { bmpOf, tiffOf } from '../../helpers/picture-files.ts'
import { ciiInvoice, ublInvoice } from '../../unit/invoices-as-xml.ts'
import { Broken, expectKnownCode, hangMs, mutated } from './kit.ts'
import type { OpenTarget, Random, Target, Tried } from './kit.ts'
import type { Trial, Verdict, fuzzTasks } from './reading-thread.ts'

/** As many in one message: the way to the thread and back costs as much as a small file. */
const batch = 100
const batchTimeoutMs = 60_000
const oneTimeoutMs = 10_000
const outcomes = ['done', 'no_e_invoice', 'file_damaged', 'file_encrypted', 'file_too_complex', 'no_text']

const tiffs = new URL('../../fixtures/tiff/', import.meta.url)

type Seeds = { bytes: Record<Trial['kind'], Uint8Array[]>; parts: { docx: ZipEntry[]; xlsx: ZipEntry[] } }

async function seedsOf(): Promise<Seeds> {
  const drawn = await PDFDocument.create()
  const page = drawn.addPage([200, 200])
  page.drawText('Invoice number: A-1', { x: 20, y: 150, size: 9 })
  page.drawRectangle({ x: 10, y: 10, width: 50, height: 20 })
  drawn.getForm().createTextField('total').addToPage(page, { x: 20, y: 40 })
  const content = 'BT /F1 9 Tf 12 TL 20 160 Td (Invoice number: A-1) Tj T* (Total amount: 119.50) Tj ET'
  const image = stream(
    deflateSync(Buffer.alloc(300, 7)),
    '/Type /XObject /Subtype /Image /Width 10 /Height 10 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /FlateDecode',
  )
  const canvas = createCanvas(24, 24)
  const context = canvas.getContext('2d')
  context.fillStyle = 'white'
  context.fillRect(0, 0, 24, 24)
  context.fillStyle = 'black'
  context.fillRect(4, 4, 9, 5)
  const cells =
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>45000.5</v></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>Total amount</t></is></c><c r="B2"><f>1+1</f><v>119.5</v></c></row>'
  const table = `<w:tbl><w:tblGrid><w:gridCol w:w="100"/></w:tblGrid><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/><w:vMerge w:val="restart"/></w:tcPr>${paragraph('Article')}</w:tc></w:tr></w:tbl>`
  const docx = docxEntries(
    docxXml(
      `${paragraph('Invoice number: A-1')}<w:p><w:pPr><w:ind w:left="720"/><w:tabs><w:tab w:val="right" w:pos="9000"/></w:tabs></w:pPr><w:r><w:tab/><w:t>Total 119,50</w:t></w:r></w:p>${table}<w:sectPr><w:pgSz w:w="11906"/></w:sectPr>`,
    ),
  )
  const xlsx = xlsxEntries(
    `<worksheet><sheetData>${cells}</sheetData><mergeCells><mergeCell ref="A1:B1"/></mergeCells></worksheet>`,
    '<sst><si><t>Invoice number</t></si><si><r><t>rich</t></r></si></sst>',
  )
  return {
    bytes: {
      pdf: [
        onePage(content, { box: '0 0 200 200' }),
        onePage(deflateSync(Buffer.from(`q 1 0 0 1 5 5 cm ${content} Q`)), {
          dictionary: '/Filter /FlateDecode',
          box: '0 0 200 200',
        }),
        onePage('q 90 0 0 90 0 0 cm /Im Do Q /Fm Do', {
          box: '0 0 90 90',
          resources: '/XObject << /Im 6 0 R /Fm 7 0 R >>',
          more: [image, stream('0 0 m 9 9 l S', '/Type /XObject /Subtype /Form /BBox [0 0 9 9]')],
        }),
        await drawn.save(),
      ],
      png: [await canvas.encode('png')],
      jpeg: [await canvas.encode('jpeg', 80)],
      docx: [zipBytes(docx)],
      xlsx: [zipBytes(xlsx)],
      tiff: [
        tiffOf([{ width: 24, height: 24, bits: 8, samples: 1, photometric: 1, data: new Uint8Array(576).fill(200) }]),
        ...readdirSync(tiffs).map((name) => readFileSync(new URL(name, tiffs))),
      ],
      webp: [await canvas.encode('webp', 80)],
      bmp: [bmpOf(24, 24, () => 200)],
      eml: [emlOf([attached, { name: 'a.eml', type: 'message/rfc822', bytes: emlOf([attached], 'inner') }])],
      msg: [msgOf([attached])],
      xml: [Buffer.from(ciiInvoice()), Buffer.from(ublInvoice('CreditNote'))],
    },
    parts: { docx, xlsx },
  }
}

const attached = { name: 'Invoice.pdf', bytes: Buffer.alloc(5000, 'invoice') }
const kinds: readonly Trial['kind'][] = [
  'pdf',
  'pdf',
  'docx',
  'xlsx',
  'png',
  'jpeg',
  'tiff',
  'webp',
  'bmp',
  'xml',
  'eml',
  'msg',
]

/**
 * Half of the Office files are changed before they are packed, or the checksums of the archive would refuse nearly all.
 */
function make(seeds: Seeds, random: Random): Trial {
  const kind = random.pick(kinds)
  if ((kind !== 'docx' && kind !== 'xlsx') || random.oneIn(3))
    return { kind, bytes: mutated(random, seeds.bytes[kind]) }
  const parts = seeds.parts[kind]
  const chosen = random.pick(parts)
  return {
    kind,
    bytes: zipBytes(
      parts.map((part) =>
        part === chosen
          ? {
              ...part,
              data: mutated(
                random,
                parts.map(({ data }) => data),
              ),
            }
          : part,
      ),
    ),
  }
}

async function open(): Promise<OpenTarget<Trial>> {
  const seeds = await seedsOf()
  const pool = new ThreadPool<typeof fuzzTasks>({
    workerPath: testProgram('fuzz-thread'),
    size: 1,
    timeoutMs: batchTimeoutMs,
  })
  return {
    batch,
    make: (random) => make(seeds, random),
    async tryAll(trials, tried) {
      const verdicts = await pool.run('readAll', [...trials]).catch(() => null)
      // The thread was ended in the middle: whose doing it was shows when each is tried alone.
      for (const [index, trial] of trials.entries()) judge(verdicts?.[index] ?? (await alone(pool, trial)), tried)
    },
    close: () => pool.close(),
  }
}

async function alone(pool: ThreadPool<typeof fuzzTasks>, trial: Trial): Promise<Verdict> {
  const startedAt = performance.now()
  try {
    return (await pool.run('readAll', [trial], oneTimeoutMs))[0]!
  } catch (error) {
    const { code } = toAppError(error)
    const ms = performance.now() - startedAt
    // What the limits refuse in time is refused as they should.
    return {
      ms,
      code,
      wrong: ms > hangMs || code !== 'file_too_complex' ? `its thread ended after ${Math.round(ms)} ms: ${code}` : null,
    }
  }
}

function judge({ ms, code, wrong }: Verdict, tried: Tried): void {
  if (wrong !== null) throw new Broken(`${code}: ${wrong}`)
  if (code !== 'done') expectKnownCode(code, outcomes)
  tried.done(ms)
}

/** PDF, DOCX, XLSX, pictures and XML invoices through the threads that convert and read them. */
export const readers: Target<Trial> = { name: 'readers', open }
