import { describe, expect, it } from 'vitest'
import type { AppError } from '../../shared/domain/errors.ts'
import type { Question } from '../../electron/core/platform/documentalist.ts'
import { eventStream, gate, json } from '../helpers/vendor-questions.ts'
import type { Piece, VendorAnswer } from '../helpers/vendor-questions.ts'
import { clientOf, collect, failureOf } from './client.ts'

const question = (more: Partial<Question> = {}): Question => ({
  agentId: 'manuals',
  query: 'How warm?',
  signal: new AbortController().signal,
  ...more,
})

/** The text that the client makes of an answer, piece by piece. */
async function read(answer: VendorAnswer): Promise<string[]> {
  const { documentalist } = await clientOf({ documentalist: () => answer })
  return collect(documentalist.ask(question()))
}

async function failure(answer: VendorAnswer): Promise<{ text: string; error: AppError }> {
  const { documentalist } = await clientOf({ documentalist: () => answer })
  return failureOf(documentalist.ask(question()))
}

const typed = (contentType: string, ...pieces: Piece[]): VendorAnswer => ({
  headers: { 'content-type': contentType },
  pieces,
})

describe('a question to a Documentalist', () => {
  it('carries query, instructions, historic and thread_id, with the token in x-api-key and a Content-Length', async () => {
    const { documentalist, vendor } = await clientOf({ documentalist: () => typed('text/plain', 'ok') })
    const threadId = '4f5e8a3c-6d0a-4a57-9f1e-7d1f5f2a9b10'
    const historic = [
      { role: 'user' as const, content: 'Hi' },
      { role: 'assistant' as const, content: 'Hello — ü' },
    ]
    await collect(
      documentalist.ask(question({ agentId: 'manuals / 2026', instructions: ['Be short'], historic, threadId })),
    )
    expect(vendor.asked[0]).toMatchObject({
      path: '/v2/documentalist/manuals%20%2F%202026',
      body: {
        query: 'How warm?',
        instructions: ['Be short'],
        historic: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'Hello — ü' },
        ],
        thread_id: threadId,
      },
      headers: {
        'x-api-key': 'token-1',
        'content-type': 'application/json',
        'content-length': String(vendor.asked[0]!.sizeBytes),
      },
    })
    expect(vendor.asked[0]!.headers['transfer-encoding']).toBeUndefined()
  })

  it('leaves out what was not given', async () => {
    const { documentalist, vendor } = await clientOf({ documentalist: () => typed('text/plain', 'ok') })
    await collect(documentalist.ask(question()))
    expect(vendor.asked[0]!.body).toEqual({ query: 'How warm?' })
  })
})

