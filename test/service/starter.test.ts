import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ServiceStarter } from '../../electron/service/starter.ts'
import { entryPath } from '../../electron/entries.ts'
import { forNight } from '../helpers/scale.ts'

const entry = entryPath('service')
const worker = entryPath('service-worker')
let dataDir: string
const starters: ServiceStarter[] = []
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sheaf-starter-'))
})
afterEach(async () => {
  for (const starter of starters.splice(0)) await starter.stop()
  await rm(dataDir, { recursive: true, force: true })
})

function starter(): ServiceStarter {
  const made = new ServiceStarter({ entry, worker, dataDir, allowPrivateCallbacks: false })
  starters.push(made)
  return made
}

const serves = (baseUrl: string): Promise<boolean> =>
  fetch(`${baseUrl}/v2/token`).then(
    ({ status }) => status === 400,
    () => false,
  )

describe('the starter of the service', () => {
  it('starts one service for all who ask, and ends it', async () => {
    const own = starter()
    const [one, two] = await Promise.all([own.start(), own.start()])
    expect(two).toEqual(one)
    expect(await serves(one.baseUrl)).toBe(true)
    await own.stop()
    expect(await serves(one.baseUrl)).toBe(false)
    await expect(own.start()).rejects.toMatchObject({ code: 'service_not_started' })
  })

  it('ends a service that does not end when it is asked to', async () => {
    const stubborn = join(dataDir, 'stubborn.mjs')
    // It names its process where the credentials would be, and hears nothing from then on.
    const file = {
      baseUrl: 'http://127.0.0.1:1',
      clientId: 'c',
      clientSecret: 's',
      control: { url: 'http://127.0.0.1:2', key: 'k' },
      privateCallbacks: false,
    }
    await writeFile(join(dataDir, 'stubborn.json'), JSON.stringify(file))
    await writeFile(
      stubborn,
      `
      import { writeFileSync } from 'node:fs'
      process.on('SIGTERM', () => undefined)
      writeFileSync(${JSON.stringify(join(dataDir, 'pid'))}, String(process.pid))
      process.send({ type: 'ready', credentialsPath: ${JSON.stringify(join(dataDir, 'stubborn.json'))} }, () => { for (;;); })`,
    )
    const own = new ServiceStarter({
      entry: stubborn,
      worker,
      dataDir,
      allowPrivateCallbacks: false,
      endTimeoutMs: 200,
    })
    await own.start()
    const pid = Number(await readFile(join(dataDir, 'pid'), 'utf8'))
    expect(process.kill(pid, 0)).toBe(true)
    await own.stop()
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it('uses the service that another program runs with the same folder, and leaves it running', async () => {
    const other = fork(entry, ['--data-dir', dataDir, '--worker', worker], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const [{ baseUrl }] = (await once(other, 'message')) as [{ baseUrl: string }]
    try {
      const guest = starter()
      expect((await guest.start()).baseUrl).toBe(baseUrl)
      await guest.stop()
      expect(await serves(baseUrl)).toBe(true)
    } finally {
      other.kill()
      await once(other, 'exit')
    }
  })

  it('starts one of its own once the other has ended', async () => {
    const [host, guest] = [starter(), starter()]
    const first = await host.start()
    expect(await guest.start()).toEqual(first)
    await host.stop()
    const second = await guest.start()
    expect(second.baseUrl).not.toBe(first.baseUrl)
    expect(second.clientId).toBe(first.clientId)
    expect(await serves(second.baseUrl)).toBe(true)
  })

  it('makes one service when several begin at the same moment', forNight, async () => {
    const files = await Promise.all([starter(), starter(), starter()].map((each) => each.start()))
    expect(new Set(files.map(({ baseUrl }) => baseUrl)).size).toBe(1)
  })

  it('shows no credentials to whoever answers at the address that a dead service left', async () => {
    const file = await starter().start()
    await starters.splice(0)[0]!.stop()
    const asked: string[] = []
    const stranger = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end('{"ok":true,"value":{}}')
    })
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`
    await writeFile(
      join(dataDir, 'service.json'),
      JSON.stringify({ ...file, baseUrl: url, control: { url, key: file.control.key } }),
    )
    const again = await starter().start()
    expect(again.baseUrl).not.toBe(url)
    expect(again.clientId).toBe(file.clientId)
    expect(asked).toEqual([])
    expect(JSON.parse(await readFile(join(dataDir, 'service.json'), 'utf8'))).toEqual(again)
    stranger.close()
  })
})
