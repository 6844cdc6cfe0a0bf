import { mkdir, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { StoredDocument } from '../../electron/core/db/tables/documents.ts'
import type { Core } from '../../electron/core/core.ts'
import type { Timings } from '../../electron/core/timings.ts'
import type { Mailbox } from '../../electron/mailbox/server.ts'
import { startTestCore, temporaryDir, until } from '../helpers/core.ts'
import { startFront, testCode } from '../helpers/mailbox-desktop.ts'
import type { Said } from '../helpers/mailbox-desktop.ts'
import { freePort } from '../helpers/free-port.ts'
import { raw, startTestMailbox } from '../helpers/mailbox.ts'
import { gate } from '../helpers/vendor-questions.ts'
import { pdf } from '../service/documents.ts'
import { rigWith } from '../service/opened.ts'
import { invoiceLines, invoiceParams, readDocument } from '../service/setup.ts'
import { result, started, startCallbackRig, waitingRig } from './callback-rig.ts'
import type { CallbackRig } from './callback-rig.ts'
import { expectInvariants } from './invariants.ts'
import { eventually } from '../helpers/eventually.ts'
import { isLong } from '../helpers/scale.ts'

const nine = [{ invoice_number: '9' }]

/** As a service repeats a webhook: again and again until somebody takes it. Resolves with the number of tries. */
async function repeat(
  rig: CallbackRig,
  url: string,
  body: string,
): Promise<{ tries: () => number; taken: Promise<void> }> {
  let tries = 0
  const taken = (async () => {
    for (;;) {
      const status = await rig.vendor.callBack(url, body).catch(() => 0)
      tries += 1
      if (status === 200) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  await until(() => tries > 2, 'some tries in vain')
  return { tries: () => tries, taken }
}

type Postbox = { code: string; newCode: () => string; stop: () => Promise<void>; start: () => Promise<void> }

/** A mailbox that can be switched off and on again, behind a proxy where `says` is given. */
async function postbox(says?: (request: IncomingMessage) => Said | Promise<Said>): Promise<Postbox> {
  const dir = temporaryDir()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const held: { mailbox: Mailbox | null } = { mailbox: null }
  const start = async (): Promise<void> =>
    void (held.mailbox = await startTestMailbox(dir.path, { port, publicUrl: url }))
  const stop = async (): Promise<void> => {
    await held.mailbox?.close()
    held.mailbox = null
  }
  onTestFinished(dir.remove)
  onTestFinished(stop)
  await start()
  const front = says === undefined ? null : await startFront(url, says)
  if (front !== null) onTestFinished(front.close)
  const newCode = (): string => testCode(front?.url ?? url, dir.path)
  return { code: newCode(), newCode, start, stop }
}

/** A document at a service elsewhere that sends its result to the mailbox. */
async function throughMailbox(
  timings: Partial<Timings> = {},
  says?: (request: IncomingMessage) => Said | Promise<Said>,
): Promise<{ rig: CallbackRig; box: Postbox }> {
  const box = await postbox(says)
  const rig = await startCallbackRig({
    isElsewhere: true,
    mode: 'async',
    core: { timings: { firstRetryMs: 50, longestRetryMs: 100, ...timings } },
  })
  const { handlers } = rig.core()
  expect(await handlers['callbacks.pair']({ code: box.code })).toMatchObject({ route: 'mailbox' })
  expect(await handlers['callbacks.test']({})).toMatchObject({
    route: 'mailbox',
    problem: null,
    mailbox: { problem: null },
  })
  expect((await handlers['app.state']({})).callbackRoute).toBe('tested')
  await rig.add('a.pdf')
  await until(() => rig.document().status === 'waiting', 'the acceptance')
  expect(rig.callback()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/in\/[\w-]+\/[\w-]{43}$/)
  return { rig, box }
}

describe('F14 a clock that was wrong, or a mailbox that was away for a month', () => {
  it('gives up nothing while the mailbox cannot be reached, and takes what waits there then', async () => {
    const clock = { ahead: 0 }
    const { rig, box } = await throughMailbox()
    await rig.stop()
    await box.stop()
    await rig.start({ now: () => Date.now() + clock.ahead })
    const { callbacks } = rig.core().context.tables
    let problem: unknown = null
    const ask = async (): Promise<void> =>
      void (problem = (await rig.core().handlers['callbacks.get']({})).mailbox?.problem ?? null)
    await until(() => (void ask(), problem !== null), 'the mailbox to be missed')
    clock.ahead = 31 * 24 * 60 * 60_000
    let looks = 0
    const newlyOverdue = callbacks.newlyOverdue.bind(callbacks)
    callbacks.newlyOverdue = (since) => {
      looks += 1
      return newlyOverdue(since)
    }
    await until(() => looks > 20, 'some looks')
    expect(rig.document()).toMatchObject({ status: 'waiting', reasonCode: 'callback_overdue' })
    expect(callbacks.setting('callbacksMissing')).toBeNull()
    clock.ahead = 0
    await box.start()
    expect(await rig.vendor.callBack(rig.callback(), result())).toBe(200)
    await until(() => rig.document().status === 'done', 'the result')
    expect(await rig.records()).toEqual(nine)
    rig.check()
  })
})

describe('F34 the app or the mailbox is down when the callback comes', () => {
  it('the app: a service that repeats finds it after its start', async () => {
    const rig = await waitingRig()
    const { id } = rig.document()
    const callback = rig.callback()
    await rig.stop()
    const { taken } = await repeat(rig, callback, result())
    await rig.start()
    await taken
    expect(rig.document(id).status).toBe('done')
    expect(await rig.records(id)).toEqual(nine)
    rig.check()
  })

  it('the app: the service on this computer repeats until it is there', async () => {
    const held = gate()
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    const service = await rigWith({
      webhook: { firstDelayMs: 10, maxDelayMs: 50 },
      read: (path, kind) => held.opened.then(() => readDocument(path, kind)),
    })
    const dataDir = join(dir.path, 'data')
    const start = (): Promise<Core> =>
      startTestCore(dataDir, {
        localService: {
          start: async () => service.credentials,
          suspend: async () => undefined,
          stop: async () => undefined,
        },
      })
    const first = await start()
    const { tables, now } = first.context
    const path = join(dir.path, 'in')
    await mkdir(path)
    await writeFile(join(path, 'a.pdf'), pdf(invoiceLines))
    const schema = tables.schemas.save(
      null,
      'Invoice',
      invoiceParams.map((element) => ({ ...element, format: element.format === 'number' ? 'number' : 'text' })),
      now(),
    )
    const folder = tables.folders.add(
      {
        kind: 'watched',
        path,
        name: 'in',
        schemaId: schema.id,
        connectionId: tables.connections.local().id,
        agentReference: null,
        mode: 'async',
        includeSubfolders: true,
        afterwards: 'stay',
      },
      now(),
    )
    const document = (core: Core): StoredDocument | undefined => core.context.tables.documents.inFolder(folder.id)[0]
    await first.run()
    await until(() => document(first)?.status === 'waiting', 'the acceptance')
    await first.stop()
    held.open()
    const failures = (): unknown => service.service.db.prepare('SELECT max(tries) FROM async_jobs').pluck().get()
    await until(() => Number(failures()) >= 2, 'some tries in vain')
    const second = await start()
    onTestFinished(() => second.stop({ atOnce: true }))
    await until(() => document(second)?.status === 'done', 'the result')
    expect((await second.handlers['documents.get']({ id: document(second)!.id })).records).toEqual([
      { 'Invoice number': 'RE-2024-17', 'Total amount': 119.5 },
    ])
    expectInvariants(dataDir, { paths: [join(path, 'a.pdf')], billable: 0, filesSent: 0, approvedResends: 0 })
  })

  it('the app: the mailbox keeps the callback until it is there', async () => {
    const { rig } = await throughMailbox()
    const { id } = rig.document()
    const callback = rig.callback()
    await rig.stop()
    expect(await rig.vendor.callBack(callback, result())).toBe(200)
    await rig.start()
    await until(() => rig.document(id).status === 'done', 'the result')
    expect(await rig.records(id)).toEqual(nine)
    rig.check()
  })

  it('the mailbox: a service that repeats finds it after its start, and so does the app', async () => {
    const { rig, box } = await throughMailbox()
    await box.stop()
    const { taken } = await repeat(rig, rig.callback(), result())
    expect(rig.document().status).toBe('waiting')
    await box.start()
    await taken
    await until(() => rig.document().status === 'done', 'the result')
    expect(await rig.records()).toEqual(nine)
    rig.check()
  })

  it('both, one after the other', async () => {
    const { rig, box } = await throughMailbox()
    const { id } = rig.document()
    const callback = rig.callback()
    await rig.stop()
    expect(await rig.vendor.callBack(callback, result())).toBe(200)
    await box.stop()
    await rig.start()
    expect(rig.document(id).status).toBe('waiting')
    await box.start()
    await until(() => rig.document(id).status === 'done', 'the result')
    rig.check()
  })

  it('the mailbox: a large file goes synchronously until it works again', async () => {
    const { rig, box } = await throughMailbox()
    await box.stop()
    const { handlers } = rig.core()
    await eventually(async () =>
      expect((await handlers['callbacks.get']({})).mailbox?.problem).toMatchObject({ code: 'mailbox_unreachable' }),
    )
    expect((await handlers['app.state']({})).callbackRoute).toBe('untested')
    expect((await handlers['callbacks.test']({})).problem).toMatchObject({ code: 'callback_not_returned' })
    expect((await handlers['app.state']({})).callbackRoute).toBe('failed')
    await box.start()
    expect((await handlers['callbacks.test']({})).problem).toBeNull()
    expect((await handlers['app.state']({})).callbackRoute).toBe('tested')
    rig.check()
  })

  it.runIf(isLong)(
    'the mailbox has much to hand out over a slow line: the test of the way waits for its turn',
    async () => {
      const isLarge = ({ method, url }: IncomingMessage): boolean => method === 'GET' && /\/messages\/\d+$/.test(url!)
      const slow = { isSlow: false, eachMs: 1000 }
      const line = async (request: IncomingMessage): Promise<Said> => {
        if (slow.isSlow && isLarge(request)) await new Promise((resolve) => setTimeout(resolve, slow.eachMs))
        return null
      }
      const { rig } = await throughMailbox({}, line)
      const tokens = ['a', 'b', 'c', 'd', 'e']
      // Far less than all of them take, and far more than one. Only from here on: the first test of the way is not what
      // the limit is about.
      rig.core().context.timings.probeTimeoutMs = 3 * slow.eachMs
      slow.isSlow = true
      const before = Buffer.alloc(1024 * 1024 + 1, ' ')
      const box = rig.callback().replace(/[^/]+$/, '')
      for (const token of tokens)
        expect((await raw(`${box}${token}`, { method: 'POST', body: before })).status).toBe(200)
      const { problem, mailbox } = await rig.core().handlers['callbacks.test']({})
      expect([problem, mailbox!.problem]).toEqual([null, null])
    },
  )

  it('the mailbox: quitting does not wait for the end of a pairing', async () => {
    const line = { isDead: false }
    const asked: string[] = []
    const { rig } = await throughMailbox({}, ({ method, url }) => {
      if (line.isDead) asked.push(url!)
      return line.isDead && method === 'GET' ? 'nothing' : null
    })
    line.isDead = true
    expect(await rig.core().handlers['callbacks.get']({})).toMatchObject({ awaited: 1 })
    const ending = rig
      .core()
      .handlers['callbacks.unpair']({ discard: false })
      .catch((error: unknown) => error)
    await until(() => asked.some((url) => url.includes('wait=0')), 'the last question')
    const quitAt = performance.now()
    await rig.stop()
    expect(performance.now() - quitAt).toBeLessThan(5000)
    expect(await ending).toBeInstanceOf(Error)
    line.isDead = false
    await rig.start()
    expect(await rig.core().handlers['callbacks.get']({})).toMatchObject({ route: 'mailbox' })
    expect(await rig.vendor.callBack(rig.callback(), result())).toBe(200)
    await until(() => rig.document().status === 'done', 'the result over the pairing that was not ended')
    rig.check()
  })
})

describe('F34 the pairing with the mailbox is ended', () => {
  it('while a document waits for its token: it goes over the way that there is then, and its result comes', async () => {
    const held = gate()
    let asked = 0
    const token = (): Promise<null> => {
      asked += 1
      return held.opened.then(() => null)
    }
    const box = await postbox()
    const rig = await startCallbackRig({
      isElsewhere: true,
      vendor: { token },
      core: { timings: { firstRetryMs: 50, longestRetryMs: 100 } },
    })
    const { handlers } = rig.core()
    await handlers['callbacks.pair']({ code: box.code })
    await rig.add('a.pdf')
    await until(() => asked > 0, 'the question for a token')
    await handlers['callbacks.unpair']({ discard: false })
    held.open()
    await until(() => rig.document().reasonCode === 'no_callback', 'the document to wait for a way back')
    expect([rig.document().status, rig.vendor.received]).toEqual(['queued', []])
    await handlers['callbacks.pair']({ code: box.newCode() })
    await until(() => rig.document().status === 'waiting', 'the acceptance')
    expect(await rig.vendor.callBack(rig.callback(), result())).toBe(200)
    await until(() => rig.document().status === 'done', 'the result')
    rig.check()
  })

  it('says how many results may still come: of documents that are being sent, and of those whose answer was lost', async () => {
    const held = gate()
    const box = await postbox()
    const rig = await startCallbackRig({
      isElsewhere: true,
      reply: async (_document, index) =>
        index === 0 ? held.opened.then(() => ({ drop: true })) : { body: started('b') },
    })
    const { handlers } = rig.core()
    const awaited = async (): Promise<number> => (await handlers['callbacks.get']({})).awaited
    await handlers['callbacks.pair']({ code: box.code })
    await handlers['callbacks.test']({})
    expect(await awaited()).toBe(0)
    const first = await rig.add('a.pdf')
    await until(() => rig.vendor.received.length === 1, 'the document to be with the service')
    expect([rig.document(first).status, await awaited()]).toEqual(['submitting', 1])
    held.open()
    await until(() => rig.document(first).status === 'unknown', 'the answer to be lost')
    const second = await rig.add('b.pdf')
    await until(() => rig.document(second).status === 'waiting', 'the acceptance')
    expect(await awaited()).toBe(2)
    await rig.vendor.callBack(rig.callback(0), result())
    await until(() => rig.document(first).status === 'done', 'the result of the first')
    expect(await awaited()).toBe(1)
    await rig.vendor.callBack(rig.callback(1), result('9', 'b'))
    await until(() => rig.document(second).status === 'done', 'the result of the second')
    expect(await awaited()).toBe(0)
    rig.check()
  })
})

describe('F38 the database is put together from the journal alone', () => {
  it('and the result that waits in the mailbox comes all the same', async () => {
    const { rig } = await throughMailbox()
    const { id } = rig.document()
    await rig.stop()
    expect(await rig.vendor.callBack(rig.callback(), result())).toBe(200)
    for (const name of ['backups', 'sheaf.db', 'sheaf.db-wal', 'sheaf.db-shm'])
      await rm(join(rig.dataDir, name), { recursive: true, force: true })
    await rig.start()
    await until(() => rig.document(id).status === 'done', 'the result')
    expect((await rig.core().handlers['callbacks.get']({})).mailbox).toMatchObject({ problem: null })
    expect(await rig.records(id)).toEqual(nine)
    rig.check()
  })
})
