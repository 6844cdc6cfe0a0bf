import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Core } from '../../electron/core/core.ts'
import { serveWindow } from '../../electron/browser/serve-window.ts'
import type { BrowserHost } from '../../electron/browser/serve-window.ts'
import { startMailbox } from '../../electron/mailbox/server.ts'
import type { Mailbox } from '../../electron/mailbox/server.ts'
import { startControl } from '../../electron/service/routes/control-listener.ts'
import type { ControlListener } from '../../electron/service/routes/control-listener.ts'
import { callChannel, serveIpc } from '../../electron/desktop/ipc.ts'
import { calls } from '../../shared/contract/contract.ts'
import type { CallName } from '../../shared/contract/contract.ts'
import { dispatch } from '../../shared/contract/dispatch.ts'
import type { Answer } from '../../shared/contract/dispatch.ts'
import { AppError, isErrorCode } from '../../shared/domain/errors.ts'
import { namedHost } from '../../electron/system/named-host.ts'
import type { ControlHandlers } from '../../shared/wire/service-control.ts'
import { simpleSchema, startTestCore, temporaryDir, until } from '../helpers/core.ts'
import { openWindowSession } from '../helpers/window-session.ts'
import type { WindowSession } from '../helpers/window-session.ts'
import { randomFor } from './fuzz/kit.ts'
import { hostileTexts, inputFor } from './fuzz/calls-input.ts'
import { rawExchange, rawRequest } from './raw-http.ts'

const canary = 'canary-trust-secret'
const dir = temporaryDir()
let core: Core
let host: BrowserHost
let control: ControlListener
let mailbox: Mailbox
let session: WindowSession
/** Calls that a listener's handlers were asked for, although nobody may. */
const reached: string[] = []
const ports = { window: 0, control: 0, callbacks: 0, mailbox: 0 }

beforeAll(async () => {
  const rendererDir = join(dir.path, 'renderer')
  mkdirSync(rendererDir)
  mkdirSync(join(dir.path, 'renderer-beside'))
  writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><title>Sheaf</title>')
  for (const name of ['secret.txt', 'renderer-beside/secret.txt', 'secrets.json'])
    writeFileSync(join(dir.path, name), canary)
  core = await startTestCore(join(dir.path, 'data'), {
    secrets: { get: async () => canary, set: async () => undefined, remove: async () => undefined },
    localService: {
      start: () => Promise.reject(new AppError('service_not_started', { detail: 'not here' })),
      suspend: async () => undefined,
      stop: async () => undefined,
    },
  })
  core.queue.pause()
  host = await serveWindow(core, { port: 0, rendererDir })
  const asked = new Proxy(
    {},
    {
      get: (_, name) => async () => void reached.push(String(name)),
      has: () => true,
      getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true }),
    },
  )
  control = await startControl(asked as ControlHandlers)
  mailbox = await startMailbox({
    dataDir: join(dir.path, 'mailbox'),
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'https://mailbox.test',
  })
  ports.window = Number(new URL(host.launchUrl).port)
  ports.control = Number(new URL(control.url).port)
  ports.callbacks = (await core.handlers['callbacks.get']({})).port
  ports.mailbox = Number(new URL(mailbox.url).port)
  session = await openWindowSession(host.launchUrl)
})
afterAll(async () => {
  await host.close()
  await control.close()
  await mailbox.close()
  await core.stop({ atOnce: true })
  dir.remove()
})

type Door = 'window' | 'control'
/** Everything that opens a door but its host and origin. */
const key = (door: Door): string => `Authorization: Bearer ${door === 'window' ? session.secret : control.key}`
/** The same for a WebSocket of the window. */
const offer = (): string => `Sec-WebSocket-Protocol: ${session.protocols.join(', ')}`
const own = (door: Door): string => `127.0.0.1:${ports[door]}`
const call = JSON.stringify({ name: 'organizations.list', input: {} })
const askedFor = { window: '/upload?purpose=draft&name=a.pdf', control: '/' }
const ask = (door: Door, headers: string[], target = askedFor[door]): Promise<{ status: number; text: string }> =>
  rawExchange(ports[door], rawRequest(target, headers, 'POST', call))

