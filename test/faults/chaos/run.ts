import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { givenOr } from '../../helpers/given.ts'
import { runChaos } from './chaos.ts'
import { findingsOf, lineOf } from './report.ts'

const usage = `npm run chaos -- --documents N [--seed S]
    lets N documents go through a service that fails in every way, with restarts in between, and judges what is left.
`

function readArguments(argv: string[]): { documents: number; seed: number } {
  const { values } = parseArgs({
    args: argv,
    options: { documents: { type: 'string', default: '10000' }, seed: { type: 'string' } },
  })
  const number = (value: string): number => {
    if (!/^[1-9]\d{0,9}$/.test(value)) throw new Error(`${value} is no number`)
    return Number(value)
  }
  return {
    documents: number(values.documents),
    seed: values.seed === undefined ? randomInt(1, 2 ** 31) : number(values.seed),
  }
}

async function main(): Promise<number> {
  const read = givenOr(() => readArguments(process.argv.slice(2)), usage)
  if (read === null) return 2
  const { given } = read
  const begun = performance.now()
  const outcome = await runChaos(given.documents, given.seed)
  const findings = findingsOf(outcome)
  for (const finding of findings.slice(0, 50)) process.stdout.write(`FAILED ${finding}\n`)
  process.stdout.write(`${lineOf(outcome, given, (performance.now() - begun) / 1000)}\n`)
  return findings.length === 0 ? 0 : 1
}

process.exitCode = await main()
