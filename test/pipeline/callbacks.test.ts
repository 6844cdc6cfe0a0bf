import { once } from 'node:events'
import { statSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { lstat, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Sqlite from 'better-sqlite3'
import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { candidateAt } from '../../electron/core/pipeline/files/file-rules.ts'
import { until } from '../helpers/core.ts'
import { freePort } from '../helpers/free-port.ts'
import { result, startCallbackRig, startProxy, strays, waitingRig } from '../faults/callback-rig.ts'
import type { CallbackRig, CallbackRigOptions, Passing } from '../faults/callback-rig.ts'
import { isLong } from '../helpers/scale.ts'
import { takeIn } from '../helpers/take-in.ts'

const large = 20 * 1024 * 1024 + 1

type Office = { rig: CallbackRig; proxy: Awaited<ReturnType<typeof startProxy>>; port: () => number }

/** A service elsewhere, and an office whose proxy leads a public address to Sheaf. */
async function office(
  pass?: (request: Passing) => Passing | number | Promise<Passing | number>,
  options: CallbackRigOptions = {},
): Promise<Office> {
  const rig = await startCallbackRig({
    isElsewhere: true,
    mode: 'auto',
    ...options,
    core: { ...options.core, timings: { probeTimeoutMs: 10_000, ...options.core?.timings } },
  })
  const held = { port: 0 }
  const proxy = await startProxy(() => held.port, pass)
  return {
    rig,
    proxy,
    port: () => (held.port = rig.core().context.tables.settings.callbackPort()!),
  }
}

async function tested(here: Office, address = here.proxy.url): Promise<ReturnType<CallbackRig['core']>['handlers']> {
  here.port()
  const { handlers } = here.rig.core()
  await handlers['callbacks.save']({ route: 'address', address, network: false, port: null })
  await handlers['callbacks.test']({})
  return handlers
}

describe('without a way back', () => {
  it('a large file goes to a service elsewhere synchronously, and the app says why', async () => {
    const rig = await startCallbackRig({ isElsewhere: true, mode: 'auto', reply: () => ({}) })
    const id = await rig.add('large.pdf', large)
    await until(() => rig.document(id).status === 'done', 'the result')
    expect(rig.vendor.received[0]).toMatchObject({ path: '/v2/extractor', callback: null })
    const { handlers } = rig.core()
    expect(await handlers['callbacks.get']({})).toMatchObject({
      route: 'none',
      problem: { code: 'callback_not_set_up' },
      testedAt: null,
    })
    expect((await handlers['app.state']({})).callbackRoute).toBe('none')
    rig.check()
  })

  it('a large file goes to a service on this computer asynchronously, and nothing is missing', async () => {
    const rig = await startCallbackRig({ mode: 'auto' })
    const id = await rig.add('large.pdf', large)
    await until(() => rig.document(id).status === 'waiting', 'the acceptance')
    expect(rig.callback()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\/[\w-]{43}$/)
    expect((await rig.core().handlers['callbacks.get']({})).problem).toBeNull()
  })

  it('a folder that insists on callbacks keeps its file until there is one, which then goes at once', async () => {
    const here = await office(undefined, { mode: 'async', core: { timings: { firstRetryMs: 60_000 } } })
    const id = await here.rig.add('a.pdf')
    await until(() => here.rig.document(id).reasonCode === 'no_callback', 'the reason')
    expect(here.rig.vendor.received).toHaveLength(0)
    await tested(here)
    await until(() => here.rig.document(id).status === 'waiting', 'the acceptance')
    here.rig.check()
  })
})

describe('a public address', () => {
  it('is used once a canary came back over it, and brings the result', async () => {
    const here = await office()
    const handlers = await tested(here)
    expect(await handlers['callbacks.get']({})).toMatchObject({
      route: 'address',
      address: here.proxy.url,
      problem: null,
      testing: false,
      testedAt: expect.any(Number) as number,
    })
    expect((await handlers['app.state']({})).callbackRoute).toBe('tested')
    const id = await here.rig.add('large.pdf', large)
    await until(() => here.rig.document(id).status === 'waiting', 'the acceptance')
    expect(here.rig.callback()).toMatch(new RegExp(`^${here.proxy.url}/callback/[\\w-]{43}$`))
    expect(await here.rig.vendor.callBack(here.rig.callback(), result())).toBe(200)
    expect(here.rig.document(id).status).toBe('done')
    here.rig.check()
  })

  it.each([
    ['passes its path through', (request: Passing) => request],
    ['takes its path off', ({ path, body }: Passing) => ({ path: path.replace('/office/sheaf', ''), body })],
  ])('may have a path, whether the proxy %s', async (_how, pass) => {
    const here = await office(pass)
    const handlers = await tested(here, `${here.proxy.url}/office/sheaf/`)
    expect(await handlers['callbacks.get']({})).toMatchObject({
      address: `${here.proxy.url}/office/sheaf`,
      problem: null,
    })
  })

  it.each<[string, (request: Passing) => Passing | number | Promise<Passing | number>, string]>([
    ['answers everything itself, with 200', () => 200, 'it did not arrive in time'],
    ['leads elsewhere', () => 404, 'HTTP 404'],
    ['takes no long bodies', ({ path, body }) => (body.length > 1024 * 1024 ? 413 : { path, body }), 'HTTP 413'],
    [
      'changes what it passes on',
      ({ path, body }) => ({ path, body: Buffer.concat([body, Buffer.from(' ')]) }),
      'it was changed on the way',
    ],
  ])('is no way back where the proxy %s: large files go synchronously', async (_what, pass, detail) => {
    const here = await office(pass, {
      reply: () => ({}),
      core: { timings: { probeTimeoutMs: detail.includes('in time') ? 300 : 10_000 } },
    })
    const handlers = await tested(here)
    expect((await handlers['callbacks.get']({})).problem).toEqual({
      code: 'callback_not_returned',
      details: { host: new URL(here.proxy.url).host, detail },
    })
    expect((await handlers['app.state']({})).callbackRoute).toBe('failed')
    const id = await here.rig.add('large.pdf', large)
    await until(() => here.rig.document(id).status === 'done', 'the result')
    expect(here.rig.vendor.received[0]).toMatchObject({ callback: null })
  })

  it('is tested once for many documents, once a day, again the next day and after a restart', async () => {
    const clock = { now: new Date(2026, 2, 2, 12).getTime() }
    const here = await office(undefined, { mode: 'async', core: { now: () => clock.now } })
    await tested(here)
    const tests = (): number => here.proxy.seen.length
    expect(tests()).toBe(1)
    const ids = await Promise.all(['a', 'b', 'c', 'd'].map((name) => here.rig.add(`${name}.pdf`)))
    await until(() => ids.every((id) => here.rig.document(id).status === 'waiting'), 'the acceptances')
    expect(tests()).toBe(1)
    clock.now += 12.5 * 60 * 60_000
    expect((await here.rig.core().handlers['app.state']({})).callbackRoute).toBe('untested')
    const later = await Promise.all(['e', 'f'].map((name) => here.rig.add(`${name}.pdf`)))
    await until(
      () => later.every((id) => here.rig.document(id).status === 'waiting'),
      'the acceptances of the next day',
    )
    expect(tests()).toBe(2)
    await here.rig.stop()
    await here.rig.start()
    const { testedAt } = await here.rig.core().handlers['callbacks.get']({})
    expect(testedAt).toBe(clock.now)
    const last = await here.rig.add('g.pdf')
    await until(() => here.rig.document(last).status === 'waiting', 'the acceptance after the restart')
    expect(tests()).toBe(3)
  })

  it('that failed its test is left alone for a while, then tried again at need', async () => {
    const proxy = { status: 502 as number | null }
    const here = await office((request) => proxy.status ?? request, {
      mode: 'async',
      core: { timings: { probeRetryMs: 600, firstRetryMs: 20, longestRetryMs: 20 } },
    })
    await tested(here)
    const id = await here.rig.add('a.pdf')
    await until(() => here.rig.document(id).tries >= 3, 'some tries')
    const failed = here.proxy.seen.length
    expect(failed).toBeLessThan(3)
    proxy.status = null
    await until(() => here.rig.document(id).status === 'waiting', 'the acceptance')
    expect(here.proxy.seen).toHaveLength(failed + 1)
  })

  it.each(['http://localhost:8080', '127.0.0.1:9', 'http://[::1]/x'])(
    'is refused where it leads to this computer only: %s',
    async (address) => {
      const rig = await startCallbackRig()
      const save = rig.core().handlers['callbacks.save']({ route: 'address', address, network: false, port: null })
      await expect(save).rejects.toMatchObject({ code: 'callback_address_local' })
      expect(await rig.core().handlers['callbacks.get']({})).toMatchObject({ route: 'none' })
    },
  )

  it('is refused where it is none', async () => {
    const rig = await startCallbackRig()
    await expect(
      rig.core().handlers['callbacks.save']({ route: 'address', address: 'ftp://x', network: false, port: null }),
    ).rejects.toMatchObject({ code: 'address_invalid' })
  })
})

describe('the listener', () => {
  it('takes the port that is asked for, for the network or not, and keeps the one for services on this computer', async () => {
    const rig = await startCallbackRig()
    const { handlers } = rig.core()
    const inner = (await handlers['callbacks.get']({})).port
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const input = { route: 'address', address: 'http://0.0.0.0:9', network: false, port } as const
    await expect(handlers['callbacks.save'](input)).rejects.toMatchObject({
      code: 'callback_port_taken',
      details: { port },
    })
    expect(await handlers['callbacks.get']({})).toMatchObject({ route: 'none', port: inner })
    await new Promise((resolve) => other.close(resolve))
    expect(await handlers['callbacks.save'](input)).toMatchObject({ route: 'address', port, network: false })
    for (const at of [port, inner])
      expect((await fetch(`http://127.0.0.1:${at}/callback/x`, { method: 'POST', body: 'x' })).status).toBe(404)
    expect(await handlers['callbacks.save']({ ...input, network: true })).toMatchObject({ port, network: true })
    expect(await handlers['callbacks.save']({ ...input, network: true, port: inner })).toMatchObject({
      port: inner,
      network: true,
    })
    const any = await handlers['callbacks.save']({ ...input, network: true, port: null })
    expect([port, inner, 0]).not.toContain(any.port)
    await rig.stop()
    await rig.start()
    expect(await rig.core().handlers['callbacks.get']({})).toMatchObject({
      port: any.port,
      network: true,
      address: 'http://0.0.0.0:9',
    })
  })

  it('says so when its port was taken meanwhile, and goes on once it is free', async () => {
    const here = await office()
    await tested(here)
    const fixed = await freePort()
    await here.rig
      .core()
      .handlers['callbacks.save']({ route: 'address', address: here.proxy.url, network: false, port: fixed })
    await here.rig.stop()
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(fixed, '127.0.0.1', resolve))
    await here.rig.start()
    const { handlers } = here.rig.core()
    expect((await handlers['callbacks.get']({})).problem).toEqual({
      code: 'callback_port_taken',
      details: { port: fixed },
    })
    expect((await handlers['app.state']({})).callbackRoute).toBe('failed')
    await new Promise((resolve) => other.close(resolve))
    expect(await handlers['callbacks.test']({})).toMatchObject({ port: fixed, problem: null })
  })

  it.runIf(isLong)('keeps nothing in memory of a test that is over', async () => {
    const here = await office(() => 502)
    const handlers = await tested(here)
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const held = (): number => {
      collect()
      return process.memoryUsage().arrayBuffers
    }
    const before = held()
    for (let tests = 0; tests < 30; tests += 1) await handlers['callbacks.test']({})
    // The proxy keeps each message as well, of some 2 MB.
    here.proxy.seen.length = 0
    await until(() => held() - before < 10 * 1024 * 1024, 'the messages to be given back', 10_000)
  })

  it('is the result of a file that was renamed while it was away, under its new name', async () => {
    const rig = await waitingRig()
    const { context } = rig.core()
    const before = rig.document()
    const path = join(dirname(before.path), 'renamed.pdf')
    await rename(before.path, path)
    const folder = context.tables.folders.get(before.folderId)!
    expect(await takeIn(context, folder, candidateAt(path, await lstat(path)))).toBe(before.id)
    expect(await rig.vendor.callBack(rig.callback(), result())).toBe(200)
    expect(rig.document()).toMatchObject({ status: 'done', name: 'renamed.pdf', path })
    expect(await rig.records()).toMatchObject([{ invoice_number: '9' }])
  })

  it('does not lose a callback that is under way while its settings change, nor one that comes to the earlier address', async () => {
    const rig = await waitingRig()
    const second = await rig.add('b.pdf')
    await until(() => rig.document(second).status === 'waiting', 'the acceptance of the second')
    const { handlers } = rig.core()
    const body = result()
    const sending = httpRequest(rig.callback(), { method: 'POST', headers: { expect: '100-continue' } })
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>
    sending.flushHeaders()
    // From here on it is under way: Sheaf has read the head of it.
    await once(sending, 'continue')
    sending.write(body.slice(0, 20))
    const { port } = await handlers['callbacks.get']({})
    await handlers['callbacks.save']({ route: 'address', address: 'http://0.0.0.0:9', network: true, port })
    await handlers['callbacks.save']({ route: 'none' })
    sending.end(body.slice(20))
    const [answer] = await answered
    expect(answer.resume().statusCode).toBe(200)
    expect(rig.document().status).toBe('done')
    expect(await rig.vendor.callBack(rig.callback(1), result('10', '6f1c-1'))).toBe(200)
    expect(rig.document(second).status).toBe('done')
  })
})

describe('a callback that cannot be stored, or not be read yet', () => {
  const full = (): never => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  }

  it('is answered 503 with the wish to come again, and taken then', async () => {
    const rig = await waitingRig()
    const { attempts } = rig.core().context.tables
    const store = attempts.storeAnswer.bind(attempts)
    attempts.storeAnswer = full
    const { statusCode, headers } = await request(rig.callback(), { method: 'POST', body: result() })
    expect([statusCode, Number(headers['retry-after'])]).toEqual([503, 10])
    expect(rig.document().status).toBe('waiting')
    attempts.storeAnswer = store
    expect(await rig.vendor.callBack(rig.callback(), result())).toBe(200)
    expect(rig.document().status).toBe('done')
    rig.check()
  })

  it('is read once there is room, also when nobody sends it again', async () => {
    const rig = await waitingRig()
    const { results } = rig.core().context.tables
    const insert = results.insert.bind(results)
    results.insert = full
    expect(await rig.vendor.callBack(rig.callback(), result())).toBe(503)
    expect(rig.document().status).toBe('waiting')
    results.insert = insert
    await until(() => rig.document().status === 'done', 'the result')
    expect(await rig.records()).toEqual([{ invoice_number: '9' }])
    rig.check()
  })
})

