import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { givenOr } from '../../helpers/given.ts'
import type { KillRun } from './one-run.ts'
import { points } from './points.ts'
import type { Mode } from './points.ts'
import { carryOut, findingsOf, planned } from './series.ts'

const usage = `npm run faults -- --kill N [--mode sync|async|both] [--point K7] [--seed S]
    kills a program with the real core N times at each of the ${points.length} points and in each mode, starts it again and
    judges what is left. The seed of the series decides everything; one is made up without it.

npm run faults -- --point K7 --mode async --seed S
    repeats the one run with this seed, as a failure says.
`
const atOnce = 2

/** One line for a point and a mode. */
function lineOf(point: string, mode: Mode, runs: readonly KillRun[]): string {
  const what = points.find(({ id }) => id === point)!.what
  const sum = (count: (run: KillRun) => number): number => runs.reduce((total, run) => total + count(run), 0)
  const integrity = runs.every(({ verdict }) => verdict.integrity === 'ok') ? 'ok' : 'BROKEN'
  const other = sum(({ problems }) => problems.length)
  const figures = [
    `${runs.length} runs`,
    `${sum(({ verdict }) => verdict.lost.length)} lost`,
    `${sum(({ verdict }) => verdict.duplicates.length)} unknown duplicates`,
    `integrity ${integrity}`,
  ]
  return `${point.padEnd(4)}${mode.padEnd(6)}${figures.join(', ')}${other === 0 ? '' : `, ${other} other findings`}  (${what})`
}

type Arguments = { points: string[]; modes: Mode[]; kill: number | null; seed: number }

/** Throws for wrong use. */
function readArguments(argv: string[]): Arguments {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: argv,
    options: { kill: text, mode: { ...text, default: 'both' }, point: text, seed: text },
  })
  const number = (value: string): number => {
    if (!/^\d{1,10}$/.test(value)) throw new Error(`${value} is no number`)
    return Number(value)
  }
  const mode = ['sync', 'async', 'both'].find((one) => one === values.mode) as Mode | 'both' | undefined
  if (mode === undefined) throw new Error('--mode is sync, async or both')
  const chosen = points.map(({ id }) => id).filter((id) => values.point === undefined || id === values.point)
  if (chosen.length === 0) throw new Error(`there is no point ${values.point}`)
  if (values.kill === undefined && (values.point === undefined || mode === 'both' || values.seed === undefined))
    throw new Error('--kill N, or one point, one mode and a seed')
  return {
    points: chosen,
    modes: mode === 'both' ? ['sync', 'async'] : [mode],
    kill: values.kill === undefined ? null : number(values.kill),
    seed: values.seed === undefined ? randomInt(2 ** 31) : number(values.seed),
  }
}

async function main(): Promise<number> {
  const read = givenOr(() => readArguments(process.argv.slice(2)), usage)
  if (read === null) return 2
  const { given } = read
  const { seed, kill, modes } = given
  const runs =
    kill === null ? [{ point: given.points[0]!, mode: modes[0]!, seed }] : planned(given.points, modes, kill, seed)
  const begun = performance.now()
  const ended: KillRun[] = []
  let failures = 0
  await carryOut(runs, atOnce, (run) => {
    ended.push(run)
    const findings = findingsOf(run)
    if (findings.length > 0) {
      failures += 1
      process.stdout.write(
        `FAILED ${run.point} ${run.mode}\n${findings.map((finding) => `  ${finding}\n`).join('')}  again: npm run faults -- --point ${run.point} --mode ${run.mode} --seed ${run.seed}\n`,
      )
    }
    const same = ended.filter(({ point, mode }) => point === run.point && mode === run.mode)
    if (same.length === (kill ?? 1)) process.stdout.write(`${lineOf(run.point, run.mode, same)}\n`)
  })
  const lost = ended.reduce((sum, { verdict }) => sum + verdict.lost.length, 0)
  const duplicates = ended.reduce((sum, { verdict }) => sum + verdict.duplicates.length, 0)
  const seconds = Math.round((performance.now() - begun) / 1000)
  process.stdout.write(
    `faults: ${ended.length} kills at ${given.points.length} points (${modes.join(', ')}), ${lost} lost, ${duplicates} unknown duplicates, ` +
      `${ended.filter(({ verdict }) => verdict.integrity === 'ok').length} integrity ok, ${failures} failed, ${seconds} s, seed ${seed}\n`,
  )
  return failures === 0 ? 0 : 1
}

process.exitCode = await main()
