import { createHash, randomUUID } from 'node:crypto'
import { AppError, toAppError } from '../../../shared/errors.ts'
import type { Context } from '../pipeline/context.ts'
import { follow } from '../platform/abort.ts'
import { isSuccess, jsonBody } from '../platform/http.ts'
import type { HttpClient } from '../platform/http.ts'

/** More than proxies let through that were not told about large bodies (nginx: 1 MB). */
const canaryBytes = 2 * 1024 * 1024

const notInTime = 'it did not arrive in time'

/** Where the canary goes, and the token in that address. */
export type CanaryWay = { token: string; url: string }

type Pending = { hash: string; arrived: (same: boolean) => void; beginAnew: () => void }

/**
 * Says whether results from outside find their way here: sends a message such as a service would to the public address and
 * waits until it arrives. What the other side answers proves nothing (a proxy's welcome page is 200 as well); the same
 * bytes here do. A way that worked today is good until midnight, a failure is kept for a while.
 */
export class SelfTest {
  readonly #context: Context
  readonly #http: HttpClient
  /** The way that is chosen; the error when there is none. */
  readonly #way: () => CanaryWay | AppError
  readonly #onChange: () => void
  readonly #pending = new Map<string, Pending>()
  #running: Promise<AppError | null> | null = null
  /** The day on which a canary came back during this run. */
  #passedOn: number | null = null
  #failure: { error: AppError; at: number } | null = null
  /** Another one after each change of the way: what was found out about an earlier one says nothing about this one. */
  #version = 0
  readonly #end = new AbortController()

  constructor(context: Context, http: HttpClient, way: () => CanaryWay | AppError, onChange: () => void) {
    this.#context = context
    this.#http = http
    this.#way = way
    this.#onChange = onChange
  }

  get testing(): boolean {
    return this.#running !== null
  }

  get failure(): AppError | null {
    return this.#failure?.error ?? null
  }

  get passedToday(): boolean {
    return this.#passedOn === this.#today()
  }

  /** Forgets what was found out: the way is another one now. */
  reset(): void {
    this.#version += 1
    this.#passedOn = null
    this.#failure = null
    this.#running = null
  }

  /** There is reason to think that the way no longer works: the next document asks for a new test. */
  doubt(): void {
    this.#passedOn = null
  }

  /** Breaks off what is under way, which then failed. */
  end(): void {
    this.#end.abort()
  }

  /** Null when a canary came back today; tests when none did, and no earlier failure is fresh. The error says what failed. */
  async ensure(): Promise<AppError | null> {
    if (this.passedToday) return null
    const failedFor = this.#failure === null ? Infinity : performance.now() - this.#failure.at
    if (this.#running === null && failedFor < this.#context.timings.canaryRetryMs) return this.#failure!.error
    return this.run()
  }

  /** Tests now; whoever asks meanwhile waits for the same test. Null when the canary came back. */
  run(): Promise<AppError | null> {
    if (this.#running === null) {
      const test = this.#test(this.#version)
      this.#running = test
      this.#onChange()
    }
    return this.#running
  }

  /** A canary came. One that nobody waits for any more is old. */
  arrived(token: string, body: Buffer): void {
    const pending = this.#pending.get(token)
    pending?.arrived(hashOf(body) === pending.hash)
  }

  /** What stands before the canary is coming, so its time begins anew. */
  progressed(): void {
    for (const pending of this.#pending.values()) pending.beginAnew()
  }

  async #test(version: number): Promise<AppError | null> {
    const error = await this.#fly().catch((thrown: unknown) => toAppError(thrown))
    // The way was changed meanwhile: whoever waited is told of the way as it is now.
    if (version !== this.#version) return this.run()
    this.#running = null
    this.#failure = error === null ? null : { error, at: performance.now() }
    this.#passedOn = error === null ? this.#today() : null
    this.#onChange()
    return error
  }

  async #fly(): Promise<AppError | null> {
    const way = this.#way()
    if (way instanceof AppError) return way
    const { host } = new URL(way.url)
    const failed = (detail: string): AppError => new AppError('callback_not_returned', { host, detail })
    const body = canaryBody()
    const timeoutMs = this.#context.timings.canaryMs
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), timeoutMs)
    const arrival = new Promise<string | null>((resolve) => {
      const arrived = (same: boolean): void => resolve(same ? null : 'it was changed on the way')
      this.#pending.set(way.token, { hash: body.hash, arrived, beginAnew: () => timer.refresh() })
    })
    const release = follow(this.#end.signal, limit)
    const { signal } = limit
    const late = new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve(notInTime)))
    try {
      const answer = await this.#http.send({ method: 'POST', url: way.url, headers: { 'content-type': 'application/json' }, body: body.json, timeoutMs, signal })
      if (!isSuccess(answer.status)) return failed(`HTTP ${answer.status}`)
      const problem = await Promise.race([arrival, late])
      return problem === null ? null : failed(problem)
    } catch (error) {
      return failed(signal.aborted ? notInTime : whyNotSent(toAppError(error)))
    } finally {
      clearTimeout(timer)
      release()
      this.#pending.delete(way.token)
    }
  }

  #today(): number {
    return new Date(this.#context.now()).setHours(0, 0, 0, 0)
  }
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** As a service would send it (spec, Events), as large as a long result. */
function canaryBody(): { json: ReturnType<typeof jsonBody>; hash: string } {
  const row = { description: 'Sheaf tests whether results find their way back. '.repeat(20), amount: 12.5 }
  const data = { invoice_number: randomUUID(), positions: Array.from({ length: Math.ceil(canaryBytes / JSON.stringify(row).length) }, () => row) }
  const message = { status: 'success', extract_id: randomUUID(), data, metadata: { filename: 'sheaf-test.pdf', duration: '1', tokens_consumed: 0 } }
  return { json: jsonBody(message), hash: hashOf(Buffer.from(JSON.stringify(message))) }
}

/** What a technician wants to read, without words in one language where there is a code. */
export function whyNotSent({ code, details }: AppError): string {
  if (code === 'host_not_found') return 'ENOTFOUND'
  return String(details['detail'] ?? details['status'] ?? code)
}
