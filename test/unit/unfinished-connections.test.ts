import { createServer, request as sendRequest } from 'node:http'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { limitUnfinished, peerOf, tooMany } from '../../electron/system/unfinished-connections.ts'
import { until } from '../helpers/core.ts'

let server: Server | null = null
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server?.closeAllConnections()
  await new Promise((resolve) => server?.close(resolve))
})

type Limits = Parameters<typeof limitUnfinished>[1]

/** A server that answers 200 to a whole request; resolves with its port. */
async function serve(limits: Limits, answer = (end: () => void): void => end()): Promise<number> {
  const made = createServer({ requestTimeout: 0 }, (request, response) => {
    request.resume().once('end', () => answer(() => response.end('ok')))
  })
  limitUnfinished(made, limits)
  server = made
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
  return (made.address() as AddressInfo).port
}

/** Opens a connection, sends `text` and leaves it there. */
async function open(port: number, text: string): Promise<{ socket: Socket; isOpen: () => boolean }> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined).resume()
  await new Promise((resolve) => socket.once('connect', resolve))
  if (text !== '') await new Promise((resolve) => socket.write(text, resolve))
  return { socket, isOpen: () => !socket.closed && !socket.readableEnded }
}

function post(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = sendRequest({ port, host: '127.0.0.1', method: 'POST', agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.once('error', reject).end('body')
  })
}

const halfBody = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx'

it('gives up the connections that were silent longest, and a new sender gets in', async () => {
  const port = await serve({ most: 4 })
  const silent: Awaited<ReturnType<typeof open>>[] = []
  for (const text of ['', 'POST / HT', halfBody, halfBody]) silent.push(await open(port, text))
  expect(await post(port)).toBe(200)
  await until(() => !silent[0]!.isOpen(), 'the end of the first')
  expect(silent.slice(1).every(({ isOpen }) => isOpen())).toBe(true)
})

it('keeps the connection on which a body is still coming, although it is the oldest', async () => {
  const port = await serve({ most: 4 })
  const sender = await open(port, halfBody)
  const silent: Awaited<ReturnType<typeof open>>[] = []
  for (let count = 0; count < 10; count += 1) {
    silent.push(await open(port, halfBody))
    await new Promise((resolve) => sender.socket.write('x', resolve))
    // The byte has to be here before the next connection is looked at.
    expect(await post(port)).toBe(200)
  }
  await until(() => silent.filter(({ isOpen }) => isOpen()).length <= 4, 'the end of the silent ones')
  expect(sender.isOpen()).toBe(true)
})

it('breaks off no request that is whole and being answered', async () => {
  const waiting: (() => void)[] = []
  const port = await serve({ most: 1 }, (end) => void waiting.push(end))
  const answers: Promise<number>[] = []
  for (let count = 1; count <= 3; count += 1) {
    answers.push(post(port))
    await until(() => waiting.length === count, 'the request')
  }
  await open(port, '')
  await open(port, '')
  for (const end of waiting) end()
  expect(await Promise.all(answers)).toEqual([200, 200, 200])
})

it('ends a request that has gone silent, and not one that goes on slowly', async () => {
  const port = await serve({ most: 10, silenceMs: 300 })
  const slow = await open(port, halfBody)
  const silent = await open(port, halfBody)
  const dripping = setInterval(() => slow.socket.write('x'), 20)
  try {
    await until(() => !silent.isOpen(), 'the end of the silent one')
    expect(slow.isOpen()).toBe(true)
  } finally {
    clearInterval(dripping)
  }
})

it('takes from the address that holds most of them', () => {
  const connections = ['a', 'b', 'b', 'c'].map((peer, index) => [index, { peer }] as const)
  expect(tooMany(connections, 4)).toBe(null)
  expect(tooMany(connections, 3)).toBe(1)
})

it('takes a network of 64 bits, and an IPv4 address in either spelling, for one peer', () => {
  expect(peerOf('::ffff:192.0.2.1')).toBe(peerOf('192.0.2.1'))
  expect(peerOf('2001:db8:1:2:3:4:5:6')).toBe(peerOf('2001:db8:1:2::9'))
  expect(peerOf('2001:db8:1:3::9')).not.toBe(peerOf('2001:db8:1:2::9'))
})
