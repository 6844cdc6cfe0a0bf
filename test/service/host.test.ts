import { afterAll, beforeAll, expect, it } from 'vitest'
import { rawExchange, rawRequest } from '../faults/raw-http.ts'
import { startRig } from './setup.ts'
import type { Rig } from './setup.ts'

let rig: Rig
beforeAll(async () => (rig = await startRig()))
afterAll(() => rig.close())

const ask = (target: string, hosts: readonly string[]): Promise<{ status: number; text: string }> =>
  rawExchange(
    rig.service.port,
    rawRequest(
      target,
      [...hosts, `Authorization: Bearer ${rig.token}`].map((line) => line.replace('PORT', String(rig.service.port))),
    ),
  )
const models = '/compat/v1/models'

it.each(['127.0.0.1:PORT', 'localhost:PORT', 'LocalHost:PORT', '[::1]:PORT'])(
  'answers who names it as a service of this computer: %s',
  async (host) => expect((await ask(models, [`Host: ${host}`])).status).toBe(200),
)

it.each([
  ['another name', ['Host: attacker.example:PORT']],
  ['a name that begins alike', ['Host: localhost.attacker.example:PORT']],
  ['another port', ['Host: 127.0.0.1:1']],
  ['no port', ['Host: 127.0.0.1']],
  ['two', ['Host: 127.0.0.1:PORT', 'Host: attacker.example']],
  ['none', []],
])('refuses a request that names another host: %s', async (_what, hosts) => {
  for (const path of [models, '/v2/token?client_id=a&client_secret=b']) {
    const { status, text } = await ask(path, hosts)
    expect(status).toBe(400)
    expect(text).toContain('invalid_request')
  }
})

it('refuses a request whose target names another host than its header', async () => {
  expect((await ask(`http://attacker.example${models}`, ['Host: 127.0.0.1:PORT'])).status).toBe(400)
})
