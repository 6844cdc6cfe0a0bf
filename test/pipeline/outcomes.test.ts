import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import type { StoredDocument } from '../../electron/core/db/tables/documents.ts'
import { takeIn } from '../helpers/take-in.ts'
import { addFolder, pdfBytes, startTestCore, temporaryDir, until } from '../helpers/core.ts'
import { startVendor, successBody } from '../helpers/vendor.ts'
import type { Vendor, VendorReply } from '../helpers/vendor.ts'

type Setup = {
  core: Core
  vendor: Vendor
  dir: string
  send: (name: string, bytes?: Buffer) => Promise<number>
  document: (id: number) => StoredDocument
}

/** Core with one batch folder at a vendor that replies as told. */
async function setUp(
  reply: (index: number) => VendorReply | Promise<VendorReply> = () => ({}),
  options: {
    mode?: 'auto' | 'sync' | 'async'
    agentReference?: string
    vendor?: Parameters<typeof startVendor>[1]
  } = {},
): Promise<Setup> {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  const vendor = await startVendor((_document, index) => reply(index), options.vendor)
  onTestFinished(vendor.close)
  const core = await startTestCore(join(dir.path, 'data'))
  onTestFinished(() => core.stop({ atOnce: true }))
  const folder = addFolder(core, vendor, {
    kind: 'batch',
    path: '',
    mode: options.mode ?? 'auto',
    agentReference: options.agentReference ?? null,
  })
  const send = async (name: string, bytes = pdfBytes(name)): Promise<number> => {
    const path = join(dir.path, name)
    await writeFile(path, bytes)
    const id = await takeIn(core.context, folder, {
      path,
      type: 'file',
      sizeBytes: bytes.length,
      mtimeMs: 0,
      changedAt: 0,
    })
    core.queue.wake()
    return id
  }
  return { core, vendor, dir: dir.path, send, document: (id) => core.context.tables.documents.get(id)! }
}

