import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { toAppError } from '../../shared/domain/errors.ts'
import { sentenceFor } from '../../shared/messages/sentences.ts'
import { releaseMemoryAfterWork } from '../system/memory.ts'
import { readPolicies } from '../system/policies.ts'
import { ThreadPool } from '../reading/thread-pool.ts'
import type { extractionTasks } from './extraction/thread-tasks.ts'
import { startService } from './service.ts'

/**
 * The service's process: `--data-dir DIR --port N --worker PATH [--allow-private-callbacks]`, and how long a model may
 * take: `[--stream-limit SECONDS]` for one answer, `[--silence-limit SECONDS]` between two words of it. Says `READY
 * <baseUrl> <path of service.json>` on stdout and, to a parent over IPC, `{type: 'ready'}`. Ends by SIGTERM, SIGINT, or
 * when the parent is gone. Exit 1 with a sentence when it cannot start.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'data-dir': { type: 'string' },
      port: { type: 'string', default: '0' },
      worker: { type: 'string' },
      'allow-private-callbacks': { type: 'boolean', default: false },
      'stream-limit': { type: 'string' },
      'silence-limit': { type: 'string' },
    },
  })
  const dataDir = values['data-dir']
  const workerPath = values.worker
  const port = Number(values.port)
  const streamMs = millisecondsOf(values['stream-limit'])
  const silenceMs = millisecondsOf(values['silence-limit'])
  const isWrong = [streamMs, silenceMs].some(Number.isNaN) || !Number.isInteger(port) || port < 0 || port > 65_535
  if (!dataDir || !workerPath || isWrong) {
    process.stderr.write(
      'Usage: --data-dir DIR --worker PATH [--port N] [--allow-private-callbacks] [--stream-limit SECONDS] [--silence-limit SECONDS]\n',
    )
    process.exit(2)
  }

  releaseMemoryAfterWork()
  const { values: policies } = await readPolicies()
  // One more than the cores: a document whose pictures are recognised only waits.
  const concurrency = Math.max(2, Math.min(4, cpus().length)) + 1
  const pool = new ThreadPool<typeof extractionTasks>({
    workerPath,
    size: concurrency,
  })
  const service = await startService({
    dataDir,
    port,
    policies,
    read: (source, kind) => pool.run('read', { source, kind }),
    extract: (source, kind, schema) => pool.run('extract', { source, kind, schema }),
    useLanguages: (languages) => pool.useLanguages(languages),
    allowPrivateCallbacks: values['allow-private-callbacks'],
    limits: {
      ...(streamMs === undefined ? {} : { streamDurationMs: streamMs, answerTimeoutMs: streamMs }),
      ...(silenceMs === undefined ? {} : { silenceTimeoutMs: silenceMs }),
    },
    concurrency,
  }).catch(async (error: unknown) => {
    await pool.close()
    throw error
  })

  let stopping = false
  const stop = async (): Promise<void> => {
    if (stopping) return
    stopping = true
    // The threads go first: a request in the middle of a long document must not hold the end up.
    const closed = service.close()
    await pool.close()
    await closed
    process.exit(0)
  }
  const stopNow = (): void => void stop().catch(() => process.exit(1))
  process.on('SIGTERM', stopNow)
  process.on('SIGINT', stopNow)
  process.on('disconnect', stopNow)

  process.stdout.write(`READY ${service.baseUrl} ${service.credentialsPath}\n`)
  notifyParent({ type: 'ready', baseUrl: service.baseUrl, credentialsPath: service.credentialsPath })
}

/** From seconds; undefined when there are none, NaN when they are no number above 0. */
function millisecondsOf(seconds: string | undefined): number | undefined {
  if (seconds === undefined) return undefined
  return Number(seconds) > 0 ? Number(seconds) * 1000 : Number.NaN
}

/** Sends a message to the parent of a plain child process, or of Electron's utility process. */
function notifyParent(message: object): void {
  const { parentPort } = process as { parentPort?: { postMessage(message: object): void } }
  if (parentPort !== undefined) parentPort.postMessage(message)
  else process.send?.(message)
}

main().catch((thrown: unknown) => {
  const error = toAppError(thrown)
  process.stderr.write(`${sentenceFor(error.code, error.details, 'en')}\n`)
  process.exit(1)
})
