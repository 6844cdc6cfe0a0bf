import assert from 'node:assert/strict'
import { agent, json } from '../ask.ts'
import { section } from '../case.ts'
import type { CaseBody } from '../case.ts'
import { envelope, extraction, refused, status, string } from '../expect.ts'
import { pdf } from '../../service/documents.ts'
import { invoiceFields, invoicePdf, invoiceRequest, uuid } from '../material.ts'
import type { Hook, HookCall } from '../hooks.ts'
import { own } from '../target.ts'
import type { Target } from '../target.ts'

const damaged = Buffer.from('%PDF-1.4\nthis is all there is').toString('base64')

async function start(
  t: Target,
  hook: Hook,
  changes: Record<string, unknown> = {},
  path = '/v2/extractor/async',
): Promise<string> {
  const answer = await agent(t, path, { ...invoiceRequest, callback: hook.url, ...changes })
  status(answer, 200)
  const body = json(answer)
  assert.equal(body['status'], 'started')
  return string(body['extract_id'], 'extract_id')
}

async function outcome(t: Target, changes: Record<string, unknown> = {}): Promise<{ id: string; call: HookCall }> {
  const hook = t.hook()
  const id = await start(t, hook, changes)
  const [call] = await hook.wait(1)
  return { id, call: call! }
}

const states = section('States and transitions › Asynchronous extraction job', [
  {
    id: 'async.started',
    sentence: 'immediate response carries `status: started` and `extract_id`',
    name: 'The answer is status started and extract_id, and nothing else',
    needs: ['callback'],
    async run(t) {
      const answer = await agent(t, '/v2/extractor/async', { ...invoiceRequest, callback: t.hook().url })
      status(answer, 200)
      assert.deepEqual(Object.keys(json(answer)).sort(), ['extract_id', 'status'])
    },
  },
  {
    id: 'async.uuid',
    sentence: 'extract_id | string (UUID)',
    name: 'extract_id is a UUID, another one for each job',
    needs: ['callback'],
    async run(t) {
      const ids = [await start(t, t.hook()), await start(t, t.hook())]
      for (const id of ids) assert.match(id, uuid)
      assert.notEqual(ids[0], ids[1])
    },
  },
  {
    id: 'async.success',
    sentence: 'webhook receives `status: success`, `extract_id`, `data`, `metadata`',
    name: 'After success the webhook has exactly these four',
    needs: ['callback'],
    async run(t) {
      const { call } = await outcome(t)
      assert.deepEqual(Object.keys(call.body).sort(), ['data', 'extract_id', 'metadata', 'status'])
      assert.equal(call.body['status'], 'success')
    },
  },
  {
    id: 'async.failure',
    sentence: 'webhook receives `extract_id`, `error`, `detail`, and no `status` field',
    name: 'After a failure the webhook has exactly these three',
    needs: ['callback'],
    async run(t) {
      const { call } = await outcome(t, { file: damaged })
      assert.deepEqual(Object.keys(call.body).sort(), ['detail', 'error', 'extract_id'])
    },
  },
  {
    id: 'async.not-blocked',
    sentence: 'Asynchronous: the job is queued',
    name: 'Ten jobs are accepted at once, and each gets its own webhook',
    needs: ['callback'],
    async run(t) {
      const jobs = await Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          const hook = t.hook()
          const file = pdf([`Invoice number: RE-${2000 + index}`]).toString('base64')
          return { hook, id: await start(t, hook, { file, params: invoiceFields.slice(0, 1) }) }
        }),
      )
      for (const [index, { hook, id }] of jobs.entries()) {
        const [call] = await hook.wait(1)
        assert.equal(call!.body['extract_id'], id)
        assert.equal(extraction(call!.body).data['Invoice number'], `RE-${2000 + index}`)
      }
    },
  },
])

