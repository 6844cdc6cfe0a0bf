import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { tableFormats } from '../../shared/contract/exports.ts'
import { AppError, toAppError } from '../../shared/domain/errors.ts'
import { extractionModes } from '../../shared/domain/document-status.ts'
import type { ExtractionMode } from '../../shared/domain/document-status.ts'
import { parseSchemaText } from '../../shared/domain/schema.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'

export type OutFile = { path: string; format: (typeof tableFormats)[number] }

/** A schema as a file holds it. */
export type NamedSchema = { schemaName: string; schema: SchemaElement[] }

/** What both commands that extract are given. */
type CommonArguments = NamedSchema & {
  /** Each document is asked by the one of all of them that fits. */
  otherSchemas: NamedSchema[]
  /** Files that hold several documents are cut where that is sure. */
  cut: boolean
  agentReference: string | null
  mode: ExtractionMode
  /** The person has looked at what a restore of the database stopped. */
  resume: boolean
  concurrency: number | undefined
}

export type ExtractArguments = CommonArguments & {
  paths: string[]
  out: OutFile | null
  json: boolean
  /** Only what a person has to look at is printed, and why. */
  flagged: boolean
  /** What an earlier run left without a known outcome goes again, although it may be billed twice. */
  resend: boolean
}

export type WatchArguments = CommonArguments & {
  folder: string
  out: OutFile
  once: boolean
}

/** Wrong use: the sentence says what to write instead. */
export const usageError = (problem: string): AppError => new AppError('usage', { problem })

const common = {
  schema: { type: 'string', multiple: true },
  cut: { type: 'boolean', default: false },
  agent: { type: 'string' },
  mode: { type: 'string', default: 'auto' },
  out: { type: 'string' },
  resume: { type: 'boolean', default: false },
  concurrency: { type: 'string' },
} as const

/** Throws `usage` or `schema_file_unreadable`, both with what to write instead. */
export function parseExtract(argv: string[], base: string): ExtractArguments {
  const { values, positionals } = parse(argv, {
    ...common,
    json: { type: 'boolean', default: false },
    flagged: { type: 'boolean', default: false },
    resend: { type: 'boolean', default: false },
  })
  if (positionals.length === 0)
    throw usageError('Name at least one file or folder: sheaf extract PATH... --schema FILE.json')
  if (values.json === true && values.flagged === true)
    throw usageError(
      '--flagged is for people and --json for programs, which has all flags already; leave out one of them',
    )
  return {
    ...commonArguments(values, base),
    paths: positionals.map((path) => resolve(base, path)),
    out: values.out === undefined ? null : outFile(String(values.out), base, tableFormats),
    json: values.json === true,
    flagged: values.flagged === true,
    resend: values.resend === true,
  }
}

/** Throws like `parseExtract`. */
export function parseWatch(argv: string[], base: string): WatchArguments {
  const { values, positionals } = parse(argv, { ...common, once: { type: 'boolean', default: false } })
  const [folder, ...others] = positionals
  if (folder === undefined || others.length > 0)
    throw usageError('Name one folder: sheaf watch FOLDER --schema FILE.json --out FILE.csv')
  if (values.out === undefined) throw usageError('Say where the spreadsheet goes: --out FILE.csv or --out FILE.xlsx')
  return {
    ...commonArguments(values, base),
    folder: resolve(base, folder),
    out: outFile(String(values.out), base, ['csv', 'xlsx']),
    once: values.once === true,
  }
}

/** The port of `serve`; 0 for any free one. */
export function parseServe(argv: string[]): number {
  return parsePort(argv, {}).port
}

export type ServiceArguments = {
  port: number
  allowPrivateCallbacks: boolean
  streamLimitSeconds: number | null
  silenceLimitSeconds: number | null
}

/** Of `service`. */
export function parseService(argv: string[]): ServiceArguments {
  const { port, values } = parsePort(argv, {
    'allow-private-callbacks': { type: 'boolean', default: false },
    'stream-limit': { type: 'string' },
    'silence-limit': { type: 'string' },
  })
  return {
    port,
    allowPrivateCallbacks: values['allow-private-callbacks'] === true,
    streamLimitSeconds: parseSeconds(values, 'stream-limit'),
    silenceLimitSeconds: parseSeconds(values, 'silence-limit'),
  }
}

function parseSeconds(values: Values, name: string): number | null {
  const given = values[name]
  if (given === undefined) return null
  const seconds = wholeNumber(given)
  if (!(seconds >= 1 && seconds <= 86_400))
    throw usageError(`--${name} takes seconds from 1 to 86400, not «${String(given)}»`)
  return seconds
}

