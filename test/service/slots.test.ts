import { describe, expect, it } from 'vitest'
import { Slots } from '../../electron/service/slots.ts'
import type { Priority } from '../../electron/service/slots.ts'

/** The order in which works have their turn that all wait for one slot. */
async function orderOf(priorities: Priority[]): Promise<Priority[]> {
  const slots = new Slots(1)
  const first = Promise.withResolvers<void>()
  const order: Priority[] = []
  const running = [
    slots.run(() => first.promise, 'foreground'),
    ...priorities.map((priority) => slots.run(async () => void order.push(priority), priority)),
  ]
  first.resolve()
  await Promise.all(running)
  return order
}

describe('the places for documents', () => {
  it('go to those whose sender waits first', async () => {
    expect(await orderOf(['background', 'background', 'foreground', 'foreground'])).toEqual([
      'foreground',
      'foreground',
      'background',
      'background',
    ])
  })

  it('let what works in the background have every fourth turn, however many wait before it', async () => {
    expect(await orderOf(['background', 'background', ...Array<Priority>(7).fill('foreground')])).toEqual([
      'foreground',
      'foreground',
      'foreground',
      'background',
      'foreground',
      'foreground',
      'foreground',
      'background',
      'foreground',
    ])
  })

  it('are given back when the wait is broken off', async () => {
    const slots = new Slots(1)
    const first = Promise.withResolvers<void>()
    const held = slots.run(() => first.promise, 'foreground')
    const left = new AbortController()
    const gone = slots.run(async () => 'never', 'foreground', left.signal)
    left.abort(new Error('the client left'))
    await expect(gone).rejects.toThrow('the client left')
    first.resolve()
    await held
    expect(await slots.run(async () => 'next', 'background')).toBe('next')
  })
})