const request = section('Endpoints › Extractor endpoints', [
  {
    id: 'async.agent',
    sentence:
      'POST /v2/extractor/async/<agent_reference> | `filename`, `file`, `callback` | `{status: started, extract_id}`',
    name: 'With an agent the webhook brings the fields of its schema',
    needs: ['callback', 'extractor'],
    async run(t) {
      const hook = t.hook()
      const id = await start(t, hook, { params: undefined }, `/v2/extractor/async/${t.extractor}`)
      const [call] = await hook.wait(1)
      assert.equal(call!.body['extract_id'], id)
      assert.ok(Object.keys(extraction(call!.body).data).length > 0)
    },
  },
  ...[
    undefined,
    null,
    5,
    true,
    '',
    'not a url',
    ['http://127.0.0.1/'],
    {},
    'ftp://127.0.0.1/x',
    'file:///etc/passwd',
    'javascript:alert(1)',
  ].map(
    (callback, index): CaseBody => ({
      id: `async.callback-${index + 1}`,
      sentence: 'callback | string (URL) | only on asynchronous endpoints',
      name: `callback as ${JSON.stringify(callback) ?? 'missing'} is refused and no job is started`,
      async run(t) {
        envelope(await agent(t, '/v2/extractor/async', { ...invoiceRequest, callback }), 400, 422)
      },
    }),
  ),
  {
    id: 'async.callback-password',
    sentence: 'callback | string (URL)',
    name: 'A callback with user name and password is refused',
    needs: ['choice'],
    async run(t) {
      envelope(
        await agent(t, '/v2/extractor/async', { ...invoiceRequest, callback: 'http://user:secret@127.0.0.1/' }),
        400,
      )
    },
  },
  {
    id: 'async.callback-header-injection',
    sentence: 'callback | string (URL)',
    name: 'A callback with line ends in it is refused, or called without the header that they would make',
    needs: ['callback'],
    async run(t) {
      const hook = t.hook()
      const answer = await agent(t, '/v2/extractor/async', {
        ...invoiceRequest,
        callback: `${hook.url}?a=1\r\nx-injected: 1`,
      })
      if (answer.status !== 200) return refused(answer)
      const [call] = await hook.wait(1)
      assert.equal(call!.headers['x-injected'], undefined)
    },
  },
  ...[
    ['loopback', 'http://127.0.0.1:9/hook'],
    ['localhost', 'http://localhost:9/hook'],
    ['ipv6', 'http://[::1]:9/hook'],
    ['mapped', 'http://[::ffff:127.0.0.1]:9/hook'],
    ['decimal', 'http://2130706433:9/hook'],
    ['hexadecimal', 'http://0x7f000001:9/hook'],
    ['unspecified', 'http://0.0.0.0:9/hook'],
    ['private-10', 'http://10.0.0.8/hook'],
    ['private-172', 'http://172.16.4.4/hook'],
    ['private-192', 'http://192.168.1.10/hook'],
    ['link-local', 'http://169.254.169.254/latest/meta-data/'],
    ['unique-local', 'http://[fd00::1]/hook'],
    ['link-local-6', 'http://[fe80::1]/hook'],
    ['multicast', 'http://224.0.0.1/hook'],
  ].map(
    ([id = '', callback]): CaseBody => ({
      id: `async.private-${id}`,
      sentence: 'webhook that receives the result',
      name: `A service that was not told to allow it refuses the private address ${callback}`,
      needs: ['limits'],
      async run(t) {
        const strict = await own(t).strict()
        envelope(await agent(strict, '/v2/extractor/async', { ...invoiceRequest, callback }), 400)
      },
    }),
  ),
  {
    id: 'async.bad-request',
    sentence: 'request accepted',
    name: 'A request that is refused starts no job: its callback is not called',
    needs: ['callback'],
    async run(t) {
      const hook = t.hook()
      refused(await agent(t, '/v2/extractor/async', { ...invoiceRequest, callback: hook.url, params: [] }))
      refused(await agent(t, '/v2/extractor/async', { ...invoiceRequest, callback: hook.url, file: 'no base64!' }))
      await outcome(t)
      assert.deepEqual(hook.calls, [])
    },
  },
])

