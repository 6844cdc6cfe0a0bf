import { calls } from './calls.ts'
import { callbacks } from './callbacks.ts'
import { growth } from './growth.ts'
import type { Target } from './kit.ts'
import { names } from './names.ts'
import { readers } from './readers.ts'
import { schemas } from './schemas.ts'
import { senders } from './senders.ts'
import { wire } from './wire.ts'

/** Everything that reads what others wrote. */
export const targets: readonly Target[] = [
  wire,
  schemas,
  readers,
  callbacks,
  calls,
  senders,
  names,
  growth,
] as readonly Target[]
