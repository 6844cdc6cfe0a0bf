import { CallbackListener } from './listener.ts'
import type { ListenAddress } from './listener.ts'
import type { CallbackReceiver } from './receive.ts'

/** The ports on which callbacks come in: one for services on this computer, and those that public addresses lead to. */
export class CallbackListeners {
  readonly #make: () => CallbackListener
  /** For services on this computer; a proxy may lead the public address here too. */
  readonly #inner: CallbackListener
  /** The others, by their ports. */
  readonly #outer = new Map<number, CallbackListener>()

  constructor(receiver: CallbackReceiver, limits: { bodyMs: number }, prefixes: () => string[]) {
    this.#make = () => new CallbackListener(receiver, limits, prefixes)
    this.#inner = this.#make()
  }

  get innerPort(): number {
    return this.#inner.place.port
  }

  /** Listens for services on this computer: on that port where it is free, else on any other one. */
  async openInner(port: number): Promise<void> {
    await this.#inner.listen({ network: false, port }).catch(() => this.#inner.listen({ network: false, port: 0 }))
  }

  /**
   * Listens at `place`, where the public address leads to, and at `earlier` ones as far as their ports are free;
   * nowhere else but for this computer. Returns the port of `place`. Throws `callback_port_taken` when that cannot be
   * had.
   */
  async open(place: ListenAddress | null, earlier: ListenAddress[]): Promise<number | null> {
    const places = new Map([...earlier, ...(place === null ? [] : [place])].map((each) => [each.port, each]))
    await this.#inner.listen(places.get(this.innerPort) ?? { network: false, port: this.innerPort })
    for (const [port, listener] of this.#outer) {
      if (places.has(port) && port !== this.innerPort) continue
      this.#outer.delete(port)
      await listener.stop()
    }
    // Another program may have such a port by now.
    for (const each of places.values())
      if (each.port !== place?.port) await this.#openOuter(each).catch(() => undefined)
    return place === null ? null : this.#openOuter(places.get(place.port)!)
  }

  async stop(): Promise<void> {
    await Promise.all([this.#inner, ...this.#outer.values()].map((listener) => listener.stop()))
  }

  async #openOuter(place: ListenAddress): Promise<number> {
    if (place.port === this.innerPort) return place.port
    const listener = this.#outer.get(place.port) ?? this.#make()
    await listener.listen(place)
    this.#outer.set(listener.place.port, listener)
    return listener.place.port
  }
}
