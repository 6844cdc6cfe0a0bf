import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { entryPath } from '../../electron/entries.ts'
import { ThreadPool } from '../../electron/reading/thread-pool.ts'
import type { extractionTasks } from '../../electron/service/extraction/thread-tasks.ts'
import { startService } from '../../electron/service/service.ts'
import { docx, pdf } from './documents.ts'
import { forNight, isLong, scaled } from '../helpers/scale.ts'
import { invoiceLines, invoiceParams } from './setup.ts'

const entry = entryPath('service')
const worker = entryPath('service-worker')
let dataDir: string
beforeEach(async () => {
  const made = await mkdtemp(join(tmpdir(), 'sheaf-service-data-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  dataDir = made
})

type Address = { baseUrl: string; credentialsPath: string }
type Started = Address & { child: ChildProcess; message: unknown }

async function startProcess(...more: string[]): Promise<Started> {
  const child = fork(entry, ['--data-dir', dataDir, '--worker', worker, ...more], { silent: true })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  const message = once(child, 'message').then(([value]) => value as unknown)
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string]
  const match = /^READY (http:\/\/127\.0\.0\.1:\d+) (.+)$/.exec(line)
  if (!match) throw new Error(`not READY: ${line}`)
  return { child, baseUrl: match[1]!, credentialsPath: match[2]!, message: await message }
}

async function tokenOf({ baseUrl, credentialsPath }: Address): Promise<string> {
  const { clientId, clientSecret } = JSON.parse(await readFile(credentialsPath, 'utf8')) as {
    clientId: string
    clientSecret: string
  }
  const response = await fetch(
    `${baseUrl}/v2/token?${new URLSearchParams({ client_id: clientId, client_secret: clientSecret }).toString()}`,
  )
  return ((await response.json()) as { access_token: string }).access_token
}

function extractorOf({ baseUrl }: Address, token: string): (body: object) => Promise<Response> {
  return (body) =>
    fetch(`${baseUrl}/v2/extractor`, { method: 'POST', headers: { 'x-api-key': token }, body: JSON.stringify(body) })
}

/**
 * One document asked for one field, which takes a moment, and for 2000 fields, which takes minutes; reading it is the
 * same.
 */
async function quickAndEndless(): Promise<{ quick: object; endless: object }> {
  const lines = Array.from(
    { length: scaled(60, 500) },
    (_, index) => `Position ${index}: ${index * 3} pieces of article ${index % 17} at ${index}.50 EUR`,
  )
  const document = { filename: 'long.docx', file: (await docx([...invoiceLines, ...lines])).toString('base64') }
  const fields = Array.from({ length: 2000 }, (_, index) => ({
    name: `Position ${index}`,
    format: 'number',
    description: `The pieces of article ${index}`,
  }))
  return { quick: { ...document, params: invoiceParams.slice(0, 1) }, endless: { ...document, params: fields } }
}

describe('the service’s process, while it extracts a document that takes minutes', () => {
  // The same by way of core is in test/faults/hostile.test.ts.
  it.runIf(isLong)('answers others, and fails the document when its time is over', async () => {
    // In this process, where the limit can be set: what extracts are the threads of the product all the same.
    const pool = new ThreadPool<typeof extractionTasks>({ workerPath: worker, size: 2 })
    onTestFinished(() => pool.close())
    const started = await startService({
      dataDir,
      read: (source, kind) => pool.run('read', { source, kind }),
      extract: (source, kind, schema) =>
        pool.run('extract', { source, kind, schema }, schema.length > 1 ? 2000 : undefined),
      useLanguages: (languages) => pool.useLanguages(languages),
    })
    onTestFinished(() => started.close())
    const post = extractorOf(started, await tokenOf(started))
    const { quick, endless } = await quickAndEndless()
    // Both threads have loaded what they need before that.
    await Promise.all([post(quick), post(quick)])
    let failed: { status: number; body: unknown } | null = null
    const failing = post(endless).then(
      async (response) => (failed = { status: response.status, body: await response.json() }),
    )
    const answers: unknown[] = []
    do answers.push(await (await post(quick)).json())
    while (failed === null)
    expect(await failing).toMatchObject({ status: 422, body: { code: 'file_too_complex' } })
    // The last was perhaps asked when the time was over already.
    expect(answers.length).toBeGreaterThan(1)
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 'success', data: { 'Invoice number': 'RE-2024-17' } })
  })

  it('ends by SIGTERM', forNight, async () => {
    const started = await startProcess()
    const post = extractorOf(started, await tokenOf(started))
    const { quick, endless } = await quickAndEndless()
    let answered = false
    const open = post(endless).then(
      () => (answered = true),
      () => undefined,
    )
    // Whoever comes after it is answered first: by then the long one is read and being extracted.
    for (let round = 0; round < 2; round++) expect((await post(quick)).status).toBe(200)
    expect(answered).toBe(false)
    started.child.kill('SIGTERM')
    expect(await once(started.child, 'exit')).toEqual([0, null])
    await open
  })
})

describe('the service’s process', () => {
  it('says READY with its address and the path of service.json, on stdout and to its parent', async () => {
    const started = await startProcess()
    expect(started.credentialsPath).toBe(join(dataDir, 'service.json'))
    expect(started.message).toEqual({
      type: 'ready',
      baseUrl: started.baseUrl,
      credentialsPath: started.credentialsPath,
    })
    expect(JSON.parse(await readFile(started.credentialsPath, 'utf8'))).toMatchObject({ baseUrl: started.baseUrl })
  })

  it('extracts a document', async () => {
    const started = await startProcess()
    const post = extractorOf(started, await tokenOf(started))
    const response = await post({
      filename: 'a.pdf',
      file: pdf(invoiceLines).toString('base64'),
      params: invoiceParams,
    })
    expect(await response.json()).toMatchObject({
      status: 'success',
      data: { 'Invoice number': 'RE-2024-17', 'Total amount': 119.5 },
    })
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
    const second = fork(entry, ['--data-dir', dataDir, '--worker', worker], { silent: true })
    onTestFinished(() => void second.kill('SIGKILL'))
    let said = ''
    second.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()))
    expect(await once(second, 'close')).toEqual([1, null])
    expect(said).toContain('already running')
    expect(said).not.toContain('at ')
  })

  it('ends with 2 and its usage when an argument is missing or wrong', async () => {
    for (const args of [
      [],
      ['--data-dir', dataDir],
      ['--data-dir', dataDir, '--worker', worker, '--port', '70000'],
      ['--data-dir', dataDir, '--worker', worker, '--stream-limit', 'long'],
      ['--data-dir', dataDir, '--worker', worker, '--silence-limit', '0'],
    ]) {
      const child = fork(entry, args, { silent: true })
      onTestFinished(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return
        child.kill('SIGKILL')
        await once(child, 'exit')
      })
      expect(await once(child, 'exit')).toEqual([2, null])
    }
  })
})
