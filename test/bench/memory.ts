import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'
import { createCanvas } from '@napi-rs/canvas'
import * as hostile from '../faults/hostile-files.ts'

const mebibyte = 1024 * 1024
/** Of launcher, host and service together, while two such files are read at once. */
const maxMb = 1024
const launcher = fileURLToPath(new URL('../../electron/launch.mjs', import.meta.url))

/** Two files of one kind that are large, or want to be; `mark` tells them apart. */
type Kind = { name: string; extension: string; make: (mark: string) => Buffer }

const deflated = (bytes: Buffer): Buffer => deflateSync(bytes, { level: 9 })
const asPicture = '/Type /XObject /Subtype /Image /ColorSpace /DeviceRGB /BitsPerComponent 8'

function scan(width: number, height: number, bytes: Buffer, filter: 'FlateDecode' | 'DCTDecode'): Buffer {
  return hostile.onePage('q 500 0 0 700 0 0 cm /I Do Q', {
    resources: '/XObject << /I 6 0 R >>',
    more: [hostile.stream(bytes, `${asPicture} /Width ${width} /Height ${height} /Filter /${filter}`)],
  })
}

function photo(width: number, height: number, mark: string): Buffer {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, width, height)
  context.fillStyle = '#000000'
  context.font = `${Math.round(height / 40)}px sans-serif`
  for (let line = 1; line < 12; line += 1)
    context.fillText(`Invoice number A-${mark}${line}`, width / 20, (line * height) / 13)
  return canvas.toBuffer('image/jpeg', 90)
}

const sheet = (rows: Iterable<string>): Buffer =>
  hostile.zipBytes(hostile.xlsxEntries(`<worksheet><sheetData>${[...rows].join('')}</sheetData></worksheet>`))

const kinds: Kind[] = [
  {
    name: 'PDF whose content unpacks to 390 MB',
    extension: 'pdf',
    make: (mark) =>
      hostile.onePage(deflated(Buffer.alloc(390 * mebibyte, mark)), { dictionary: '/Filter /FlateDecode' }),
  },
  {
    name: 'PDF that draws 28 MB',
    extension: 'pdf',
    make: (mark) => hostile.onePage(`${mark} 0 m ${'10 10 l 20 20 l S 0 0 m '.repeat((28 * mebibyte) / 24)}`),
  },
  {
    name: 'PDF of 30 MB without a line end',
    extension: 'pdf',
    make: (mark) => Buffer.concat([Buffer.from(`%PDF-1.4\n${mark}`), Buffer.alloc(30 * mebibyte, '123 /A ')]),
  },
  ...([35, 60] as const).map((megapixels) => ({
    name: `PDF with a deflated picture of ${megapixels} megapixels`,
    extension: 'pdf',
    make: (mark: string) => scan(5000, megapixels * 200, deflated(Buffer.alloc(megapixels * 3e6, mark)), 'FlateDecode'),
  })),
  ...([35, 60] as const).map((megapixels) => ({
    name: `PDF with a JPEG of ${megapixels} megapixels`,
    extension: 'pdf',
    make: (mark: string) => scan(5000, megapixels * 200, photo(5000, megapixels * 200, mark), 'DCTDecode'),
  })),
  ...(
    [
      [3000, 4000],
      [9500, 10_000],
    ] as const
  ).map(([width, height]) => ({
    name: `photo of ${(width * height) / 1e6} megapixels`,
    extension: 'jpg',
    make: (mark: string) => photo(width, height, mark),
  })),
  {
    name: 'cell of 900,000 letters',
    extension: 'xlsx',
    make: (mark) =>
      sheet([`<row r="1"><c r="A1" t="inlineStr"><is><t>${`12${mark} `.repeat(225_000)}</t></is></c></row>`]),
  },
  {
    name: 'column of 190,000 numbers',
    extension: 'xlsx',
    make: (mark) =>
      sheet(Array.from({ length: 190_000 }, (_, row) => `<row r="${row + 1}"><c><v>${row}${mark}</v></c></row>`)),
  },
  {
    name: 'DOCX of very many elements',
    extension: 'docx',
    make: (mark) =>
      hostile.zipBytes(
        hostile.docxEntries(hostile.docxXml(hostile.paragraph(mark) + hostile.manyElements(30 * mebibyte))),
      ),
  },
]

/** What a process and those below it hold, each shared page by its share (proc_pid_smaps(5)), in MB. */
function heldBy(root: number): number {
  const children = new Map<number, number[]>()
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = Number(textOf(`/proc/${entry}/stat`).split(') ')[1]?.split(' ')[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)])
  }
  const held = (pid: number): number =>
    Number(/^Pss:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024 +
    (children.get(pid) ?? []).reduce((sum, child) => sum + held(child), 0)
  return held(root)
}

/** Empty where the process has ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

async function measure({ extension, make }: Kind): Promise<{ mb: number; seconds: number; outcomes: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-memory-'))
  const [inbox, schema] = [join(folder, 'in'), join(folder, 'schema.json')]
  mkdirSync(inbox)
  for (const mark of ['1', '2']) writeFileSync(join(inbox, `${mark}.${extension}`), make(mark))
  writeFileSync(schema, JSON.stringify([{ name: 'number', format: 'text', description: 'Number of the invoice' }]))
  const begunAt = Date.now()
  const child = spawn(
    process.execPath,
    [launcher, 'extract', inbox, '--schema', schema, '--json', '--concurrency', '2'],
    { env: { ...process.env, SHEAF_DATA_DIR: join(folder, 'data') }, stdio: ['ignore', 'pipe', 'ignore'] },
  )
  let printed = ''
  child.stdout.on('data', (data) => (printed += String(data)))
  let mb = 0
  const timer = setInterval(() => (mb = Math.max(mb, heldBy(child.pid!))), 40)
  await new Promise((resolve) => child.on('close', resolve))
  clearInterval(timer)
  rmSync(folder, { recursive: true, force: true })
  const lines = printed
    .trim()
    .split('\n')
    .filter((line) => line !== '')
  const outcomes = lines.map((line) => (JSON.parse(line) as { status: string }).status)
  return { mb, seconds: (Date.now() - begunAt) / 1000, outcomes }
}

/**
 * `npm run bench -- memory [WORDS]`: the most that launcher, host and service of `sheaf extract` hold together while
 * this computer reads two large or hostile files of a kind at once; only kinds with WORDS in their name. Linux only.
 */
export async function run(): Promise<void> {
  const words = process.argv.slice(3).join(' ')
  for (const kind of kinds.filter(({ name }) => name.includes(words))) {
    const { mb, seconds, outcomes } = await measure(kind)
    const verdict = mb <= maxMb ? 'held' : 'not held'
    const figures = [`${mb.toFixed(0).padStart(5)} MB`, `at most ${maxMb}: ${verdict}`, `${seconds.toFixed(1)} s`]
    process.stdout.write(`${[kind.name.padEnd(46), ...figures, ...outcomes].join('  ')}\n`)
  }
}
