import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { Recogniser } from '../../electron/reading/ocr/recogniser.ts'
import { readDocument } from '../../electron/reading/read.ts'
import { extractFields } from '../../electron/service/extraction/extract.ts'
import type { Document } from '../../shared/domain/document.ts'
import { extensionOf, supportedExtensions } from '../../shared/domain/limits.ts'
import { parseSchemaText } from '../../shared/domain/schema.ts'
import { compare, type Score, type Share } from './compare.ts'

type Case = { schema?: string; expected: Record<string, unknown> }

const root = fileURLToPath(new URL('../..', import.meta.url))
const schemas = join(root, 'test/fixtures/schemas')
const samples = join(root, 'test/fixtures/samples')
const neighbour = resolve(root, '../shared/corpus/invoices')

/**
 * Reads and extracts every document of the sample set and of a corpus folder (`--corpus DIR` or `SHEAF_CORPUS`),
 * compares with the folder's `expected.json` and prints the share of right header fields, list rows and list cells.
 * `--wrong` also prints what was wrong. Only what the pages show counts; with `--exact` also what files say exactly
 * (e-invoices, payment codes, forms).
 */
export async function run(): Promise<void> {
  const args = process.argv.slice(2)
  const at = args.indexOf('--corpus')
  const corpus =
    (at >= 0 ? args[at + 1] : undefined) ?? process.env.SHEAF_CORPUS ?? (existsSync(neighbour) ? neighbour : undefined)
  const folders = [samples, ...(corpus === undefined ? [] : [resolve(corpus)])]
  const recogniser = new Recogniser()
  try {
    for (const folder of folders) {
      if (existsSync(join(folder, 'expected.json')))
        await measure(folder, recogniser, { wrong: args.includes('--wrong'), exact: args.includes('--exact') })
      else print(`${folder}: no expected.json\n`)
    }
  } finally {
    await recogniser.close()
  }
}

async function measure(
  folder: string,
  recogniser: Recogniser,
  show: { wrong: boolean; exact: boolean },
): Promise<void> {
  const cases = JSON.parse(await readFile(join(folder, 'expected.json'), 'utf8')) as Record<string, Case>
  const sum: Score = {
    fields: { right: 0, all: 0 },
    rows: { right: 0, all: 0 },
    cells: { right: 0, all: 0 },
    wrong: [],
  }
  print(`\n${basename(folder)}\n${row('file', 'fields', 'rows', 'cells', 'ms')}\n`)
  for (const [file, one] of Object.entries(cases)) {
    const schema = parseSchemaText(await readFile(join(schemas, one.schema ?? 'corpus-invoice.json'), 'utf8'))
    const document = await readCase(join(folder, file), recogniser)
    if (!show.exact) delete document?.exact
    const startedAt = performance.now()
    const data = document ? extractFields(document, schema).data : {}
    const score = compare(schema, one.expected, data)
    for (const part of ['fields', 'rows', 'cells'] as const) {
      sum[part].right += score[part].right
      sum[part].all += score[part].all
    }
    print(
      `${row(file, part(score.fields), part(score.rows), part(score.cells), document ? (performance.now() - startedAt).toFixed(0) : 'unreadable')}\n`,
    )
    if (show.wrong) for (const wrong of score.wrong) print(`    ${wrong}\n`)
  }
  print(`${row('all', share(sum.fields), share(sum.rows), share(sum.cells), '')}\n`)
}

async function readCase(path: string, recogniser: Recogniser): Promise<Document | null> {
  const kind = supportedExtensions[extensionOf(path)]
  if (!kind || !existsSync(path)) return null
  return readDocument(new Uint8Array(await readFile(path)), kind, (picture) => recogniser.recognise(picture)).catch(
    () => null,
  )
}

function part(one: Share): string {
  return one.all === 0 ? '–' : `${one.right}/${one.all}`
}

function share(one: Share): string {
  return one.all === 0 ? '–' : `${part(one)} ${((100 * one.right) / one.all).toFixed(1)} %`
}

function row(...cells: [string, string, string, string, string]): string {
  const [file, ...rest] = cells
  return file.slice(0, 46).padEnd(48) + rest.map((cell) => cell.padStart(16)).join('')
}

function print(text: string): void {
  process.stdout.write(text)
}
