import { describe, expect, it } from 'vitest'
import { readAnswer } from '../../electron/core/platform/answer.ts'

const read = (body: string): ReturnType<typeof readAnswer> => readAnswer(Buffer.from(body))

describe('the values in an answer', () => {
  it.each<[string, string, object[]]>([
    ['one object', '{"status":"success","data":{"a":1},"metadata":{}}', [{ a: 1 }]],
    ['a list of objects', '{"status":"success","data":[{"a":1},{"a":2}],"metadata":{}}', [{ a: 1 }, { a: 2 }]],
    ['an empty object', '{"status":"success","data":{},"metadata":{}}', [{}]],
    ['an empty list', '{"status":"success","data":[],"metadata":{}}', []],
    ['a list with an entry of null', '{"status":"success","data":[{"a":1},null]}', [{ a: 1 }]],
    ['an object in a text', '{"status":"success","data":"{\\"a\\":1}"}', [{ a: 1 }]],
    ['a list in a text', '{"status":"success","data":"[{\\"a\\":1},{\\"a\\":2}]"}', [{ a: 1 }, { a: 2 }]],
    ['a list of objects in texts', '{"status":"success","data":["{\\"a\\":1}"]}', [{ a: 1 }]],
    ['an object of an envelope without status', '{"data":{"a":1}}', [{ a: 1 }]],
    ['an object of an envelope with a numeric status', '{"status":200,"data":{"a":1}}', [{ a: 1 }]],
    ['an object of an envelope with another word', '{"status":"completed","data":{"a":1}}', [{ a: 1 }]],
    ['an object of an envelope in capitals', '{"status":"SUCCESS","data":{"a":1}}', [{ a: 1 }]],
    ['an object beside an empty error', '{"data":{"a":1},"error":null,"detail":null}', [{ a: 1 }]],
    ['an object beside an empty text of an error', '{"data":{"a":1},"error":""}', [{ a: 1 }]],
    ['an object beside an empty list of errors', '{"data":{"a":1},"errors":[]}', [{ a: 1 }]],
    [
      'an object beside a note, with success',
      '{"status":"success","data":{"a":1},"error":"page 3 was skipped"}',
      [{ a: 1 }],
    ],
    ['an object of an envelope in a list', '[{"status":"success","data":{"a":1}}]', [{ a: 1 }]],
    ['an object of an envelope in a text', JSON.stringify('{"status":"success","data":{"a":1}}'), [{ a: 1 }]],
    ['an object after a byte order mark', '\ufeff{"status":"success","data":{"a":1}}', [{ a: 1 }]],
  ])('are read from %s', (_what, body, records) => {
    expect(read(body)).toMatchObject({ kind: 'result', records })
  })

  it.each([
    ['null', '{"status":"success","data":null}'],
    ['absent', '{"status":"success"}'],
    ['a text', '{"status":"success","data":"Rechnung 7"}'],
    ['a number', '{"status":"success","data":7}'],
    ['a list of texts', '{"status":"success","data":["a"]}'],
    ['a list of lists', '{"status":"success","data":[[{"a":1}]]}'],
    ['a list with something else', '{"status":"success","data":[{"a":1},7]}'],
  ])('are unreadable when data is %s: kept, not shown as an empty document', (_what, body) => {
    expect(read(body)).toMatchObject({ kind: 'failed', error: { code: 'answer_unreadable' } })
  })

  it.each(['', '<html></html>', '{"status":"success","data":{"a":', '7', 'null', '[]', '[1,2]', '"hello"'])(
    'are unreadable in %j',
    (body) => {
      expect(read(body)).toMatchObject({ kind: 'failed', extractId: null, error: { code: 'answer_unreadable' } })
    },
  )

  it('are unreadable in bytes that are no UTF-8', () => {
    expect(readAnswer(Buffer.from([0x7b, 0x22, 0xff, 0xfe]))).toMatchObject({
      kind: 'failed',
      error: { code: 'answer_unreadable' },
    })
  })

  it.each<[string, object]>([
    ['{"duration":"1234","tokens_consumed":9}', { durationMs: 1234, tokensConsumed: 9 }],
    ['{"duration":1234.4,"tokens_consumed":"9"}', { durationMs: 1234, tokensConsumed: 9 }],
    ['{"duration":"soon","tokens_consumed":null}', { durationMs: null, tokensConsumed: null }],
    ['null', { durationMs: null, tokensConsumed: null }],
    ['[]', { durationMs: null, tokensConsumed: null }],
    ['"x"', { durationMs: null, tokensConsumed: null }],
  ])('are read beside metadata of %s', (metadata, expected) => {
    expect(read(`{"status":"success","data":{"a":1},"metadata":${metadata}}`)).toMatchObject({
      kind: 'result',
      records: [{ a: 1 }],
      ...expected,
    })
  })
})

