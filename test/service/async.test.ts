import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { AppError } from '../../shared/domain/errors.ts'
import { createAgent } from '../../electron/service/access/agents.ts'
import { startService } from '../../electron/service/service.ts'
import { pdf } from './documents.ts'
import { receiverWith, rigWith } from './opened.ts'
import { startReceiver } from './receiver.ts'
import { extractBy, invoiceLines, invoiceParams, readDocument } from './setup.ts'
import type { Rig } from './setup.ts'
import { eventually } from '../helpers/eventually.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const invoice = pdf(invoiceLines).toString('base64')

async function start(
  rig: Rig,
  callback: string,
  body: Record<string, unknown> = {},
  path = '/v2/extractor/async',
): Promise<string> {
  const response = await rig.post(path, {
    filename: 'invoice.pdf',
    file: invoice,
    callback,
    ...(path === '/v2/extractor/async' ? { params: invoiceParams } : {}),
    ...body,
  })
  expect(response.status).toBe(200)
  const answer = (await response.json()) as { status: string; extract_id: string }
  expect(answer).toEqual({ status: 'started', extract_id: expect.stringMatching(uuid) as string })
  return answer.extract_id
}

function storedJobs(rig: Rig): { status: string; payload: string | null }[] {
  return rig.service.db
    .prepare<[], { status: string; payload: string | null }>('select status, payload from async_jobs')
    .all()
}

describe('Asynchronous extraction job', () => {
  it('answers started with an extract_id, then sends success to the callback with the same one', async () => {
    const rig = await rigWith()
    const receiver = await receiverWith()
    const extractId = await start(rig, `${receiver.url}?job=7`)
    const [call] = await receiver.next(1)
    expect(call?.body).toEqual({
      status: 'success',
      extract_id: extractId,
      data: { 'Invoice number': 'RE-2024-17', 'Total amount': 119.5 },
      metadata: {
        filename: 'invoice.pdf',
        duration: expect.stringMatching(/^\d+$/) as string,
        tokens_consumed: expect.any(Number) as number,
      },
    })
    expect(call).toMatchObject({ method: 'POST', path: '/hook?job=7' })
  })

  it('sends JSON and nothing secret in the headers', async () => {
    const rig = await rigWith()
    const receiver = await receiverWith()
    await start(rig, receiver.url)
    const [call] = await receiver.next(1)
    expect(call?.headers['content-type']).toBe('application/json')
    expect(JSON.stringify(call?.headers)).not.toContain(rig.token)
    expect(call?.headers).not.toHaveProperty('x-api-key')
  })

  it('sends a failure as extract_id, error and detail, with no status field', async () => {
    const rig = await rigWith()
    const receiver = await receiverWith()
    const file = Buffer.from('%PDF-1.4\nthis is all there is').toString('base64')
    const extractId = await start(rig, receiver.url, { file })
    const [call] = await receiver.next(1)
    expect(call?.body).toEqual({
      extract_id: extractId,
      error: 'file_damaged',
      detail: expect.stringContaining('damaged') as string,
    })
  })

  it('extracts with an agent when its reference is in the path, and refuses params there', async () => {
    const rig = await rigWith()
    const receiver = await receiverWith()
    createAgent(rig.service.db, { reference: 'inv', name: 'Invoices', schema: invoiceParams })
    const extractId = await start(rig, receiver.url, {}, '/v2/extractor/async/inv')
    const [call] = await receiver.next(1)
    expect(call?.body).toMatchObject({
      status: 'success',
      extract_id: extractId,
      data: { 'Invoice number': 'RE-2024-17' },
    })
    const refused = await rig.post('/v2/extractor/async/inv', {
      filename: 'invoice.pdf',
      file: invoice,
      callback: receiver.url,
      params: invoiceParams,
    })
    expect(refused.status).toBe(400)
  })

  it.each([
    undefined,
    null,
    5,
    '',
    'not a url',
    'ftp://127.0.0.1/x',
    'file:///etc/passwd',
    'http://user:secret@127.0.0.1/',
  ])('refuses the callback %j', async (callback) => {
    const rig = await rigWith()
    const response = await rig.post('/v2/extractor/async', {
      filename: 'a.pdf',
      file: invoice,
      params: invoiceParams,
      callback,
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      status: 'error',
      code: 'invalid_request',
      detail: expect.stringContaining('callback') as string,
    })
    expect(storedJobs(rig)).toEqual([])
  })

  it('keeps neither document nor values once the callback has them', async () => {
    const rig = await rigWith()
    const receiver = await receiverWith()
    await start(rig, receiver.url)
    await receiver.next(1)
    await eventually(() => expect(storedJobs(rig)).toEqual([]))
    for (const folder of ['async', 'incoming'])
      await eventually(async () => expect(await readdir(join(rig.dataDir, folder))).toEqual([]))
  })
})

