import { parentPort } from 'node:worker_threads'
import { deserializeError, serializeError } from '../../shared/domain/errors.ts'
import type { FromThread, ToThread } from './thread-messages.ts'
import type { ReserveMemory, Picture, Recognise, Recognised } from './recognise.ts'

/** What a thread can do, by name. Input and result are what a structured clone can copy; throws an AppError. */
export type ThreadTasks = Record<
  string,
  (input: never, recognise: Recognise, reserveMemory: ReserveMemory) => Promise<unknown>
>

/** The thread's side of a ThreadPool, called once by the entry of a thread: runs each task that the pool asks for. */
export function serveThread(tasks: ThreadTasks): void {
  const port = parentPort
  if (port === null) throw new Error('This is a worker thread of a pool.')
  const open = new Map<number, { resolve: (recognised: Recognised) => void; reject: (error: Error) => void }>()
  let requests = 0
  const send = (message: FromThread, given: ArrayBuffer[] = []): void => port.postMessage(message, given)

  // Recognition happens on the pool's side: the recogniser has threads of its own that all threads share.
  const recognise = (picture: Picture): Promise<Recognised> =>
    new Promise((resolve, reject) => {
      const request = ++requests
      open.set(request, { resolve, reject })
      // Given away and not copied: who asks draws each picture for this alone.
      send({ type: 'recognise', request, picture }, [picture.pixels.buffer])
    })

  let onReserved: () => void = () => undefined
  const reserveMemory: ReserveMemory = (bytes) =>
    new Promise((resolve) => {
      onReserved = resolve
      send({ type: 'reserve', bytes })
    })

  async function run({ task, input }: Extract<ToThread, { type: 'run' }>): Promise<unknown> {
    const run = tasks[task]
    if (run === undefined) throw new Error(`no task «${task}»`)
    return run(input as never, recognise, reserveMemory)
  }

  // A parser that gives up on a damaged file may leave promises behind; the job has its own error by then.
  process.on('unhandledRejection', () => undefined)

  port.on('message', (message: ToThread) => {
    if (message.type === 'run') {
      run(message).then(
        (result) => send({ type: 'done', result }),
        (error: unknown) => send({ type: 'failed', error: serializeError(error) }),
      )
      return
    }
    if (message.type === 'reserved') return onReserved()
    const waiting = open.get(message.request)
    open.delete(message.request)
    if (message.type === 'recognised') waiting?.resolve(message.recognised)
    else waiting?.reject(deserializeError(message.error))
  })
}