describe('a failure in an answer', () => {
  it.each([
    ['status error', '{"status":"error","error":"no text layer"}', 'no text layer'],
    [
      'error and detail of a webhook',
      '{"extract_id":"6f1c","error":"Extraction failed","detail":"Internal Server Error"}',
      'Extraction failed: Internal Server Error',
    ],
    ['status error with values beside it', '{"status":"error","error":"broke","data":{"a":1}}', 'broke'],
    [
      'an error without status with empty values beside it',
      '{"error":"broke","data":{"a":null,"b":"","c":[]}}',
      'broke',
    ],
    ['a status of HTTP with values beside it', '{"status":422,"error":"broke","data":{"a":1}}', 'broke'],
    ['a numeric status', '{"status":500,"error":"broke"}', 'broke'],
    ['a numeric status in a text', '{"status":"422","message":"broke"}', 'broke'],
    ['status failed', '{"status":"failed","message":"broke"}', 'broke'],
    ['success false', '{"success":false,"message":"broke"}', 'broke'],
    ['an error object', '{"status":"error","error":{"message":"broke","code":7}}', 'broke'],
    ['an error object without a message', '{"error":{"deep":[1]}}', '{"deep":[1]}'],
    ['a list of errors', '{"errors":[{"message":"broke"},"twice"]}', 'broke; twice'],
    ['the same words twice', '{"status":"error","error":"broke","detail":"broke"}', 'broke'],
    ['no words', '{"status":"error"}', 'no reason given'],
  ])('is told by %s, in the service’s words', (_what, body, detail) => {
    expect(read(body)).toMatchObject({ kind: 'failed', error: { code: 'extraction_failed', details: { detail } } })
  })

  it.each([
    '{"data":{"a":1},"error":"page 3 could not be read"}',
    '{"status":"partial","data":[{"a":1}],"errors":["page 3 skipped"]}',
    '{"status":"completed","data":{"a":1},"error":{"message":"x"}}',
  ])('is none where values stand beside a warning: %s', (body) => {
    for (const source of ['response', 'callback'] as const)
      expect(readAnswer(Buffer.from(body), source)).toMatchObject({ kind: 'result', records: [{ a: 1 }] })
  })

  it('keeps the extract_id', () => {
    expect(read('{"extract_id":"6f1c","error":"x"}')).toMatchObject({ extractId: '6f1c' })
    expect(read('{"extract_id":"6f1c","status":"success","data":7}')).toMatchObject({
      kind: 'failed',
      extractId: '6f1c',
    })
  })

  it('is cut short', () => {
    const answer = read(JSON.stringify({ error: 'x'.repeat(100_000) }))
    expect(answer.kind === 'failed' && String(answer.error.details['detail']).length).toBe(500)
  })
})

