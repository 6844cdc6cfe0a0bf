import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Extractor } from '../../electron/core/platform/extractor.ts'
import { HttpClient } from '../../electron/core/platform/http.ts'
import { TokenSource } from '../../electron/core/platform/token.ts'
import { diskAccess } from '../../electron/core/files/file-access.ts'
import { uploadBody } from '../../electron/core/platform/upload.ts'
import { temporaryDir } from '../helpers/core.ts'

const files = 8
const fileBytes = 36 * 1024 * 1024
const rounds = 3
const memoryLimitMb = 60
const timeLimit = 2.5

/**
 * Eight files of 36 MB at once through Sheaf's client, against eight `curl` that send bodies prepared before, to the
 * same server in the same run. Prints memory above idle and the ratio of the times, each against its limit.
 */
export async function run(): Promise<void> {
  const dir = temporaryDir()
  const sink = await startSink()
  try {
    const paths = await Promise.all(
      Array.from({ length: files }, (_, index) => makeFile(join(dir.path, `${index}.pdf`), index)),
    )
    const bodies = await Promise.all(paths.map((path) => prepareBody(path)))
    const curlMs: number[] = []
    const ours: { ms: number; aboveIdleMb: number }[] = []
    for (let round = 0; round < rounds; round += 1) {
      curlMs.push(await timed(() => Promise.all(bodies.map((path) => curl(sink.url, path)))))
      ours.push(await upload(sink.url, paths))
    }
    const ratio = median(ours.map(({ ms }) => ms)) / median(curlMs)
    const memory = Math.max(...ours.map(({ aboveIdleMb }) => aboveIdleMb))
    process.stdout.write(
      [
        `${files} files of 36 MB at once, ${rounds} rounds, bytes received: ${(await sink.received()) === BigInt(rounds * 2) * expectedBytes(bodies) ? 'exactly those sent' : 'WRONG'}`,
        `curl:  ${curlMs.map((ms) => `${Math.round(ms)} ms`).join(', ')}`,
        `Sheaf: ${ours.map(({ ms }) => `${Math.round(ms)} ms`).join(', ')}`,
        `time against curl (medians): ${ratio.toFixed(2)} of at most ${timeLimit}: ${verdict(ratio <= timeLimit)}`,
        `memory above idle (largest): ${memory.toFixed(1)} MB of at most ${memoryLimitMb}: ${verdict(memory <= memoryLimitMb)}`,
        '',
      ].join('\n'),
    )
  } finally {
    sink.close()
    dir.remove()
  }
}

const verdict = (good: boolean): string => (good ? 'held' : 'MISSED')

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

async function makeFile(path: string, seed: number): Promise<string> {
  await writeFile(path, Buffer.alloc(fileBytes, `document ${seed} `))
  return path
}

async function prepareBody(path: string): Promise<string> {
  const { size, mtimeMs } = statSync(path)
  const body = uploadBody(
    { files: diskAccess, path, name: 'a.pdf', sizeBytes: size, mtimeMs: Math.trunc(mtimeMs), sha256: null },
    {},
  )
  const target = `${path}.json`
  const handle = await open(target, 'w')
  for await (const chunk of body.chunks) await handle.write(chunk)
  await handle.close()
  return target
}

function expectedBytes(bodies: string[]): bigint {
  return bodies.reduce((sum, path) => sum + BigInt(statSync(path).size), 0n)
}

function curl(url: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('curl', [
      '-s',
      '-o',
      '/dev/null',
      '-H',
      'content-type: application/json',
      '-H',
      'Expect:',
      '-H',
      'x-api-key: t',
      '-T',
      path,
      '-X',
      'POST',
      `${url}/v2/extractor`,
    ])
    child.on('error', reject)
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`curl ended with ${String(code)}`))))
  })
}

async function upload(url: string, paths: string[]): Promise<{ ms: number; aboveIdleMb: number }> {
  const http = new HttpClient()
  const credentials = { baseUrl: url, clientId: 'c', clientSecret: 's' }
  const extractor = new Extractor(http, new TokenSource(http, credentials), false)
  globalThis.gc?.()
  const idle = process.memoryUsage.rss()
  const peak = { rss: idle }
  const timer = setInterval(() => (peak.rss = Math.max(peak.rss, process.memoryUsage.rss())), 5)
  const ms = await timed(() =>
    Promise.all(
      paths.map((path) => {
        const { size, mtimeMs } = statSync(path)
        return extractor.send({
          file: { files: diskAccess, path, name: 'a.pdf', sizeBytes: size, mtimeMs: Math.trunc(mtimeMs), sha256: null },
          params: null,
          agentReference: null,
          callback: null,
          signal: new AbortController().signal,
          timeoutMs: 600_000,
          stallMs: 600_000,
          onSent: () => undefined,
        })
      }),
    ),
  )
  clearInterval(timer)
  await http.close()
  return { ms, aboveIdleMb: (peak.rss - idle) / 1024 / 1024 }
}

/** A server that counts what it reads and throws it away, in a process of its own, so that its memory is not ours. */
async function startSink(): Promise<{ url: string; received: () => Promise<bigint>; close: () => void }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('sink.mjs', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data).trim())))
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    received: async () => BigInt(await (await fetch(`${url}/count`)).text()),
    close: () => void child.kill(),
  }
}
