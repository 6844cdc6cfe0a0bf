import type { CapHold } from '../../../shared/contract-platform.ts'
import type { EventName, EventPayload } from '../../../shared/contract.ts'
import type { Job } from '../db/jobs.ts'
import type { Tables } from '../db/tables.ts'
import type { FileAccess } from '../platform/file-access.ts'
import type { Timings } from '../platform/timings.ts'

/** What every stage is given: the tables, the clock, and a way to tell the window. */
export type Context = {
  tables: Tables
  now: () => number
  timings: Timings
  files: FileAccess
  /** The disk is full or read-only: nothing more is sent until there is room. */
  onStorageTrouble: (error: unknown) => void
  /** Throws what a full disk would where a result may not find room (`Storage.requireRoom`). */
  requireRoom: () => void
  /** Where Sheaf keeps its own data, under each name of that place: nothing in it is a document. */
  ownPlaces: readonly string[]
  /** What the person lets go to services that bill on one day. */
  cap: {
    /** True when the job may begin now, beside jobs that are picked and have no attempt yet. */
    admits: (job: Job, picked?: Iterable<number>) => boolean
    /** Why it may not; null when it may. */
    refusal: (job: Job) => Omit<CapHold, 'documents'> | null
    /** When to look again after a no, epoch ms. */
    resumesAt: () => number
  }
  emit: <N extends EventName>(name: N, payload: EventPayload<N>) => void
}

/** One transaction, of which others hear once it is committed. */
export function together<C extends Pick<Context, 'tables' | 'emit'>, T>(context: C, work: (context: C) => T): T {
  const told: (() => void)[] = []
  const value = context.tables.together(() => work({ ...context, emit: (name, payload) => void told.push(() => context.emit(name, payload)) }))
  for (const tell of told) tell()
  return value
}
