import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { pdfBytes, simpleSchema, temporaryDir } from '../helpers/core.ts'
import { platformOf } from '../helpers/sheaf.ts'
import { startVendor } from '../helpers/vendor.ts'

const launcher = fileURLToPath(new URL('../../electron/launch.mjs', import.meta.url))
const documents = 1000
const atOnce = 8
const answerMs = 50
const limit = 1.5
const rounds = 3

/**
 * How often the disk is asked to keep what it was given (`fsync`, `fdatasync`), for each of 1,000 small documents that
 * `sheaf extract` sends, eight at once, to a platform that answers after 50 ms; with the start, a snapshot and the end.
 * The median of three rounds: how many share a flush depends on what else the computer does. Needs `strace`, and so
 * Linux.
 */
export async function run(): Promise<void> {
  if (spawnSync('strace', ['-V']).status !== 0) throw new Error('strace is needed: apt-get install strace')
  const each: number[] = []
  for (let round = 0; round < rounds; round += 1) each.push((await flushesOfRun()) / documents)
  const median = each.toSorted((one, other) => one - other)[Math.floor(rounds / 2)]!
  const rounded = each.map((one) => one.toFixed(2)).join(', ')
  process.stdout.write(
    `flushes for a document: ${rounded}; median ${median.toFixed(2)} of at most ${limit}: ` +
      `${median <= limit ? 'held' : 'MISSED'}\n`,
  )
}

async function flushesOfRun(): Promise<number> {
  const dir = temporaryDir()
  const vendor = await startVendor(async () => {
    await wait(answerMs)
    return {}
  })
  try {
    const at = (name: string): string => join(dir.path, name)
    mkdirSync(at('in'))
    writeFileSync(at('schema.json'), JSON.stringify(simpleSchema))
    for (let index = 0; index < documents; index += 1)
      writeFileSync(at(`in/${index}.pdf`), pdfBytes(`document ${index}`, 3000))
    const sheaf = [launcher, 'extract', at('in'), '--schema', at('schema.json'), '--json']
    const child = spawn(
      'strace',
      [
        // Stopped at these calls only: stopped at each, a document takes four times as long, and shares less.
        ...['-f', '--seccomp-bpf', '-c', '-e', 'trace=fsync,fdatasync', '-o', at('counts')],
        ...[process.execPath, ...sheaf, '--concurrency', String(atOnce)],
      ],
      {
        env: { ...process.env, SHEAF_DATA_DIR: at('data'), ...platformOf(vendor) },
        stdio: ['ignore', 'ignore', 'ignore'],
      },
    )
    const [code] = (await once(child, 'close')) as [number]
    if (code !== 0) throw new Error(`sheaf ended with ${code}`)
    return flushesIn(readFileSync(at('counts'), 'utf8'))
  } finally {
    await vendor.close()
    dir.remove()
  }
}

/** The calls of strace's table: share, seconds, microseconds a call, calls, errors where there are any, name. */
function flushesIn(table: string): number {
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/))
  return rows.reduce((sum, row) => sum + (/^f(?:data)?sync$/.test(row.at(-1)!) ? Number(row[3]) : 0), 0)
}
