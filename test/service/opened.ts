import { afterEach } from 'vitest'
import { startReceiver } from './receiver.ts'
import type { Receiver } from './receiver.ts'
import { startRig } from './setup.ts'
import type { Rig } from './setup.ts'

export type Opened = {
  /** A service that repeats webhooks quickly. */
  rigWith(options?: Parameters<typeof startRig>[0]): Promise<Rig>
  receiverWith(...options: Parameters<typeof startReceiver>): Promise<Receiver>
  /** Closes something else with them. */
  push(thing: { close(): Promise<void> }): void
}

/** Services and receivers of webhooks for one test each: closed after it, the last one first. */
export function openedForEach(): Opened {
  const open: { close(): Promise<void> }[] = []
  const kept = async <T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const thing = await starting
    open.push(thing)
    return thing
  }
  afterEach(async () => {
    for (const thing of open.splice(0).reverse()) await thing.close()
  })
  return {
    rigWith: (options = {}) => kept(startRig({ webhook: { firstDelayMs: 10 }, ...options })),
    receiverWith: (...options) => kept(startReceiver(...options)),
    push: (thing) => void open.push(thing),
  }
}