function parsePort(argv: string[], more: Options): { port: number; values: Values } {
  const options: Options = { port: { type: 'string', default: '0' }, ...more }
  const { values, positionals } = parse(argv, options)
  const understood = Object.keys(options).map((name) => (name === 'port' ? '--port N' : `--${name}`))
  if (positionals.length > 0)
    throw usageError(`What is «${positionals[0]}»? Only ${understood.join(' and ')} is understood here.`)
  const port = wholeNumber(values['port'])
  if (!(port <= 65_535)) throw usageError(`--port takes a number from 0 to 65535, not «${String(values['port'])}»`)
  return { port, values }
}

export type Values = Record<string, string | boolean | string[] | undefined>
export type Options = Record<string, { type: 'string' | 'boolean'; multiple?: boolean; default?: string | boolean }>

/** node:util's parseArgs, whose complaints are `usage`. */
export function parse(argv: string[], options: Options): { values: Values; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true })
    return { values: values as Values, positionals }
  } catch (error) {
    throw usageError(complaint(error, Object.keys(options)))
  }
}

/** What parseArgs does not like, in words for whoever typed it. */
function complaint(error: unknown, known: string[]): string {
  const message = error instanceof Error ? error.message : String(error)
  const option = /'(-[^' ]*)/.exec(message)?.[1] ?? ''
  switch (error instanceof Error && 'code' in error ? error.code : null) {
    case 'ERR_PARSE_ARGS_UNKNOWN_OPTION':
      return `There is no option «${option}» here. ${known.length === 0 ? 'This command has none' : `There is ${known.map((name) => `--${name}`).join(', ')}`}`
    case 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE':
      if (message.includes('does not take')) return `${option} stands alone; leave out what follows it`
      return `${option} needs a value after it, and one that does not begin with «-»`
    default:
      return message
  }
}

/** Digits only, so that a thousands separator is never read as a decimal point; NaN for anything else. */
export function wholeNumber(text: unknown): number {
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
}

function commonArguments(values: Values, base: string): CommonArguments {
  const [first, ...others] = Array.isArray(values['schema']) ? values['schema'] : []
  if (first === undefined) throw usageError('Say what to extract: --schema FILE.json')
  const isSorting = others.length > 0 || values['cut'] === true
  if (isSorting && values['agent'] !== undefined)
    throw usageError('An agent has fields of its own: leave out --agent, or name one --schema and no --cut')
  const mode = extractionModes.find((known) => known === values['mode'])
  if (mode === undefined) throw usageError(`--mode is auto, sync or async, not «${String(values['mode'])}»`)
  return {
    ...namedSchema(resolve(base, first)),
    otherSchemas: others.map((file) => namedSchema(resolve(base, file))),
    cut: values['cut'] === true,
    agentReference: values['agent'] === undefined ? null : String(values['agent']),
    mode,
    resume: values['resume'] === true,
    concurrency: concurrencyOf(values['concurrency']),
  }
}

function concurrencyOf(value: Values[string]): number | undefined {
  if (value === undefined) return undefined
  const number = wholeNumber(value)
  if (!(number >= 1 && number <= 64))
    throw usageError(`--concurrency takes a number from 1 to 64, not «${String(value)}»`)
  return number
}

/** Throws `schema_file_unreadable`. */
function namedSchema(path: string): NamedSchema {
  return { schemaName: nameOf(path), schema: readSchemaFile(path) }
}

/** Throws `schema_file_unreadable`. */
export function readSchemaFile(path: string): SchemaElement[] {
  try {
    return parseSchemaText(readFileSync(path, 'utf8'))
  } catch (error) {
    const { code, details } = toAppError(error)
    const problem =
      code === 'schema_invalid' ? details['problem'] : 'it does not exist or cannot be opened; check the path'
    throw new AppError('schema_file_unreadable', { file: path, problem }, { cause: error })
  }
}

function outFile(value: string, base: string, formats: readonly OutFile['format'][]): OutFile {
  const format = formats.find((known) => `.${known}` === extname(value).toLowerCase())
  if (format === undefined)
    throw usageError(
      `--out ends in ${formats.map((known) => `.${known}`).join(' or ')}, not in «${extname(value) || value}»`,
    )
  const path = resolve(base, value)
  // Said before anything is extracted, not after.
  if (!existsSync(dirname(path)))
    throw usageError(`The folder ${dirname(path)} of --out does not exist. Make it first, or name another one.`)
  return { path, format }
}

function nameOf(path: string): string {
  return path.replace(/^.*[\\/]/, '').replace(/\.json$/i, '')
}