describe('what an answer means for the document', () => {
  it('is done with a record for data as one object, and with several for data as a list', async () => {
    const bodies = [
      '{"status":"success","data":{"invoice_number":"1"},"metadata":{}}',
      '{"status":"success","data":[{"invoice_number":"1"},{"invoice_number":"2"}],"metadata":{"duration":"12"}}',
    ]
    const { core, send, document } = await setUp((index) => ({ body: bodies[index]! }))
    const one = await send('one.pdf')
    await until(() => document(one).status === 'done', 'the first answer')
    const two = await send('two.pdf')
    await until(() => document(two).status === 'done', 'the second answer')
    expect(core.context.tables.results.get(document(one).resultId!).records).toEqual([{ invoice_number: '1' }])
    expect(core.context.tables.results.get(document(two).resultId!).records).toHaveLength(2)
  })

  it('fails with the words of the service for status error, and keeps the bytes', async () => {
    const { core, send, document } = await setUp(() => ({ body: '{"status":"error","error":"no text layer"}' }))
    const id = await send('a.pdf')
    await until(() => document(id).status === 'failed', 'the failure')
    expect(document(id)).toMatchObject({ reasonCode: 'extraction_failed', reasonDetails: { detail: 'no text layer' } })
    expect((await core.handlers['documents.get']({ id })).attempts[0]).toMatchObject({
      outcome: 'failed',
      httpStatus: 200,
    })
  })

  it.each([
    ['HTML', '<html>oops</html>'],
    ['a truncated body', '{"status":"success","data":{"a":'],
    ['null as data', '{"status":"success","data":null}'],
    ['nothing', ''],
  ])('fails as unreadable and keeps the bytes when the answer is %s', async (_what, body) => {
    const { send, document, vendor } = await setUp(() => ({ body }))
    const id = await send('a.pdf')
    await until(() => document(id).status === 'failed', 'the failure')
    expect(document(id).reasonCode).toBe('answer_unreadable')
    expect(vendor.received).toHaveLength(1)
  })

  it.each([400, 413, 415, 422])('fails on a final refusal with status %i and sends nothing again', async (status) => {
    const { send, document, vendor } = await setUp(() => ({
      status,
      body: '{"status":"error","code":"x","error":"not like this","detail":"really"}',
    }))
    const id = await send('a.pdf')
    await until(() => document(id).status === 'failed', 'the failure')
    expect(String(document(id).reasonDetails['detail'])).toContain('not like this')
    expect(vendor.received).toHaveLength(1)
  })

  it.each([500, 502, 504])('is unknown after status %i: it may be billed, so it is not sent again', async (status) => {
    const { core, send, document, vendor } = await setUp(() => ({ status, body: 'broken' }))
    const id = await send('a.pdf')
    await until(() => document(id).status === 'unknown', 'the unknown outcome')
    core.queue.wake()
    expect(vendor.received).toHaveLength(1)
  })

  it('is unknown when the connection breaks after the whole body, and is sent again only when a person says so', async () => {
    const { core, send, document, vendor } = await setUp((index) => (index === 0 ? { drop: true } : {}))
    const id = await send('a.pdf')
    await until(() => document(id).status === 'unknown', 'the unknown outcome')
    expect(vendor.received).toHaveLength(1)
    expect(await core.handlers['documents.retry']({ ids: [id] })).toMatchObject({ retried: 0 })
    expect(await core.handlers['documents.resend']({ ids: [id] })).toEqual({ sent: 1 })
    await until(() => document(id).status === 'done', 'the answer to the second sending')
    expect(vendor.received).toHaveLength(2)
  })

  it.each([429, 503])('waits for Retry-After on status %i and then goes on', async (status) => {
    const { core, send, document, vendor } = await setUp((index) =>
      index === 0 ? { status, body: '{}', headers: { 'retry-after': '1' } } : {},
    )
    const id = await send('a.pdf')
    await until(
      () => core.context.tables.connections.list().some((connection) => connection.throttledUntil !== null),
      'the throttle',
    )
    expect(document(id).status).toBe('queued')
    await until(() => document(id).status === 'done', 'the second try')
    expect(vendor.received).toHaveLength(2)
  })

  it('renews the token once for all after a 401 and replays each request once', async () => {
    let refused = 0
    const { core, send, document, vendor } = await setUp(async (index) => {
      if (index < 4) {
        refused += 1
        await until(() => refused === 4, 'four requests at once')
        return { status: 401, body: '{}' }
      }
      return {}
    })
    const ids = await Promise.all(['a', 'b', 'c', 'd'].map((name) => send(`${name}.pdf`)))
    await until(() => ids.every((id) => document(id).status === 'done'), 'all four')
    expect(vendor.tokensIssued()).toBe(2)
    expect(vendor.received).toHaveLength(8)
    expect(core.context.tables.connections.list().every((connection) => connection.pausedReason === null)).toBe(true)
  })

  it('pauses the connection and leaves the documents queued when the credentials are wrong', async () => {
    const { core, send, document, vendor } = await setUp(() => ({}), { vendor: { refuseTokens: true } })
    const ids = await Promise.all(['a', 'b', 'c'].map((name) => send(`${name}.pdf`)))
    await until(
      () =>
        core.context.tables.connections
          .list()
          .some((connection) => connection.pausedReason?.code === 'credentials_refused'),
      'the pause',
    )
    await until(() => core.queue.idle, 'the queue to be idle')
    expect(ids.map((id) => document(id).status)).toEqual(['queued', 'queued', 'queued'])
    expect(vendor.received).toHaveLength(0)
  })

  it('pauses the connection on 403', async () => {
    const { core, send, document } = await setUp(() => ({
      status: 403,
      body: '{"status":"error","error":"Forbidden"}',
    }))
    const id = await send('a.pdf')
    await until(
      () =>
        core.context.tables.connections.list().some((connection) => connection.pausedReason?.code === 'access_denied'),
      'the pause',
    )
    expect(document(id).status).toBe('queued')
  })

  it('queues again when nothing listens, and is done when the service is back', async () => {
    const free = await new Promise<number>((resolve) => {
      const probe = createServer().listen(0, '127.0.0.1', () => {
        const { port } = probe.address() as { port: number }
        probe.close(() => resolve(port))
      })
    })
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    const core = await startTestCore(join(dir.path, 'data'))
    onTestFinished(() => core.stop({ atOnce: true }))
    const folder = addFolder(core, { baseUrl: `http://127.0.0.1:${free}` } as Vendor, { kind: 'batch', path: '' })
    const path = join(dir.path, 'a.pdf')
    await writeFile(path, pdfBytes('a'))
    const id = await takeIn(core.context, folder, { path, type: 'file', sizeBytes: 2000, mtimeMs: 0, changedAt: 0 })
    core.queue.wake()
    const document = (): StoredDocument => core.context.tables.documents.get(id)!
    await until(() => document().reasonCode === 'connection_refused', 'the refusal')
    expect(document().status).toBe('queued')
    const vendor = await startVendor(() => ({}), { port: free })
    onTestFinished(vendor.close)
    await until(() => document().status === 'done', 'the second try')
    expect(vendor.received).toHaveLength(1)
  })

  it('sends what is in its place when its turn comes, and only that', async () => {
    const { core, send, document, vendor, dir } = await setUp()
    core.queue.pause()
    const id = await send('a.pdf')
    await writeFile(join(dir, 'a.pdf'), pdfBytes('b'))
    core.queue.resume()
    await until(() => document(id).status === 'done', 'the result')
    expect(vendor.received.map(({ sha256 }) => sha256)).toEqual([
      createHash('sha256').update(pdfBytes('b')).digest('hex'),
    ])
  })
})