describe('A document that cannot be read for now', () => {
  const unreadable = (): Promise<never> =>
    Promise.reject(new AppError('file_unreadable', { detail: 'too many open files' }))

  it('is tried again, and only the success is told', async () => {
    let reads = 0
    const rig = await rigWith({
      read: (path, kind) =>
        ++reads === 1
          ? unreadable()
          : reads === 2
            ? Promise.reject(new AppError('internal', { detail: 'reading thread ended' }))
            : readDocument(path, kind),
    })
    const receiver = await receiverWith()
    const extractId = await start(rig, receiver.url)
    const [call] = await receiver.next(1)
    expect(call?.body).toMatchObject({ status: 'success', extract_id: extractId })
    await eventually(() => expect(storedJobs(rig)).toEqual([]))
    expect([reads, receiver.calls.length]).toEqual([3, 1])
  })

  it('fails after three tries', async () => {
    const read = vi.fn(unreadable)
    const rig = await rigWith({ read })
    const receiver = await receiverWith()
    const extractId = await start(rig, receiver.url)
    const [call] = await receiver.next(1)
    expect(call?.body).toEqual({ extract_id: extractId, error: 'internal_error', detail: expect.any(String) as string })
    expect(read).toHaveBeenCalledTimes(3)
  })
})

describe('A synchronous extraction', () => {
  it('does not wait behind asynchronous ones', async () => {
    const order: string[] = []
    const entered = Promise.withResolvers<void>()
    const opened = Promise.withResolvers<void>()
    const rig = await rigWith({
      concurrency: 1,
      read: async (path, kind) => {
        order.push(path.includes('incoming') ? 'now' : 'later')
        entered.resolve()
        await opened.promise
        return readDocument(path, kind)
      },
    })
    const receiver = await receiverWith()
    for (let job = 0; job < 3; job++) await start(rig, receiver.url)
    await entered.promise
    const answer = rig.post('/v2/extractor', { filename: 'invoice.pdf', file: invoice, params: invoiceParams })
    await eventually(async () => expect(await readdir(join(rig.dataDir, 'incoming'))).toHaveLength(1))
    opened.resolve()
    expect((await answer).status).toBe(200)
    await receiver.next(3)
    expect(order).toEqual(['later', 'now', 'later', 'later'])
  })
})

