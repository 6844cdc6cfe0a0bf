import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createWorker, OEM } from 'tesseract.js'
import type { Worker } from 'tesseract.js'
import { withLanguageData } from '../../electron/reading/ocr/language-data.ts'
import { Recogniser } from '../../electron/reading/ocr/recogniser.ts'
import { readDocument } from '../../electron/reading/read.ts'
import type { Token } from '../../shared/domain/document.ts'
import { extensionOf, supportedExtensions } from '../../shared/domain/limits.ts'
import { readingLanguages } from '../../shared/domain/reading-languages.ts'
import { scansOfOurOwn } from './own-scans.ts'

/** A picture with what stands in it, as far as it is known. */
type Sample = {
  bytes: Uint8Array
  kind: 'png' | 'jpeg'
  /** Every line of the picture with its place in pixels, where somebody typed them. */
  lines?: Line[]
  /** Words that must come out exactly. */
  accented?: string[]
  fields?: { total?: unknown; date?: unknown; company?: unknown }
}
type Line = { text: string; left: number; top: number; right: number; bottom: number }
type Share = { right: number; all: number }
type Part = keyof typeof headings

const root = fileURLToPath(new URL('../..', import.meta.url))
const neighbours = ['receipts', 'wildreceipt'].map((name) => resolve(root, '../shared/corpus', name))
const headings = {
  words: 'words',
  accented: 'accented words',
  total: 'totals printed',
  date: 'dates printed',
  company: 'companies printed',
  agreed: 'words agreed',
  digits: 'agreed digits right',
}

/**
 * Reads the pictures of a corpus folder (`--corpus DIR`; else the neighbouring photos of receipts) and scans of our own
 * in German and French, and prints what share was read right, the time of a page on one core beside that of one plain
 * pass of Tesseract, and the peak of memory. `--pictures N` takes N of each set, `--missed` prints words that were not
 * found.
 */
export async function run(): Promise<void> {
  const option = (name: string): string | undefined =>
    process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined
  const corpus = option('--corpus')
  const most = Number(option('--pictures') ?? Number.POSITIVE_INFINITY)
  const folders = (corpus === undefined ? neighbours : [resolve(corpus)]).filter((folder) => existsSync(folder))
  const sets = [
    { name: 'scans of our own', samples: scansOfOurOwn },
    ...folders.map((folder) => ({ name: basename(folder), samples: () => samplesOf(folder) })),
  ]
  const plain = await withLanguageData(readingLanguages, [], (langPath) =>
    createWorker([...readingLanguages], OEM.LSTM_ONLY, {
      langPath,
      cacheMethod: 'none',
      gzip: true,
      errorHandler: () => undefined,
    }),
  )
  const recogniser = new Recogniser()
  try {
    for (const { name, samples } of sets) {
      const all = await samples()
      const every = Math.max(1, Math.ceil(all.length / most))
      await measure(
        name,
        all.filter((_, index) => index % every === 0),
        recogniser,
        plain,
      )
    }
    print(`\npeak of memory ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB, with the plain pass\n`)
  } finally {
    await Promise.all([recogniser.close(), plain.terminate()])
  }
}

async function measure(name: string, samples: Sample[], recogniser: Recogniser, plain: Worker): Promise<void> {
  const shares = new Map<Part, Share>()
  const count = (part: Part, right: number, all: number): void => {
    const share = shares.get(part) ?? { right: 0, all: 0 }
    shares.set(part, { right: share.right + right, all: share.all + all })
  }
  let seconds = 0
  let plainSeconds = 0
  for (const sample of samples) {
    const before = cpuSeconds()
    const { pages } = await readDocument(sample.bytes, sample.kind, (picture) =>
      // a busy machine is no reason to stop
      recogniser.recognise(picture, 600_000),
    )
    seconds += cpuSeconds() - before
    const { tokens, width, height } = pages[0]!
    compare(sample, tokens, { width, height }, count)
    const plainBefore = cpuSeconds()
    await plain.recognize(Buffer.from(sample.bytes))
    plainSeconds += cpuSeconds() - plainBefore
  }
  print(`\n${name}: ${samples.length} pictures\n`)
  for (const [part, heading] of Object.entries(headings)) {
    const share = shares.get(part as Part)
    if (share !== undefined && share.all > 0) print(`${heading.padEnd(22)}${percent(share)}\n`)
  }
  print(`${'a page on one core'.padEnd(22)}${(seconds / samples.length).toFixed(2)} s, `)
  print(`${(seconds / plainSeconds).toFixed(2)} of one plain pass (${(plainSeconds / samples.length).toFixed(2)} s)\n`)
}

