import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { temporaryDir } from '../helpers/core.ts'
import { spreadsheets } from './speed/exports.ts'
import { flushes } from './speed/flushes.ts'
import { folders } from './speed/folders.ts'
import type { Figure, Group } from './speed/group.ts'
import { largeFiles } from './speed/large-files.ts'
import { reading } from './speed/reading.ts'
import { sending } from './speed/sending.ts'
import { stored } from './speed/stored.ts'

const groups: readonly Group[] = [...sending, largeFiles, flushes, ...spreadsheets, ...reading, folders, stored]

/**
 * How fast Sheaf is beside its peers: prints each figure, its limit and whether that is held; the exit code is 1 where
 * one is not. `--only NAME` measures one group (`small-files`, `flushes` …), `--rounds N` so often instead of three or
 * five times. Wants a quiet machine, and `curl`, `sqlite3` and `strace` on it.
 */
export async function run(): Promise<void> {
  const option = (name: string): string | undefined =>
    process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined
  const only = option('--only')
  const chosen = groups.filter(({ name }) => only === undefined || name === only)
  if (chosen.length === 0) throw new Error(`--only is one of ${groups.map(({ name }) => name).join(', ')}`)
  execFileSync(process.execPath, [fileURLToPath(new URL('../../.config/build.mjs', import.meta.url)), '--node'])
  for (const one of chosen) await measure(one, Number(option('--rounds') ?? one.rounds))
}

async function measure({ name, figures, measure }: Group, rounds: number): Promise<void> {
  const measured: Readonly<Record<string, number>>[] = []
  for (let round = 0; round < rounds; round += 1) {
    const dir = temporaryDir('sheaf-bench-')
    try {
      measured.push(await measure(dir.path, round))
    } finally {
      dir.remove()
    }
  }
  for (const [key, figure] of Object.entries(figures))
    report(
      name,
      figure,
      measured.map((one) => one[key]!),
    )
}

function report(name: string, { what, limit, unit, isAtLeast, isWorst }: Figure, values: number[]): void {
  const sorted = values.toSorted((one, other) => one - other)
  const value = isWorst === true ? sorted.at(-1)! : sorted[sorted.length >> 1]!
  const isHeld = isAtLeast === true ? value >= limit : value <= limit
  const shown = (one: number): string => one.toFixed(one < 10 ? 2 : 0)
  process.stdout.write(
    `${isHeld ? 'held  ' : 'MISSED'} ${name}: ${what}: ${shown(value)} ${unit} ` +
      `(${isAtLeast === true ? 'at least' : 'at most'} ${limit}; ${values.map(shown).join(', ')})\n`,
  )
  if (!isHeld) process.exitCode = 1
}