describe('Events: delivery of the webhook', () => {
  it('tries again with growing pauses until the receiver answers 2xx, then never again', async () => {
    const rig = await rigWith({ webhook: { firstDelayMs: 40 } })
    const receiver = await receiverWith((count) => [500, 404, 302, 204][count - 1] ?? 200)
    const extractId = await start(rig, receiver.url)
    const calls = await receiver.next(4)
    expect(calls.map((call) => call.body['extract_id'])).toEqual([extractId, extractId, extractId, extractId])
    const pauses = calls.slice(1).map((call, index) => call.at - calls[index]!.at)
    expect(pauses[0]).toBeGreaterThanOrEqual(35)
    expect(pauses[1]).toBeGreaterThanOrEqual(75)
    expect(pauses[2]).toBeGreaterThanOrEqual(150)
    await eventually(() => expect(storedJobs(rig)).toEqual([]))
    expect(receiver.calls).toHaveLength(4)
  })

  it('does not follow redirects', async () => {
    const rig = await rigWith()
    const elsewhere = await receiverWith()
    const receiver = await receiverWith((count) =>
      count === 1 ? { status: 307, headers: { location: elsewhere.url } } : 200,
    )
    await start(rig, receiver.url)
    await receiver.next(2)
    expect(elsewhere.calls).toEqual([])
  })

  it('reaches a receiver that was down at first', async () => {
    const rig = await rigWith()
    const gone = await startReceiver()
    await gone.close()
    await start(rig, gone.url)
    await eventually(() => expect(storedJobs(rig)[0]?.status).toBe('delivering'))
    const back = await receiverWith(() => 200, gone.port)
    const [call] = await back.next(1)
    expect(call?.body).toMatchObject({ status: 'success' })
  })

  it('gives a receiver that never answers up after the time for one try', async () => {
    const rig = await rigWith({ webhook: { firstDelayMs: 10, timeoutMs: 100 } })
    const silent = await receiverWith((count) => (count === 1 ? 'silence' : 200))
    const extractId = await start(rig, silent.url)
    const calls = await silent.next(2)
    expect(calls.map((call) => call.body['extract_id'])).toEqual([extractId, extractId])
  })

  it('delivers once, and keeps a result that could not be stored at first', async () => {
    const rig = await rigWith()
    const receiver = await receiverWith()
    let attempts = 0
    rig.service.db.function('refuse_first', () => (++attempts <= 2 ? 1 : 0))
    rig.service.db.exec(
      `create temp trigger full before update of status on async_jobs when refuse_first() begin select raise(abort, 'full'); end`,
    )
    const extractId = await start(rig, receiver.url)
    const [call] = await receiver.next(1)
    expect(call?.body).toMatchObject({ status: 'success', extract_id: extractId })
    expect(attempts).toBe(3)
    await eventually(() => expect(storedJobs(rig)).toEqual([]))
    expect(receiver.calls).toHaveLength(1)
  })

  it('sends the webhook also when the document cannot be removed', async () => {
    const rig = await rigWith({
      read: async (path, kind) => {
        const document = await readDocument(path, kind)
        await rm(path)
        await mkdir(path)
        return document
      },
    })
    const receiver = await receiverWith()
    const extractId = await start(rig, receiver.url)
    expect((await receiver.next(1))[0]?.body).toMatchObject({ status: 'success', extract_id: extractId })
  })

  it('delivers many jobs, each to its own callback', async () => {
    const rig = await rigWith()
    const receiver = await receiverWith()
    const ids = await Promise.all(Array.from({ length: 20 }, (_, index) => start(rig, `${receiver.url}/${index}`)))
    const calls = await receiver.next(20)
    const byPath = new Map(calls.map((call) => [call.path, call.body['extract_id']]))
    expect(ids.map((_, index) => byPath.get(`/hook/${index}`))).toEqual(ids)
  })
})

/** A reader that is still at work when its process ends. */
function stuckReader(): {
  read: () => Promise<never>
  entered: Promise<void>
  stopWith(close: () => Promise<void>): Promise<void>
} {
  const entered = Promise.withResolvers<void>()
  const reading = Promise.withResolvers<never>()
  return {
    read: () => {
      entered.resolve()
      return reading.promise
    },
    entered: entered.promise,
    async stopWith(close) {
      const closed = close()
      reading.reject(new Error('the reader was stopped'))
      await closed
    },
  }
}

