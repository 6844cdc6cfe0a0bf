import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { exportSpec } from '../../shared/contract/exports.ts'
import { until } from '../helpers/core.ts'
import { scaled } from '../helpers/scale.ts'
import { startVendor, successBody, vendorCredentials } from '../helpers/vendor.ts'
import type { VendorAnswer } from '../helpers/vendor-questions.ts'
import { setUp } from './answers-setup.ts'
import type { Rig } from './answers-setup.ts'
import { answerOf, startRawService } from './raw-service.ts'

/** Core at a service that answers every document with these bytes, whatever they are. */
async function answeredWith(write: Parameters<typeof startRawService>[0]): Promise<Rig & { billable: () => number }> {
  const service = await startRawService(write)
  onTestFinished(service.close)
  return Object.assign(await setUp(service.baseUrl), { billable: () => service.billable().length })
}

const begun = (body: string | Buffer, length: number): Buffer =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`),
    Buffer.from(body),
  ])

/** As many as an answer may have, or enough that it comes in many pieces. */
const megabytes = scaled(10, 50)

describe('F27 an answer that is not what the interface says', () => {
  it.each<[string, string]>([
    ['an array of two', '[{"status":"success","data":{}},{"status":"success","data":{}}]'],
    ['null', 'null'],
    ['a number', '7'],
    ['HTML', '<!doctype html><html><body>Welcome</body></html>'],
    ['truncated by who wrote it', '{"status":"success","data":{"invoice_number":"7"'],
    ['without values', '{"status":"success","data":null}'],
    ['with a list of texts for values', '{"status":"success","data":["a","b"]}'],
    ['nested without end', `{"status":"success","data":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`],
    ['empty', ''],
  ])(
    '%s fails as «unreadable answer» with its bytes kept, and can be read again without being sent',
    async (_what, body) => {
      const { send, document, kept, core, billable, check } = await answeredWith(
        ({ socket }) => void socket.end(answerOf(body)),
      )
      const id = await send('a.pdf')
      await until(() => document(id).status === 'failed', 'the failure')
      expect(document(id).reasonCode).toBe('answer_unreadable')
      expect(kept(id)).toMatchObject([
        { body: Buffer.from(body), httpStatus: 200, contentType: 'application/json', complete: true },
      ])
      expect(await core.handlers['documents.readAgain']({ ids: [id] })).toEqual({ read: 1, changed: 0 })
      check(billable())
    },
  )

  it(`of ${megabytes} MB is kept whole`, async () => {
    const body = Buffer.alloc(megabytes * 1024 * 1024, ' ')
    body.write('{"status":"success","data":[')
    const { send, document, kept, billable, check } = await answeredWith(
      ({ socket }) => void socket.end(begun(body, body.length)),
    )
    const id = await send('a.pdf')
    await until(() => document(id).status === 'failed', 'the failure')
    expect(document(id).reasonCode).toBe('answer_unreadable')
    expect(kept(id)[0]!.body.equals(body)).toBe(true)
    check(billable())
  })

  it('that only says that it was taken fails with what it said', async () => {
    const { send, document, billable, check } = await answeredWith(
      ({ socket }) => void socket.end(answerOf('{"extract_id":"x","message":"Accepted, see the portal"}')),
    )
    const id = await send('a.pdf')
    await until(() => document(id).status === 'failed', 'the failure')
    expect(String(document(id).reasonDetails['detail'])).toContain('Accepted, see the portal')
    check(billable())
  })

  it('is done by «Read again» once it can be read, with nothing sent', async () => {
    const rig = await answeredWith(({ socket }) => void socket.end(answerOf('{"status":"success","data":7}')))
    const id = await rig.send('a.pdf')
    await until(() => rig.document(id).status === 'failed', 'the failure')
    // As if this version understood what the last one did not.
    const db = new Sqlite(join(rig.dataDir, 'sheaf.db'))
    db.prepare('UPDATE answers SET body = ?').run(Buffer.from(successBody('a.pdf')))
    db.close()
    expect(await rig.core.handlers['documents.readAgain']({ ids: [id] })).toEqual({ read: 1, changed: 1 })
    expect((await rig.core.handlers['documents.get']({ id })).records).toEqual([
      { invoice_number: 'a', total_amount: 12.5 },
    ])
    expect(rig.attempts(id)).toMatchObject([{ outcome: 'succeeded' }])
    expect(await rig.core.handlers['documents.readAgain']({ ids: [id] })).toEqual({ read: 1, changed: 0 })
    expect(rig.billable()).toBe(1)
    rig.check(1)
  })

  it('with __proto__ among its values changes no object of ours', async () => {
    const body =
      '{"__proto__":{"polluted":1},"status":"success","data":{"__proto__":{"polluted":2},"constructor":"x","invoice_number":"7"},"metadata":{"__proto__":{"polluted":3}}}'
    const { send, document, core, billable, check } = await answeredWith(
      ({ socket }) => void socket.end(answerOf(body)),
    )
    const id = await send('a.pdf')
    await until(() => document(id).status === 'done', 'the result')
    const { records } = await core.handlers['documents.get']({ id })
    expect(JSON.stringify(records)).toBe('[{"__proto__":{"polluted":2},"constructor":"x","invoice_number":"7"}]')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(Object.getPrototypeOf(records[0])).toBe(Object.prototype)
    check(billable())
  })

  it('with numbers that JavaScript cannot hold keeps every digit as text, in the list, the result and the export', async () => {
    const body =
      '{"status":"success","data":{"invoice_number":12345678901234567890,"total_amount":9007199254740993,"odd":[1e999,0.1234567890123456789,12.5,0.10000000000000001,9007199254740992]},"metadata":{}}'
    const rig = await answeredWith(({ socket }) => void socket.end(answerOf(body)))
    const id = await rig.send('a.pdf')
    await until(() => rig.document(id).status === 'done', 'the result')
    const { records, values } = await rig.core.handlers['documents.get']({ id })
    expect(records).toEqual([
      {
        invoice_number: '12345678901234567890',
        total_amount: '9007199254740993',
        odd: ['1e999', '0.1234567890123456789', 12.5, 0.1, 9007199254740992],
      },
    ])
    expect(values).toMatchObject([{ value: '12345678901234567890' }, { value: '9007199254740993' }])
    const [schema] = (await rig.core.handlers['schemas.list']({})).schemas
    for (const [format, found] of [
      ['csv', '9007199254740993'],
      ['json', '"9007199254740993"'],
    ] as const) {
      const made = await rig.core.handlers['exports.run']({
        ...exportSpec.parse({ schemaId: schema!.id, format, locale: 'en', lists: 'rows' }),
        askWhere: false,
      })
      expect(await readFile(made.export!.paths[0]!, 'utf8')).toContain(found)
    }
    rig.check(rig.billable())
  })

  it('that breaks off on its way is unknown, and kept as far as it came', async () => {
    const whole = successBody('a.pdf')
    const { send, document, kept, core, billable, check } = await answeredWith(
      ({ socket }) => void socket.end(begun(whole.slice(0, 40), whole.length)),
    )
    const id = await send('a.pdf')
    await until(() => document(id).status === 'unknown', 'the unknown outcome')
    expect(kept(id)).toMatchObject([{ body: Buffer.from(whole.slice(0, 40)), httpStatus: 200, complete: false }])
    expect(await core.handlers['documents.readAgain']({ ids: [id] })).toEqual({ read: 1, changed: 0 })
    expect(document(id).status).toBe('unknown')
    check(billable())
  })

  it('that was all here before the connection broke is a result', async () => {
    const whole = successBody('a.pdf')
    const { send, document, kept, billable, check } = await answeredWith(
      ({ socket }) => void socket.end(begun(whole, whole.length + 500)),
    )
    const id = await send('a.pdf')
    await until(() => document(id).status === 'done', 'the result')
    expect(kept(id)).toMatchObject([{ complete: false }])
    check(billable())
  })

  it.each([
    ['a refusal', 422, '{"message":"not this one"}', 'failed'],
    ['a result', 200, successBody('a.pdf'), 'done'],
    ['a breakdown', 500, 'oops', 'unknown'],
  ] as const)(
    'that was stored before the process ended is judged at the next start as when it came: %s',
    async (_what, httpStatus, body, status) => {
      const rig = await answeredWith(() => undefined)
      const id = await rig.send('a.pdf')
      await until(() => rig.billable() === 1, 'the request')
      const attemptId = rig.attempts(id)[0]!.id
      await rig.core.stop({ atOnce: true })
      // As a kill leaves it: the answer stored, the attempt open, the document on its way.
      const db = new Sqlite(join(rig.dataDir, 'sheaf.db'))
      db.prepare("UPDATE documents SET status = 'submitting', reason_code = NULL, finished_at = NULL WHERE id = ?").run(
        id,
      )
      db.prepare("UPDATE attempts SET outcome = 'open', finished_at = NULL WHERE id = ?").run(attemptId)
      db.prepare(
        "INSERT INTO answers (attempt_id, source, received_at, http_status, body, body_sha256, complete, unread) VALUES (?, 'response', 1, ?, ?, ?, 1, 1)",
      ).run(attemptId, httpStatus, Buffer.from(body), createHash('sha256').update(body).digest())
      db.close()
      await rig.startAgain()
      expect(rig.document(id).status).toBe(status)
      rig.check(1)
    },
  )
})

describe('F28 an error of odd types', () => {
  it.each<[string, number, string, string]>([
    ['an object', 422, '{"status":"error","error":{"a":[1,{"b":null}]},"detail":{"why":7}}', '{"a":[1,{"b":null}]}'],
    ['a number', 200, '{"status":"error","error":42,"detail":null}', '42'],
    ['a list', 400, '{"error":["one",{"message":"two"}],"code":{}}', 'one'],
    ['true', 200, '{"status":"error","error":true,"detail":["x",1]}', 'x; 1'],
    ['markup', 422, '{"status":"error","error":"<img src=x onerror=alert(1)>"}', '<img src=x onerror=alert(1)>'],
    ['a word', 422, '"no"', 'no'],
    ['nothing', 422, '', 'status 422'],
  ])('%s is shown as text', async (_what, status, body, words) => {
    const { send, document, kept, billable, check } = await answeredWith(
      ({ socket }) => void socket.end(answerOf(body, [], `${status} Said`)),
    )
    const id = await send('a.pdf')
    await until(() => document(id).status === 'failed', 'the failure')
    expect(document(id).reasonDetails['detail']).toEqual(expect.stringContaining(words))
    expect(kept(id)[0]!.body.toString()).toBe(body)
    check(billable())
  })

  const token = 'a-token-of-a-raw-service'
  it.each<[string, string, string]>([
    ['422', '422 No', 'failed'],
    ['500', '500 Oops', 'unknown'],
    ['200', '200 OK', 'failed'],
  ])(
    'under %s that repeats token and secret is stored and shown without them, and still says the rest',
    async (_what, statusLine, status) => {
      const { clientSecret } = vendorCredentials
      const body = JSON.stringify({
        status: 'error',
        error: `bad x-api-key ${token} for /v2/token?client_secret=${clientSecret}&x=1`,
        detail: { key: token },
      })
      const { send, document, dataDir, core, billable, check } = await answeredWith(
        ({ socket }) => void socket.end(answerOf(body, [], statusLine)),
      )
      const id = await send('a.pdf')
      await until(() => document(id).status === status, 'the outcome')
      if (status === 'failed')
        expect(document(id).reasonDetails['detail']).toEqual(
          expect.stringMatching(/^bad x-api-key \*+ for .*client_secret=\*+&x=1/),
        )
      check(billable())
      await core.stop({ atOnce: true })
      for (const name of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
        if (!name.isFile()) continue
        const bytes = await readFile(join(name.parentPath, name.name))
        expect(
          [token, clientSecret].filter((secret) => bytes.includes(secret)),
          name.name,
        ).toEqual([])
      }
    },
  )

  it('from the token endpoint that repeats the secret is no reason with it', async () => {
    const { clientSecret } = vendorCredentials
    const vendor = await startVendor(undefined, {
      token: () => ({ status: 403, body: JSON.stringify({ error: { message: `no access for ${clientSecret}` } }) }),
    })
    onTestFinished(vendor.close)
    const { send, core, check } = await setUp(vendor.baseUrl)
    await send('a.pdf')
    const paused = () => core.context.tables.connections.list().find(({ pausedReason }) => pausedReason !== null)
    await until(() => paused() !== undefined, 'the connection to be stopped')
    expect(JSON.stringify(paused())).toContain('no access for *************')
    expect(JSON.stringify(paused())).not.toContain(clientSecret)
    check(0)
  })
})

describe('F29 a stream that is cut in the middle of a UTF-8 character', () => {
  const half = Buffer.from('ü').subarray(0, 1)
  const frame = (text: string): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`
  const cutFrame = Buffer.concat([Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"Gr'), half])
  const stream = { 'content-type': 'text/event-stream' }
  const ways: [string, 'documentalist' | 'chat', VendorAnswer][] = [
    [
      'a Documentalist whose connection breaks',
      'documentalist',
      { headers: { 'content-type': 'text/plain' }, pieces: ['Viele ', 'Gr', half], drop: true },
    ],
    [
      'a Documentalist who ends there',
      'documentalist',
      { headers: { 'content-type': 'text/plain' }, pieces: ['Viele Gr', half] },
    ],
    [
      'a Documentalist who sends events',
      'documentalist',
      { headers: stream, pieces: ['data: Viele Gr\n\n', 'data: ', half], drop: true },
    ],
    ['a model whose connection breaks', 'chat', { headers: stream, pieces: [frame('Viele Gr'), cutFrame], drop: true }],
    ['a model that ends there', 'chat', { headers: stream, pieces: [frame('Viele Gr'), cutFrame] }],
  ]
  it.each(ways)('of %s is «incomplete», and what came is kept', async (_what, kind, answer) => {
    const vendor = await startVendor(undefined, { [kind]: () => answer })
    onTestFinished(vendor.close)
    const { core } = await setUp(vendor.baseUrl)
    const connectionId = core.context.tables.connections.list().find((one) => one.kind === 'platform')!.id
    const { conversationId } = await core.handlers['ask.send']({
      conversationId: null,
      connectionId,
      kind,
      agentReference: kind === 'chat' ? null : 'desk',
      model: kind === 'chat' ? 'svc-small' : null,
      text: 'Hello?',
    })
    const message = () => core.context.tables.conversations.messages(conversationId).at(-1)!
    await until(() => message().state !== 'writing', 'the end of the answer')
    expect(message()).toMatchObject({ state: 'incomplete', text: 'Viele Gr', reason: { code: 'answer_incomplete' } })
    expect(vendor.asked).toHaveLength(1)
  })

  it('of an extraction is unknown, with every byte that came', async () => {
    const cut = Buffer.concat([Buffer.from('{"status":"success","data":{"invoice_number":"Gr'), half])
    const { send, document, kept, billable, check } = await answeredWith(
      ({ socket }) => void socket.end(begun(cut, 200)),
    )
    const id = await send('a.pdf')
    await until(() => document(id).status === 'unknown', 'the unknown outcome')
    expect(kept(id)).toMatchObject([{ body: cut, complete: false }])
    check(billable())
  })
})
