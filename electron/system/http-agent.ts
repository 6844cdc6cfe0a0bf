import type { Agent, Dispatcher } from 'undici'

type RequestOptions = Omit<Dispatcher.RequestOptions, 'origin' | 'path'>

/** undici's `request` by an agent of its own. The library is loaded with the first one: it took 34 ms of each start. */
export class HttpAgent {
  readonly #options: Agent.Options
  #loaded: ReturnType<typeof load> | null = null

  constructor(options: Agent.Options) {
    this.#options = options
  }

  /** Sends at most once; throws what undici throws. */
  async request(url: string | URL, options: RequestOptions): Promise<Dispatcher.ResponseData> {
    const { request, agent } = await (this.#loaded ??= load(this.#options))
    return request(url, { ...options, dispatcher: agent })
  }

  /** Ends its requests. */
  async destroy(): Promise<void> {
    await (await this.#loaded)?.agent.destroy()
  }
}

async function load(options: Agent.Options) {
  // A part of a bundle that was CommonJS has no other name.
  const { default: undici } = await import('undici')
  return { request: undici.request, agent: new undici.Agent(options) }
}
