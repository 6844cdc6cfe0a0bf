import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { simpleSchema } from '../../helpers/core.ts'
import { group } from './group.ts'
import { filesIn, startPlatform } from './sending.ts'

const launcher = fileURLToPath(new URL('../../../electron/launch.mjs', import.meta.url))
const documents = 1000

/**
 * How often the disk is asked to keep what it was given (`fsync`, `fdatasync`), for each of 1,000 small documents that
 * `sheaf extract` sends; with the start, a snapshot and the end. How many share a flush depends on what else the
 * computer does. Needs `strace`.
 */
export const flushes = group({
  name: 'flushes',
  rounds: 3,
  figures: { each: { what: 'flushes for a document, answers after 50 ms, 8 slots', limit: 1.5, unit: '' } },
  async measure(dir) {
    if (spawnSync('strace', ['-V']).status !== 0) throw new Error('strace is needed: apt-get install strace')
    const platform = await startPlatform(50)
    try {
      const [counts, schema] = [join(dir, 'counts'), join(dir, 'schema.json')]
      writeFileSync(schema, JSON.stringify(simpleSchema))
      const folder = filesIn(dir, 'in', documents, 3000)
      const sheaf = [launcher, 'extract', folder, '--schema', schema, '--json', '--concurrency', '8']
      // Stopped at these calls only: stopped at each, a document takes four times as long, and shares less.
      const traced = ['-f', '--seccomp-bpf', '-c', '-e', 'trace=fsync,fdatasync', '-o', counts]
      const child = spawn('strace', [...traced, process.execPath, ...sheaf], {
        env: { ...process.env, SHEAF_DATA_DIR: join(dir, 'data'), ...platform.environment },
        stdio: ['ignore', 'ignore', 'ignore'],
      })
      const [code] = (await once(child, 'close')) as [number]
      if (code !== 0) throw new Error(`sheaf ended with ${code}`)
      return { each: flushesIn(readFileSync(counts, 'utf8')) / documents }
    } finally {
      platform.close()
    }
  },
})

/** The calls of strace's table: share, seconds, microseconds a call, calls, errors where there are any, name. */
function flushesIn(table: string): number {
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/))
  return rows.reduce((sum, row) => sum + (/^f(?:data)?sync$/.test(row.at(-1)!) ? Number(row[3]) : 0), 0)
}
