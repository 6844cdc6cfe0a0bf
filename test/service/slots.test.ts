import { describe, expect, it } from 'vitest'
import { Slots } from '../../electron/service/slots.ts'
import type { Priority } from '../../electron/service/slots.ts'

/** The order in which works have their turn that all wait for one slot. */
async function orderOf(priorities: Priority[]): Promise<Priority[]> {
  const slots = new Slots(1)
  const first = Promise.withResolvers<void>()
  const order: Priority[] = []
  const running = [
    slots.run(() => first.promise, 'document'),
    ...priorities.map((priority) => slots.run(async () => void order.push(priority), priority)),
  ]
  first.resolve()
  await Promise.all(running)
  return order
}

describe('the places for documents', () => {
  it('go first to those whose sender waits, and before pictures to what is read at once', async () => {
    expect(await orderOf(['background', 'picture', 'picture', 'document', 'document'])).toEqual([
      'document',
      'document',
      'picture',
      'picture',
      'background',
    ])
  })

  it('let pictures and the background have every fourth turn, however many wait before them', async () => {
    const waiting: Priority[] = ['background', 'background', ...Array<Priority>(9).fill('document'), 'picture']
    const order = await orderOf([...waiting, ...Array<Priority>(5).fill('picture')])
    const turnsOf = (priority: Priority): number[] => order.flatMap((each, index) => (each === priority ? [index] : []))
    // The one before them had the first turn.
    expect(turnsOf('document')).toEqual([0, 1, 3, 4, 5, 7, 8, 9, 11])
    expect(turnsOf('background')).toEqual([12, 16])
  })

  it('that pictures leave are for what is read at once', async () => {
    const slots = new Slots(3)
    const held = Promise.withResolvers<void>()
    const began: string[] = []
    const run = (name: string, priority: Priority): Promise<void> =>
      slots.run(() => {
        began.push(name)
        return held.promise
      }, priority)
    const running = [run('one', 'picture'), run('two', 'picture'), run('three', 'picture'), run('invoice', 'document')]
    await Promise.resolve()
    expect(began).toEqual(['one', 'two', 'invoice'])
    held.resolve()
    await Promise.all(running)
    expect(began).toEqual(['one', 'two', 'invoice', 'three'])
  })

  it('are given back when the wait is broken off', async () => {
    const slots = new Slots(1)
    const first = Promise.withResolvers<void>()
    const held = slots.run(() => first.promise, 'document')
    const left = new AbortController()
    const gone = slots.run(async () => 'never', 'document', left.signal)
    left.abort(new Error('the client left'))
    await expect(gone).rejects.toThrow('the client left')
    first.resolve()
    await held
    expect(await slots.run(async () => 'next', 'background')).toBe('next')
  })
})