const events = section('Events', [
  {
    id: 'events.same-id',
    sentence: 'The `extract_id` of the webhook equals the one in the immediate response of the job',
    name: 'Both are the same for a success and for a failure',
    needs: ['callback'],
    async run(t) {
      for (const file of [invoicePdf, damaged]) {
        const { id, call } = await outcome(t, { file })
        assert.equal(call.body['extract_id'], id)
      }
    },
  },
  {
    id: 'events.metadata',
    sentence: '`metadata` (`filename`, `duration`, `tokens_consumed`)',
    name: 'metadata has the file name, the duration as numeric text and the tokens as number',
    needs: ['callback'],
    async run(t) {
      const { metadata } = extraction((await outcome(t, { filename: 'Quittung März.pdf' })).call.body)
      assert.equal(metadata['filename'], 'Quittung März.pdf')
      assert.match(string(metadata['duration'], 'metadata.duration'), /^\d+(\.\d+)?$/)
      assert.equal(typeof metadata['tokens_consumed'], 'number')
    },
  },
  {
    id: 'events.data',
    sentence: 'Extraction succeeded',
    name: 'data is what the synchronous endpoint gives for the same document',
    needs: ['callback'],
    async run(t) {
      const now = await agent(t, '/v2/extractor', invoiceRequest)
      assert.deepEqual(extraction((await outcome(t)).call.body).data, extraction(json(now)).data)
    },
  },
  {
    id: 'events.failure-strings',
    sentence: 'Extraction failed | same endpoints | `extract_id`, `error` (string), `detail` (string)',
    name: 'error and detail are strings that say something',
    needs: ['callback'],
    async run(t) {
      const { body } = (await outcome(t, { file: damaged })).call
      assert.notEqual(string(body['error'], 'error'), '')
      assert.notEqual(string(body['detail'], 'detail'), '')
    },
  },
  {
    id: 'events.failure-agent',
    sentence: 'Extraction failed | same endpoints',
    name: 'A failure with an agent is told in the same way',
    needs: ['callback', 'extractor'],
    async run(t) {
      const hook = t.hook()
      const id = await start(t, hook, { params: undefined, file: damaged }, `/v2/extractor/async/${t.extractor}`)
      const [call] = await hook.wait(1)
      assert.deepEqual(Object.keys(call!.body).sort(), ['detail', 'error', 'extract_id'])
      assert.equal(call!.body['extract_id'], id)
    },
  },
  {
    id: 'events.callback-url',
    sentence: 'The service sends a request to the `callback` URL when the job completes',
    name: 'Path and query of the callback are kept',
    needs: ['callback'],
    async run(t) {
      const hook = t.hook()
      await start(t, hook, { callback: `${hook.url}?job=7&of=%C3%BC` })
      const [call] = await hook.wait(1)
      assert.match(call!.path, /\?job=7&of=%C3%BC$/)
    },
  },
  {
    id: 'events.method',
    sentence: 'HTTP method, headers, signing and retry behavior of webhook delivery: not shown',
    name: 'The webhook is a POST of application/json without any credential',
    needs: ['callback', 'choice'],
    async run(t) {
      const { call } = await outcome(t)
      assert.equal(call.method, 'POST')
      assert.match(call.headers['content-type'] ?? '', /^application\/json/)
      assert.ok(!JSON.stringify(call.headers).includes(await t.token()))
      assert.equal(call.headers['x-api-key'], undefined)
    },
  },
  {
    id: 'events.retry',
    sentence: 'HTTP method, headers, signing and retry behavior of webhook delivery: not shown',
    name: 'A receiver that answers 500 is called again with the same body until it takes it, and then no more',
    needs: ['callback', 'choice'],
    async run(t) {
      const hook = t.hook(1)
      await start(t, hook)
      const [first, second] = await hook.wait(2)
      assert.deepEqual(second!.body, first!.body)
      await outcome(t)
      assert.equal(hook.calls.length, 2)
    },
  },
])

export const asynchronousCases = [...states, ...request, ...events]
