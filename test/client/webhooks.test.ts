import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import type { StoredDocument } from '../../electron/core/db/tables/documents.ts'
import { takeIn } from '../helpers/take-in.ts'
import { addFolder, pdfBytes, startTestCore, temporaryDir, until } from '../helpers/core.ts'
import { gate } from '../helpers/vendor-questions.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { Vendor, VendorOptions, VendorReply } from '../helpers/vendor.ts'

const started = '{"status":"started","extract_id":"6f1c"}'
const success =
  '{"status":"success","extract_id":"6f1c","data":{"invoice_number":"9"},"metadata":{"filename":"a.pdf","duration":"40","tokens_consumed":7}}'

type Sent = {
  core: Core
  vendor: Vendor
  dir: string
  document: () => StoredDocument
  callback: () => string
  records: () => Promise<unknown[]>
}

/** One document that was sent to a vendor which replies as told. */
async function sent(
  mode: 'sync' | 'async',
  reply: () => VendorReply | Promise<VendorReply>,
  options: VendorOptions = {},
): Promise<Sent> {
  const dir = temporaryDir()
  const vendor = await startVendor(reply, options)
  const core = await startTestCore(join(dir.path, 'data'))
  onTestFinished(dir.remove)
  onTestFinished(vendor.close)
  onTestFinished(() => core.stop({ atOnce: true }))
  const path = join(dir.path, 'a.pdf')
  await writeFile(path, pdfBytes('a'))
  const folder = addFolder(core, vendor, { kind: 'batch', path: '', mode })
  const id = await takeIn(core.context, folder, { path, type: 'file', sizeBytes: 2000, mtimeMs: 0, changedAt: 0 })
  core.queue.wake()
  return {
    core,
    vendor,
    dir: dir.path,
    document: () => core.context.tables.documents.get(id)!,
    callback: () => vendor.received[0]!.callback!,
    records: async () => (await core.handlers['documents.get']({ id })).records,
  }
}

async function waiting(): Promise<Sent> {
  const here = await sent('async', () => ({ body: started }))
  await until(() => here.document().status === 'waiting', 'the acceptance')
  return here
}

describe('a webhook', () => {
  it.each([
    ['POST with JSON', 'POST', 'application/json'],
    ['POST with JSON and a charset', 'POST', 'application/json; charset=utf-8'],
    ['POST without a content type', 'POST', undefined],
    ['POST with the wrong content type', 'POST', 'text/plain'],
    ['POST that calls itself a form', 'POST', 'application/x-www-form-urlencoded'],
    ['PUT with JSON', 'PUT', 'application/json'],
    ['PUT without a content type', 'PUT', undefined],
    ['PATCH', 'PATCH', 'application/json'],
  ])('brings the result by %s', async (_what, method, contentType) => {
    const { vendor, callback, document, records } = await waiting()
    expect(await vendor.callBack(callback(), success, method, contentType)).toBe(200)
    expect(document().status).toBe('done')
    expect(await records()).toEqual([{ invoice_number: '9' }])
  })

  it('that comes before the answer to the request is the result, and the answer changes nothing', async () => {
    const held = gate()
    const { vendor, document, records, callback } = await sent('async', async () => {
      await held.opened
      return { body: started }
    })
    await until(() => vendor.received.length === 1, 'the request')
    expect(await vendor.callBack(callback(), success)).toBe(200)
    expect(document().status).toBe('done')
    held.open()
    await until(() => vendor.maxAtOnce() === 1, 'the answer')
    expect(document().status).toBe('done')
    expect(await records()).toHaveLength(1)
  })

  it('that comes twice is one result', async () => {
    const { vendor, callback, document, records } = await waiting()
    expect(await Promise.all([vendor.callBack(callback(), success), vendor.callBack(callback(), success)])).toEqual([
      200, 200,
    ])
    expect(document().status).toBe('done')
    expect(await records()).toHaveLength(1)
  })

  it('that comes a second time with something else changes nothing, and is kept', async () => {
    const { core, vendor, callback, document, records } = await waiting()
    await vendor.callBack(callback(), success)
    expect(await vendor.callBack(callback(), success.replace('"9"', '"10"'))).toBe(200)
    expect(await vendor.callBack(callback(), '{"extract_id":"6f1c","error":"late","detail":"x"}')).toBe(200)
    expect(await records()).toEqual([{ invoice_number: '9' }])
    const attempt = core.context.tables.attempts.ofDocument(document().id)[0]!
    expect(core.context.tables.attempts.answers(attempt.id).filter(({ source }) => source === 'callback')).toHaveLength(
      3,
    )
  })

  it('that never comes leaves the document waiting, also after a restart, and nothing is sent again', async () => {
    const { core, vendor, dir, document } = await waiting()
    const { id } = document()
    await core.stop({ atOnce: true })
    const again = await startTestCore(join(dir, 'data'))
    onTestFinished(() => again.stop({ atOnce: true }))
    await again.run()
    again.queue.wake()
    await until(() => again.queue.idle, 'the queue to be idle')
    expect(again.context.tables.documents.get(id)?.status).toBe('waiting')
    expect(vendor.received).toHaveLength(1)
  })

  it('that comes after a restart finds its way', async () => {
    const { core, vendor, dir, document, callback } = await waiting()
    const { id } = document()
    await core.stop({ atOnce: true })
    const again = await startTestCore(join(dir, 'data'))
    onTestFinished(() => again.stop({ atOnce: true }))
    expect(await vendor.callBack(callback(), success)).toBe(200)
    expect(again.context.tables.documents.get(id)?.status).toBe('done')
  })

  it.each([
    ['as data in a list', success.replace('{"invoice_number":"9"}', '[{"invoice_number":"9"}]')],
    ['as data in a text', success.replace('{"invoice_number":"9"}', JSON.stringify('{"invoice_number":"9"}'))],
    ['in a list', `[${success}]`],
    ['without a status', success.replace('"status":"success",', '')],
    ['without an extract_id', success.replace('"extract_id":"6f1c",', '')],
  ])('brings the result %s', async (_what, body) => {
    const { vendor, callback, records } = await waiting()
    await vendor.callBack(callback(), body)
    expect(await records()).toEqual([{ invoice_number: '9' }])
  })

  it('of another document is kept and changes nothing', async () => {
    const { vendor, callback, document } = await waiting()
    expect(await vendor.callBack(callback(), success.replace('6f1c', 'someone-else'))).toBe(200)
    expect(document().status).toBe('waiting')
  })

  it('brings the result of a request that was accepted without an extract_id', async () => {
    const { vendor, callback, document } = await sent('async', () => ({ body: '{"status":"started"}', status: 202 }))
    await until(() => document().status === 'waiting', 'the acceptance')
    await vendor.callBack(callback(), success)
    expect(document().status).toBe('done')
  })

  it('brings the failure, and a result that comes later all the same', async () => {
    const { vendor, callback, document, records } = await waiting()
    await vendor.callBack(
      callback(),
      '{"extract_id":"6f1c","error":"Extraction failed","detail":"Internal Server Error"}',
    )
    expect(document()).toMatchObject({ status: 'failed', reasonCode: 'extraction_failed' })
    expect(await vendor.callBack(callback(), '{"extract_id":"6f1c","error":"Other words","detail":"x"}')).toBe(200)
    expect(document().reasonDetails).toEqual({ detail: 'Extraction failed: Internal Server Error' })
    expect(await vendor.callBack(callback(), success)).toBe(200)
    expect(document().status).toBe('done')
    expect(await records()).toEqual([{ invoice_number: '9' }])
  })

  it('that only says how far it is leaves the document waiting for the result', async () => {
    const { vendor, callback, document } = await waiting()
    expect(await vendor.callBack(callback(), started)).toBe(200)
    expect(await vendor.callBack(callback(), '{"status":"processing","extract_id":"6f1c"}')).toBe(200)
    expect(document().status).toBe('waiting')
    await vendor.callBack(callback(), success)
    expect(document().status).toBe('done')
  })

  it('without a body is refused, so that the service sends it again', async () => {
    const { vendor, callback, document } = await waiting()
    expect(await vendor.callBack(callback(), '')).toBe(400)
    expect(document().status).toBe('waiting')
    await vendor.callBack(callback(), success)
    expect(document().status).toBe('done')
  })
})

