import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { givenOr } from '../helpers/given.ts'
import { foreignTarget } from './foreign-target.ts'
import type { ForeignOptions } from './foreign-target.ts'
import { buildService, startOwnService } from './own-service.ts'
import { reportOf, summary, writeReport } from './report.ts'
import { ask, cases } from './suite.ts'
import type { Asked } from './suite.ts'
import type { Target } from './target.ts'

const usage = `npm run conformance
    asks a service of its own and writes test-results/conformance.md

npm run conformance -- --base-url URL --client-id ID --client-secret SECRET
    [--documentalist ID] [--private-documentalist ID] [--extractor REF]
    [--callback-url URL [--callback-port N]] [--report FILE]
    asks another platform and prints the report, or writes it to FILE.
    The secret can also be in the environment: SHEAF_CLIENT_SECRET.
    --callback-url is how the platform reaches port N (default 8765) of this computer; without it webhooks are not asked.
    A private address only works with a platform that calls those (sheaf service --allow-private-callbacks).
    Models and extractions are really called, in small amounts, which the platform may bill.

    --only WORD in both: only cases whose id or section has WORD; nothing is written.
`

/** Asks all cases in order, with a line for each that failed. */
async function askAll(target: Target, hasHooks: boolean, only: string): Promise<Asked[]> {
  const asked: Asked[] = []
  for (const one of cases.filter(({ id, section }) => `${section} ${id}`.includes(only))) {
    const outcome = await ask(one, target, hasHooks)
    asked.push({ one, outcome })
    if (outcome.result === 'failed')
      process.stdout.write(
        `failed  ${one.section}: ${one.name} [${one.id}]\n        ${outcome.why.replaceAll('\n', '\n        ')}\n`,
      )
  }
  return asked
}

async function askOwn(only: string): Promise<Asked[]> {
  buildService()
  const service = await startOwnService()
  try {
    const asked = await askAll(service.target, true, only)
    if (only === '') await writeReport(asked)
    return asked
  } finally {
    await service.close()
  }
}

async function askForeign(options: ForeignOptions, only: string, file: string | undefined): Promise<Asked[]> {
  const { target, hooks } = await foreignTarget(options)
  try {
    const asked = await askAll(target, hooks !== null, only)
    if (file === undefined) process.stdout.write(`${reportOf(asked)}\n`)
    else await writeFile(file, reportOf(asked))
    return asked
  } finally {
    await hooks?.close()
  }
}

/** The values; null when only the help is wanted. Throws for wrong use. */
function readArguments(argv: string[]) {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: argv,
    options: {
      'base-url': text,
      'client-id': text,
      'client-secret': text,
      documentalist: text,
      'private-documentalist': text,
      extractor: text,
      'callback-url': text,
      'callback-port': { ...text, default: '8765' },
      report: text,
      only: { ...text, default: '' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const {
    'base-url': baseUrl,
    'client-id': clientId,
    'client-secret': clientSecret = process.env['SHEAF_CLIENT_SECRET'],
  } = values
  if (baseUrl === undefined) return { foreign: null, only: values.only, report: undefined }
  if (!URL.canParse(baseUrl) || clientId === undefined || clientSecret === undefined)
    throw new Error('--base-url needs an address, --client-id and --client-secret')
  const foreign: ForeignOptions = {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    clientId,
    clientSecret,
    documentalist: values.documentalist ?? null,
    privateDocumentalist: values['private-documentalist'] ?? null,
    extractor: values.extractor ?? null,
    callback:
      values['callback-url'] === undefined
        ? null
        : { url: values['callback-url'], port: Number(values['callback-port']) },
  }
  return { foreign, only: values.only, report: values.report }
}

async function main(): Promise<number> {
  const read = givenOr(() => readArguments(process.argv.slice(2)), usage)
  if (read === null) return 2
  const { given } = read
  if (given === null) {
    process.stdout.write(usage)
    return 0
  }
  const { foreign, only, report } = given
  const asked = foreign === null ? await askOwn(only) : await askForeign(foreign, only, report)
  const notAsked = asked.filter(({ outcome }) => outcome.result === 'not asked').length
  process.stdout.write(`${notAsked === 0 ? '' : `${notAsked} not asked\n`}${summary(asked)}\n`)
  return asked.every(({ outcome }) => outcome.result !== 'failed') &&
    asked.some(({ outcome }) => outcome.result === 'passed')
    ? 0
    : 1
}

process.exitCode = await main()