describe('F37 who is not the person, or not a program of this computer', () => {
  it('finds the doors open to those who are', async () => {
    expect((await ask('window', [`Host: ${own('window')}`, key('window')])).status).toBe(200)
    expect((await ask('control', [`Host: ${own('control')}`, key('control')])).status).toBe(200)
    expect(reached.splice(0)).toEqual(['organizations.list'])
  })

  describe.each(['window', 'control'] as const)('at the %s', (door) => {
    it.each<[string, (door: Door) => string[], string?]>([
      ['Host: evil.test', (at) => ['Host: evil.test', key(at)]],
      ['a name that was turned to this computer (DNS rebinding)', (at) => [`Host: evil.test:${ports[at]}`, key(at)]],
      ['this computer without the port', (at) => ['Host: 127.0.0.1', key(at)]],
      ['another port of this computer', (at) => ['Host: 127.0.0.1:80', key(at)]],
      ['two hosts, the right one first', (at) => [`Host: ${own(at)}`, 'Host: evil.test', key(at)]],
      ['two hosts, the right one last', (at) => ['Host: evil.test', `Host: ${own(at)}`, key(at)]],
      ['the right host twice', (at) => [`Host: ${own(at)}`, `Host: ${own(at)}`, key(at)]],
      ['two hosts in one', (at) => [`Host: ${own(at)}, evil.test`, key(at)]],
      ['a user before the host', (at) => [`Host: evil.test@${own(at)}`, key(at)]],
      ['an empty host', (at) => ['Host: ', key(at)]],
      ['no host', (at) => [key(at)]],
      ['Origin: null', (at) => [`Host: ${own(at)}`, 'Origin: null', key(at)]],
      ['Origin: https://evil.test', (at) => [`Host: ${own(at)}`, 'Origin: https://evil.test', key(at)]],
      ['the origin of another port', (at) => [`Host: ${own(at)}`, 'Origin: http://127.0.0.1:1', key(at)]],
      ['a target in absolute form', (at) => [`Host: ${own(at)}`, key(at)], 'http://evil.test/'],
      ['our own address in absolute form', (at) => [`Host: ${own(at)}`, key(at)], 'http://127.0.0.1/'],
      ['a target that begins a host', (at) => [`Host: ${own(at)}`, key(at)], '//evil.test/'],
      ['no key', (at) => [`Host: ${own(at)}`]],
      ['a wrong key', (at) => [`Host: ${own(at)}`, key(at).slice(0, -3)]],
      ['another key beside the right one', (at) => [`Host: ${own(at)}`, 'Authorization: Bearer x', key(at)]],
    ])('with %s is refused before anything is routed', async (_what, headers, target) => {
      const answer = await ask(door, headers(door), target)
      // Without any host the parser of HTTP refuses (RFC 9112, 3.2); the control says 401 where only its key is wrong.
      expect([400, 401, 403]).toContain(answer.status)
      expect(answer.text).not.toContain('<title>')
      expect(reached).toEqual([])
    })
  })

  it.each<[string, () => string[]]>([
    ['a foreign origin', () => [`Host: ${own('window')}`, 'Origin: https://evil.test', offer()]],
    ['the origin null', () => [`Host: ${own('window')}`, 'Origin: null', offer()]],
    ['no origin', () => [`Host: ${own('window')}`, offer()]],
    ['no secret', () => [`Host: ${own('window')}`, `Origin: http://${own('window')}`]],
    ['a foreign host', () => ['Host: evil.test', `Origin: http://${own('window')}`, offer()]],
  ])('gets no WebSocket with %s', async (_what, headers) => {
    const upgrade = [
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ]
    const answer = await rawExchange(
      ports.window,
      `GET /ws HTTP/1.1\r\n${[...headers(), ...upgrade].join('\r\n')}\r\n\r\n`,
    )
    expect(answer.status).toBe(403)
  })

  it('gets no WebSocket at another address, also with the right headers', async () => {
    const headers = [
      `Host: ${own('window')}`,
      `Origin: http://${own('window')}`,
      offer(),
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ]
    for (const target of ['//', '/', '/wss', '/ws/', 'http://evil.test/ws', '*']) {
      expect([
        target,
        (await rawExchange(ports.window, `GET ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)).status,
      ]).toEqual([target, 403])
    }
  })

  it.each(['callbacks', 'mailbox'] as const)(
    'gets nothing from the port of the %s without a token, whatever it is called',
    async (port) => {
      const targets = [
        '/',
        '/callback',
        '/callback/',
        `/callback/${'x'.repeat(43)}`,
        '/callback/../callback/x',
        'http://evil.test/callback/x',
        '//callback/x',
        '*',
        '/v1/messages',
        '/pair',
        '/ws',
        '/favicon.ico',
        '/callback/%00',
      ]
      for (const target of targets) {
        for (const headers of [
          ['Host: evil.test'],
          [`Host: 127.0.0.1:${ports[port]}`, 'Origin: null'],
          ['Host: evil.test', 'Authorization: Bearer x'],
          ['Host: a', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='],
        ]) {
          for (const [method, body] of [
            ['POST', '{"data":{}}'],
            ['GET', ''],
            ['OPTIONS', ''],
          ] as const) {
            const { status, text } = await rawExchange(ports[port], rawRequest(target, headers, method, body))
            expect([400, 401, 403, 404, 405], `${method} ${target}`).toContain(status)
            expect(text.toLowerCase()).not.toMatch(/access-control-allow|<html|stack|node_modules/)
          }
        }
      }
      expect(core.context.tables.documents.openCount()).toBe(0)
    },
  )

  it('is named by one host only', () => {
    expect(namedHost({ url: '/', rawHeaders: ['HOST', 'LocalHost:1', 'x', 'y'] })).toBe('localhost:1')
    expect(namedHost({ url: '/', rawHeaders: ['x', 'host'] })).toBeNull()
    expect(namedHost({ url: undefined, rawHeaders: ['host', 'a'] })).toBeNull()
  })
})

/** An answer of core may say no, in words that a person has, and may never tell a secret. */
function expectHarmless(name: string, answer: Answer): void {
  const said = JSON.stringify(answer)
  expect(said, name).not.toContain(canary)
  expect(said, name).not.toContain('root:x:0:0')
  if (!answer.ok) {
    expect(isErrorCode(answer.error.code), name).toBe(true)
    expect(answer.error.code, `${name}: ${said}`).not.toBe('internal')
  }
}

const names = Object.keys(calls) as CallName[]
const isSlow = (name: string): boolean => name === 'storage.backUp'
const place = (): string[] => [join(dir.path, 'not-there'), 'not-there/../..', join(dir.path, 'secrets.json')]

/** Calls that the contract knows, with inputs that nobody means. */
function hostileCalls(seed: number, count: number): { name: string; input: unknown }[] {
  return Array.from({ length: count }, (_, index) => {
    const random = randomFor(seed, index)
    const name = names.filter((one) => !isSlow(one))[index % (names.length - 1)]!
    return { name, input: inputFor(random, calls[name].input, place()) }
  })
}

describe('F41 calls that the window would never make', () => {
  // What is no place is looked for beside the process: not beside the sources.
  const before = process.cwd()
  beforeAll(() => {
    mkdirSync(join(dir.path, 'beside'))
    process.chdir(join(dir.path, 'beside'))
  })
  afterAll(() => process.chdir(before))

  it('are answered over the WebSocket by a refusal or a harmless answer, and what is no message by nothing', async () => {
    const socket = new WebSocket(`ws://${own('window')}/ws`, session.protocols, {
      headers: { origin: `http://${own('window')}` },
    })
    await new Promise((resolve) => socket.once('open', resolve))
    const answers = new Map<number, Answer>()
    socket.on('message', (data) => {
      const heard = JSON.parse(String(data)) as { id?: number; answer?: Answer }
      if (heard.id !== undefined) answers.set(heard.id, heard.answer!)
    })
    for (const message of [
      '',
      'null',
      '[]',
      '{',
      '{"id":"1","name":"app.state"}',
      '{"id":null}',
      '{"name":"app.state"}',
      Buffer.from([0xff, 0xfe]),
      '"'.repeat(100_000),
    ])
      socket.send(message)
    const sent = hostileCalls(1, 300)
    for (const [id, { name, input }] of sent.entries())
      socket.send(JSON.stringify({ id, name, input, extra: '__proto__' }))
    await until(() => answers.size === sent.length, 'all answers')
    for (const [id, { name }] of sent.entries()) expectHarmless(name, answers.get(id)!)
    socket.send(Buffer.alloc(5 * 1024 * 1024, '['))
    await new Promise((resolve) => socket.once('close', resolve))
    expect((await ask('window', [`Host: ${own('window')}`, key('window')])).status).toBe(200)
  })

  it('are answered the same over Electron', async () => {
    type Handler = Parameters<Parameters<typeof serveIpc>[0]['handle']>[1]
    const holder: { handler: Handler | null } = { handler: null }
    const mainFrame = { url: 'sheaf://app/' }
    const window = { mainFrame, isDestroyed: () => false, send: () => undefined }
    const channels: string[] = []
    serveIpc(
      { handle: (channel, handler) => (channels.push(channel), (holder.handler = handler)) },
      core.handlers,
      core.onEvent,
      { webContents: window },
      (url) => url === 'sheaf://app/',
    )
    expect(channels).toEqual([callChannel])
    const trusted = { sender: window, senderFrame: mainFrame }
    for (const { name, input } of hostileCalls(2, 200))
      expectHarmless(name, (await holder.handler!(trusted, name, input)) as Answer)
    for (const name of ['__proto__', 'constructor', 'hasOwnProperty', 'app.state\0', 7, null, {}, ['app.state']])
      expect(await holder.handler!(trusted, name, {})).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  })

  it('name what is not there and are told so', async () => {
    for (const ids of [
      { schemaId: 999, connectionId: 1 },
      { schemaId: 1, connectionId: 999 },
    ]) {
      for (const [name, input] of [
        ['folders.add', { path: dir.path, ...ids }],
        ['folders.update', { id: 999, ...ids }],
      ] as const) {
        expect(await dispatch(calls, core.handlers, name, input), name).toMatchObject({
          ok: false,
          error: { code: 'not_found' },
        })
      }
    }
  })

  it('reach nothing by an address of the window, however the way out is written', async () => {
    const ways = [
      '..',
      '%2e%2e',
      '.%2e',
      '%252e%252e',
      '..%2f',
      '..%5c',
      '..\\',
      '%c0%ae%c0%ae',
      '....//',
      '..;',
      '..%00',
      '%2e%2e%2f',
    ]
    const targets = [
      ...ways.flatMap((way) => [
        `/${way}/secret.txt`,
        `/${way}secret.txt`,
        `/${way}/renderer-beside/secret.txt`,
        `/assets/${way}/${way}/secrets.json`,
        `/files/${way}/1`,
        `/files/${way}`,
        `/exports/1/${way}`,
        `/exports/${way}/${way}`,
      ]),
      '/files/1e0',
      '/files/0x1',
      '/files/-1',
      '/files/NaN',
      '/files/',
      '/files/1/2',
      '/exports/1/-1',
      '/exports/1/__proto__',
      '/exports/1/length',
      '/exports/1/0/..',
      `/${join(dir.path, 'secret.txt')}`,
      '/index.html/',
      '/index.html%00.txt',
      '/renderer-beside/secret.txt',
      ...hostileTexts.map((text) => `/${encodeURIComponent(text.toWellFormed()).slice(0, 3000)}`),
    ]
    for (const target of targets) {
      const { status, text } = await rawExchange(
        ports.window,
        rawRequest(target, [`Host: ${own('window')}`, key('window')]),
      )
      expect(text, target).not.toContain(canary)
      if (!/<title>Sheaf/.test(text)) expect([400, 403, 404], target).toContain(status)
    }
  })

  it('leave every upload in its folder, under one name of its own', async () => {
    const { tables, now } = core.context
    const schemaId = tables.schemas.save(null, 'Uploads', [...simpleSchema], now()).id
    const connectionId = tables.connections.local().id
    const outside = readdirSync(dir.path).sort()
    const uploads = hostileTexts.map((text) => encodeURIComponent(`${text.toWellFormed().slice(0, 1500)}.pdf`))
    for (const name of uploads) {
      const target = `/upload?name=${name}&schemaId=${schemaId}&connectionId=${connectionId}`
      expect(
        (
          await rawExchange(
            ports.window,
            rawRequest(target, [`Host: ${own('window')}`, key('window')], 'POST', `%PDF-1.7 ${name} %%EOF`),
          )
        ).status,
        name,
      ).toBe(200)
    }
    const inbox = join(dir.path, 'data', 'inbox', `${schemaId}-${connectionId}`)
    expect(readdirSync(inbox, { withFileTypes: true }).filter((entry) => entry.isFile())).toHaveLength(uploads.length)
    expect(readdirSync(dir.path).sort()).toEqual(outside)
    for (const ids of [
      'schemaId=../1&connectionId=1',
      'schemaId=1&connectionId=..%2f1',
      'schemaId=999999&connectionId=1',
      `schemaId=${schemaId}&connectionId=NaN`,
      '',
    ]) {
      const refused = await rawExchange(
        ports.window,
        rawRequest(`/upload?name=a.pdf&${ids}`, [`Host: ${own('window')}`, key('window')], 'POST', 'x'),
      )
      expect(refused.status, ids).toBe(400)
      expect(refused.text).toContain('not_found')
    }
  })
})
