import { parentPort, workerData } from 'node:worker_threads'
import type { Picture } from '../recognise.ts'
import { LineReader } from './line-reader.ts'
import { isEnding, isRunning } from './line-thread.ts'
import type { FromLineThread, ToLineThread } from './line-thread.ts'

/** Entry of a thread that reads lines; started without flags it only keeps the binding of the models loaded. */
const port = parentPort
if (port === null) throw new Error('This is a worker thread.')
const flags = workerData as Int32Array | null
const reader = flags === null ? null : LineReader.load()
reader?.catch(() => undefined)
const send = (message: FromLineThread): void => port.postMessage(message)
if (reader === null) send('loaded')

port.on('message', (message: ToLineThread) => {
  if (message === 'end') return port.close()
  if (flags !== null) void read(message.picture, flags).then(send)
})

async function read(picture: Picture, shared: Int32Array): Promise<FromLineThread> {
  Atomics.store(shared, isRunning, 1)
  try {
    const beforeStep = (): void => {
      if (Atomics.load(shared, isEnding) === 1) throw new Error('ended')
    }
    const leanDegrees = await (await reader)?.read(picture, beforeStep, (line) => send({ line }))
    return leanDegrees === undefined ? { failed: 'no reader' } : { leanDegrees }
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  } finally {
    Atomics.store(shared, isRunning, 0)
    Atomics.notify(shared, isRunning)
  }
}