function compare(
  { lines, accented, fields }: Sample,
  tokens: readonly Token[],
  size: { width: number; height: number },
  count: (part: Part, right: number, all: number) => void,
): void {
  const texts = tokens.map((token) => token.text)
  count('agreed', tokens.filter((token) => token.agreed === true).length, tokens.length)
  if (accented !== undefined) count('accented', found(accented, texts).length, accented.length)
  if (lines !== undefined) {
    const wanted = lines.flatMap((line) => line.text.split(/\s+/)).filter((word) => word !== '')
    const right = found(wanted.map(lower), texts.map(lower))
    count('words', right.length, wanted.length)
    if (process.argv.includes('--missed')) print(`${without(wanted.map(lower), right).join(' ')}\n`)
    for (const { digits, isRight } of agreedDigits(tokens, lines, size)) count('digits', isRight ? digits : 0, digits)
  }
  const all = squeezed(texts.join(''))
  const { total, date, company } = fields ?? {}
  if (typeof total === 'number')
    count('total', texts.some((text) => amountsOf(text).includes(Math.abs(total))) ? 1 : 0, 1)
  if (typeof date === 'string' && date !== '')
    count('date', datesAs(date).some((spelt) => all.includes(squeezed(spelt))) ? 1 : 0, 1)
  if (typeof company === 'string') count('company', all.includes(squeezed(company)) ? 1 : 0, 1)
}

/** The words that are among those read, each as often as it was read. */
function found(wanted: readonly string[], read: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const word of read) left.set(word, (left.get(word) ?? 0) + 1)
  return wanted.filter((word) => {
    const times = left.get(word) ?? 0
    left.set(word, times - 1)
    return times > 0
  })
}

function without(words: readonly string[], some: readonly string[]): string[] {
  return found(words, words).filter(
    (word, index) =>
      words.slice(0, index + 1).filter((one) => one === word).length > some.filter((one) => one === word).length,
  )
}

/**
 * Of each word with digits on which both readers agree: how many digits, and whether the line in its place has them.
 */
function agreedDigits(
  tokens: readonly Token[],
  lines: readonly Line[],
  size: { width: number; height: number },
): { digits: number; isRight: boolean }[] {
  return tokens.flatMap(({ text, box, agreed }) => {
    const digits = text.replace(/\D/g, '')
    const x = (box.x + box.width / 2) * size.width
    const y = (box.y + box.height / 2) * size.height
    const line = lines.find(({ left, top, right, bottom }) => x > left && x < right && y > top && y < bottom)
    if (agreed !== true || digits === '' || line === undefined) return []
    return [{ digits: digits.length, isRight: line.text.replace(/\D/g, '').includes(digits) }]
  })
}

async function samplesOf(folder: string): Promise<Sample[]> {
  const cases = JSON.parse(await readFile(join(folder, 'expected.json'), 'utf8')) as Record<
    string,
    { expected: Record<string, unknown> }
  >
  const samples: Sample[] = []
  for (const [file, { expected }] of Object.entries(cases)) {
    const kind = supportedExtensions[extensionOf(file)]
    if (kind !== 'png' && kind !== 'jpeg') continue
    const words = join(folder, file.replace(/\.\w+$/, '.words.csv'))
    samples.push({
      bytes: new Uint8Array(await readFile(join(folder, file))),
      kind,
      ...(existsSync(words) ? { lines: linesOf(await readFile(words, 'utf8')) } : {}),
      fields: {
        total: expected.total ?? expected.total_amount,
        date: expected.date,
        company: expected.company ?? expected.store_name,
      },
    })
  }
  return samples
}

/** Eight corner numbers and a text in each row. */
function linesOf(csv: string): Line[] {
  return csv.split(/\r?\n/).flatMap((row) => {
    const cells = row.split(',')
    const corners = cells.slice(0, 8).map(Number)
    const [xs, ys] = [corners.filter((_, index) => index % 2 === 0), corners.filter((_, index) => index % 2 === 1)]
    if (cells.length < 9) return []
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
    return [{ text: cells.slice(8).join(','), left, top, right, bottom }]
  })
}

function amountsOf(text: string): number[] {
  return [...text.matchAll(/\d[\d.,]*/g)].map(([digits]) => {
    const decimals = /[.,](\d\d)$/.exec(digits)?.[1]
    const whole = (decimals === undefined ? digits : digits.slice(0, -3)).replace(/[.,]/g, '')
    return Number(`${whole}.${decimals ?? '0'}`)
  })
}

/** The spellings of a date (YYYY-MM-DD) that receipts have; any other is as it is printed. */
function datesAs(date: string): string[] {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return [date]
  const [year = '', month = '', day = ''] = date.split('-')
  const names = ['en', 'de', 'es'].map((language) =>
    new Date(`${date}T12:00Z`).toLocaleString(language, { month: 'short', timeZone: 'UTC' }).slice(0, 3),
  )
  const plain = (digits: string): string[] => [digits, String(Number(digits))]
  const spelt: string[] = []
  for (const y of [year, year.slice(2)]) {
    for (const m of [...plain(month), ...names]) {
      for (const d of plain(day)) {
        for (const between of ['/', '-', '.', ''])
          spelt.push(
            `${d}${between}${m}${between}${y}`,
            `${m}${between}${d}${between}${y}`,
            `${y}${between}${m}${between}${d}`,
          )
        spelt.push(`${m}${d},${y}`)
      }
    }
  }
  // two digits of a bare day and month would be found in every number
  return spelt.filter((spelling) => /\D/.test(spelling) || spelling.length === 8)
}

/** Without white space, punctuation and case. */
function squeezed(text: string): string {
  return lower(text).replace(/[^\p{L}\p{N}]/gu, '')
}

function lower(text: string): string {
  return text.toLowerCase()
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

function percent({ right, all }: Share): string {
  return `${((100 * right) / all).toFixed(1)} % (${right} of ${all})`
}

function print(text: string): void {
  process.stdout.write(text)
}
