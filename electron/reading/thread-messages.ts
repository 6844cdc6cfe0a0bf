import type { SerializedError } from '../../shared/domain/errors.ts'
import type { Picture, Recognised } from './recognise.ts'

/** What crosses between a pool and its threads. A thread runs one task at a time. */
export type ToThread =
  | { type: 'run'; task: string; input: unknown }
  | { type: 'recognised'; request: number; recognised: Recognised }
  | { type: 'unrecognised'; request: number; error: SerializedError }
  | { type: 'reserved' }

export type FromThread =
  | { type: 'done'; result: unknown }
  | { type: 'failed'; error: SerializedError }
  | { type: 'recognise'; request: number; picture: Picture }
  | { type: 'reserve'; bytes: number }
