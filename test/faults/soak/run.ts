import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { givenOr } from '../../helpers/given.ts'
import type { Slope } from './samples.ts'
import { runSoak } from './soak.ts'

const usage = `npm run soak -- --hours H [--no-build]
    lets the program run for H hours with its window open and documents coming in, and measures memory, open files and how
    late its loop is. --no-build takes what \`npm run build\` built.
`
const root = fileURLToPath(new URL('../../..', import.meta.url))

/** As «+1.2 ± 0.4». */
function text({ perHour, standardError }: Slope): string {
  return Number.isFinite(standardError)
    ? `${perHour >= 0 ? '+' : ''}${perHour.toFixed(1)} ± ${(2 * standardError).toFixed(1)}`
    : 'too few samples'
}

function readArguments(argv: string[]): { hours: number; builds: boolean } {
  const { values } = parseArgs({
    args: argv,
    options: { hours: { type: 'string' }, 'no-build': { type: 'boolean', default: false } },
  })
  const hours = Number(values.hours)
  if (!(hours > 0 && hours <= 1000)) throw new Error('--hours is a number of hours')
  return { hours, builds: !values['no-build'] }
}

async function main(): Promise<number> {
  const read = givenOr(() => readArguments(process.argv.slice(2)), usage)
  if (read === null) return 2
  const { given } = read
  if (given.builds && spawnSync(process.execPath, [join(root, '.config/build.mjs')], { stdio: 'inherit' }).status !== 0)
    return 1
  const outcome = await runSoak(given.hours)
  const { samples, hostMemory, serviceMemory, pageMemory, descriptors, p99Ms, maxMs, documents, problems } = outcome
  mkdirSync(join(root, 'test-results'), { recursive: true })
  writeFileSync(join(root, 'test-results', 'soak.json'), JSON.stringify(outcome, null, 1))
  for (const problem of problems) process.stdout.write(`FAILED ${problem}\n`)
  const last = samples.at(-1)
  const rss =
    last === undefined
      ? ''
      : `host ${last.host.rssMb.toFixed(0)} MB (at most ${last.host.maxMb.toFixed(0)}), service ${last.service === null ? 'not running' : `${last.service.rssMb.toFixed(0)} MB (at most ${last.service.maxMb.toFixed(0)})`}, window ${last.pageMb.toFixed(0)} MB, ${last.host.descriptors} descriptors at the end; `
  process.stdout.write(
    `soak: ${given.hours} h, ${documents} documents; ${rss}per hour: host ${text(hostMemory)} MB, service ${text(serviceMemory)} MB, window ${text(pageMemory)} MB, ` +
      `descriptors ${text(descriptors)}; loop delay of the host p99 ${p99Ms.toFixed(1)} ms, most ${maxMs.toFixed(0)} ms; ${problems.length} findings\n`,
  )
  return problems.length === 0 ? 0 : 1
}

process.exitCode = await main()