describe('the installation key', () => {
  it('lies beside the database for its owner only, and is made at the first need', async () => {
    const rig = await startCallbackRig()
    const path = join(rig.dataDir, 'installation.key')
    expect(() => statSync(path)).toThrow('ENOENT')
    await rig.add('a.pdf')
    await until(() => rig.document().status === 'waiting', 'the acceptance')
    expect(statSync(path)).toMatchObject({ size: 32, mode: 0o100600 })
  })

  it('keeps the result of an attempt that the database forgot, until it is known again', async () => {
    const rig = await waitingRig()
    const { id } = rig.document()
    const callback = rig.callback()
    await rig.stop()
    const forget = (column: 'token_hash' | 'spare'): void => {
      const db = new Sqlite(join(rig.dataDir, 'sheaf.db'))
      if (column === 'token_hash')
        db.exec('CREATE TABLE spare AS SELECT id, token_hash FROM attempts; UPDATE attempts SET token_hash = NULL')
      else
        db.exec(
          'UPDATE attempts SET token_hash = (SELECT token_hash FROM spare WHERE spare.id = attempts.id); DROP TABLE spare',
        )
      db.close()
    }
    forget('token_hash')
    await rig.start()
    expect(await rig.vendor.callBack(callback, result())).toBe(200)
    expect(await rig.vendor.callBack(callback, result())).toBe(200)
    expect(strays(rig.dataDir)).toBe(1)
    expect(rig.document(id).status).toBe('waiting')
    await rig.stop()
    forget('spare')
    await rig.start()
    expect(rig.document(id).status).toBe('done')
    expect(await rig.records(id)).toEqual([{ invoice_number: '9' }])
    expect(strays(rig.dataDir)).toBe(0)
    rig.check()
  })
})
