import type { Agent, Dispatcher, buildConnector } from 'undici'
import { trustSystemCertificates } from './certificates.ts'
import { isLoopback } from './loopback.ts'
import { openTunnel } from './tunnel.ts'
import type { ProxyFor } from './tunnel.ts'

type RequestOptions = Omit<Dispatcher.RequestOptions, 'origin' | 'path'>
type AgentOptions = Agent.Options & { connect?: buildConnector.BuildOptions }

/** undici's own. */
const defaultConnectTimeoutMs = 10_000

/** undici's `request` by an agent of its own. The library is loaded with the first one: it took 34 ms of each start. */
export class HttpAgent {
  readonly #options: AgentOptions
  readonly #proxyFor: ProxyFor | null
  #loaded: ReturnType<typeof load> | null = null

  /** Without `proxyFor` each connection goes straight to its host. */
  constructor(options: AgentOptions, proxyFor?: ProxyFor) {
    this.#options = options
    this.#proxyFor = proxyFor ?? null
  }

  /**
   * Sends at most once; throws what undici throws, and `ProxyError` where no proxy let it through: nothing was sent.
   */
  async request(url: string | URL, options: RequestOptions): Promise<Dispatcher.ResponseData> {
    const { request, agent } = await (this.#loaded ??= load(this.#options, this.#proxyFor))
    return request(url, { ...options, dispatcher: agent })
  }

  /** Ends its requests. */
  async destroy(): Promise<void> {
    await (await this.#loaded)?.agent.destroy()
  }
}

async function load(options: AgentOptions, proxyFor: ProxyFor | null) {
  // A part of a bundle that was CommonJS has no other name.
  const { default: undici } = await import('undici')
  const straight = undici.buildConnector(options.connect ?? {})
  const timeoutMs = options.connect?.timeout ?? defaultConnectTimeoutMs
  const agent = new undici.Agent({ ...options, connect: connector(straight, proxyFor, timeoutMs) })
  return { request: undici.request, agent }
}

/**
 * Connects straight to what is on this computer; to everything else with the certificates that the system trusts, and
 * through the proxy where there is one. undici's own ProxyAgent asks again without end when a proxy hangs up, knows no
 * second proxy, and waits five minutes for one that says nothing.
 */
function connector(
  straight: buildConnector.connector,
  proxyFor: ProxyFor | null,
  timeoutMs: number,
): buildConnector.connector {
  return (target, callback) => {
    const { protocol, host, hostname } = target
    const url = new URL(`${protocol}//${host ?? hostname}`)
    if (isLoopback(url.hostname)) return straight(target, callback)
    if (protocol === 'https:') trustSystemCertificates()
    if (proxyFor === null) return straight(target, callback)
    void openTunnel(url, proxyFor, timeoutMs).then(
      (socket) => {
        if (socket === null) straight(target, callback)
        else if (protocol === 'https:') straight({ ...target, httpSocket: socket }, callback)
        else callback(null, socket)
      },
      (error: Error) => callback(error, null),
    )
  }
}
