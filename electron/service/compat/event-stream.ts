import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

/** How long a client may take to fetch the rest of a stream that has ended. */
const fetchGraceMs = 10_000

/**
 * The answer of spec, «POST /compat/v1/chat/completions» with `stream`: frames `data: <JSON>`, at the end `data:
 * [DONE]`.
 */
export class EventStream {
  readonly #outgoing: ServerResponse

  /** Begins the answer: from here on the status is 200, whatever happens. */
  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing
    outgoing.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    })
    outgoing.flushHeaders()
  }

  /** Resolves when there is room for the next frame. Throws when `signal` is aborted before. */
  async send(frame: object, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (!this.#outgoing.write(`data: ${JSON.stringify(frame)}\n\n`)) await once(this.#outgoing, 'drain', { signal })
  }

  /** The last frames, also for a client that does not keep up; one that never fetches them is cut off. */
  end(...frames: object[]): void {
    for (const frame of frames) this.#outgoing.write(`data: ${JSON.stringify(frame)}\n\n`)
    const timer = setTimeout(() => this.#outgoing.destroy(), fetchGraceMs)
    this.#outgoing.once('close', () => clearTimeout(timer))
    this.#outgoing.end('data: [DONE]\n\n')
  }
}
