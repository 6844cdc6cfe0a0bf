import fc from 'fast-check'
import { readAnswer } from '../../../electron/core/platform/answer.ts'
import { answerText } from '../../../electron/core/platform/answer-text.ts'
import { ErrorFrame, streamError } from '../../../electron/core/platform/stream-error.ts'
import { CompletionBuilder } from '../../../electron/core/platform/chat.ts'
import { refusalOf } from '../../../electron/core/platform/extractor.ts'
import { JsonSequence } from '../../../electron/core/platform/json-sequence.ts'
import { maxWords, problemOf, refusesToken, serviceWords } from '../../../electron/core/platform/problem.ts'
import { ServerEvents } from '../../../electron/core/platform/server-events.ts'
import { expiryOf } from '../../../electron/core/platform/token.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { parseRetryAfter } from '../../../shared/wire/retry-after.ts'
import { Broken, expectKnownCode, hold, mutated, oneByOne } from './kit.ts'
import type { OpenTarget, Random, Target } from './kit.ts'

type Wire = { body: Buffer; status: number; contentType: string | null; cut: number; text: string }

const samples = [
  '{"status":"success","extract_id":"e-1","data":{"invoice_number":"1","items":[{"a":1.5}]},"metadata":{"filename":"a.pdf","duration":"40","tokens_consumed":7,"sources":[],"doubts":[{"pointer":"/0/items","code":"unsure","alternatives":[{"value":1,"page":1,"box":{"x":0,"y":0,"width":1,"height":1},"text":"1"}]}]}}',
  '{"status":"started","extract_id":"e-1"}',
  '{"status":"error","code":"401","error":"Unauthorized","detail":"bad credentials"}',
  '{"extract_id":"e-1","error":{"message":"no","code":"quota_exceeded"},"detail":["a",{"b":1}]}',
  '{"error":{"message":"Model not found","type":"invalid_request_error","param":null,"code":"model_not_found"}}',
  '{"access_token":"eyJhbGciOiJub25lIn0.eyJleHAiOjE5MDAwMDAwMDAsImlhdCI6MTgwMDAwMDAwMH0.","token_type":"x-api-key","expires_in":"3600000"}',
  'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"Good"},"finish_reason":null}]}\n\ndata: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\ndata: [DONE]\n\n',
  'event: token\ndata: {"text":"one"}\n\nevent: done\ndata: {"answer":"one"}\n\n',
  '{"answer":"a"}\n{"answer":"b"}\n',
  '\x1e{"delta":"a"}\n\x1e{"delta":"b"}\n',
  '[{"text":"a"},{"text":"b"}]',
  'A plain answer, with {"json": 1} and [1] in it.\nid: 5',
  '<!doctype html><title>Portal</title>',
  '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"data":{"n":9007199254740993}}',
].map((text) => Buffer.from(text))

const key = fc.constantFrom(
  'status',
  'data',
  'extract_id',
  'error',
  'errors',
  'detail',
  'message',
  'metadata',
  'code',
  'success',
  'sources',
  'doubts',
  'alternatives',
  'tokens_consumed',
  'answer',
  'text',
  'choices',
  'delta',
  'type',
  '__proto__',
  'constructor',
  'toString',
  '',
)
const word = fc.constantFrom(
  'success',
  'started',
  'error',
  'Invalid or expired token',
  '401',
  'failed',
  'done',
  '{}',
  '[1]',
  'queued',
  '\ud800',
  '',
  'x'.repeat(3000),
)
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    word,
    fc.jsonValue({ maxDepth: 1 }),
    fc.dictionary(key, tie('tree'), { maxKeys: 6 }),
    fc.array(tie('tree'), { maxLength: 4 }),
  ),
}))
const statuses = [
  200, 201, 204, 299, 301, 304, 400, 401, 402, 403, 404, 413, 419, 422, 429, 498, 500, 501, 502, 503, 504, 599,
]
const contentTypes = [
  null,
  'application/json',
  'text/event-stream',
  'text/event-stream; charset=utf-16',
  'application/x-ndjson',
  'text/plain; charset=nonsense',
  '',
  'application/json-seq',
]

function make(random: Random): Wire {
  const body = random.oneIn(2) ? mutated(random, samples) : Buffer.from(JSON.stringify(random.value(tree)) ?? '')
  return {
    body,
    status: random.pick(statuses),
    contentType: random.pick(contentTypes),
    cut: random.below(body.length + 1),
    text: random.value(
      fc.oneof(
        fc.string(),
        fc.double().map(String),
        fc.date().map((date) => (Number.isNaN(date.getTime()) ? 'never' : date.toUTCString())),
        fc.constantFrom('1e400', '-1', '0x10', '999999999999', ' 5 ', 'Infinity', 'NaN'),
      ),
    ),
  }
}

async function tryOne(input: Wire): Promise<void> {
  tryAnswers(input)
  tryRefusals(input)
  tryTimes(input)
  await tryText(input)
  tryPieces(input)
  hold(!('polluted' in {}), 'the prototype of all objects was changed')
}

