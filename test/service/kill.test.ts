import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { picture, pdf } from './documents.ts'
import { startReceiver } from './receiver.ts'
import type { Receiver } from './receiver.ts'
import { invoiceParams, tokenFrom } from './setup.ts'
import { scaled } from '../helpers/scale.ts'

const launcher = fileURLToPath(new URL('../../electron/launch.mjs', import.meta.url))
const jobs = scaled(10, 50)
/** Pictures take longest and come first, so that the others are surely still waiting when the process is killed. */
const pictures = scaled(1, 4)

let dataDir: string
let receiver: Receiver
let running: ChildProcess | null = null
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sheaf-kill-'))
  receiver = await startReceiver()
})
afterEach(async () => {
  await kill()
  await receiver.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** `sheaf service` as a person starts it, in a process group of its own; resolves with its address. */
async function startService(): Promise<{ baseUrl: string; credentialsPath: string }> {
  running = spawn(process.execPath, [launcher, 'service', '--allow-private-callbacks'], {
    env: { ...process.env, SHEAF_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const [line] = (await once(createInterface(running.stdout!), 'line')) as [string]
  const [, baseUrl, credentialsPath] = /^READY (\S+) (.+)$/.exec(line) ?? []
  return { baseUrl: baseUrl!, credentialsPath: credentialsPath! }
}

/** kill -9 of everything that was started; nothing gets a chance to put things in order. */
async function kill(): Promise<void> {
  const child = running
  running = null
  if (child === null || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f'])
  else process.kill(-child.pid!, 'SIGKILL')
  await gone
}

const numberOf = (index: number): string => `RE-2024-${100 + index}`
const totalOf = (index: number): number => 100 + index + 0.25
const linesOf = (index: number): string[] => [
  `Invoice number: ${numberOf(index)}`,
  `Total amount: ${totalOf(index).toFixed(2)}`,
]

async function documentOf(index: number): Promise<{ filename: string; file: string }> {
  const isPicture = index < pictures
  const bytes = isPicture ? await picture(linesOf(index), 'png') : pdf(linesOf(index))
  return { filename: `${index}.${isPicture ? 'png' : 'pdf'}`, file: bytes.toString('base64') }
}

const delivered = (): Set<unknown> => new Set(receiver.calls.map(({ body }) => body['extract_id']))

async function deliveredAtLeast(count: number): Promise<void> {
  for (let calls = 1; delivered().size < count; calls++) await receiver.next(calls)
}

it(`sends all ${jobs} webhooks, each with its own data, when it is killed twice with the jobs in work`, async () => {
  const { baseUrl, credentialsPath } = await startService()
  const credentials = JSON.parse(await readFile(credentialsPath, 'utf8')) as {
    clientId: string
    clientSecret: string
  }
  const token = await tokenFrom({ ...credentials, baseUrl })
  const accept = async (index: number): Promise<string> => {
    const body = JSON.stringify({
      ...(await documentOf(index)),
      params: invoiceParams,
      callback: `${receiver.url}/${index}`,
    })
    const response = await fetch(`${baseUrl}/v2/extractor/async`, {
      method: 'POST',
      headers: { 'x-api-key': token },
      body,
    })
    expect(response.status).toBe(200)
    return ((await response.json()) as { extract_id: string }).extract_id
  }
  const indices = Array.from({ length: jobs }, (_, index) => index)
  const first = await Promise.all(indices.slice(0, pictures).map(accept))
  const ids = [...first, ...(await Promise.all(indices.slice(pictures).map(accept)))]
  await kill()
  expect(delivered().size).toBeLessThan(jobs / 2)

  await startService()
  await deliveredAtLeast(jobs / 5)
  await kill()
  expect(delivered().size).toBeLessThan(jobs)

  await startService()
  await deliveredAtLeast(jobs)
  expect(delivered()).toEqual(new Set(ids))
  for (const { path, body } of receiver.calls) {
    const index = Number(path.split('/').at(-1))
    expect(body).toEqual({
      status: 'success',
      extract_id: ids[index],
      data: { 'Invoice number': numberOf(index), 'Total amount': totalOf(index) },
      metadata: {
        filename: `${index}.${index < pictures ? 'png' : 'pdf'}`,
        duration: expect.stringMatching(/^\d+$/) as string,
        tokens_consumed: 6,
      },
    })
  }
})
