import type { EventSourceMessage } from 'eventsource-parser'
import { AppError } from '../../../shared/domain/errors.ts'
import { parseJson, isRecord } from '../../../shared/domain/json.ts'
import { ErrorFrame } from './stream-error.ts'
import { JsonSequence, recordSeparator } from './json-sequence.ts'
import { isPage, wordsOf } from './problem.ts'
import { ServerEvents, isDone, maxFrameChars } from './server-events.ts'

/**
 * The text of a Documentalist's answer as it comes. Its chunk format is «not shown» (spec, Endpoints), so the first
 * bytes decide, with the content type where they leave a doubt: server-sent events (WHATWG HTML, 9.2) of text or JSON,
 * JSON values one after another (NDJSON, one object, a list), or plain text, also such as holds JSON. Throws
 * `ErrorFrame` for a frame that says `error`, `not_a_platform` for a page, `answer_unreadable` for a frame without end,
 * `answer_incomplete` where JSON is cut.
 */
export async function* answerText(contentType: string | null, body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = decoderFor(contentType)
  let held = ''
  let reader: Reader | null = null
  let judgedFrom = 0
  for await (const bytes of body) {
    held += decoder.decode(bytes, { stream: true })
    if (reader === null && held.length < judgedFrom) continue
    reader ??= readerFor(held, contentType, false)
    judgedFrom = nextLook(held)
    if (reader === null) continue
    for (const text of reader.feed(held)) if (text !== '') yield text
    held = ''
    if (reader.isOver()) return
  }
  // What is left in the decoder is the beginning of a character: the end of the answer is missing.
  const isCut = decoder.decode() !== ''
  reader ??= readerFor(held, contentType, true) ?? plainText()
  for (const rest of [() => reader.feed(held), () => reader.end()])
    for (const text of rest()) if (text !== '') yield text
  if (isCut) throw new AppError('answer_incomplete')
}

/** Characters that an answer may begin with and not tell what it is: more than any proxy sends to keep it alive. */
const longStart = 16_384