describe('asynchronous extraction', () => {
  it('waits after «started» and is done by the webhook, whatever its method, once however often it comes', async () => {
    const { core, send, document, vendor } = await setUp(() => ({ body: '{"status":"started","extract_id":"6f1c"}' }), {
      mode: 'async',
    })
    const id = await send('a.pdf')
    await until(() => document(id).status === 'waiting', 'the acceptance')
    expect(vendor.received[0]!.path).toBe('/v2/extractor/async')
    const callback = vendor.received[0]!.callback!
    const body = '{"status":"success","extract_id":"6f1c","data":{"invoice_number":"9"},"metadata":{}}'
    expect(await vendor.callBack(callback, body, 'PUT')).toBe(200)
    expect(document(id).status).toBe('done')
    expect(await vendor.callBack(callback, body)).toBe(200)
    expect(await vendor.callBack(callback, body.replace('9', '10'))).toBe(200)
    expect((await core.handlers['documents.get']({ id })).records).toEqual([{ invoice_number: '9' }])
  })

  it('is done by a webhook that overtakes the answer to the POST', async () => {
    const box: { callBack?: () => Promise<number> } = {}
    const { send, document, vendor } = await setUp(
      async () => {
        await box.callBack!()
        return { body: '{"status":"started","extract_id":"6f1c"}' }
      },
      { mode: 'async' },
    )
    box.callBack = () =>
      vendor.callBack(vendor.received[0]!.callback!, '{"status":"success","extract_id":"6f1c","data":{},"metadata":{}}')
    const id = await send('a.pdf')
    await until(() => document(id).status === 'done', 'the result')
  })

  it('is done by the webhook although the answer to the POST was lost', async () => {
    const { send, document, vendor } = await setUp(() => ({ drop: true }), { mode: 'async' })
    const id = await send('a.pdf')
    await until(() => document(id).status === 'unknown', 'the lost answer')
    await vendor.callBack(
      vendor.received[0]!.callback!,
      '{"status":"success","extract_id":"6f1c","data":{},"metadata":{}}',
    )
    expect(document(id).status).toBe('done')
  })

  it('fails with error and detail of the webhook', async () => {
    const { send, document, vendor } = await setUp(() => ({ body: '{"status":"started","extract_id":"6f1c"}' }), {
      mode: 'async',
    })
    const id = await send('a.pdf')
    await until(() => document(id).status === 'waiting', 'the acceptance')
    await vendor.callBack(
      vendor.received[0]!.callback!,
      '{"extract_id":"6f1c","error":"Extraction failed","detail":"Internal Server Error"}',
    )
    expect(document(id)).toMatchObject({
      status: 'failed',
      reasonDetails: { detail: 'Extraction failed: Internal Server Error' },
    })
  })

  it.each<[string, string]>([
    ['{"extract_id":"6f1c","error":"","detail":"Internal Server Error"}', 'Internal Server Error'],
    ['{"extract_id":"6f1c","code":500,"message":"failed"}', 'failed'],
  ])(
    'fails with a webhook that says so in other words: %s; a result that follows still counts',
    async (body, detail) => {
      const { send, document, vendor } = await setUp(() => ({ body: '{"status":"started","extract_id":"6f1c"}' }), {
        mode: 'async',
      })
      const id = await send('a.pdf')
      await until(() => document(id).status === 'waiting', 'the acceptance')
      const callback = vendor.received[0]!.callback!
      await vendor.callBack(callback, '{"status":"processing","extract_id":"6f1c"}')
      expect(document(id).status).toBe('waiting')
      await vendor.callBack(callback, body)
      expect(document(id)).toMatchObject({ status: 'failed', reasonDetails: { detail } })
      await vendor.callBack(callback, '{"status":"success","extract_id":"6f1c","data":{},"metadata":{}}')
      expect(document(id).status).toBe('done')
    },
  )

  it('answers 404 to a callback with a token that it never gave out', async () => {
    const { send, document, vendor } = await setUp(() => ({ body: '{"status":"started","extract_id":"6f1c"}' }), {
      mode: 'async',
    })
    const id = await send('a.pdf')
    await until(() => document(id).status === 'waiting', 'the acceptance')
    const forged = vendor.received[0]!.callback!.replace(/.{4}$/, 'AAAA')
    expect(await vendor.callBack(forged, '{"status":"success","extract_id":"6f1c","data":{},"metadata":{}}')).toBe(404)
    expect(document(id).status).toBe('waiting')
  })

  it('is chosen above 20 MB and not at 20 MB', async () => {
    const { send, document, vendor } = await setUp((index) =>
      index === 0 ? { body: successBody('x') } : { body: '{"status":"started","extract_id":"1"}' },
    )
    const atLimit = await send('a.pdf', pdfBytes('a', 20 * 1024 * 1024))
    await until(() => document(atLimit).status === 'done', 'the file at the limit')
    const above = await send('b.pdf', pdfBytes('b', 20 * 1024 * 1024 + 100))
    await until(() => document(above).status === 'waiting', 'the file above it')
    expect(vendor.received.map((document) => document.path)).toEqual(['/v2/extractor', '/v2/extractor/async'])
  })
})

describe('an agent of its own schema', () => {
  it('is asked by its reference and without params', async () => {
    const { send, document, vendor } = await setUp(() => ({}), { agentReference: 'inv/1' })
    const id = await send('a.pdf')
    await until(() => document(id).status === 'done', 'the result')
    expect(vendor.received[0]).toMatchObject({ path: '/v2/extractor/inv%2F1', params: undefined, sources: false })
  })

  it('that the service does not know pauses its folder instead of failing every file or stopping others', async () => {
    const { core, send, document } = await setUp(
      () => ({ status: 404, body: '{"status":"error","error":"Not Found"}' }),
      {
        agentReference: 'gone',
      },
    )
    const id = await send('a.pdf')
    await until(() => document(id).reasonCode === 'agent_not_found', 'the pause')
    expect(document(id).status).toBe('queued')
    expect(core.context.tables.folders.get(document(id).folderId)?.paused).toBe(true)
    expect(core.context.tables.connections.list().every((connection) => connection.pausedReason === null)).toBe(true)
  })
})
