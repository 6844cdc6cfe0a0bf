import { createHash, randomUUID } from 'node:crypto'
import { AppError, toAppError } from '../../../shared/domain/errors.ts'
import type { Context } from '../pipeline/context.ts'
import { forwardAbort } from '../platform/abort.ts'
import { isSuccess, jsonBody } from '../platform/http.ts'
import type { HttpClient } from '../platform/http.ts'

/** More than proxies let through that are not configured for large bodies (nginx: 1 MB). */
const probeBytes = 2 * 1024 * 1024

const notInTime = 'it did not arrive in time'

/** Where the probe goes, and the token in that address. */
export type ProbeTarget = { token: string; url: string }

type Pending = { hash: string; arrived: (same: boolean) => void; restartTimer: () => void }

/**
 * Says whether results from outside find their way here: sends a message such as a service would to the public address
 * and waits until it arrives. What the other side answers proves nothing (a proxy's welcome page is 200 as well); the
 * same bytes here do. A route that worked today is good until midnight; a failure is kept for `probeRetryMs`.
 */
export class SelfTest {
  readonly #context: Context
  readonly #http: HttpClient
  /** The route that is chosen; the error when there is none. */
  readonly #target: () => ProbeTarget | AppError
  readonly #onChange: () => void
  readonly #pending = new Map<string, Pending>()
  #running: Promise<AppError | null> | null = null
  /** The day on which a probe came back during this run. */
  #passedOn: number | null = null
  #failure: { error: AppError; at: number } | null = null
  /**
   * Another one after each change of the route: what was found out about an earlier one says nothing about this one.
   */
  #version = 0
  readonly #end = new AbortController()

  constructor(context: Context, http: HttpClient, target: () => ProbeTarget | AppError, onChange: () => void) {
    this.#context = context
    this.#http = http
    this.#target = target
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

  /** Forgets what was found out: the route is another one now. */
  reset(): void {
    this.#version += 1
    this.#passedOn = null
    this.#failure = null
    this.#running = null
  }

  /** The route may no longer work: the next document that needs it triggers a new test. */
  invalidate(): void {
    this.#passedOn = null
  }

  /** Aborts the test that runs; it fails. */
  end(): void {
    this.#end.abort()
  }

  /**
   * Null when a probe came back today; tests when none did, and no earlier failure is fresh. The error says what
   * failed.
   */
  async ensure(): Promise<AppError | null> {
    if (this.passedToday) return null
    const failedFor = this.#failure === null ? Infinity : performance.now() - this.#failure.at
    if (this.#running === null && failedFor < this.#context.timings.probeRetryMs) return this.#failure!.error
    return this.run()
  }

  /** Tests now, or joins the test that runs. Null when the probe came back. */
  run(): Promise<AppError | null> {
    if (this.#running === null) {
      const test = this.#test(this.#version)
      this.#running = test
      this.#onChange()
    }
    return this.#running
  }

  /** A probe arrived. One that is not pending belongs to an earlier test and is ignored. */
  arrived(token: string, body: Buffer): void {
    const pending = this.#pending.get(token)
    pending?.arrived(hashOf(body) === pending.hash)
  }

  /** Messages before the probe are arriving: its time limit starts again. */
  progressed(): void {
    for (const pending of this.#pending.values()) pending.restartTimer()
  }

  async #test(version: number): Promise<AppError | null> {
    const error = await this.#sendProbe().catch((thrown: unknown) => toAppError(thrown))
    // The route was changed meanwhile: callers get the outcome for the new one.
    if (version !== this.#version) return this.run()
    this.#running = null
    this.#failure = error === null ? null : { error, at: performance.now() }
    this.#passedOn = error === null ? this.#today() : null
    this.#onChange()
    return error
  }

  async #sendProbe(): Promise<AppError | null> {
    const target = this.#target()
    if (target instanceof AppError) return target
    const { host } = new URL(target.url)
    const failed = (detail: string): AppError => new AppError('callback_not_returned', { host, detail })
    const body = probeBody()
    const timeoutMs = this.#context.timings.probeTimeoutMs
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), timeoutMs)
    const arrival = new Promise<string | null>((resolve) => {
      const arrived = (same: boolean): void => resolve(same ? null : 'it was changed on the way')
      this.#pending.set(target.token, { hash: body.hash, arrived, restartTimer: () => timer.refresh() })
    })
    const release = forwardAbort(this.#end.signal, limit)
    const { signal } = limit
    const late = new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve(notInTime)))
    try {
      const answer = await this.#http.send({
        method: 'POST',
        url: target.url,
        headers: { 'content-type': 'application/json' },
        body: body.json,
        timeoutMs,
        signal,
      })
      if (!isSuccess(answer.status)) return failed(`HTTP ${answer.status}`)
      const problem = await Promise.race([arrival, late])
      return problem === null ? null : failed(problem)
    } catch (error) {
      return failed(signal.aborted ? notInTime : technicalReason(toAppError(error)))
    } finally {
      clearTimeout(timer)
      release()
      this.#pending.delete(target.token)
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
function probeBody(): { json: ReturnType<typeof jsonBody>; hash: string } {
  const row = { description: 'Sheaf tests whether results find their way back. '.repeat(20), amount: 12.5 }
  const data = {
    invoice_number: randomUUID(),
    positions: Array.from({ length: Math.ceil(probeBytes / JSON.stringify(row).length) }, () => row),
  }
  const message = {
    status: 'success',
    extract_id: randomUUID(),
    data,
    metadata: { filename: 'sheaf-test.pdf', duration: '1', tokens_consumed: 0 },
  }
  return { json: jsonBody(message), hash: hashOf(Buffer.from(JSON.stringify(message))) }
}

/** What a technician wants to read, without words in one language where there is a code. */
export function technicalReason({ code, details }: AppError): string {
  if (code === 'host_not_found') return 'ENOTFOUND'
  return String(details['detail'] ?? details['status'] ?? code)
}
