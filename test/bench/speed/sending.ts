import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pdfBytes, simpleSchema } from '../../helpers/core.ts'
import { sheaf } from '../../helpers/sheaf.ts'
import { vendorCredentials } from '../../helpers/vendor.ts'
import { beside, group, msOf } from './group.ts'

const slots = 8

export type Platform = {
  url: string
  environment: Record<string, string>
  figures: () => Promise<{ bytes: string; documents: number; spanMs: number }>
  close: () => void
}

/** A platform in a process of its own, so that what it takes is not ours. */
export async function startPlatform(delayMs = 0): Promise<Platform> {
  const script = fileURLToPath(new URL('platform.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, String(delayMs)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  const url = `http://127.0.0.1:${port.toString().trim()}`
  return {
    url,
    environment: {
      SHEAF_BASE_URL: url,
      SHEAF_CLIENT_ID: vendorCredentials.clientId,
      SHEAF_CLIENT_SECRET: vendorCredentials.clientSecret,
    },
    figures: async () => (await (await fetch(`${url}/figures`)).json()) as Awaited<ReturnType<Platform['figures']>>,
    close: () => void child.kill(),
  }
}

/** Writes so many documents of one size into a folder. Returns its path. */
export function filesIn(dir: string, name: string, count: number, bytes: number): string {
  const folder = join(dir, name)
  mkdirSync(folder, { recursive: true })
  for (let index = 0; index < count; index += 1)
    writeFileSync(join(folder, `${index}.pdf`), pdfBytes(`document ${index}`, bytes))
  return folder
}

/** Runs `sheaf extract` on a folder to its end, in a data folder of its own where none is named. */
export async function extract(
  dir: string,
  folder: string,
  environment: Record<string, string>,
  dataDir = join(dir, 'data'),
): Promise<void> {
  const schema = join(dir, 'schema.json')
  writeFileSync(schema, JSON.stringify(simpleSchema))
  const args = ['extract', folder, '--schema', schema, '--json', '--concurrency', String(slots)]
  const { code, stderr } = await sheaf(args, { SHEAF_DATA_DIR: dataDir, ...environment })
  if (code !== 0) throw new Error(`sheaf ended with ${code}: ${stderr.slice(-500)}`)
}

async function curl(config: string): Promise<void> {
  const child = spawn('curl', ['--parallel', '--parallel-max', String(slots), '--config', config], {
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const [code] = (await once(child, 'exit')) as [number]
  if (code !== 0) throw new Error(`curl ended with ${code}`)
}

/** Bodies as a request has them, prepared before, and what tells curl to send each. */
function curlConfig(dir: string, url: string, count: number, bytes: number): string {
  const parts = Array.from({ length: count }, (_, index) => {
    const body = join(dir, `${index}.json`)
    const file = pdfBytes(`document ${index}`, bytes).toString('base64')
    writeFileSync(body, JSON.stringify({ filename: `${index}.pdf`, file, params: simpleSchema }))
    return [
      `url = "${url}/v2/extractor"`,
      `data-binary = "@${body}"`,
      'header = "content-type: application/json"',
      'header = "expect:"',
      'output = "/dev/null"',
    ].join('\n')
  })
  const config = join(dir, 'curl.txt')
  writeFileSync(config, parts.join('\nnext\n'))
  return config
}

const small = { count: 1000, bytes: 100 * 1024 }
const slow = { count: 500, bytes: 3000, delayMs: 50 }

export const sending = [
  group({
    name: 'small-files',
    rounds: 5,
    figures: { time: { what: '1,000 × 100 KiB, answers at once, against curl --parallel', limit: 3, unit: '×' } },
    async measure(dir, round) {
      const platform = await startPlatform()
      try {
        const folder = filesIn(dir, 'in', small.count, small.bytes)
        const config = curlConfig(dir, platform.url, small.count, small.bytes)
        return {
          time: await beside(
            round,
            () => extract(dir, folder, platform.environment),
            () => curl(config),
          ),
        }
      } finally {
        platform.close()
      }
    },
  }),
  group({
    name: 'slow-answers',
    rounds: 5,
    figures: {
      sending: { what: '500 × 50 ms in 8 slots, from the first send, against the floor', limit: 1.1, unit: '×' },
      whole: { what: 'the whole command, against the floor', limit: 1.4, unit: '×' },
    },
    async measure(dir) {
      const platform = await startPlatform(slow.delayMs)
      try {
        const folder = filesIn(dir, 'in', slow.count, slow.bytes)
        const floorMs = Math.ceil(slow.count / slots) * slow.delayMs
        const wholeMs = await msOf(() => extract(dir, folder, platform.environment))
        const { spanMs } = await platform.figures()
        return { sending: spanMs / floorMs, whole: wholeMs / floorMs }
      } finally {
        platform.close()
      }
    },
  }),
]
