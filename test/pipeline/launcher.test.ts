import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { simpleSchema, temporaryDir, until } from '../helpers/core.ts'
import { forNight } from '../helpers/scale.ts'
import { startSheaf } from '../helpers/sheaf.ts'

let dir: ReturnType<typeof temporaryDir>
const at = (...parts: string[]): string => join(dir.path, ...parts)
beforeEach(() => {
  dir = temporaryDir()
})
afterEach(() => dir.remove())

/**
 * Makes each Node write, when it starts, its script, its threads, glibc's arenas, how far its heap grows between
 * collections and the megabytes that new objects take when many of them live.
 */
function recorder(): string {
  const script = `
    import { appendFileSync } from 'node:fs'
    import { basename } from 'node:path'
    import { getHeapSpaceStatistics } from 'node:v8'
    import { isMainThread } from 'node:worker_threads'
    if (isMainThread) {
      for (let round = 0; round < 60; round += 1) Array.from({ length: 40_000 }, (_, index) => ({ name: 'x' + index, list: [index] }))
      const { space_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
      appendFileSync(${JSON.stringify(at('starts'))}, JSON.stringify({ script: basename(process.argv[1]), threads: process.env.UV_THREADPOOL_SIZE, arenas: process.env.MALLOC_ARENA_MAX, growth: process.execArgv.find((option) => option.startsWith("--heap-growing")), newMb: space_size / 1024 / 1024 }) + '\\n')
    }`
  writeFileSync(at('recorder.mjs'), script)
  return `--import ${pathToFileURL(at('recorder.mjs')).href}`
}

type Start = { script: string; threads?: string; arenas?: string; growth?: string; newMb: number }

describe('what starts Sheaf', () => {
  const extractOnce = async (environment: Record<string, string>): Promise<Start[]> => {
    writeFileSync(at('schema.json'), JSON.stringify(simpleSchema))
    copyFileSync(fileURLToPath(new URL('../fixtures/samples/INV-20418.pdf', import.meta.url)), at('invoice.pdf'))
    const run = await startSheaf(['extract', at('invoice.pdf'), '--schema', at('schema.json')], {
      ...environment,
      SHEAF_DATA_DIR: at('data'),
      NODE_OPTIONS: recorder(),
    }).ended
    expect(run.code, run.stderr).toBe(0)
    return readFileSync(at('starts'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Start)
  }

  it('gives it and its service 32 MB for new objects, a heap that grows by a fifth between collections, threads enough for folders that hang, and two arenas of memory for them', async () => {
    const {
      UV_THREADPOOL_SIZE: _threads,
      MALLOC_ARENA_MAX: _arenas,
      ...environment
    } = process.env as Record<string, string>
    const starts = await extractOnce(environment)
    // The first is the launcher, which does nothing but wait.
    expect(starts.map(({ script, threads, arenas, growth }) => [script, threads, arenas, growth])).toEqual([
      ['launch.mjs', undefined, undefined, undefined],
      ['launch.mjs', '16', '2', '--heap-growing-percent=20'],
      ['service.mjs', '16', '2', '--heap-growing-percent=20'],
    ])
    for (const { newMb } of starts.slice(1)) expect(newMb).toBeLessThan(36)
  })

  it('leaves what the environment says of threads and arenas', forNight, async () => {
    const starts = await extractOnce({
      ...(process.env as Record<string, string>),
      UV_THREADPOOL_SIZE: '8',
      MALLOC_ARENA_MAX: '4',
    })
    expect(starts.map(({ threads, arenas }) => [threads, arenas])).toEqual([
      ['8', '4'],
      ['8', '4'],
      ['8', '4'],
    ])
  })

  it.each([
    ['a mailbox', ['mailbox', '--data-dir', 'mailbox', '--port', '0', '--public-url', 'https://mailbox.test']],
    ['the service', ['service']],
  ])('ends %s cleanly however often the system asks', async (_what, command) => {
    const running = startSheaf(command, { SHEAF_DATA_DIR: at('data') }, dir.path)
    await until(() => running.output.stdout.includes('READY'), 'it to be ready')
    // Also while it is about to be gone, when nobody listens to the request any more.
    const asking = setInterval(() => running.child.kill('SIGTERM'), 1)
    expect(await running.ended.finally(() => clearInterval(asking))).toMatchObject({ code: 0 })
  })
})
