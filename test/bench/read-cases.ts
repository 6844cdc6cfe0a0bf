import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import type { Recogniser } from '../../electron/reading/ocr/recogniser.ts'
import { readDocument } from '../../electron/reading/read.ts'
import type { Document } from '../../shared/domain/document.ts'
import { toAppError } from '../../shared/domain/errors.ts'
import { extensionOf, supportedExtensions } from '../../shared/domain/limits.ts'
import { parseSchema, parseSchemaText } from '../../shared/domain/schema.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'

/**
 * One table as a person sees it: its cells by row and column, and spans as first row, last row, first and last column.
 */
export type ExpectedTable = { table: number; page: number; cells: string[][]; spans?: number[][] }

/** What `expected.json` says of one file. */
export type Case = {
  kind: string
  language: string
  /** The sender or layout: what is judged was never trained with others of its group. */
  group: string
  schema: SchemaElement[]
  expected: Record<string, unknown>
  /** `missing`: the expected texts have lost their spaces. */
  spaces?: 'missing'
  tables?: ExpectedTable[]
}

/** A case with its file read; without a document, `error` is the code it could not be read with. */
export type ReadCase = {
  set: string
  file: string
  path: string
  case: Case
  document: Document | null
  error?: string
  /** How long the reading took when it was done, ms. */
  readingMs: number
}

type Stored = Pick<ReadCase, 'document' | 'error' | 'readingMs'>

const root = fileURLToPath(new URL('../..', import.meta.url))
const schemas = join(root, 'test/fixtures/schemas')
const neighbour = resolve(root, '../shared/corpus')
/** A measurement of what is read, not of how fast: on a busy computer a picture may take its time. */
const pictureTimeoutMs = 1_800_000
/** How the sets without a schema of their own are asked for. */
const invoiceSchema = 'corpus-invoice.json'

/** The folder of sets that stands beside the project, or `undefined`. */
export function neighbourCorpus(): string | undefined {
  return existsSync(neighbour) ? neighbour : undefined
}

/**
 * The sets of a folder: itself where it has an `expected.json`, otherwise its folders that have one, by name.
 * Throws where there is none.
 */
export async function setsOf(folder: string): Promise<string[]> {
  if (existsSync(join(folder, 'expected.json'))) return [folder]
  const sets = (await readdir(folder)).map((name) => join(folder, name)).filter((set) => isSet(set))
  if (sets.length === 0) throw new Error(`${folder} has no expected.json, and none of its folders has one`)
  return sets.toSorted()
}

function isSet(folder: string): boolean {
  return existsSync(join(folder, 'expected.json'))
}

/** The cases of one set, in the order of its `expected.json`. Nothing is read yet. */
export async function casesOf(set: string): Promise<[file: string, one: Case][]> {
  const cases = JSON.parse(await readFile(join(set, 'expected.json'), 'utf8')) as Record<
    string,
    Partial<Omit<Case, 'schema'>> & { schema?: SchemaElement[] | string }
  >
  return Promise.all(
    Object.entries(cases).map(
      async ([file, one]): Promise<[string, Case]> => [
        file,
        {
          ...one,
          kind: one.kind ?? 'invoice',
          language: one.language ?? '',
          group: one.group ?? file,
          schema: await schemaOf(one.schema),
          expected: one.expected ?? {},
        },
      ],
    ),
  )
}

async function schemaOf(schema: SchemaElement[] | string | undefined): Promise<SchemaElement[]> {
  // A set of tables asks for no field.
  if (Array.isArray(schema)) return schema.length === 0 ? [] : parseSchema(schema)
  return parseSchemaText(await readFile(join(schemas, schema ?? invoiceSchema), 'utf8'))
}

/**
 * Reads the cases of one set, one after another. What was read is kept in `node_modules/.cache/sheaf-reading`, by the
 * file's content and by the sources of the reading: work on the finding recognises no picture twice.
 */
export async function* readCases(set: string, recogniser: Recogniser): AsyncGenerator<ReadCase> {
  const cache = join(root, 'node_modules/.cache/sheaf-reading', await readingVersion())
  await mkdir(cache, { recursive: true })
  for (const [file, one] of await casesOf(set)) {
    const path = join(set, file)
    const read = existsSync(path)
      ? await readOnce(path, cache, recogniser)
      : { document: null, error: 'file_missing', readingMs: 0 }
    yield { set: basename(set), file, path, case: one, ...read }
  }
}

async function readOnce(path: string, cache: string, recogniser: Recogniser): Promise<Stored> {
  const bytes = await readFile(path)
  const extension = extensionOf(basename(path))
  const stored = join(cache, `${createHash('sha256').update(bytes).digest('hex')}.${extension}.json`)
  if (existsSync(stored)) return JSON.parse(await readFile(stored, 'utf8')) as Stored
  const read = await readNow(bytes, extension, recogniser)
  // Under a name of its own until it is whole: several runs may read at the same time.
  const partial = `${stored}.${process.pid}`
  await writeFile(partial, JSON.stringify(read))
  await rename(partial, stored)
  return read
}

async function readNow(bytes: Uint8Array, extension: string, recogniser: Recogniser): Promise<Stored> {
  const startedAt = performance.now()
  const kind = supportedExtensions[extension]
  if (!kind) return { document: null, error: 'unsupported_type', readingMs: 0 }
  try {
    const document = await readDocument(new Uint8Array(bytes), kind, (picture) =>
      recogniser.recognise(picture, pictureTimeoutMs),
    )
    return { document, readingMs: performance.now() - startedAt }
  } catch (error) {
    return { document: null, error: toAppError(error).code, readingMs: performance.now() - startedAt }
  }
}

/** Changes with any source of the reading and with the packages that it reads with. */
async function readingVersion(): Promise<string> {
  const hash = createHash('sha256')
  const folder = join(root, 'electron/reading')
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts')).toSorted()
  for (const path of [...files.map((name) => join(folder, name)), join(root, 'package-lock.json')])
    hash.update(path.slice(root.length)).update(await readFile(path))
  return hash.digest('hex').slice(0, 16)
}
