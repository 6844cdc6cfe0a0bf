import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { until } from '../helpers/core.ts'
import { freePort } from '../helpers/free-port.ts'
import { gate } from '../helpers/vendor-questions.ts'
import { result, startCallbackRig, startProxy, started, waitingRig } from './callback-rig.ts'
import type { CallbackRig, CallbackRigOptions } from './callback-rig.ts'
import { eventually } from '../helpers/eventually.ts'

const nine = [{ invoice_number: '9' }]
const day = 24 * 60 * 60_000

type Office = {
  rig: CallbackRig
  save: (path: string, port: number | null) => Promise<{ port: number }>
  leadTo: (port: number) => void
}

/** A service elsewhere, and a proxy that leads a public address to a port of this computer. */
async function office(options: CallbackRigOptions = {}): Promise<Office> {
  const rig = await startCallbackRig({ isElsewhere: true, mode: 'async', ...options })
  const held = { port: 0 }
  const proxy = await startProxy(() => held.port)
  return {
    rig,
    leadTo: (port) => (held.port = port),
    save: (path, port) =>
      rig.core().handlers['callbacks.save']({ route: 'address', address: proxy.url + path, network: false, port }),
  }
}

/** Another program that has a port of this computer; resolves with what ends it. */
async function taken(port: number): Promise<() => Promise<void>> {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  return () => new Promise((resolve) => other.close(() => resolve()))
}

describe('F30 a callback to an address that was changed meanwhile', () => {
  it.each([
    ['before the answer to the POST', { body: started() }, 'submitting'],
    ['in the place of an answer that was lost', { drop: true }, 'unknown'],
  ] as const)('is the result when callbacks were switched off, %s', async (_when, reply, status) => {
    const held = gate()
    const here = await office({ reply: () => held.opened.then(() => reply) })
    const port = await freePort()
    here.leadTo(port)
    await here.save('', port)
    await here.rig.add('a.pdf')
    await until(() => here.rig.vendor.received.length === 1, 'the request')
    if (status === 'unknown') held.open()
    await until(() => here.rig.document().status === status, 'the state')
    await here.rig.core().handlers['callbacks.save']({ route: 'none' })
    await here.rig.stop()
    await here.rig.start()
    expect(await here.rig.vendor.callBack(here.rig.callback(), result())).toBe(200)
    expect(await here.rig.records()).toEqual(nine)
    held.open()
    here.rig.check()
  })

  it.each<[string, (here: Office, port: number) => Promise<unknown>]>([
    ['has another path', (here, port) => here.save('/new', port)],
    ['leads to another port', async (here) => here.save('/old', await freePort())],
    [
      'has another path and leads to another port, and then once more',
      async (here) => {
        await here.save('/new', await freePort())
        await here.save('/newest', await freePort())
      },
    ],
  ])('is the result when the address %s, also after a restart', async (_what, change) => {
    const here = await office()
    const port = await freePort()
    here.leadTo(port)
    await here.save('/old', port)
    await here.rig.add('a.pdf')
    await until(() => here.rig.document().status === 'waiting', 'the acceptance')
    const { id } = here.rig.document()
    await change(here, port)
    expect(await here.rig.vendor.callBack(here.rig.callback(), '{"status":"processing"}')).toBe(200)
    await here.rig.stop()
    await here.rig.start()
    expect(await here.rig.vendor.callBack(here.rig.callback(), result())).toBe(200)
    expect(await here.rig.records(id)).toEqual(nine)
    here.rig.check()
  })

  it('finds nobody there once nothing is under way to it', async () => {
    const clock = { now: Date.now() }
    const here = await office({ core: { now: () => clock.now } })
    const port = await freePort()
    here.leadTo(port)
    await here.save('', port)
    await here.rig.add('a.pdf')
    await until(() => here.rig.document().status === 'waiting', 'the acceptance')
    await here.rig.core().handlers['callbacks.save']({ route: 'none' })
    expect(await here.rig.vendor.callBack(here.rig.callback(), result())).toBe(200)
    await here.rig.stop()
    await here.rig.start()
    await here.rig.core().handlers['callbacks.test']({})
    await expect(here.rig.vendor.callBack(here.rig.callback(), result())).resolves.toBe(502)
  })
})

describe('F34 the port is another program’s at a start', () => {
  it('says so where a public address leads to it, takes it once it is free, and keeps it over all that', async () => {
    const here = await office()
    const { port } = await here.save('', null)
    here.leadTo(port)
    await here.rig.core().handlers['callbacks.test']({})
    await here.rig.add('a.pdf')
    await until(() => here.rig.document().status === 'waiting', 'the acceptance')
    const { id } = here.rig.document()
    const state = () => here.rig.core().handlers['callbacks.get']({})
    await here.rig.stop()
    const free = await taken(port)
    await here.rig.start()
    expect(await state()).toMatchObject({ port, problem: { code: 'callback_port_taken', details: { port } } })
    await here.rig.stop()
    await here.rig.start()
    expect(await state()).toMatchObject({ port, problem: { code: 'callback_port_taken', details: { port } } })
    await free()
    await eventually(async () => expect(await state()).toMatchObject({ port, problem: null }))
    expect(await here.rig.vendor.callBack(here.rig.callback(), result())).toBe(200)
    expect(await here.rig.records(id)).toEqual(nine)
    here.rig.check()
  })

  it('is taken back where a result is awaited from a service on this computer that bills', async () => {
    const rig = await waitingRig()
    const { id } = rig.document()
    await rig.stop()
    const free = await taken(Number(new URL(rig.callback()).port))
    await rig.start()
    await rig.stop()
    await rig.start()
    await free()
    await eventually(async () => expect(await rig.vendor.callBack(rig.callback(), result())).toBe(200))
    expect(await rig.records(id)).toEqual(nine)
    rig.check()
  })
})

describe('F14 a clock that was wrong', () => {
  it('leaves no result behind that is under way, and sends nothing again, whatever it said for hours', async () => {
    const clock = { ahead: 0 }
    const rig = await waitingRig({
      core: { now: () => Date.now() + clock.ahead, timings: { callbackMissingMs: day } },
    })
    rig.core().context.tables.settings.update({ resendUnknown: true })
    const { callbacks } = rig.core().context.tables
    const awaitedSince = callbacks.awaitedSince.bind(callbacks)
    let looks = 0
    callbacks.awaitedSince = (since) => {
      looks += clock.ahead > 0 ? 1 : 0
      return awaitedSince(since)
    }
    clock.ahead = 365 * day
    await until(() => looks > 20, 'some looks')
    expect(rig.document()).toMatchObject({ status: 'waiting', reasonCode: 'callback_overdue' })
    const counted = Object.values(callbacks.setting('callbacksMissing') as object)
    expect(counted).toHaveLength(1)
    expect(counted[0]).toBeGreaterThan(200)
    clock.ahead = 0
    await until(() => rig.document().reasonCode === null, 'the label to go')
    expect(callbacks.setting('callbacksMissing')).toEqual({})
    expect(rig.vendor.received).toHaveLength(1)
    await rig.vendor.callBack(rig.callback(), result())
    expect(await rig.records()).toEqual(nine)
    rig.check()
  })
})
