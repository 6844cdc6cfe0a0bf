import { randomBytes } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { InstallationKey, makeToken } from '../../electron/core/callback/callback-token.ts'
import { temporaryDir, until } from '../helpers/core.ts'
import { gate } from '../helpers/vendor-questions.ts'
import type { VendorReply } from '../helpers/vendor.ts'
import { result, startCallbackRig, started, strays, waitingRig } from './callback-rig.ts'
import type { CallbackRig } from './callback-rig.ts'

const day = 24 * 60 * 60_000
const nine = [{ invoice_number: '9' }]

describe('F30 a callback before, or instead of, the answer to the POST', () => {
  const late: [string, VendorReply][] = [
    ['that comes after it', { body: started() }],
    ['that is dropped', { drop: true }],
    ['that is a 500', { status: 500, body: '{"error":"x"}' }],
    ['that is a 503, as if nothing had been taken', { status: 503, body: '{}' }],
    ['that never comes', { delayMs: 3000 }],
  ]

  it.each(late)('is the result before an answer %s', async (_what, reply) => {
    const held = gate()
    const rig = await startCallbackRig({
      reply: () => held.opened.then(() => reply),
      core: { timings: { asyncAnswerMs: 400 } },
    })
    await rig.add('a.pdf')
    await until(() => rig.vendor.received.length === 1, 'the request')
    expect(rig.document().status).toBe('submitting')
    expect(await rig.vendor.callBack(rig.callback(), result())).toBe(200)
    expect(rig.document().status).toBe('done')
    held.open()
    await until(() => rig.core().queue.idle, 'the end of the request')
    expect(rig.document().status).toBe('done')
    expect(await rig.records()).toEqual(nine)
    rig.check()
  })

  it.each(late.slice(1).filter(([, { status }]) => status !== 503))(
    'is the result in the place of an answer %s',
    async (_what, reply) => {
      const rig = await startCallbackRig({ reply: () => reply, core: { timings: { asyncAnswerMs: 400 } } })
      await rig.add('a.pdf')
      await until(() => rig.document().status === 'unknown', 'the unknown outcome')
      rig.check()
      expect(await rig.vendor.callBack(rig.callback(), result())).toBe(200)
      expect(rig.document()).toMatchObject({ status: 'done', reasonCode: null })
      expect(await rig.records()).toEqual(nine)
      rig.check()
    },
  )
})

describe('F31 a callback 100 times, and with other content', () => {
  it('is one result, however many come at once', async () => {
    const rig = await waitingRig()
    const answers = await Promise.all(Array.from({ length: 100 }, () => rig.vendor.callBack(rig.callback(), result())))
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(rig.document().status).toBe('done')
    expect(await rig.records()).toEqual(nine)
    expect(rig.kept()).toHaveLength(1)
    rig.check()
  })

  it('with other content each time is the first result, and every variant is kept', async () => {
    const rig = await waitingRig()
    await rig.vendor.callBack(rig.callback(), result())
    const others = ['10', '11', '12']
      .map((value) => result(value))
      .concat('{"extract_id":"6f1c","error":"late","detail":"x"}', 'no JSON', '{"status":"started"}')
    const answers = await Promise.all([...others, ...others].map((body) => rig.vendor.callBack(rig.callback(), body)))
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(await rig.records()).toEqual(nine)
    expect(rig.kept().map(String).sort()).toEqual([result(), ...others].sort())
    rig.check()
  })
})

