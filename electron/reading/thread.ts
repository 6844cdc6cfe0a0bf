import { parentPort } from 'node:worker_threads'
import type { Token } from '../../shared/document.ts'
import { carry, uncarry } from './messages.ts'
import type { FromThread, ToThread } from './messages.ts'
import type { Picture, Recognise } from './recognise.ts'

/** What a thread can do, by name: enters what a structured clone can carry, leaves the like or throws an AppError. */
export type Works = Record<string, (input: never, recognise: Recognise) => Promise<unknown>>

/** The thread's side of a ThreadPool, called once by the entry of a thread: does each work that the pool asks for. */
export function serveThread(works: Works): void {
  const port = parentPort
  if (port === null) throw new Error('This is a worker thread of a pool.')
  const open = new Map<number, { resolve: (tokens: Token[]) => void; reject: (error: Error) => void }>()
  let requests = 0
  const send = (message: FromThread): void => port.postMessage(message)

  // Recognition happens on the pool's side: the recogniser is a thread of its own that all threads share.
  const recognise = (picture: Picture): Promise<Token[]> =>
    new Promise((resolve, reject) => {
      const request = ++requests
      open.set(request, { resolve, reject })
      send({ type: 'recognise', request, picture })
    })

  async function run({ work, input }: Extract<ToThread, { type: 'run' }>): Promise<unknown> {
    const run = works[work]
    if (run === undefined) throw new Error(`no work «${work}»`)
    return run(input as never, recognise)
  }

  // A parser that gives up on a damaged file may leave promises behind; the job has its own error by then.
  process.on('unhandledRejection', () => undefined)

  port.on('message', (message: ToThread) => {
    if (message.type === 'run') {
      run(message).then(
        (result) => send({ type: 'done', result }),
        (error: unknown) => send({ type: 'failed', error: carry(error) }),
      )
      return
    }
    const waiting = open.get(message.request)
    open.delete(message.request)
    if (message.type === 'recognised') waiting?.resolve(message.tokens)
    else waiting?.reject(uncarry(message.error))
  })
}
