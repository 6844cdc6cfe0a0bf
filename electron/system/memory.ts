import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const checkIntervalMs = 60_000
/** Collecting costs at most a hundredth of what the process computes: one that rests is never woken for it. */
const workPerCost = 100
const firstAfterMs = 5000

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Gives the pages that V8 keeps for later back to the system, about 50 ms in which nothing else runs. V8 does so by
 * itself only when memory runs out, and Node has no function for it but the one of `--expose-gc`, which a packed app
 * cannot be started with.
 */
function releaseMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** What this process has computed since it began, in milliseconds. */
function computedMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** For as long as this process lives, gives memory back after it has worked. Holds no process open. */
export function releaseMemoryAfterWork(): void {
  let dueMs = firstAfterMs
  setInterval(() => {
    const beginsMs = computedMs()
    if (beginsMs < dueMs) return
    releaseMemory()
    const endedMs = computedMs()
    dueMs = endedMs + (endedMs - beginsMs) * workPerCost
  }, checkIntervalMs).unref()
}
