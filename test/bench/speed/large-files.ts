import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { diskAccess } from '../../../electron/core/files/file-access.ts'
import { Extractor } from '../../../electron/core/platform/extractor.ts'
import { HttpClient } from '../../../electron/core/platform/http.ts'
import { TokenSource } from '../../../electron/core/platform/token.ts'
import { uploadBody } from '../../../electron/core/platform/upload.ts'
import type { UploadFile } from '../../../electron/core/platform/upload.ts'
import { besideWithMemory, group } from './group.ts'
import { startPlatform } from './sending.ts'

const files = 8
const fileBytes = 36 * 1024 * 1024

/** Eight files of 36 MB at once through Sheaf's client, against eight `curl` that send bodies prepared before. */
export const largeFiles = group({
  name: 'large-files',
  rounds: 5,
  figures: {
    time: { what: '8 × 36 MiB at once, against curl', limit: 1.3, unit: '×' },
    memory: { what: 'memory above idle meanwhile', limit: 20, unit: 'MB', isWorst: true },
    delay: { what: 'delay of the loop meanwhile, 99 of 100', limit: 5, unit: 'ms', isWorst: true },
    longest: { what: 'the longest', limit: 20, unit: 'ms', isWorst: true },
  },
  async measure(dir, round) {
    const platform = await startPlatform()
    try {
      const paths = await Promise.all(Array.from({ length: files }, (_, index) => fileAt(dir, index)))
      const bodies = await Promise.all(paths.map((path) => bodyOf(path)))
      const delays = monitorEventLoopDelay({ resolution: 1 })
      const { time, memory } = await besideWithMemory(
        round,
        async () => {
          delays.enable()
          await upload(platform.url, paths)
          delays.disable()
        },
        () => Promise.all(bodies.map((path) => curl(platform.url, path))),
      )
      const sent = bodies.reduce((sum, path) => sum + BigInt(statSync(path).size), 0n)
      if ((await platform.figures()).bytes !== String(2n * sent)) throw new Error('not every byte arrived')
      return { time, memory, delay: delays.percentile(99) / 1e6, longest: delays.max / 1e6 }
    } finally {
      platform.close()
    }
  },
})

async function fileAt(dir: string, number: number): Promise<string> {
  const path = join(dir, `${number}.pdf`)
  await writeFile(path, Buffer.alloc(fileBytes, `document ${number} `))
  return path
}

function uploadFile(path: string): UploadFile {
  const { size, mtimeMs } = statSync(path)
  return { files: diskAccess, path, name: 'a.pdf', sizeBytes: size, mtimeMs: Math.trunc(mtimeMs), sha256: null }
}

async function bodyOf(path: string): Promise<string> {
  const handle = await open(`${path}.json`, 'w')
  for await (const chunk of uploadBody(uploadFile(path), {}).chunks) await handle.write(chunk)
  await handle.close()
  return `${path}.json`
}

async function curl(url: string, path: string): Promise<void> {
  const headers = ['content-type: application/json', 'expect:', 'x-api-key: t'].flatMap((header) => ['-H', header])
  const child = spawn('curl', ['-s', '-o', '/dev/null', ...headers, '-T', path, '-X', 'POST', `${url}/v2/extractor`])
  const [code] = (await once(child, 'exit')) as [number]
  if (code !== 0) throw new Error(`curl ended with ${code}`)
}

async function upload(url: string, paths: string[]): Promise<void> {
  const http = new HttpClient()
  const extractor = new Extractor(
    http,
    new TokenSource(http, { baseUrl: url, clientId: 'c', clientSecret: 's' }),
    false,
  )
  const limits = { timeoutMs: 600_000, stallMs: 600_000 }
  const { signal } = new AbortController()
  const asked = { params: null, agentReference: null, callback: null, signal, onSent: () => undefined }
  await Promise.all(paths.map((path) => extractor.send({ file: uploadFile(path), ...asked, ...limits })))
  await http.close()
}