describe('the answer of a Documentalist', () => {
  const frames = (...contents: string[]): string => contents.map((content) => `data: ${content}\n\n`).join('')

  it.each<[string, VendorAnswer, string]>([
    ['plain text', typed('text/plain; charset=utf-8', 'Twenty ', 'degrees.'), 'Twenty degrees.'],
    ['plain text without a content type', { pieces: ['Twenty ', 'degrees.'] }, 'Twenty degrees.'],
    [
      'plain text in Latin-1 that says so',
      typed('text/plain; charset=iso-8859-1', Buffer.from('Über 20°', 'latin1')),
      'Über 20°',
    ],
    ['plain text in a charset that nobody knows', typed('text/plain; charset=klingon', 'Über 20°'), 'Über 20°'],
    ['plain text after a byte order mark', typed('text/plain', '\ufeffTwenty'), 'Twenty'],
    [
      'plain text that begins with a brace',
      typed('text/plain', '{curly} braces ', 'are fine'),
      '{curly} braces are fine',
    ],
    ['plain text that begins with a brace and has no other', typed('text/plain', '{ is a brace'), '{ is a brace'],
    [
      'plain text that begins with a JSON object',
      typed('text/plain', '{"port": 80} is the whole ', 'configuration.'),
      '{"port": 80} is the whole configuration.',
    ],
    [
      'plain text that begins with a JSON object and says «error»',
      typed('text/plain', '{"error": "none"} is what the log says; ', 'it is paid.'),
      '{"error": "none"} is what the log says; it is paid.',
    ],
    [
      'plain text that begins with two JSON objects',
      typed('text/plain', '{"port": 80} {"port": 81}', ' {both}'),
      '{"port": 80} {"port": 81} {both}',
    ],
    [
      'plain text that quotes an object with text in it',
      typed('text/plain', '{"text": "x"}', ' is what you send'),
      '{"text": "x"} is what you send',
    ],
    [
      'plain text that is one JSON object without an answer in it',
      { pieces: ['{"port": ', '80}\n'] },
      '{"port": 80}\n',
    ],
    ['plain text that begins with a footnote', typed('text/plain', '[1] The ', 'manual'), '[1] The manual'],
    [
      'plain text that begins with a quotation mark',
      typed('text/plain', '"Yes", says ', 'page 2'),
      '"Yes", says page 2',
    ],
    [
      'plain text that begins with «id:»',
      typed('text/plain', 'id: 5 is ', 'the number\nof the item'),
      'id: 5 is the number\nof the item',
    ],
    [
      'plain text that begins with a less-than sign',
      typed('text/plain', '< 20 degrees, or colder'),
      '< 20 degrees, or colder',
    ],
    ['plain text called JSON', typed('application/json', 'Twenty degrees.'), 'Twenty degrees.'],
    [
      'plain text called an event stream',
      typed('text/event-stream', 'Twenty degrees.\n', 'Really.'),
      'Twenty degrees.\nReally.',
    ],
    ['plain text with empty lines', typed('text/plain', 'One\n\n', 'Two\r\n'), 'One\n\nTwo\r\n'],
    [
      'server-sent events of text, whose blanks are kept after the one of the format',
      eventStream('data: Twenty\n\ndata:  degrees\n\n'),
      'Twenty degrees',
    ],
    [
      'server-sent events of text that look like JSON now and then',
      eventStream(frames('See', ' [1]', '[2]', ' and ', '"x"', '{}', ' {"port": 80}', ' end')),
      'See [1][2] and "x"{} {"port": 80} end',
    ],
    [
      'server-sent events of text that begin with a footnote',
      eventStream(frames('[1]', ' The manual')),
      '[1] The manual',
    ],
    [
      'server-sent events of text with a ping before and sources behind',
      eventStream('event: ping\ndata: {}\n\n', frames('See', ' [2]', '{"type":"sources","text":"page 2"}')),
      'See [2]',
    ],
    [
      'server-sent events of JSON with a list of numbers between',
      eventStream({ text: 'See ' }, frames('[2]'), { text: ' there' }),
      'See [2] there',
    ],
    ['server-sent events over several lines', eventStream('data: One\ndata: Two\n\n'), 'One\nTwo'],
    [
      'server-sent events with CR LF',
      eventStream('data: {"text":"Twenty "}\r\n\r\ndata: {"text":"degrees"}\r\n\r\n'),
      'Twenty degrees',
    ],
    [
      'server-sent events called plain text',
      typed('text/plain', frames('{"content":"Twenty "}', '{"content":"degrees"}', '[DONE]')),
      'Twenty degrees',
    ],
    [
      'server-sent events without a content type',
      { pieces: [frames('{"content":"Twenty "}', '{"content":"degrees"}')] },
      'Twenty degrees',
    ],
    [
      'server-sent events after a comment',
      typed('text/event-stream', ': hello\n\n', frames('{"text":"Twenty"}')),
      'Twenty',
    ],
    [
      'server-sent events with names, without a content type',
      { pieces: ['event: message\n', 'data: {"text":"Twenty"}\n\n'] },
      'Twenty',
    ],
    ['server-sent events after a byte order mark', eventStream('\ufeffdata: {"text":"Twenty"}\n\n'), 'Twenty'],
    [
      'server-sent events without the last blank line',
      eventStream('data: {"text":"Twenty "}\n\ndata: {"text":"degrees"}'),
      'Twenty degrees',
    ],
    [
      'server-sent events with pings and sources between',
      eventStream(
        'event: ping\ndata: ping\n\n',
        frames('{"text":"Twenty"}'),
        'event: sources\ndata: {"text":"page 2"}\n\n',
        frames('{"type":"metadata","text":"x"}'),
      ),
      'Twenty',
    ],
    [
      'server-sent events in the form of chat completions',
      eventStream(
        { choices: [{ delta: { role: 'assistant' } }] },
        { choices: [{ delta: { content: 'Twenty ' } }] },
        { choices: [{ delta: { content: 'degrees' }, finish_reason: 'stop' }] },
        'data: [DONE]\n\n',
      ),
      'Twenty degrees',
    ],
    ['server-sent events of JSON texts', eventStream(frames('"Twenty "', '"degrees\\n"')), 'Twenty degrees\n'],
    [
      'server-sent events that say everything once more at the end',
      eventStream({ delta: 'Twenty ' }, { delta: 'degrees' }, 'event: done\ndata: {"answer":"Twenty degrees"}\n\n'),
      'Twenty degrees',
    ],
    [
      'server-sent events whose end comes before more',
      eventStream({ text: 'Twenty' }, 'data: [DONE]\n\n', { text: 'nonsense' }),
      'Twenty',
    ],
    [
      'lines of JSON',
      typed('application/x-ndjson', '{"answer":"Twenty "}\n', '{"answer":"degrees"}\n'),
      'Twenty degrees',
    ],
    [
      'lines of JSON called plain text, with CR LF and an empty one',
      typed('text/plain', '{"text":"Twenty "}\r\n\r\n{"text":"degrees"}\r\n'),
      'Twenty degrees',
    ],
    [
      'lines of JSON in the form of a local model server',
      typed(
        'application/x-ndjson',
        '{"message":{"role":"assistant","content":"Twenty "},"done":false}\n{"message":{"content":"degrees"},"done":true}\n',
      ),
      'Twenty degrees',
    ],
    [
      'JSON values without anything between',
      { pieces: ['{"chunk":"Twenty "}{"chunk":', '"degrees"}'] },
      'Twenty degrees',
    ],
    [
      'JSON values in a list that grows',
      typed('application/json', '[{"text":"Twenty "}\n,', '{"text":"degrees"}]'),
      'Twenty degrees',
    ],
    [
      'JSON values with record separators',
      typed('application/json-seq', '\x1e{"text":"Twenty "}\n\x1e{"text":"degrees"}\n'),
      'Twenty degrees',
    ],
    ['one JSON object at the end', json({ status: 'success', data: { answer: 'Twenty degrees' } }), 'Twenty degrees'],
    [
      'one JSON object over many lines',
      typed('application/json', '{\n  "status": "success",\n', '  "answer": "Twenty {degrees}"\n}\n'),
      'Twenty {degrees}',
    ],
    ['one JSON text', typed('application/json', '"Twenty ', 'degrees"'), 'Twenty degrees'],
    [
      'JSON parts of a message',
      json({
        message: {
          content: [
            { type: 'text', text: 'Twenty ' },
            { type: 'text', text: 'degrees' },
          ],
        },
      }),
      'Twenty degrees',
    ],
  ])('is read from %s', async (_what, answer, expected) => {
    expect((await read(answer)).join('')).toBe(expected)
  })

  it.each([
    ['plain text', 'text/plain', 'Grüße 🌡 «20 °C» — fertig'],
    [
      'server-sent events',
      'text/event-stream',
      'data: {"text":"Grüße 🌡 "}\r\n\r\ndata: {"text":"«20 °C» — fertig"}\r\n\r\ndata: [DONE]\r\n\r\n',
    ],
    ['lines of JSON', 'application/x-ndjson', '{"text":"Grüße 🌡 "}\n{"text":"«20 °C» — fertig"}\n'],
  ])('is whole although %s comes byte by byte', async (_what, contentType, text) => {
    const pieces = [...Buffer.from(text)].map((byte) => Buffer.from([byte]))
    expect((await read(typed(contentType, ...pieces))).join('')).toBe('Grüße 🌡 «20 °C» — fertig')
  })

  it.each<[string, string, string, string]>([
    ['plain text', 'text/plain', 'Twenty', ' degrees'],
    ['a single letter that could begin a field', 'text/plain', 'Di', 'enstag'],
    ['server-sent events', 'text/event-stream', 'data: {"text":"Twenty"}\n\n', 'data: {"text":" degrees"}\n\n'],
    ['lines of JSON', 'application/x-ndjson', '{"text":"Twenty"}\n', '{"text":" degrees"}\n'],
  ])('appears as it comes: %s', async (_what, contentType, first, second) => {
    const held = gate()
    const { documentalist } = await clientOf({ documentalist: () => typed(contentType, first, held.opened, second) })
    const answer = documentalist.ask(question())
    const begun = (await answer.next()).value as string
    expect(begun.length).toBeGreaterThan(0)
    held.open()
    expect(begun + (await collect(answer)).join('')).toMatch(/^(Twenty degrees|Dienstag)$/)
  })

  it('is broken off when the loop is left, and the service hears of it', async () => {
    const held = gate()
    const { documentalist, vendor } = await clientOf({
      documentalist: () => typed('text/plain', 'Twenty', held.opened, ' degrees'),
    })
    for await (const text of documentalist.ask(question())) {
      expect(text).toBe('Twenty')
      break
    }
    await expect.poll(() => vendor.asked[0]!.state).toBe('broken')
  })

  it('ends with the reason of the signal when a person stops it', async () => {
    const held = gate()
    const { documentalist, vendor } = await clientOf({
      documentalist: () => typed('text/plain', 'Twenty', held.opened, ' degrees'),
    })
    const stop = new AbortController()
    const answer = documentalist.ask(question({ signal: stop.signal }))
    await answer.next()
    const rest = answer.next()
    stop.abort(new Error('stopped by the person'))
    await expect(rest).rejects.toThrow('stopped by the person')
    await expect.poll(() => vendor.asked[0]!.state).toBe('broken')
  })
})

