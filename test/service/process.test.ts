import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildReadingWorker } from '../helpers/build-worker.ts'
import type { BuiltWorker } from '../helpers/build-worker.ts'
import { pdf } from './documents.ts'
import { invoiceLines, invoiceParams } from './setup.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

let worker: BuiltWorker
let folder: string
let entry: string
let dataDir: string
const children: ChildProcess[] = []

beforeAll(async () => {
  worker = await buildReadingWorker()
  folder = await mkdtemp(join(tmpdir(), 'sheaf-service-entry-'))
  entry = join(folder, 'service.mjs')
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  await build({ entryPoints: [join(root, 'electron/service/main.ts')], outfile: entry, bundle: true, platform: 'node', format: 'esm', target: 'node22', packages: 'external', logLevel: 'silent' })
})
afterAll(async () => {
  await worker.remove()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sheaf-service-data-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await rm(dataDir, { recursive: true, force: true })
})

type Started = { child: ChildProcess; baseUrl: string; credentialsPath: string; message: unknown }

async function startProcess(...more: string[]): Promise<Started> {
  const child = fork(entry, ['--data-dir', dataDir, '--reading-worker', worker.path, ...more], { silent: true })
  children.push(child)
  const message = once(child, 'message').then(([value]) => value as unknown)
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string]
  const match = /^READY (http:\/\/127\.0\.0\.1:\d+) (.+)$/.exec(line)
  if (!match) throw new Error(`not READY: ${line}`)
  return { child, baseUrl: match[1]!, credentialsPath: match[2]!, message: await message }
}

async function tokenOf({ baseUrl, credentialsPath }: Started): Promise<string> {
  const { clientId, clientSecret } = JSON.parse(await readFile(credentialsPath, 'utf8')) as { clientId: string; clientSecret: string }
  const response = await fetch(`${baseUrl}/v2/token?${new URLSearchParams({ client_id: clientId, client_secret: clientSecret }).toString()}`)
  return ((await response.json()) as { access_token: string }).access_token
}

describe('the service’s process', () => {
  it('says READY with its address and the path of service.json, on stdout and to its parent', async () => {
    const started = await startProcess()
    expect(started.credentialsPath).toBe(join(dataDir, 'service.json'))
    expect(started.message).toEqual({ type: 'ready', baseUrl: started.baseUrl, credentialsPath: started.credentialsPath })
    expect(JSON.parse(await readFile(started.credentialsPath, 'utf8'))).toMatchObject({ baseUrl: started.baseUrl })
  })

  it('extracts a document', async () => {
    const started = await startProcess()
    const body = JSON.stringify({ filename: 'a.pdf', file: pdf(invoiceLines).toString('base64'), params: invoiceParams })
    const response = await fetch(`${started.baseUrl}/v2/extractor`, { method: 'POST', headers: { 'x-api-key': await tokenOf(started) }, body })
    expect(await response.json()).toMatchObject({ status: 'success', data: { 'Invoice number': 'RE-2024-17', 'Total amount': 119.5 } })
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('ends cleanly by %s', async (signal) => {
    const { child } = await startProcess()
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('ends when its parent is gone', async () => {
    const { child } = await startProcess()
    child.disconnect()
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('says in one sentence why it cannot start, and ends with 1', async () => {
    await startProcess()
    const second = fork(entry, ['--data-dir', dataDir, '--reading-worker', worker.path], { silent: true })
    children.push(second)
    let said = ''
    second.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()))
    expect(await once(second, 'close')).toEqual([1, null])
    expect(said).toContain('already running')
    expect(said).not.toContain('at ')
  })

  it('ends with 2 and its usage when an argument is missing or wrong', async () => {
    for (const args of [[], ['--data-dir', dataDir], ['--data-dir', dataDir, '--reading-worker', worker.path, '--port', '70000'], ['--data-dir', dataDir, '--reading-worker', worker.path, '--stream-limit', 'long']]) {
      const child = fork(entry, args, { silent: true })
      children.push(child)
      expect(await once(child, 'exit')).toEqual([2, null])
    }
  })
})
