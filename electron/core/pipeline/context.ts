import type { EventName, EventPayload } from '../../../shared/contract.ts'
import type { Tables } from '../db/tables.ts'

/** What every stage is given: the tables, the clock, and a way to tell the window. */
export type Context = {
  tables: Tables
  now: () => number
  /** The disk is full or read-only: nothing more is sent until there is room. */
  onStorageTrouble: () => void
  emit: <N extends EventName>(name: N, payload: EventPayload<N>) => void
}
