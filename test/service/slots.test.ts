import { describe, expect, it } from 'vitest'
import { Slots } from '../../electron/service/slots.ts'
import type { Urgency } from '../../electron/service/slots.ts'

/** The order in which works have their turn that all wait for one slot. */
async function orderOf(urgencies: Urgency[]): Promise<Urgency[]> {
  const slots = new Slots(1)
  const first = Promise.withResolvers<void>()
  const order: Urgency[] = []
  const running = [slots.run(() => first.promise, 'now'), ...urgencies.map((urgency) => slots.run(async () => void order.push(urgency), urgency))]
  first.resolve()
  await Promise.all(running)
  return order
}

describe('the places for documents', () => {
  it('go to those whose sender waits first', async () => {
    expect(await orderOf(['later', 'later', 'now', 'now'])).toEqual(['now', 'now', 'later', 'later'])
  })

  it('let what works in the background have every fourth turn, however many wait before it', async () => {
    expect(await orderOf(['later', 'later', ...Array<Urgency>(7).fill('now')])).toEqual(['now', 'now', 'now', 'later', 'now', 'now', 'now', 'later', 'now'])
  })

  it('are given back when the wait is broken off', async () => {
    const slots = new Slots(1)
    const first = Promise.withResolvers<void>()
    const held = slots.run(() => first.promise, 'now')
    const left = new AbortController()
    const gone = slots.run(async () => 'never', 'now', left.signal)
    left.abort(new Error('the client left'))
    await expect(gone).rejects.toThrow('the client left')
    first.resolve()
    await held
    expect(await slots.run(async () => 'next', 'later')).toBe('next')
  })
})
