import { afterEach, expect, it, vi } from 'vitest'
import { startRig, tokenFrom } from './setup.ts'
import type { Rig } from './setup.ts'

let rig: Rig
afterEach(() => rig.close())

async function guess(clientId: string): Promise<number> {
  const query = new URLSearchParams({ client_id: clientId, client_secret: 'guess' })
  const response = await fetch(`${rig.service.baseUrl}/v2/token?${query.toString()}`)
  await response.body?.cancel()
  return response.status
}

it.each(['one that there is', 'one that there is not'])(
  'slows down guesses of the secret of a client: %s',
  async (which) => {
    rig = await startRig()
    const { baseUrl, clientId, clientSecret } = rig.credentials
    const victim = which === 'one that there is' ? clientId : 'nobody'
    const startedAt = performance.now()
    for (let count = 0; count < 10; count += 1) expect(await guess(victim)).toBe(401)
    expect(performance.now() - startedAt).toBeLessThan(2000)
    const statuses: number[] = []
    const guesses = Array.from({ length: 490 }, async () => void statuses.push(await guess(victim).catch(() => 0)))
    const seen = (wanted: number): number => statuses.filter((status) => status === wanted).length
    await vi.waitFor(() => expect(seen(401) >= 3 && seen(429) >= 460).toBe(true), 20_000)
    // 100, 200 and 400 ms.
    expect(performance.now() - startedAt).toBeGreaterThan(700)
    if (victim !== clientId) expect(await tokenFrom({ baseUrl, clientId, clientSecret })).toEqual(expect.any(String))
    expect(seen(401)).toBeLessThan(10)
    await rig.service.close()
    await Promise.all(guesses)
  },
)

it('forgets failures once the secret was right', async () => {
  rig = await startRig()
  for (let round = 0; round < 3; round += 1) {
    for (let count = 0; count < 9; count += 1) expect(await guess(rig.credentials.clientId)).toBe(401)
    const startedAt = performance.now()
    expect(await tokenFrom(rig.credentials)).toEqual(expect.any(String))
    expect(performance.now() - startedAt).toBeLessThan(1000)
  }
})
