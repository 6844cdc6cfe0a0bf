import { onTestFinished } from 'vitest'
import { startReceiver } from './receiver.ts'
import type { Receiver } from './receiver.ts'
import { startRig } from './setup.ts'
import type { Rig } from './setup.ts'

/** A service that repeats webhooks quickly, until the test ends. */
export async function rigWith(options: Parameters<typeof startRig>[0] = {}): Promise<Rig> {
  const rig = await startRig({ webhook: { firstDelayMs: 10 }, ...options })
  onTestFinished(() => rig.close())
  return rig
}

/** A receiver of webhooks, until the test ends. */
export async function receiverWith(...options: Parameters<typeof startReceiver>): Promise<Receiver> {
  const receiver = await startReceiver(...options)
  onTestFinished(() => receiver.close())
  return receiver
}
