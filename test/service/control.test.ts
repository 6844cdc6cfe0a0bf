import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRig } from './setup.ts'
import type { Rig } from './setup.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.close())

function ask(body: string, headers: Record<string, string> = {}, path = '', method = 'POST'): Promise<Response> {
  const { url, key } = rig.credentials.control
  return fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...headers },
    ...(method === 'GET' ? {} : { body }),
  })
}

const list = JSON.stringify({ name: 'organizations.list', input: {} })

/** A request as bytes, since a browser's and fetch's own headers cannot be chosen. */
async function raw(request: string): Promise<string> {
  const socket = connect(Number(new URL(rig.credentials.control.url).port), '127.0.0.1')
  socket.end(request)
  return text(socket)
}

describe('the control of the service', () => {
  it('answers whoever has the key of service.json', async () => {
    const response = await ask(list)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      ok: true,
      value: {
        organizations: [
          {
            id: 'local',
            name: 'This computer',
            apiEnabled: true,
            subscribed: true,
            quotaTokens: null,
            spendingCapEuros: null,
            eurosPerMillionTokens: 0,
          },
        ],
      },
    })
  })

  it.each([
    ['no key', ''],
    ['another key', `Bearer ${'x'.repeat(43)}`],
    ['a key that is cut', 'Bearer '],
  ])('refuses %s', async (_, authorization) => {
    const response = await ask(list, { authorization })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ ok: false })
  })

  it('refuses the token and the secret of the public interface', async () => {
    for (const secret of [rig.token, rig.credentials.clientSecret])
      expect((await ask(list, { authorization: `Bearer ${secret}` })).status).toBe(401)
  })

  it('has a new key at each start, and the old one opens nothing', async () => {
    const { key } = rig.credentials.control
    await rig.restart()
    expect(rig.credentials.control.key).not.toBe(key)
    expect((await ask(list, { authorization: `Bearer ${key}` })).status).toBe(401)
  })

  it('refuses another host, as a name that was turned to this computer would send', async () => {
    const { key } = rig.credentials.control
    for (const host of ['sheaf.example', 'localhost', '127.0.0.1']) {
      const answer = await raw(
        `POST / HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\ncontent-length: ${list.length}\r\nconnection: close\r\n\r\n${list}`,
      )
      expect(answer).toMatch(/^HTTP\/1.1 403 /)
    }
  })

  it('is on loopback, on a port of its own, and not reached through the public one', async () => {
    const control = new URL(rig.credentials.control.url)
    expect(control.hostname).toBe('127.0.0.1')
    expect(control.port).not.toBe(String(rig.service.port))
    const { key } = rig.credentials.control
    expect(
      (await fetch(rig.service.baseUrl, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: list }))
        .status,
    ).toBe(404)
  })

  it.each([
    ['no JSON', 'nothing'],
    ['no object', '[1]'],
    ['no name', '{"input":{}}'],
  ])('refuses a call that is %s', async (_, body) => {
    const response = await ask(body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  })

  it('refuses a call over 1 MB, said or not', async () => {
    const large = JSON.stringify({ name: 'organizations.list', input: { more: 'x'.repeat(1024 * 1024) } })
    expect((await ask(large)).status).toBe(413)
    const { url, key } = rig.credentials.control
    const chunked = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: new Blob([large]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(chunked.status).toBe(413)
  })

  it('knows one path and one method', async () => {
    expect((await ask(list, {}, 'more')).status).toBe(404)
    expect((await ask(list, {}, '', 'PUT')).status).toBe(405)
    expect((await ask(list, {}, '', 'GET')).status).toBe(405)
  })

  it('checks the input of each call and names what is wrong', async () => {
    const response = await ask(JSON.stringify({ name: 'usage.month', input: { organizationId: '' } }))
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', details: { problem: expect.stringContaining('organizationId') as string } },
    })
    for (const name of ['nothing', 'constructor', '__proto__']) {
      expect(await (await ask(JSON.stringify({ name, input: {} }))).json()).toMatchObject({
        ok: false,
        error: { code: 'invalid_input' },
      })
    }
  })
})