describe('a synchronous extraction', () => {
  it.each([['3600'], [3600], ['3600000'], [undefined], ['soon']])(
    'is done with one token when expires_in is %j',
    async (expiresIn) => {
      const { document, vendor } = await sent('sync', () => ({}), { expiresIn })
      await until(() => document().status === 'done', 'the result')
      expect(vendor.tokensIssued()).toBe(1)
    },
  )

  it.each<[string, VendorReply, unknown[]]>([
    ['data as one object', { body: '{"status":"success","data":{"invoice_number":"9"}}' }, [{ invoice_number: '9' }]],
    [
      'data as a list',
      { body: '{"status":"success","data":[{"invoice_number":"9"},{"invoice_number":"10"}]}' },
      [{ invoice_number: '9' }, { invoice_number: '10' }],
    ],
    ['data as an empty list', { body: '{"status":"success","data":[]}' }, []],
    ['data as an empty object', { body: '{"status":"success","data":{}}' }, [{}]],
    ['a numeric status', { body: '{"status":200,"data":{"invoice_number":"9"}}' }, [{ invoice_number: '9' }]],
    [
      '201 and no content type',
      { status: 201, headers: { 'content-type': '' }, body: '{"data":{"invoice_number":"9"}}' },
      [{ invoice_number: '9' }],
    ],
  ])('is done with %s', async (_what, reply, expected) => {
    const { document, records } = await sent('sync', () => reply)
    await until(() => document().status === 'done', 'the result')
    expect(await records()).toEqual(expected)
  })

  it.each<[string, VendorReply, string, string]>([
    [
      'the spending limit',
      { status: 429, body: '{"error":{"message":"x","type":"insufficient_quota","code":"spending_limit_reached"}}' },
      'spending_limit_reached',
      'queued',
    ],
    ['the quota', { status: 402, body: '{}' }, 'quota_reached', 'queued'],
    ['missing access', { status: 403, body: '{"error":"Forbidden"}' }, 'access_denied', 'queued'],
  ])('pauses its connection at %s, and the document waits', async (_what, reply, code, status) => {
    const { core, document, vendor } = await sent('sync', () => reply)
    await until(
      () => core.context.tables.connections.list().some(({ pausedReason }) => pausedReason?.code === code),
      'the pause',
    )
    expect(document().status).toBe(status)
    expect(vendor.received).toHaveLength(1)
  })
})