describe('a question that is stopped', () => {
  it('while the token is waited for ends at once, and nothing is asked', async () => {
    const held = gate()
    const { documentalist, vendor } = await clientOf({
      token: () => held.opened.then(() => null),
      documentalist: () => typed('text/plain', 'ok'),
    })
    const stop = new AbortController()
    const answer = documentalist.ask(question({ signal: stop.signal })).next()
    stop.abort(new Error('stopped by the person'))
    await expect(answer).rejects.toThrow('stopped by the person')
    held.open()
    await expect.poll(() => vendor.tokensIssued()).toBe(1)
    expect(vendor.asked).toEqual([])
  })

  it('before the head of the answer ends at once', async () => {
    const held = gate()
    const { documentalist, vendor } = await clientOf({
      documentalist: () => held.opened.then(() => typed('text/plain', 'ok')),
    })
    const stop = new AbortController()
    const answer = documentalist.ask(question({ signal: stop.signal })).next()
    await expect.poll(() => vendor.asked.length).toBe(1)
    stop.abort(new Error('stopped by the person'))
    await expect(answer).rejects.toThrow('stopped by the person')
    held.open()
  })
})

describe('an answer that does not come to its end', () => {
  it.each<[string, VendorAnswer, string, string]>([
    ['after text', { ...typed('text/plain', 'Twenty'), drop: true }, 'Twenty', 'answer_incomplete'],
    ['after a frame', { ...eventStream({ text: 'Twenty' }), drop: true }, 'Twenty', 'answer_incomplete'],
    ['before any text', { ...typed('text/plain'), drop: true }, '', 'connection_lost'],
  ])('is said to be so when the connection breaks %s', async (_what, answer, text, code) => {
    expect(await failure(answer)).toMatchObject({ text, error: { code } })
  })

  it.each<[string, VendorAnswer]>([
    ['within a line of JSON', typed('application/x-ndjson', '{"text":"Twenty"}\n{"text":"deg')],
    ['within an event', eventStream({ text: 'Twenty' }, 'data: {"text":"deg')],
  ])('is incomplete when it ends %s', async (_what, answer) => {
    expect(await failure(answer)).toMatchObject({ text: 'Twenty', error: { code: 'answer_incomplete' } })
  })

  it.each<[string, VendorAnswer, string]>([
    ['an error event', eventStream({ text: 'Twenty' }, 'event: error\ndata: something broke\n\n'), 'service_rejected'],
    [
      'the error frame of the proxy',
      eventStream(
        { text: 'Twenty' },
        { error: { message: 'upstream', type: 'api_error', code: 'upstream' } },
        'data: [DONE]\n\n',
      ),
      'model_failed',
    ],
    [
      'a line that says error',
      typed('application/x-ndjson', '{"text":"Twenty"}\n{"status":"error","error":"broke"}\n'),
      'service_rejected',
    ],
    [
      'an error frame among events of text',
      eventStream('data: Twenty\n\n', { error: { message: 'broke' } }),
      'service_rejected',
    ],
    ['a frame of type error', eventStream({ text: 'Twenty' }, { type: 'error', message: 'broke' }), 'service_rejected'],
  ])('is incomplete after %s, and the cause is kept', async (_what, answer, because) => {
    const { text, error } = await failure(answer)
    expect({ text, code: error.code, because: error.details['because'] }).toEqual({
      text: 'Twenty',
      code: 'answer_incomplete',
      because,
    })
  })

  it.each<[string, VendorAnswer, string]>([
    [
      'an error envelope under 200',
      json({ status: 'error', code: 'x', error: 'No such thing', detail: '' }),
      'service_rejected',
    ],
    [
      'an envelope under 200 that carries a refused credential',
      json({ status: 401, error: 'Unauthorized' }),
      'credentials_refused',
    ],
    [
      'an envelope under 200 that says so by code and message only',
      json({ code: 429, message: 'Rate limit exceeded' }),
      'rate_limited',
    ],
    [
      'an envelope under 200 without success',
      json({ success: false, message: 'Agent is disabled' }),
      'service_rejected',
    ],
    [
      'an envelope under 200 that carries a rate limit',
      json({ status: 'error', code: '429', error: 'Slow down' }),
      'rate_limited',
    ],
    [
      'an error frame of the proxy',
      eventStream({ error: { message: 'upstream', type: 'api_error', code: 'upstream' } }, 'data: [DONE]\n\n'),
      'model_failed',
    ],
    ['an error event without words', eventStream('event: error\ndata: {}\n\n'), 'model_failed'],
    ['nothing', typed('text/plain'), 'answer_unreadable'],
    ['only pings', eventStream('event: ping\ndata: x\n\n', 'data: [DONE]\n\n'), 'answer_unreadable'],
    ['a page for people', typed('text/html', '<!DOCTYPE html><html><body>Sign in</body></html>'), 'not_a_platform'],
  ])('is an error when it is %s', async (_what, answer, code) => {
    expect(await failure(answer)).toMatchObject({ text: '', error: { code } })
  })

  it('is incomplete when it is longer than any answer', async () => {
    const { text, error } = await failure(
      typed('text/plain', ...Array.from({ length: 17 }, () => 'x'.repeat(1024 * 1024))),
    )
    expect(error.code).toBe('answer_incomplete')
    expect(text.length).toBeGreaterThan(1024)
  })
})