/** At which length a beginning that told nothing is read again: one that is long not with each piece. */
function nextLook(held: string): number {
  return held.length > longStart ? held.length * 2 : 0
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

function jsonValues(): Reader {
  const values = new JsonSequence(maxFrameChars, true)
  const frames = new Frames()
  const read = function* (items: ReturnType<JsonSequence['feed']>): Generator<string> {
    for (const item of items) {
      if ('json' in item) yield frames.text(item.json, null)
      else if ('text' in item) yield item.text
      else if (item.stray === 'broken') throw new AppError('answer_unreadable', { detail: 'a part of it is not JSON' })
    }
  }
  return { feed: (text) => read(values.feed(text)), end: () => read(values.end()), isOver: () => false }
}

/**
 * What begins with a JSON object where no content type says that it is JSON: values, or plain text that holds some.
 * Each value waits for the next until one has given text; when something else comes before, or none ever does, all is
 * text.
 */
function valuesOrText(): Reader {
  const values = new JsonSequence(maxFrameChars, false)
  const frames = new Frames()
  const waiting: unknown[] = []
  let kind: 'values' | 'text' | null = null
  let held = ''
  const readWaiting = function* (): Generator<string> {
    for (const value of waiting.splice(0)) {
      const text = frames.text(value, null)
      if (text === '') continue
      kind = 'values'
      held = ''
      yield text
    }
  }
  return {
    *feed(text) {
      if (kind === 'text') return yield text
      if (kind === null) held += text
      for (const item of values.feed(text)) {
        if ('json' in item) {
          yield* readWaiting()
          waiting.push(item.json)
          if (kind === 'values') yield* readWaiting()
        } else if (kind === null) {
          kind = 'text'
          return yield held
        } else if ('stray' in item && item.stray === 'broken') {
          throw new AppError('answer_unreadable', { detail: 'a part of it is not JSON' })
        }
      }
    },
    *end() {
      if (kind === 'text') return
      yield* readWaiting()
      // Throws where a value was cut.
      for (const item of values.end()) if (kind === 'values' && 'text' in item) yield item.text
      if (kind === null) yield held
    },
    isOver: () => false,
  }
}

function serverSentEvents(): Reader {
  const events = new ServerEvents()
  const frames = new Frames()
  let isOver = false
  let isJson: boolean | null = null
  const read = function* (whole: EventSourceMessage[], isEnd: boolean): Generator<string> {
    for (const event of whole) {
      isOver ||= isDone(event)
      if (isOver) return
      const name = event.event ?? null
      const value = jsonIn(event.data)
      if (isEnd && isJson !== false && value === undefined && /^\s*\{\s*"/.test(event.data))
        throw new AppError('answer_incomplete')
      // One stream is of one kind, which its first frame tells: «[2]» and «{}» in a stream of text are text.
      if (isJson === null && event.data.trim() !== '' && (name === null || !nonTextKinds.test(name)))
        isJson = isFrame(value)
      const isValue = isJson === true ? isFrame(value) : isNotice(value)
      yield frames.text(isValue ? value : event.data, name)
    }
  }
  return {
    feed: (text) => read(events.feed(text), false),
    end: () => read(events.end(), true),
    isOver: () => isOver,
  }
}

/** The object, list or text that the data is in JSON; undefined when it is none. */
function jsonIn(data: string): unknown {
  return /^\s*[{["]/.test(data) ? parseJson(data) : undefined
}

/** True for JSON that can be a part of an answer; «[1]» is a footnote. */
function isFrame(value: unknown): boolean {
  return Array.isArray(value)
    ? value.some((part) => typeof part === 'string' || isRecord(part))
    : typeof value === 'string' || isRecord(value)
}

/** True for an object that in a stream of text is none of it: an error, or one that says its type. */
function isNotice(value: unknown): boolean {
  return isRecord(value) && (isRecord(value['error']) || typeof value['type'] === 'string')
}

/** Frames that carry no part of the answer, by the name of the event or by their `type`. */
const nonTextKinds =
  /^(ping|heartbeat|keep-?alive|meta(data)?|sources?|status|progress|start(ed)?|thinking|reasoning|user|system|tool)$/i
const endKinds = /^(done|end|final|finish(ed)?|complete(d)?|result|message_stop)$/i

/** The text in one frame after another. */
class Frames {
  #soFar = ''

  /** The text that a frame adds, or ''. */
  text(value: unknown, event: string | null): string {
    const kinds = [event, isRecord(value) ? value['type'] : null].filter((kind) => typeof kind === 'string')
    if (kinds.some((kind) => /^error$/i.test(kind)) || saysError(value)) throw new ErrorFrame(value)
    if (kinds.some((kind) => nonTextKinds.test(kind))) return ''
    const text = textOf(value, 0)
    // Some say the whole answer once more at the end.
    if (text === '' || (text === this.#soFar && kinds.some((kind) => endKinds.test(kind)))) return ''
    this.#soFar += text
    return text
  }
}

function saysError(value: unknown): boolean {
  if (!isRecord(value)) return false
  if (typeof value['status'] === 'string' && /^(error|failed|failure)$/i.test(value['status'])) return true
  // `message` alone holds an answer, or why there is none.
  const { message, ...others } = value
  if (textOf(typeof message === 'string' ? others : value, 0) !== '' && !isRecord(value['error'])) return false
  return Boolean(value['error']) || wordsOf(value).status !== null || value['success'] === false
}

/** Where the text stands, most telling first. */
const textKeys = [
  'answer',
  'content',
  'text',
  'delta',
  'message',
  'response',
  'output',
  'chunk',
  'token',
  'result',
  'value',
  'data',
]
const maxDepth = 6

function textOf(value: unknown, depth: number): string {
  if (typeof value === 'string') return value
  if (depth > maxDepth) return ''
  if (Array.isArray(value)) return value.map((part) => textOf(part, depth + 1)).join('')
  if (
    !isRecord(value) ||
    [value['role'], value['type']].some((kind) => typeof kind === 'string' && nonTextKinds.test(kind))
  )
    return ''
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
  const objects = (): Reader => (isJson(contentType) ? jsonValues() : valuesOrText())
  if (start === '') return wait
  if (start.startsWith('<')) {
    if (isPage(Buffer.from(start))) throw new AppError('not_a_platform')
    return start.length < '<!doctype'.length ? wait : plainText()
  }
  if (start.startsWith('{') || start.startsWith(recordSeparator)) return objects()
  if (start.startsWith('[')) {
    const next = start.slice(1).trimStart()
    if (next === '') return wait
    return next.startsWith('{') || (next.startsWith('"') && isJson(contentType)) ? objects() : plainText()
  }
  if (start.startsWith('"') && isJson(contentType)) return jsonValues()
  return eventsOrText(start, contentType, wait)
}

function eventsOrText(start: string, contentType: string | null, wait: Reader | null): Reader | null {
  const beginsField = (text: string): boolean =>
    text.startsWith(':') || fieldNames.some((name) => text.startsWith(name))
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

function decoderFor(contentType: string | null): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(/charset="?([\w-]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8')
  } catch {
    return new TextDecoder()
  }
}
