/**
 * What is measured, and what it may be: at most `limit`, or at least that where more is better. `isWorst`: no round may
 * be above it; else it is the median that counts.
 */
export type Figure = { what: string; limit: number; unit: string; isAtLeast?: boolean; isWorst?: boolean }

/** Figures that one measurement gives together. */
export type Group<Name extends string = string> = {
  name: string
  /** It is measured so often. */
  rounds: number
  figures: Readonly<Record<Name, Figure>>
  /** Measures once; `dir` is an empty folder. Of what stands beside a peer the even rounds begin with Sheaf. */
  measure: (dir: string, round: number) => Promise<Readonly<Record<Name, number>>>
}

/** A group whose measurement gives each of its figures. */
export function group<Name extends string>(given: Group<Name>): Group {
  return given as Group
}

/** How long `ours` takes in times of how long `peers` takes, one after the other, in turns who is first. */
export async function beside(
  round: number,
  ours: () => Promise<unknown>,
  peers: () => Promise<unknown>,
): Promise<number> {
  const isOursFirst = round % 2 === 0
  const before = await msOf(isOursFirst ? ours : peers)
  const after = await msOf(isOursFirst ? peers : ours)
  return isOursFirst ? before / after : after / before
}

/** `beside`, with the memory that ours takes. */
export async function besideWithMemory(
  round: number,
  ours: () => Promise<unknown>,
  peers: () => Promise<unknown>,
): Promise<{ time: number; memory: number }> {
  let memory = 0
  const time = await beside(round, async () => (memory = await memoryOf(ours)), peers)
  return { time, memory }
}

export async function msOf(work: () => Promise<unknown>): Promise<number> {
  const begunAt = performance.now()
  await work()
  return performance.now() - begunAt
}

/** The most memory that this process holds while it works, above what it held before, in MB. */
export async function memoryOf(work: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.()
  const idle = process.memoryUsage.rss()
  let most = idle
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  return (most - idle) / 1024 / 1024
}
