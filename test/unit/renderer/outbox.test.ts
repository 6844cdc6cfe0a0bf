import { afterEach, describe, expect, it, vi } from 'vitest'
import { Outbox } from '../../../renderer/screens/review/outbox.ts'
import type { Change } from '../../../renderer/grid/grid-edits.ts'

/** Core as an outbox sees it: what was sent, in its order, each answered when the test says so. */
function heldCore() {
  const sent: unknown[] = []
  const answers: ((isTaken: boolean) => void)[] = []
  const hold = (what: unknown) => (): Promise<boolean> => {
    sent.push(what)
    return new Promise((resolve) => answers.push(resolve))
  }
  return {
    sent,
    hold,
    put: (outbox: Outbox, ...changes: Change[]) =>
      outbox.put(changes, (puts) => hold(puts.flat().map(({ value }) => value))()),
    /** Answers what was sent first and waits for what follows from that. */
    async answer(isTaken = true): Promise<void> {
      answers.shift()!(isTaken)
      await new Promise(setImmediate)
    },
  }
}
const value = (row: number, given: Change['value']): Change => ({ pointer: `/0/Items/${row}/Amount`, value: given })
const settled = () => new Promise(setImmediate)

afterEach(() => vi.useRealTimers())

describe('what a person does to a document', () => {
  it('goes to core one after the other, and values that are put meanwhile go together', async () => {
    const [outbox, core] = [new Outbox(), heldCore()]
    core.put(outbox, value(0, 1))
    await settled()
    core.put(outbox, value(1, 2))
    core.put(outbox, value(2, 3), value(3, 4))
    expect([core.sent, outbox.puts.flat().map((change) => change.value)]).toEqual([[[1]], [1, 2, 3, 4]])
    const isApproved = outbox.do(core.hold('approve'))
    await core.answer()
    expect(core.sent).toEqual([[1], [2, 3, 4]])
    await core.answer()
    expect([core.sent.at(-1), outbox.puts, outbox.isEmpty]).toEqual(['approve', [], false])
    await core.answer()
    expect([await isApproved, outbox.isEmpty]).toEqual([true, true])
  })

  it('keeps its order around rows that move, which no value is sent together with', async () => {
    const [outbox, core] = [new Outbox(), heldCore()]
    core.put(outbox, value(0, 1))
    await settled()
    core.put(outbox, value(1, 2))
    core.put(outbox, { pointer: '/0/Items', value: [{ Amount: 3 }] })
    core.put(outbox, value(0, 4))
    void outbox.drained()
    for (let answers = 0; answers < 3; answers += 1) await core.answer()
    expect(core.sent).toEqual([[1], [2], [[{ Amount: 3 }]], [4]])
  })

  it('leaves core a rest after values, three times as long as it took and half a second at most, which ends when somebody waits for them', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
    const [outbox, core] = [new Outbox(), heldCore()]
    core.put(outbox, value(0, 1))
    await settled()
    vi.advanceTimersByTime(100)
    await core.answer()
    core.put(outbox, value(1, 2))
    vi.advanceTimersByTime(299)
    await settled()
    expect(core.sent).toEqual([[1]])
    vi.advanceTimersByTime(1)
    await settled()
    expect(core.sent).toEqual([[1], [2]])
    vi.advanceTimersByTime(1000)
    await core.answer()
    core.put(outbox, value(2, 3))
    vi.advanceTimersByTime(499)
    await settled()
    expect(core.sent).toEqual([[1], [2]])
    const drained = outbox.drained()
    await settled()
    expect(core.sent).toEqual([[1], [2], [3]])
    await core.answer()
    await drained
    expect(outbox.isEmpty).toBe(true)
  })

  it('goes on after what core refused, and says where nothing was answered yet', async () => {
    const [outbox, core] = [new Outbox(), heldCore()]
    core.put(outbox, value(0, 1))
    const isConfirmed = outbox.do(core.hold('confirm'), '/0/Total')
    await settled()
    expect(outbox.places).toEqual(['/0/Items/0/Amount', '/0/Total'])
    await core.answer(false)
    expect([core.sent, outbox.places]).toEqual([[[1], 'confirm'], ['/0/Total']])
    await core.answer()
    expect(await isConfirmed).toBe(true)
  })

  it('is sent at once when the window ends, each by itself, in its order, and once only', async () => {
    const [outbox, core] = [new Outbox(), heldCore()]
    core.put(outbox, value(0, 1))
    await settled()
    core.put(outbox, value(1, 2))
    core.put(outbox, value(2, 3))
    const isApproved = outbox.do(core.hold('approve'))
    outbox.sendAll()
    expect(core.sent).toEqual([[1], [2], [3], 'approve'])
    await core.answer()
    expect([core.sent.length, await isApproved, outbox.isEmpty]).toEqual([4, false, true])
  })

  it('is sent as ever in a window that comes back after its end', async () => {
    const [outbox, core] = [new Outbox(), heldCore()]
    core.put(outbox, value(0, 1))
    await settled()
    core.put(outbox, value(1, 2))
    outbox.sendAll()
    core.put(outbox, value(2, 3))
    void outbox.drained()
    await core.answer()
    expect(core.sent).toEqual([[1], [2], [3]])
  })
})