describe('an accepted asynchronous request', () => {
  it.each<[string, string | null]>([
    ['{"status":"started","extract_id":"6f1c"}', '6f1c'],
    ['{"status":"STARTED","extract_id":"6f1c"}', '6f1c'],
    ['{"status":"started","extract_id":17}', '17'],
    ['{"status":"started"}', null],
    ['{"extract_id":"6f1c"}', '6f1c'],
    ['{"status":"queued","extract_id":"6f1c"}', '6f1c'],
    ['[{"status":"started","extract_id":"6f1c"}]', '6f1c'],
  ])('is waited for after %s', (body, extractId) => {
    expect(read(body)).toEqual({ kind: 'started', extractId })
  })
})

describe('a webhook without values', () => {
  const webhook = (body: object): ReturnType<typeof readAnswer> =>
    readAnswer(Buffer.from(JSON.stringify({ extract_id: 'x', ...body })), 'callback')

  it.each<[object, string]>([
    [{ error: 'Extraction failed', detail: 'Internal Server Error' }, 'Extraction failed: Internal Server Error'],
    [{ error: '', detail: 'Internal Server Error' }, 'Internal Server Error'],
    [{ error: null, detail: 'Bad Gateway' }, 'Bad Gateway'],
    [{ code: 500, message: 'failed' }, 'failed'],
    [{ code: '502' }, 'no reason given'],
    [{ message: 'The document could not be read' }, 'The document could not be read'],
    [{ status: 'cancelled', message: 'by an administrator', data: null }, 'by an administrator'],
    [{ status: 'processing', detail: 'out of memory' }, 'out of memory'],
    [{ status: 'started', code: 500 }, 'no reason given'],
  ])('%j is a failure', (body, detail) => {
    expect(webhook(body)).toMatchObject({
      kind: 'failed',
      extractId: 'x',
      error: { code: 'extraction_failed', details: { detail } },
    })
  })

  it.each([{}, { status: 'cancelled' }, { code: 200 }, { error: '', detail: '' }])(
    '%j is kept as an answer that cannot be read',
    (body) => {
      expect(webhook(body)).toMatchObject({ kind: 'failed', error: { code: 'answer_unreadable' } })
    },
  )

  it.each([{ status: 'started' }, { status: 'Processing', code: 202 }, { status: 'queued', data: null, error: null }])(
    '%j only says how far it is',
    (body) => {
      expect(webhook(body)).toEqual({ kind: 'started', extractId: 'x' })
    },
  )

  it.each([
    { data: { a: 1 } },
    { status: 'started', data: { a: 1 } },
    { status: 'completed', data: [{ a: 1 }], detail: 'page 3 was skipped' },
  ])('is not %j, which has some', (body) => {
    expect(webhook(body)).toMatchObject({ kind: 'result', records: [{ a: 1 }] })
  })
})

describe('an answer to the request without values', () => {
  it.each([
    '{"status":"started","extract_id":"x","message":"Extraction started"}',
    '{"extract_id":"x"}',
    '{"extract_id":"x","status":"queued","message":"You are next"}',
  ])('%s is a receipt', (body) => {
    expect(read(body)).toEqual({ kind: 'started', extractId: 'x' })
  })

  it.each([
    '{"extract_id":"x","code":500,"message":"failed"}',
    '{"extract_id":"x","detail":"no worker"}',
    '{"extract_id":"x","message":"Insufficient credits"}',
    '{"extract_id":"x","code":200,"message":"File rejected"}',
  ])('%s is none', (body) => {
    expect(read(body)).toMatchObject({ kind: 'failed', error: { code: 'extraction_failed' } })
  })

  it('names tokens also when it failed, or cannot be read', () => {
    expect(read('{"status":"error","error":"x","metadata":{"tokens_consumed":"500"}}')).toMatchObject({
      kind: 'failed',
      tokensConsumed: 500,
    })
    expect(read('{"status":"success","data":7,"metadata":{"tokens_consumed":9}}')).toMatchObject({
      kind: 'failed',
      tokensConsumed: 9,
    })
    expect(read('{"status":"error","error":"x"}')).toMatchObject({ kind: 'failed', tokensConsumed: null })
  })
})
