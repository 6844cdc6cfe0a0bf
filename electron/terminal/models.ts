import { text as textFrom } from 'node:stream/consumers'
import { sentenceFor } from '../../shared/messages/sentences.ts'
import type { ModelServer } from '../../shared/wire/service-control.ts'
import { usageError } from './arguments.ts'
import type { Options } from './arguments.ts'
import { printable, tableOf } from './format.ts'
import { jsonOption, print, refusePositionals, runCommand, textOption, withService } from './service-calls.ts'
import type { CallService, Command, Given } from './service-calls.ts'

const setUsage = 'sheaf models set --url URL --large MODEL|none [--small MODEL|none] [--key-from-stdin]'
const text = { type: 'string' } as const
const setOptions: Options = {
  ...jsonOption,
  url: text,
  large: text,
  small: text,
  'key-from-stdin': { type: 'boolean' },
}

const commands: Record<string, Command> = {
  show: { options: jsonOption, run: showServer },
  set: { options: setOptions, run: setServer },
  clear: { options: jsonOption, run: clearServer },
}

/** `sheaf models …`: the model server behind `svc-large` and `svc-small` of the service on this computer. */
export function modelsCommand(argv: string[]): Promise<number> {
  return runCommand('models', commands, argv)
}

async function showServer({ positionals, asJson }: Given): Promise<void> {
  refusePositionals(positionals, 'sheaf models show [--json]')
  const server = await withService((call) => call('models.get', {}))
  print(asJson, server, described(server))
}

async function setServer({ values, positionals, asJson }: Given): Promise<void> {
  refusePositionals(positionals, setUsage)
  const apiKey = await keyFrom(values['key-from-stdin'] === true)
  const given = {
    url: textOption(values, 'url'),
    large: textOption(values, 'large'),
    small: textOption(values, 'small'),
  }
  const { server, warning } = await withService(async (call) => {
    const server = await saveServer(call, given, apiKey)
    return { server, warning: await warningAbout(call, server) }
  })
  if (warning !== null) process.stderr.write(`${warning}\n`)
  print(asJson, server, described(server))
}

async function clearServer({ positionals, asJson }: Given): Promise<void> {
  refusePositionals(positionals, 'sheaf models clear')
  const none = { baseUrl: null, apiKey: null, large: null, small: null }
  const server = await withService((call) => call('models.save', none))
  print(asJson, server, described(server))
}

/** A key is never an argument, where every user of the computer can read it. Undefined keeps the stored one. */
async function keyFrom(stdin: boolean): Promise<string | undefined> {
  const key = stdin ? (await textFrom(process.stdin)).trim() : process.env['SHEAF_MODEL_KEY']
  if (stdin && !key)
    throw usageError('--key-from-stdin found nothing there: sheaf models set … --key-from-stdin < FILE')
  return key || undefined
}

/**
 * What was not given stays as it is, the models for the same host only: another one has others. `none` takes a model
 * off. Without any model it says which ones there are.
 */
async function saveServer(
  call: CallService,
  given: { url: string | undefined; large: string | undefined; small: string | undefined },
  apiKey: string | undefined,
): Promise<ModelServer> {
  const stored = await call('models.get', {})
  const baseUrl = given.url ?? stored.baseUrl
  if (baseUrl === null) throw usageError(`Name the server: ${setUsage}`)
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl))
    throw usageError(
      `--url is an address with http:// or https://, such as http://127.0.0.1:11434/v1, not «${baseUrl}»`,
    )
  const key = apiKey === undefined ? {} : { apiKey }
  const sameHost = stored.baseUrl !== null && new URL(stored.baseUrl).origin === new URL(baseUrl).origin
  const large = modelFrom(given.large, sameHost ? stored.large : null)
  const small = modelFrom(given.small, sameHost ? stored.small : null)
  if (large === null && small === null && given.large === undefined && given.small === undefined) {
    const { models, problem } = await call('models.discover', { baseUrl, ...key })
    const there =
      problem === null
        ? `It has: ${models.map(printable).join(', ') || 'none'}`
        : sentenceFor(problem.code, problem.details, 'en')
    throw usageError(`Name a model of the server: ${setUsage}\n${there}`)
  }
  return call('models.save', { baseUrl, ...key, large, small })
}

/**
 * Asks the server whether it has the models: it may only be switched off, so they are stored whatever it says. Null: it
 * has.
 */
async function warningAbout(call: CallService, { baseUrl, large, small }: ModelServer): Promise<string | null> {
  const named = [large, small].filter((model) => model !== null)
  if (baseUrl === null || named.length === 0) return null
  const { models, problem } = await call('models.discover', { baseUrl })
  if (problem !== null) return `Stored, but not reached: ${printable(sentenceFor(problem.code, problem.details, 'en'))}`
  const missing = named.filter((model) => !models.includes(model))
  if (missing.length === 0) return null
  return `Stored, but the server does not name ${missing.map((model) => `«${printable(model)}»`).join(' and ')}. It has: ${models.map(printable).join(', ') || 'none'}`
}

function modelFrom(given: string | undefined, kept: string | null): string | null {
  if (given === undefined) return kept
  return given === 'none' ? null : given
}

function described({ baseUrl, hasKey, large, small }: ModelServer): string {
  if (baseUrl === null) return `No model server is named. Name one: ${setUsage}`
  const rows = [
    ['Server', baseUrl],
    ['Key', hasKey ? 'stored' : 'none'],
    ['svc-large', large ?? 'not served'],
    ['svc-small', small ?? 'not served'],
  ]
  return tableOf(rows, Infinity)
}