describe('A restart of the service', () => {
  it('goes on with jobs that were accepted but not extracted', async () => {
    const rig = await rigWith()
    const receiver = await receiverWith()
    const stuck = stuckReader()
    await rig.restart({ read: stuck.read, concurrency: 1 })
    const first = await start(rig, receiver.url)
    const second = await start(rig, receiver.url)
    await stuck.entered
    expect((await readdir(join(rig.dataDir, 'async'))).sort()).toEqual([first, second].sort())
    await stuck.stopWith(() => rig.service.close())
    expect(receiver.calls).toEqual([])
    await rig.restart()
    const calls = await receiver.next(2)
    expect(calls.map((call) => call.body['extract_id']).sort()).toEqual([first, second].sort())
    for (const call of calls)
      expect(call.body).toMatchObject({ status: 'success', data: { 'Invoice number': 'RE-2024-17' } })
  })

  it('goes on with a webhook that was not delivered', async () => {
    const rig = await rigWith({ webhook: { firstDelayMs: 3_600_000 } })
    let status = 503
    const receiver = await receiverWith(() => status)
    const extractId = await start(rig, receiver.url)
    await receiver.next(1)
    status = 200
    await rig.restart()
    const calls = await receiver.next(2)
    expect(calls[1]?.body).toMatchObject({ status: 'success', extract_id: extractId })
  })

  it('does not blame a document for orderly stops, however many', async () => {
    const rig = await rigWith()
    const receiver = await receiverWith()
    for (let round = 1; round <= 5; round++) {
      const stuck = stuckReader()
      await rig.restart({ read: stuck.read })
      if (round === 1) await start(rig, receiver.url)
      await stuck.entered
      await stuck.stopWith(() => rig.service.close())
    }
    await rig.restart()
    const [call] = await receiver.next(1)
    expect(call?.body).toMatchObject({ status: 'success' })
  })

  it('fails no document because the service was killed four times, and reads those that it had one at a time', async () => {
    const rig = await rigWith()
    const receiver = await receiverWith()
    const stuck = stuckReader()
    await rig.restart({ read: stuck.read })
    const [first, second] = [await start(rig, receiver.url), await start(rig, receiver.url)]
    await stuck.entered
    // What four kills leave behind, each while both were read.
    rig.service.db.prepare('update async_jobs set starts = starts + 4').run()
    await stuck.stopWith(() => rig.service.close())
    let reading = 0
    let most = 0
    await rig.restart({
      read: async (path, kind) => {
        most = Math.max(most, (reading += 1))
        return readDocument(path, kind).finally(() => (reading -= 1))
      },
    })
    const calls = await receiver.next(2)
    expect(new Set(calls.map(({ body }) => body['extract_id']))).toEqual(new Set([first, second]))
    for (const { body } of calls) expect(body).toMatchObject({ status: 'success' })
    expect(most).toBe(1)
  })

  it('gives a document up that made the service end five times', async () => {
    const rig = await rigWith()
    const receiver = await receiverWith()
    const stuck = stuckReader()
    await rig.restart({ read: stuck.read })
    const extractId = await start(rig, receiver.url)
    await stuck.entered
    // What a process that died in each of five more tries leaves behind.
    rig.service.db.prepare('update async_jobs set starts = starts + 5 where extract_id = ?').run(extractId)
    await stuck.stopWith(() => rig.service.close())
    await rig.restart()
    const [call] = await receiver.next(1)
    expect(call?.body).toEqual({
      extract_id: extractId,
      error: 'file_too_complex',
      detail: expect.any(String) as string,
    })
  })

  it('takes what comes while it starts into work once, and has removed what belongs to no job before', async () => {
    const rig = await rigWith()
    const receiver = await receiverWith()
    const { port } = rig.service
    await rig.service.close()
    await writeFile(join(rig.dataDir, 'async', 'stray'), 'x')
    // Makes the start longer: these are removed one after another.
    await mkdir(join(rig.dataDir, 'agents'), { recursive: true })
    for (let stray = 0; stray < 1500; stray++) await writeFile(join(rig.dataDir, 'agents', String(stray)), '')
    const read = vi.fn(async (path: string, kind: Parameters<typeof readDocument>[1]) => {
      const document = await readDocument(path, kind)
      await restarted
      return document
    })
    const body = JSON.stringify({
      filename: 'invoice.pdf',
      file: invoice,
      params: invoiceParams,
      callback: receiver.url,
    })
    const restarted = rig.restart({ port, read, concurrency: 4 })
    const accepted = await eventually(() =>
      fetch(`http://127.0.0.1:${port}/v2/extractor/async`, {
        method: 'POST',
        headers: { 'x-api-key': rig.token },
        body,
      }),
    )
    expect(accepted.status).toBe(200)
    expect(await readdir(join(rig.dataDir, 'async'))).not.toContain('stray')
    await restarted
    await receiver.next(1)
    await eventually(() => expect(storedJobs(rig)).toEqual([]))
    expect(read).toHaveBeenCalledTimes(1)
  })

  it('refuses to start beside another service with the same data folder', async () => {
    const rig = await rigWith()
    await expect(
      startService({
        dataDir: rig.dataDir,
        read: readDocument,
        extract: extractBy(readDocument),
        useLanguages: () => undefined,
      }),
    ).rejects.toMatchObject({ code: 'already_running' })
    expect((await rig.post('/v2/extractor', { filename: 'a.pdf', file: invoice, params: invoiceParams })).status).toBe(
      200,
    )
  })
})
