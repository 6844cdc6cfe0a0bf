import { readFile } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import type { Document, Token } from '../../shared/document.ts'
import { AppError } from '../../shared/errors.ts'
import { carry, uncarry } from './messages.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { readDocument } from './read.ts'
import type { Picture } from './recognise.ts'

/** Entry of a reading thread: enters a file's path or bytes, leaves its Document or a carried AppError. */
const port = parentPort
if (port === null) throw new Error('This is a worker thread of the reading pool.')

const open = new Map<number, { resolve: (tokens: Token[]) => void; reject: (error: Error) => void }>()
let requests = 0

const send = (message: FromWorker): void => port.postMessage(message)

// Recognition happens on the pool's side: the recogniser is a thread of its own that all readers share.
function recognise(picture: Picture): Promise<Token[]> {
  return new Promise((resolve, reject) => {
    const request = ++requests
    open.set(request, { resolve, reject })
    send({ type: 'recognise', request, picture })
  })
}

async function load(source: string | Uint8Array): Promise<Uint8Array> {
  if (typeof source !== 'string') return source
  try {
    return await readFile(source)
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new AppError(missing ? 'file_missing' : 'file_unreadable', {}, { cause: error })
  }
}

async function read(message: Extract<ToWorker, { type: 'read' }>): Promise<Document> {
  return readDocument(await load(message.source), message.kind, recognise)
}

// A parser that gives up on a damaged file may leave promises behind; the job has its own error by then.
process.on('unhandledRejection', () => undefined)

port.on('message', (message: ToWorker) => {
  if (message.type === 'read') {
    read(message).then(
      (document) => send({ type: 'done', document }),
      (error: unknown) => send({ type: 'failed', error: carry(error) }),
    )
    return
  }
  const waiting = open.get(message.request)
  open.delete(message.request)
  if (message.type === 'recognised') waiting?.resolve(message.tokens)
  else waiting?.reject(uncarry(message.error))
})
