import { createParser } from 'eventsource-parser'
import type { EventSourceMessage } from 'eventsource-parser'
import { AppError } from '../../../shared/domain/errors.ts'

/** Longer frames are nothing that a person was meant to read. */
export const maxFrameChars = 4 * 1024 * 1024

/** Server-sent events (WHATWG HTML, 9.2) from text that comes in pieces of any size. */
export class ServerEvents {
  readonly #events: EventSourceMessage[] = []
  readonly #parser = createParser({
    onEvent: (event) => void this.#events.push(event),
    onError: (error) => {
      this.#isBroken ||= error.type === 'max-buffer-size-exceeded'
    },
    maxBufferSize: maxFrameChars,
  })
  #isBroken = false

  /** The events that are whole now. Throws `answer_unreadable` when one has no end. */
  feed(text: string): EventSourceMessage[] {
    this.#parser.feed(text)
    if (this.#isBroken) throw new AppError('answer_unreadable', { detail: 'a part of it has no end' })
    return this.#events.splice(0)
  }

  /** The last event, whose blank line may be missing. */
  end(): EventSourceMessage[] {
    return this.feed('\n\n')
  }
}

/** spec, Endpoints: «The stream ends with `data: [DONE]`». */
export function isDone(event: EventSourceMessage): boolean {
  return event.data.trim() === '[DONE]'
}