describe('F32 a forged, replayed or swapped callback', () => {
  it('with a token that this installation never made is 404, and leaves no trace', async () => {
    const rig = await waitingRig()
    const token = rig.callback().split('/').at(-1)!
    const base = rig.callback().slice(0, -token.length)
    const other = temporaryDir()
    onTestFinished(other.remove)
    const bytes = Buffer.from(token, 'base64url')
    const tampered = (at: number): string =>
      Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))).toString('base64url')
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const forged = [
      randomBytes(32).toString('base64url'),
      makeToken(new InstallationKey(other.path).get(), 'attempt'),
      tampered(0),
      tampered(31),
      token.slice(0, -1) + last[last.indexOf(token.at(-1)!) + 1]!,
      `${token}=`,
      `${token}.`,
      token.slice(0, 42),
      '',
      '%00',
      'x'.repeat(4000),
    ]
    for (const each of forged) expect(await rig.vendor.callBack(base + each, result()), each).toBe(404)
    expect(rig.document().status).toBe('waiting')
    expect(strays(rig.dataDir)).toBe(0)
    rig.check()
  })

  it('at another path is 404, with the right token too', async () => {
    const rig = await waitingRig()
    const { origin, pathname } = new URL(rig.callback())
    const token = pathname.split('/').at(-1)!
    const paths = [
      `/${token}`,
      `${pathname}/`,
      `${pathname}/x`,
      `/x${pathname}`,
      `/${pathname}`,
      `/Callback/${token}`,
      `/callback?token=${token}`,
      `/callback/x/${token}`,
      `/in/${token}`,
    ]
    for (const path of paths) expect(await rig.vendor.callBack(origin + path, result()), path).toBe(404)
    expect(rig.kept()).toEqual([])
    expect(rig.document().status).toBe('waiting')
    rig.check()
  })

  it('for an attempt that is not known is kept apart and answered 200, and is nobody’s result', async () => {
    const rig = await waitingRig()
    const token = makeToken(new InstallationKey(rig.dataDir).get(), 'attempt')
    const address = rig.callback().replace(/[^/]+$/, token)
    expect(await rig.vendor.callBack(address, result())).toBe(200)
    expect(strays(rig.dataDir)).toBe(1)
    expect(rig.document().status).toBe('waiting')
    rig.check()
  })

  it('with the canary’s kind of token is taken for none of an attempt’s', async () => {
    const rig = await waitingRig()
    const address = rig.callback().replace(/[^/]+$/, makeToken(new InstallationKey(rig.dataDir).get(), 'probe'))
    expect(await rig.vendor.callBack(address, result())).toBe(200)
    expect(strays(rig.dataDir)).toBe(0)
    expect(rig.document().status).toBe('waiting')
    rig.check()
  })

  it('with the extract_id of another document is kept, and no result of either', async () => {
    const rig = await waitingRig()
    const second = await rig.add('b.pdf')
    await until(() => rig.document(second).status === 'waiting', 'the second acceptance')
    expect(await rig.vendor.callBack(rig.callback(0), result('of b', '6f1c-1'))).toBe(200)
    expect(await rig.vendor.callBack(rig.callback(1), '{"extract_id":"6f1c","error":"of a","detail":"x"}')).toBe(200)
    expect([rig.document().status, rig.document(second).status]).toEqual(['waiting', 'waiting'])
    await rig.vendor.callBack(rig.callback(0), result('a'))
    await rig.vendor.callBack(rig.callback(1), result('b', '6f1c-1'))
    expect([await rig.records(), await rig.records(second)]).toEqual([
      [{ invoice_number: 'a' }],
      [{ invoice_number: 'b' }],
    ])
    expect(rig.kept()).toHaveLength(2)
    rig.check()
  })

  it('with a number that nobody waits for is kept and said, and is the result once a person takes it', async () => {
    const rig = await waitingRig()
    const readAgain = () => rig.core().handlers['documents.readAgain']({ ids: [rig.document().id] })
    expect(await rig.vendor.callBack(rig.callback(), result('9', 'somebody'))).toBe(200)
    expect(rig.document()).toMatchObject({ status: 'waiting', reasonCode: 'callback_other_number' })
    expect(await rig.records()).toEqual([])
    expect(await readAgain()).toEqual({ read: 1, changed: 1 })
    expect(rig.document()).toMatchObject({ status: 'done', reasonCode: null })
    expect(await rig.records()).toEqual(nine)
    expect(await readAgain()).toEqual({ read: 1, changed: 0 })
    rig.check()
  })

  it('with two such numbers is nobody’s, and its own result still is', async () => {
    const rig = await waitingRig()
    for (const number of ['one', 'two']) await rig.vendor.callBack(rig.callback(), result('7', number))
    expect(await rig.core().handlers['documents.readAgain']({ ids: [rig.document().id] })).toEqual({
      read: 1,
      changed: 0,
    })
    expect(rig.document().status).toBe('waiting')
    await rig.vendor.callBack(rig.callback(), result())
    expect(await rig.records()).toEqual(nine)
    rig.check()
  })

  it('with the extract_id of another document before its own is known is no result either, and its own one is', async () => {
    const held = gate()
    const rig = await startCallbackRig({
      reply: async (_document, index) =>
        index === 0 ? { body: started('first') } : (await held.opened, { body: started('second') }),
    })
    await rig.add('a.pdf')
    await until(() => rig.document().status === 'waiting', 'the acceptance')
    const second = await rig.add('b.pdf')
    await until(() => rig.vendor.received.length === 2, 'the second request')
    expect(await rig.vendor.callBack(rig.callback(1), result('of a', 'first'))).toBe(200)
    expect(rig.document(second).status).toBe('submitting')
    held.open()
    await until(() => rig.document(second).status === 'waiting', 'the second acceptance')
    await rig.vendor.callBack(rig.callback(1), result('b', 'second'))
    expect(await rig.records(second)).toEqual([{ invoice_number: 'b' }])
    rig.check()
  })

  it('before the answer, from a service that gives every document the same extract_id, is the result once that is known', async () => {
    const held = gate()
    const rig = await startCallbackRig({
      reply: async (_document, index) =>
        index === 0 ? { body: started('same') } : (await held.opened, { body: started('same') }),
    })
    await rig.add('a.pdf')
    await until(() => rig.document().status === 'waiting', 'the acceptance')
    const second = await rig.add('b.pdf')
    await until(() => rig.vendor.received.length === 2, 'the second request')
    await rig.vendor.callBack(rig.callback(1), result('b', 'same'))
    held.open()
    await until(() => rig.document(second).status === 'done', 'the result')
    expect(await rig.records(second)).toEqual([{ invoice_number: 'b' }])
    rig.check()
  })
})

