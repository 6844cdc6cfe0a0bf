import { EventEmitter } from 'node:events'
import type { EventName, EventPayload } from '../../shared/contract/contract.ts'

/**
 * What happened, for the window and for the parts of core that follow it. Listeners are called at once, those of core
 * first.
 */
export class EventBus {
  readonly #emitter = new EventEmitter()

  readonly emit = <N extends EventName>(name: N, payload: EventPayload<N>): void => {
    this.#emitter.emit(name, payload)
    this.#emitter.emit('any', name, payload)
  }

  on<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): void {
    this.#emitter.on(name, listener)
  }

  /** Returns how to end it. */
  onAny(listener: (name: EventName, payload: unknown) => void): () => void {
    this.#emitter.on('any', listener)
    return () => this.#emitter.off('any', listener)
  }
}
