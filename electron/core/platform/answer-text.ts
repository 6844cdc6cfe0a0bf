import type { EventSourceMessage } from 'eventsource-parser'
import { AppError } from '../../../shared/errors.ts'
import { ErrorFrame } from './broken-off.ts'
import { JsonSequence, recordSeparator } from './json-sequence.ts'
import { isPage, isRecord, wordsOf } from './problem.ts'
import { ServerEvents, isDone, maxFrameChars } from './server-events.ts'

/**
 * The text of a Documentalist's answer as it comes. Its chunk format is «not shown» (spec, Endpoints), so the first
 * bytes decide, with the content type where they leave a doubt: server-sent events (WHATWG HTML, 9.2) of text or JSON,
 * JSON values one after another (NDJSON, one object, a list), or plain text. Throws `ErrorFrame` for a frame that says
 * `error`, `not_a_platform` for a page, `answer_unreadable` for a frame without end, `answer_incomplete` where JSON is cut.
 */
export async function* answerText(contentType: string | null, body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = decoderFor(contentType)
  let held = ''
  let reader: Reader | null = null
  for await (const bytes of body) {
    held += decoder.decode(bytes, { stream: true })
    reader ??= readerFor(held, contentType, false)
    if (reader === null) continue
    for (const text of reader.feed(held)) if (text !== '') yield text
    held = ''
    if (reader.isOver()) return
  }
  held += decoder.decode()
  reader ??= readerFor(held, contentType, true) ?? plainText()
  for (const rest of [() => reader.feed(held), () => reader.end()]) for (const text of rest()) if (text !== '') yield text
}

type Reader = {
  feed(text: string): Iterable<string>
  /** After the last piece: what was held back. */
  end(): Iterable<string>
  /** The stream said that it ends here. */
  isOver(): boolean
}

function plainText(): Reader {
  return { feed: (text) => [text], end: () => [], isOver: () => false }
}

function jsonValues(takesStrings: boolean): Reader {
  const values = new JsonSequence(maxFrameChars, takesStrings)
  const frames = new Frames()
  return {
    *feed(text) {
      for (const item of values.feed(text)) yield 'json' in item ? frames.text(item.json, null) : item.text
    },
    *end() {
      for (const item of values.end()) if ('text' in item) yield item.text
    },
    isOver: () => false,
  }
}

function serverSentEvents(): Reader {
  const events = new ServerEvents()
  const frames = new Frames()
  let isOver = false
  const read = function* (whole: EventSourceMessage[], isEnd: boolean): Generator<string> {
    for (const event of whole) {
      isOver ||= isDone(event)
      if (isOver) return
      yield frames.text(valueOf(event.data, isEnd), event.event ?? null)
    }
  }
  return {
    feed: (text) => read(events.feed(text), false),
    end: () => read(events.end(), true),
    isOver: () => isOver,
  }
}

/** JSON where it is JSON; else the text itself. At the end of a stream, JSON that does not parse was cut. */
function valueOf(data: string, isEnd: boolean): unknown {
  if (!/^\s*[{["]/.test(data)) return data
  try {
    return JSON.parse(data)
  } catch {
    if (isEnd && /^\s*\{\s*"/.test(data)) throw new AppError('answer_incomplete')
    return data
  }
}

/** Frames that carry no part of the answer, by the name of the event or by their `type`. */
const asides = /^(ping|heartbeat|keep-?alive|meta(data)?|sources?|status|progress|start(ed)?|thinking|reasoning|user|system|tool)$/i
const endings = /^(done|end|final|finish(ed)?|complete(d)?|result|message_stop)$/i

/** The text in one frame after another. */
class Frames {
  #soFar = ''

  /** The text that a frame adds, or ''. */
  text(value: unknown, event: string | null): string {
    const kinds = [event, isRecord(value) ? value['type'] : null].filter((kind) => typeof kind === 'string')
    if (kinds.some((kind) => /^error$/i.test(kind)) || saysError(value)) throw new ErrorFrame(value)
    if (kinds.some((kind) => asides.test(kind))) return ''
    const text = textOf(value, 0)
    // Some say the whole answer once more at the end.
    if (text === '' || (text === this.#soFar && kinds.some((kind) => endings.test(kind)))) return ''
    this.#soFar += text
    return text
  }
}

function saysError(value: unknown): boolean {
  if (!isRecord(value)) return false
  if (typeof value['status'] === 'string' && /^(error|failed|failure)$/i.test(value['status'])) return true
  if (textOf(value, 0) !== '' && !isRecord(value['error'])) return false
  return Boolean(value['error']) || wordsOf(value).status !== null
}

/** Where the text stands, most telling first. */
const textKeys = ['answer', 'content', 'text', 'delta', 'message', 'response', 'output', 'chunk', 'token', 'result', 'value', 'data']
const deepest = 6

function textOf(value: unknown, depth: number): string {
  if (typeof value === 'string') return value
  if (depth > deepest) return ''
  if (Array.isArray(value)) return value.map((part) => textOf(part, depth + 1)).join('')
  if (!isRecord(value) || [value['role'], value['type']].some((kind) => typeof kind === 'string' && asides.test(kind))) return ''
  const choices: unknown = value['choices']
  if (Array.isArray(choices)) return textOf(choices[0], depth + 1)
  for (const key of textKeys) {
    const text = textOf(value[key], depth + 1)
    if (text !== '') return text
  }
  return ''
}

const fieldNames = ['data:', 'event:', 'id:', 'retry:']

/** The reader for what begins so; null while more is needed to tell. */
function readerFor(held: string, contentType: string | null, isLast: boolean): Reader | null {
  const start = held.trimStart()
  const wait = isLast ? plainText() : null
  if (start === '') return wait
  if (start.startsWith('<')) {
    if (isPage(Buffer.from(start))) throw new AppError('not_a_platform')
    return start.length < '<!doctype'.length ? wait : plainText()
  }
  if (start.startsWith('{') || start.startsWith(recordSeparator)) return jsonValues(isJson(contentType))
  if (start.startsWith('[')) {
    const next = start.slice(1).trimStart()
    if (next === '') return wait
    return next.startsWith('{') || (next.startsWith('"') && isJson(contentType)) ? jsonValues(isJson(contentType)) : plainText()
  }
  if (start.startsWith('"') && isJson(contentType)) return jsonValues(true)
  return eventsOrText(start, contentType, wait)
}

function eventsOrText(start: string, contentType: string | null, wait: Reader | null): Reader | null {
  const beginsField = (text: string): boolean => text.startsWith(':') || fieldNames.some((name) => text.startsWith(name))
  const mayBecomeField = (text: string): boolean => fieldNames.some((name) => name.startsWith(text))
  if (!beginsField(start)) return mayBecomeField(start) ? wait : plainText()
  if (start.startsWith('data:') || /\bevent-stream\b/i.test(contentType ?? '')) return serverSentEvents()
  // A text may begin with «id: 5»: without the right content type the second line has to be a field as well.
  const second = /^[^\r\n]*[\r\n]+([^]*)$/.exec(start)?.[1] ?? ''
  if (beginsField(second)) return serverSentEvents()
  return mayBecomeField(second) ? wait : plainText()
}

function isJson(contentType: string | null): boolean {
  return /json/i.test(contentType ?? '')
}

function decoderFor(contentType: string | null): TextDecoder {
  try {
    return new TextDecoder(/charset="?([\w-]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8')
  } catch {
    return new TextDecoder()
  }
}
