import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Mailbox } from '../../electron/mailbox/server.ts'
import { temporaryDir, until } from '../helpers/core.ts'
import { startFront, TestDesktop, testCode } from '../helpers/mailbox-desktop.ts'
import type { Front } from '../helpers/mailbox-desktop.ts'
import { startTestMailbox, waitingIn } from '../helpers/mailbox.ts'

let server: ReturnType<typeof temporaryDir>
let data: ReturnType<typeof temporaryDir>
let mailbox: Mailbox
let front: Front
let desk: TestDesktop
let isAway: boolean

const pair = (): Promise<void> => desk.client.pair(testCode(front.url, server.path), new AbortController().signal)
const unpair = (discard = false): Promise<void> => desk.client.unpair({ discard }, new AbortController().signal)

const waiting = (): number[] => waitingIn(server.path)

/** Another run, on a database as it was before. */
async function restore(stored: unknown): Promise<void> {
  await desk.client.stop()
  desk.stored = stored
  desk.client = desk.newClient()
}

function keptKeys(): { boxId: string; place?: unknown }[] {
  return JSON.parse(desk.secrets.get('mailbox') ?? '[]') as { boxId: string; place?: unknown }[]
}

beforeEach(async () => {
  server = temporaryDir()
  data = temporaryDir()
  isAway = false
  mailbox = await startTestMailbox(server.path, { limits: { leaseMs: 500 } })
  front = await startFront(mailbox.url, () => (isAway ? 504 : null))
  desk = new TestDesktop(data.path)
})
afterEach(async () => {
  await desk.close()
  await front.close()
  await mailbox.close()
  server.remove()
  data.remove()
})

describe('F38 a database that was restored to a time before the pairing', () => {
  it('is told by the keys which mailbox is paired, and what waits there comes', async () => {
    await pair()
    const address = desk.client.addressFor('t')
    const paired = desk.stored
    await desk.send('a')
    await restore(null)
    expect(desk.client.state()).toBeNull()
    desk.client.start()
    await until(() => desk.tokens.includes('a'), 'what waited')
    expect([desk.client.addressFor('t'), desk.stored, desk.client.trouble()]).toEqual([address, paired, null])
  })

  it('and knows an earlier pairing goes on with the one that is in force', async () => {
    await pair()
    const earlier = desk.stored
    await pair()
    const address = desk.client.addressFor('t')
    await desk.send('b')
    await restore(earlier)
    desk.client.start()
    await until(() => desk.tokens.includes('b'), 'what waited')
    expect([desk.client.addressFor('t'), desk.client.trouble()]).toEqual([address, null])
  })

  it.each([
    ['none', () => null],
    ['an earlier one', (earlier: unknown) => earlier],
  ])('and knows %s: with a new code what waits comes first, and the box is ended only then', async (_what, stored) => {
    await pair()
    const earlier = desk.stored
    await pair()
    await desk.send('a')
    await restore(stored(earlier))
    isAway = true
    await expect(pair()).rejects.toMatchObject({ code: 'mailbox_unreachable' })
    expect([waiting(), keptKeys().length, desk.tokens]).toEqual([[1], 1, []])
    isAway = false
    await pair()
    expect([waiting(), keptKeys().length, desk.tokens]).toEqual([[0], 1, ['a']])
  })

  it('and is to end the pairing fetches what waits first', async () => {
    await pair()
    await desk.send('a')
    await restore(null)
    await unpair()
    expect([waiting(), desk.secrets.size, desk.tokens]).toEqual([[], 0, ['a']])
  })

  it('while the keychain is locked says so, and no other pairing takes the place of the one that only the keychain knows', async () => {
    await pair()
    await desk.send('a')
    await restore(null)
    desk.isLocked = true
    desk.client.start()
    await until(() => desk.client.trouble()?.code === 'mailbox_key_unavailable', 'the problem')
    desk.isLocked = false
    desk.deniesReading = true
    await expect(pair()).rejects.toMatchObject({ code: 'mailbox_key_unavailable' })
    desk.deniesReading = false
    await until(() => desk.tokens.includes('a'), 'what waited')
    expect(desk.client.trouble()).toBeNull()
  })

  it('finds no pairing that was ended, nor one that the person gave up', async () => {
    await pair()
    isAway = true
    await unpair(true)
    isAway = false
    await pair()
    await unpair()
    await restore(null)
    desk.client.start()
    await desk.client.stop()
    expect([desk.client.state(), keptKeys().map(({ place }) => place)]).toEqual([null, [undefined]])
  })
})

describe('keys that were kept without their mailbox’s place', () => {
  it('go on working, and know it from then on', async () => {
    await pair()
    const paired = desk.stored
    desk.secrets.set('mailbox', JSON.stringify(keptKeys().map(({ place: _place, ...keys }) => keys)))
    await desk.send('a')
    await restore(paired)
    desk.client.start()
    await until(() => desk.tokens.includes('a'), 'what waited')
    await desk.send('b')
    await restore(null)
    desk.client.start()
    await until(() => desk.tokens.includes('b'), 'what waited under a database that does not know the pairing')
    expect(desk.stored).toEqual(paired)
  })

  it('and are not those of the database are not written over by a pairing', async () => {
    await pair()
    const [before] = keptKeys().map(({ place: _place, ...keys }) => keys)
    desk.secrets.set('mailbox', JSON.stringify([before]))
    await restore(null)
    await pair()
    expect(keptKeys()[0]).toEqual(before)
    await desk.send('c')
    desk.client.start()
    await until(() => desk.tokens.includes('c'), 'a result over the new pairing')
  })
})
