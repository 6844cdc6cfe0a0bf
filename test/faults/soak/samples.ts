import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What the process has of the system, and the most that it ever had; what is on its heap, garbage that waits included,
 * what V8 holds for that, and what hangs on it outside.
 */
export type ProcessSample = {
  rssMb: number
  maxMb: number
  heapMb: number
  committedMb: number
  externalMb: number
  descriptors: number
  p99Ms: number
  maxMs: number
}
export type Sample = {
  seconds: number
  host: ProcessSample
  service: ProcessSample | null
  pageMb: number
  pageNodes: number
  documents: number
}

type Written = {
  pid: number
  parent: number
  script: string
  heapUsed: number
  heapTotal: number
  external: number
  maxRss: number
  p99Ms: number
  maxMs: number
}

const megabyte = 1024 * 1024

/**
 * What the processes of the program wrote about themselves, with what the system says of them; null for one that does
 * not run, or just began.
 */
export function sampleProcesses(folder: string): { host: ProcessSample | null; service: ProcessSample | null } {
  const written = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Written)
  const of = (script: string): ProcessSample | null => {
    const named = written.filter((one) => one.script.endsWith(script))
    // The launcher starts itself once more: the program is the one below.
    const parents = new Set(named.map(({ parent }) => parent))
    return (
      named
        .filter(({ pid }) => !parents.has(pid))
        .map(measured)
        .find((one) => one !== null) ?? null
    )
  }
  return { host: of('launch.mjs'), service: of('service.mjs') }
}

function measured({ pid, heapUsed, heapTotal, external, maxRss, p99Ms, maxMs }: Written): ProcessSample | null {
  try {
    const rssMb = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
    return {
      rssMb,
      maxMb: maxRss / megabyte,
      heapMb: heapUsed / megabyte,
      committedMb: heapTotal / megabyte,
      externalMb: external / megabyte,
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      p99Ms,
      maxMs,
    }
  } catch {
    return null
  }
}

export type Slope = { perHour: number; standardError: number }

/** The least squares of a line through points over time, per hour, and how sure that is. */
export function slopeOf(points: readonly { seconds: number; value: number }[]): Slope {
  const count = points.length
  if (count < 3) return { perHour: 0, standardError: Infinity }
  const meanX = points.reduce((sum, { seconds }) => sum + seconds / 3600, 0) / count
  const meanY = points.reduce((sum, { value }) => sum + value, 0) / count
  const spread = points.reduce((sum, { seconds }) => sum + (seconds / 3600 - meanX) ** 2, 0)
  const perHour =
    points.reduce((sum, { seconds, value }) => sum + (seconds / 3600 - meanX) * (value - meanY), 0) / spread
  const rest = points.reduce(
    (sum, { seconds, value }) => sum + (value - meanY - perHour * (seconds / 3600 - meanX)) ** 2,
    0,
  )
  return { perHour, standardError: Math.sqrt(rest / (count - 2) / spread) }
}

/** Growth beyond the limit that chance does not explain. */
export function grows({ perHour, standardError }: Slope, limitPerHour: number): boolean {
  return perHour - 2 * standardError > limitPerHour
}