function tryAnswers({ body }: Wire): void {
  for (const source of ['response', 'callback'] as const) {
    const answer = readAnswer(body, source)
    if (answer.kind === 'failed')
      expectKnownCode(answer.error.code, [
        'answer_unreadable',
        'extraction_failed',
        'file_encrypted',
        'file_damaged',
        'file_too_complex',
        'no_text',
      ])
    if (answer.kind === 'failed')
      hold(JSON.stringify(answer.error.details).length < 20 * maxWords, 'what was said is not cut short')
    if (answer.kind === 'result')
      hold(
        answer.records.every((record) => typeof record === 'object' && record !== null && !Array.isArray(record)),
        'a record is no object',
      )
    hold(answer.extractId === null || typeof answer.extractId === 'string', 'the extract_id is no text')
  }
}

function tryRefusals({ body, status, text }: Wire): void {
  const words = serviceWords(body)
  hold(
    [words.code, words.type, words.text].every((part) => typeof part === 'string'),
    'a word is no text',
  )
  hold(words.text.length <= maxWords, 'the words are not cut short')
  refusesToken({ status, body })
  const asked = { host: 'h', ...(text.length % 2 === 0 ? { agent: 'a' } : { model: 'm' }) }
  expectKnownCode(problemOf({ status, retryAfterMs: null, body }, asked).code)
  const refusal = refusalOf(
    { status, contentType: null, retryAfterMs: null, body, bytesSent: 1, complete: true } as Parameters<
      typeof refusalOf
    >[0],
    'h',
    null,
  )
  if (refusal !== null) expectKnownCode(refusal.code)
}

const now = Date.UTC(2026, 10, 21)
const dayMs = 24 * 60 * 60_000

function tryTimes({ body, text }: Wire): void {
  const retryMs = parseRetryAfter(text, now)
  hold(retryMs === null || (retryMs >= 0 && retryMs <= dayMs), `Retry-After «${text}» is ${retryMs} ms`)
  for (const token of [text, `a.${body.toString('base64url')}.b`, `a.${Buffer.from(text).toString('base64url')}`]) {
    const ends = expiryOf(token, text, now)
    hold(ends >= now && ends <= now + dayMs, `the token «${text}» ends at ${ends}`)
  }
}

const textCodes = ['not_a_platform', 'answer_unreadable', 'answer_incomplete']

/** The text of a stream, and how it ended. */
async function textOf(
  pieces: readonly Uint8Array[],
  contentType: string | null,
): Promise<{ text: string; end: string }> {
  let text = ''
  try {
    const body = (async function* () {
      yield* pieces
    })()
    for await (const piece of answerText(contentType, body)) {
      hold(typeof piece === 'string', 'a piece is no text')
      text += piece
    }
    return { text, end: 'whole' }
  } catch (error) {
    if (error instanceof ErrorFrame) {
      expectKnownCode(streamError(error, text !== '', { host: 'h' }, 200).code)
      return { text, end: 'frame' }
    }
    if (!(error instanceof AppError)) throw error
    expectKnownCode(error.code, textCodes)
    return { text, end: error.code }
  }
}

/** However a stream is cut into pieces, the same text comes of it. */
async function tryText({ body, contentType, cut }: Wire): Promise<void> {
  const whole = await textOf([body], contentType)
  const halves = await textOf([body.subarray(0, cut), body.subarray(cut)], contentType)
  const same = whole.text === halves.text && whole.end === halves.end
  if (!same) throw new Broken(`cut at ${cut}: ${JSON.stringify(halves)} instead of ${JSON.stringify(whole)}`)
}

function tryPieces({ body, cut }: Wire): void {
  const text = body.toString('utf8')
  const half = Math.min(cut, text.length)
  const split = (pieces: string[]): string => {
    const events = new ServerEvents()
    return JSON.stringify(
      [...pieces.flatMap((piece) => events.feed(piece)), ...events.end()].map(({ event, data }) => [
        event ?? null,
        data,
      ]),
    )
  }
  hold(
    split([text]) === split([text.slice(0, half), text.slice(half)]),
    'server-sent events depend on how they are cut',
  )
  const builder = new CompletionBuilder()
  try {
    const values = new JsonSequence(1000, true)
    for (const item of [...values.feed(text.slice(0, half)), ...values.feed(text.slice(half)), ...values.end()]) {
      if ('json' in item) builder.add(item.json, cut % 2 === 0 ? 'whole' : 'frame')
    }
    hold(typeof JSON.stringify(builder.completion) === 'string', 'no completion')
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expectKnownCode(error.code)
  }
}

/** Answers, refusals, tokens, streams: whatever a service sends. */
export const wire: Target<Wire> = {
  name: 'wire',
  open: async (): Promise<OpenTarget<Wire>> => ({ make, tryAll: oneByOne(tryOne) }),
}