describe('F35 a callback that never comes, or late', () => {
  async function aging(): Promise<{ rig: CallbackRig; clock: { now: number } }> {
    const clock = { now: Date.now() }
    return { rig: await waitingRig({ core: { now: () => clock.now } }), clock }
  }
  const overdue = async ({ rig }: { rig: CallbackRig }): Promise<number> =>
    (await rig.core().handlers['callbacks.get']({})).overdue

  it('is named overdue after a day, and the document goes on waiting', async () => {
    const here = await aging()
    expect(await overdue(here)).toBe(0)
    here.clock.now += day + 1000
    await until(() => here.rig.document().reasonCode === 'callback_overdue', 'the label')
    expect(here.rig.document().status).toBe('waiting')
    expect(await overdue(here)).toBe(1)
    here.rig.check()
  })

  it.each([20, 29.9])('is the result after %d days', async (days) => {
    const { rig, clock } = await aging()
    clock.now += days * day
    await until(() => rig.document().reasonCode === 'callback_overdue', 'the label')
    expect(await rig.vendor.callBack(rig.callback(), result())).toBe(200)
    expect(rig.document()).toMatchObject({ status: 'done', reasonCode: null })
    expect(await overdue({ rig })).toBe(0)
    rig.check()
  })

  it('leaves the outcome unknown after thirty days, and is the result even then', async () => {
    const { rig, clock } = await aging()
    clock.now += 31 * day
    await until(() => rig.document().status === 'unknown', 'the end of the waiting')
    expect(rig.document().reasonCode).toBe('callback_missing')
    rig.check()
    expect(rig.vendor.received).toHaveLength(1)
    expect(await rig.vendor.callBack(rig.callback(), result())).toBe(200)
    expect(rig.document().status).toBe('done')
    expect(await rig.records()).toEqual(nine)
    rig.check()
  })

  it('is the result at a start after 31 days, when it waits at the door: nothing is given up before', async () => {
    const { rig, clock } = await aging()
    const { id } = rig.document()
    const callback = rig.callback()
    await rig.stop()
    clock.now += 31 * day
    // The start itself takes as long as a busy computer needs.
    await rig.start({ timings: { callbackCheckMs: 600_000, callbackMissingMs: 600_000 } })
    expect(rig.document(id)).toMatchObject({ status: 'waiting', reasonCode: 'callback_overdue' })
    expect(await rig.vendor.callBack(callback, result())).toBe(200)
    expect(rig.document(id).status).toBe('done')
    rig.check()
  })

  it('is not overdue any more when the clock was wrong and is set back', async () => {
    const { rig, clock } = await aging()
    clock.now += 2 * day
    await until(() => rig.document().reasonCode === 'callback_overdue', 'the label')
    clock.now -= 2 * day
    await until(() => rig.document().reasonCode === null, 'the label to go')
    expect(rig.document().status).toBe('waiting')
    clock.now -= 365 * day
    expect(await rig.vendor.callBack(rig.callback(), result())).toBe(200)
    expect(rig.document().status).toBe('done')
    rig.check()
  })
})

describe('F36 a callback with an error', () => {
  it.each<[string, object, string]>([
    [
      'as the interface says',
      { extract_id: '6f1c', error: 'Extraction failed', detail: 'Internal Server Error' },
      'Extraction failed: Internal Server Error',
    ],
    ['without a detail', { extract_id: '6f1c', error: 'Extraction failed' }, 'Extraction failed'],
    ['without an error', { extract_id: '6f1c', detail: 'Internal Server Error' }, 'Internal Server Error'],
    ['without an extract_id', { error: 'Extraction failed', detail: 'x' }, 'Extraction failed: x'],
  ])('%s fails its document with what it says', async (_form, body, detail) => {
    const rig = await waitingRig()
    expect(await rig.vendor.callBack(rig.callback(), JSON.stringify(body))).toBe(200)
    expect(rig.document()).toMatchObject({
      status: 'failed',
      reasonCode: 'extraction_failed',
      reasonDetails: { detail },
    })
    expect(rig.kept().map(String)).toEqual([JSON.stringify(body)])
    rig.check()
  })
})
