import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { InstallationKey, makeToken } from '../../electron/core/callback/callback-token.ts'
import type { Kept } from '../../electron/core/db/tables/attempts.ts'
import { until } from '../helpers/core.ts'
import { result, strays, waitingRig } from './callback-rig.ts'
import type { CallbackRig } from './callback-rig.ts'

const nine = [{ invoice_number: '9' }]
/** Of the hundred that are kept so many are missing in these tests: each is written to the disk twice. */
const room = 5

/** A document for which 95 callbacks are kept already, as far as it can tell. */
async function almostFullRig(): Promise<CallbackRig> {
  const rig = await waitingRig()
  const { attempts, callbacks } = rig.core().context.tables
  const callbacksKept = attempts.callbacksKept.bind(attempts)
  const straysKept = callbacks.unmatchedKept.bind(callbacks)
  const more = ({ answers, bytes }: Kept): Kept => ({ answers: answers + 100 - room, bytes })
  attempts.callbacksKept = (id) => more(callbacksKept(id))
  callbacks.unmatchedKept = (token) => more(straysKept(token))
  return rig
}

const progress = (number: number): string => JSON.stringify({ status: 'processing', number })

describe('F31 more callbacks than anybody needs, with one token', () => {
  it('that say how far it is are answered and not kept without end, and the result is', async () => {
    const rig = await almostFullRig()
    for (let number = 0; number < room + 5; number += 1)
      expect(await rig.vendor.callBack(rig.callback(), progress(number))).toBe(200)
    expect(rig.kept()).toHaveLength(room)
    expect(rig.document().status).toBe('waiting')
    expect(await rig.vendor.callBack(rig.callback(), result())).toBe(200)
    expect(await rig.records()).toEqual(nine)
    expect(await rig.vendor.callBack(rig.callback(), result('10'))).toBe(200)
    expect(await rig.vendor.callBack(rig.callback(), result())).toBe(200)
    expect(rig.kept()).toHaveLength(room + 1)
    rig.check()
  })

  it('is the failure, and then the result of a service that tried again, however much came before', async () => {
    const rig = await almostFullRig()
    for (let number = 0; number < room; number += 1) await rig.vendor.callBack(rig.callback(), progress(number))
    await rig.vendor.callBack(rig.callback(), '{"extract_id":"6f1c","error":"late","detail":"x"}')
    expect(rig.document().status).toBe('failed')
    await rig.vendor.callBack(rig.callback(), '{"extract_id":"6f1c","error":"later","detail":"x"}')
    await rig.vendor.callBack(rig.callback(), result())
    expect(await rig.records()).toEqual(nine)
    expect(rig.kept()).toHaveLength(room + 2)
    rig.check()
  })

  it('under the number of no document is kept once, for a person to say whose it is', async () => {
    const rig = await almostFullRig()
    for (let number = 0; number < room; number += 1) await rig.vendor.callBack(rig.callback(), progress(number))
    for (const value of ['9', '10'])
      expect(await rig.vendor.callBack(rig.callback(), result(value, 'another'))).toBe(200)
    expect(rig.kept().slice(room).map(String)).toEqual([result('9', 'another')])
    rig.check()
  })

  it('of many megabytes are kept twice the size of one, and no more', async () => {
    const rig = await waitingRig()
    const kept: unknown[] = []
    const { attempts } = rig.core().context.tables
    const large = 50 * 1024 * 1024
    attempts.callbacksKept = () => ({ answers: kept.length, bytes: kept.length * large })
    const store = attempts.storeAnswer.bind(attempts)
    attempts.storeAnswer = (answer, now) => {
      kept.push(answer)
      return store(answer, now)
    }
    for (const number of [1, 2, 3, 4]) expect(await rig.vendor.callBack(rig.callback(), progress(number))).toBe(200)
    expect(kept).toHaveLength(3)
    await rig.vendor.callBack(rig.callback(), result())
    expect(await rig.records()).toEqual(nine)
  })

  it('for an attempt that is not known are kept up to a bound, and how far it is not at all', async () => {
    const rig = await almostFullRig()
    const address = rig.callback().replace(/[^/]+$/, makeToken(new InstallationKey(rig.dataDir).get(), 'attempt'))
    for (let number = 0; number < 5; number += 1) expect(await rig.vendor.callBack(address, progress(number))).toBe(200)
    expect(strays(rig.dataDir)).toBe(0)
    for (let number = 0; number < room + 5; number += 1)
      expect(await rig.vendor.callBack(address, result(String(number)))).toBe(200)
    expect(strays(rig.dataDir)).toBe(room)
    rig.check()
  })
})

describe('F33 callbacks of megabytes', () => {
  const padded = (value: string): string => result(value).padEnd(2 * 1024 * 1024)

  it('are answered once their bytes are stored, and read after that, one after another', async () => {
    const rig = await waitingRig()
    const { attempts } = rig.core().context.tables
    const markRead = attempts.markRead.bind(attempts)
    let isHeld = true
    attempts.markRead = (id) => {
      if (isHeld) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
      markRead(id)
    }
    expect(await rig.vendor.callBack(rig.callback(), padded('9'))).toBe(200)
    expect(await rig.vendor.callBack(rig.callback(), padded('10'))).toBe(200)
    expect(rig.kept()).toHaveLength(2)
    expect(rig.document().status).toBe('waiting')
    isHeld = false
    await until(() => rig.document().status === 'done', 'the result')
    expect(await rig.records()).toEqual(nine)
    rig.check()
  })

  it('are read at the next start when the app ends in between', async () => {
    const rig = await waitingRig()
    const { id } = rig.document()
    rig.core().context.tables.attempts.nextUnread = () => null
    expect(await rig.vendor.callBack(rig.callback(), padded('9'))).toBe(200)
    expect(rig.document().status).toBe('waiting')
    await rig.stop()
    await rig.start()
    expect(rig.document(id).status).toBe('done')
    expect(await rig.records(id)).toEqual(nine)
    rig.check()
  })
})

describe('a listener that others keep busy', () => {
  const open = async (rig: CallbackRig, count: number, text: string): Promise<Socket[]> => {
    const { port, pathname } = new URL(rig.callback())
    const head = text.replace('PATH', pathname)
    const sockets = Array.from({ length: count }, () => connect(Number(port), '127.0.0.1'))
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
    await Promise.all(
      sockets.map(async (socket) => {
        socket.on('error', () => undefined)
        await once(socket, 'connect')
        await new Promise((resolve) => socket.write(head, resolve))
      }),
    )
    return sockets
  }

  it.each([
    ['headers', 'POST PATH HTTP/1.1\r\nHost: a\r\n'],
    ['body', 'POST PATH HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{'],
  ])('with 520 connections that never end their %s takes the first result that comes', async (_what, text) => {
    const rig = await waitingRig()
    await open(rig, 520, text)
    expect(await rig.vendor.callBack(rig.callback(), result())).toBe(200)
    expect(await rig.records()).toEqual(nine)
  })

  it('looks at the token before it asks for a body', async () => {
    const rig = await waitingRig()
    const { port, pathname } = new URL(rig.callback())
    const ask = async (path: string): Promise<string> => {
      const socket = connect(Number(port), '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`)
      const [answer] = (await once(socket, 'data')) as [Buffer]
      return answer.toString().split('\r\n')[0]!
    }
    expect(await ask(pathname)).toBe('HTTP/1.1 100 Continue')
    expect(await ask(`${pathname}x`)).toBe('HTTP/1.1 404 Not Found')
  })
})
