import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { fuzz, lineOf, maxGrownMb } from './kit.ts'
import type { Target } from './kit.ts'
import { targets } from './targets.ts'

/**
 * `npm run fuzz -- [--inputs N] [--seed S] [--only NAME] [--from INDEX]`: tries N inputs on each parser, or on one.
 * Ends with one line of figures for each; exit 1 when anything failed. What failed is kept in `test-results/fuzz`.
 */
const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    only: { type: 'string' },
    from: { type: 'string', default: '0' },
  },
})
const seed = values.seed === undefined ? Date.now() & 0xffffff : Number(values.seed)
const inputs = Number(values.inputs)
const from = Number(values.from)
const chosen = targets.filter(({ name }) => values.only === undefined || name === values.only)
if (
  chosen.length === 0 ||
  !Number.isInteger(seed) ||
  !Number.isInteger(inputs) ||
  inputs < 1 ||
  !Number.isInteger(from) ||
  from < 0
) {
  process.stderr.write(
    `Usage: npm run fuzz -- [--inputs N] [--seed S] [--only ${targets.map(({ name }) => name).join('|')}] [--from INDEX]\n`,
  )
  process.exit(2)
}
process.stdout.write(`seed ${seed}\n`)

const lines: string[] = []
let failed = false
for (const target of chosen) {
  const watch = watchFor(target)
  const figures = await fuzz(target, { seed, inputs, from, onInput: watch.at })
  await watch.end()
  for (const failure of figures.failures) process.stdout.write(`${failure}\n`)
  failed ||= figures.crashes + figures.hangs > 0 || figures.grownMb > (target.maxGrownMb ?? maxGrownMb)
  lines.push(lineOf(figures))
  process.stdout.write(`${lines.at(-1)}\n`)
}
if (lines.length > 1) process.stdout.write(`\n${lines.join('\n')}\n`)
process.exit(failed ? 1 : 0)

/**
 * A parser that does not come back holds this thread: another one sees that nothing moves, says where, and ends the
 * process. So it does when this thread is free and the same inputs are tried for minutes.
 */
function watchFor(target: Target): { at: (index: number) => void; end: () => Promise<unknown> } {
  const shared = new Int32Array(new SharedArrayBuffer(8))
  const beat = setInterval(() => void Atomics.add(shared, 1, 1), 200)
  const code = `
    const { workerData } = require('node:worker_threads')
    const limits = [300_000, 30_000]
    const seen = limits.map(() => ({ value: -1, since: Date.now() }))
    setInterval(() => {
      for (const [index, limit] of limits.entries()) {
        const value = Atomics.load(workerData, index)
        if (value !== seen[index].value) seen[index] = { value, since: Date.now() }
        else if (Date.now() - seen[index].since > limit) {
          const at = Atomics.load(workerData, 0)
          require('node:fs').writeSync(1, 'fuzz ${target.name}: hangs at input ' + at + '\\n  again: npm run fuzz -- --only ${target.name} --seed ${seed} --from ' + at + ' --inputs 100\\n')
          process.kill(process.pid, 'SIGKILL')
        }
      }
    }, 500)`
  const worker = new Worker(code, { eval: true, workerData: shared, execArgv: [] })
  return {
    at: (index) => void Atomics.store(shared, 0, index),
    end: () => {
      clearInterval(beat)
      return worker.terminate()
    },
  }
}
