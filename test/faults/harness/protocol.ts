import type { CallName } from '../../../shared/contract/contract.ts'
import type { Migrations } from '../../../electron/core/db/open.ts'
import type { Timings } from '../../../electron/core/timings.ts'
import type { Trap } from '../kill/points.ts'

/** How a program with the real core is started, as JSON in its first argument. */
export type ChildPlan = {
  dataDir: string
  /** Other migrations than the product's own. */
  migrations?: Migrations
  concurrency: number
  timings: Partial<Timings>
  trap: Trap | null
}

/** What the program is asked: a call of the contract, or one of its own. */
export type Request = { id: number; call: CallName | 'harness.run' | 'harness.stop' | 'harness.storm'; input: unknown }
export type Reply = { id: number; value?: unknown; error?: string } | { id: 'ready' } | { id: 'failed'; error: string }

/** Limits that let minutes pass in a second; what waits for something real is left long. */
export const quickTimings: Partial<Timings> = {
  firstRetryMs: 20,
  longestRetryMs: 200,
  quietMs: 20,
  longQuietMs: 200,
  sweepIntervalMs: 200,
  storageRetryMs: 50,
  graceMs: 300,
}
