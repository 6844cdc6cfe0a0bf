import type { Worker } from 'node:worker_threads'

const checkMs = 50
// what gets less than a tenth of a core, as beside twenty other programs, is taken to hang
const patience = 10

type TimeLimitOptions = {
  /** What may be used of the processor, in milliseconds. */
  limitMs: number
  /** What the threads used until now, in milliseconds; null while it cannot be known. */
  usedMs: () => Promise<number | null>
  /** Whether nothing is to be done at the moment but to wait for others, whose time is their own. */
  isWaiting?: () => boolean
  /** Called once. */
  onOver: () => void
}

/**
 * Limits a task by the processor time of its threads, since the clock also counts what other programs take and how long
 * the computer sleeps. What uses none, and does not wait either, is over after ten times the limit by the clock.
 * Returns the function that ends the watch.
 */
export function limitTime({ limitMs, usedMs, isWaiting = () => false, onOver }: TimeLimitOptions): () => void {
  let usedBefore: number | null = null
  let usedHere = 0
  let isAsked = false
  // checks and not the clock, which goes on while the computer sleeps
  let checks = 0
  const check = async (): Promise<void> => {
    if (!isWaiting() && ++checks * checkMs > limitMs * patience) return end(onOver)
    // a thread in the middle of a long step answers later
    if (isAsked) return
    isAsked = true
    const used = await usedMs()
    isAsked = false
    if (used === null) return
    // less than before when a thread took the place of another
    usedHere += Math.max(0, used - (usedBefore ?? used))
    usedBefore = used
    if (usedHere > limitMs) end(onOver)
  }
  let timer: NodeJS.Timeout | null = setInterval(() => void check(), checkMs).unref()
  function end(andThen?: () => void): void {
    if (timer === null) return
    clearInterval(timer)
    timer = null
    andThen?.()
  }
  return end
}

/**
 * Processor time of a thread since it began, in milliseconds; null once it has ended. Before Node 24.6 it cannot be
 * asked for, and the clock alone limits.
 */
export async function usedBy(worker: Pick<Worker, 'cpuUsage'>): Promise<number | null> {
  try {
    const { user, system } = await worker.cpuUsage()
    return (user + system) / 1000
  } catch {
    return null
  }
}
