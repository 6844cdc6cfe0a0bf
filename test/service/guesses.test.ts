import { describe, expect, it } from 'vitest'
import { GuessDelay } from '../../electron/service/access/guess-delay.ts'
import { startRig, tokenFrom } from './setup.ts'
import { eventually } from '../helpers/eventually.ts'
import { forNight } from '../helpers/scale.ts'

const wrong = (): never => {
  throw new Error('wrong')
}

/** Delays are noted, and over once `release` is called; at once when `isHeld` is false. */
function delayed({ isHeld } = { isHeld: false }): {
  delays: number[]
  release: () => void
  guess: (key: string) => Promise<string>
  know: (key: string) => Promise<string>
} {
  const delays: number[] = []
  const gate = Promise.withResolvers<void>()
  const guesses = new GuessDelay(async (ms) => {
    delays.push(ms)
    if (isHeld) await gate.promise
  })
  const ask = (key: string, check: () => string): Promise<string> =>
    guesses.run(key, check, () => true).catch((error: Error) => error.message)
  return { delays, release: gate.resolve, guess: (key) => ask(key, wrong), know: (key) => ask(key, () => 'right') }
}

describe('guesses of a secret', () => {
  it('go at once ten times, and then one after another with a delay that doubles up to 10 s', async () => {
    const { delays, guess } = delayed()
    await Promise.all(Array.from({ length: 10 }, () => guess('a')))
    expect(delays).toEqual([])
    await Promise.all(Array.from({ length: 10 }, () => guess('a')))
    expect(delays).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000])
  })

  it('do not delay others', async () => {
    const { delays, guess, know } = delayed()
    for (let count = 0; count < 10; count += 1) await guess('a')
    expect(await know('b')).toBe('right')
    expect(delays).toEqual([])
  })

  it('delay the right secret as well, which then ends it', async () => {
    const { delays, guess, know } = delayed()
    for (let count = 0; count < 11; count += 1) await guess('a')
    expect(await know('a')).toBe('right')
    expect(delays).toEqual([100, 200])
    await guess('a')
    expect(delays).toEqual([100, 200])
  })

  it('are told to come again where twenty wait', async () => {
    const { delays, release, guess } = delayed({ isHeld: true })
    for (let count = 0; count < 10; count += 1) await guess('a')
    const waiting = Array.from({ length: 20 }, () => guess('a'))
    await eventually(() => expect(delays).toHaveLength(1))
    expect(await guess('a')).toBe('The client secret was wrong too often.')
    release()
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['wrong']))
  })
})

describe('the token endpoint', () => {
  it('answers 429 to most of 500 guesses, and gives others their token meanwhile', forNight, async () => {
    const rig = await startRig()
    const query = new URLSearchParams({ client_id: 'nobody', client_secret: 'guess' })
    const statuses: number[] = []
    const guesses = Array.from({ length: 500 }, async () => {
      const response = await fetch(`${rig.service.baseUrl}/v2/token?${query.toString()}`).catch(() => null)
      await response?.body?.cancel()
      statuses.push(response?.status ?? 0)
    })
    await eventually(() => expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(400))
    expect(await tokenFrom(rig.credentials)).toEqual(expect.any(String))
    await rig.close()
    await Promise.all(guesses)
  })
})
