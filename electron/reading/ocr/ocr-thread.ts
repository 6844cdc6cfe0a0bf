import { parentPort, workerData } from 'node:worker_threads'
import type { Picture } from '../recognise.ts'
import { textOf } from './characters.ts'
import { judgedLines, languageOf } from './line-language.ts'
import { LineReader } from './line-reader.ts'
import { giveUpTurn, isEnding, isRunning } from './line-thread.ts'
import type { FromLineThread, SharedWithThread, ToLineThread } from './line-thread.ts'

/** Entry of a thread that reads lines; started without flags it only keeps the binding of the models loaded. */
const port = parentPort
if (port === null) throw new Error('This is a worker thread.')
const shared = workerData as SharedWithThread | null
const reader = shared === null ? null : LineReader.load((run) => inTurn(shared, run))
reader?.catch(() => undefined)
const send = (message: FromLineThread): void => port.postMessage(message)
if (reader === null) send('loaded')

port.on('message', (message: ToLineThread) => {
  if (message === 'end') return port.close()
  if (shared !== null) void read(message.picture, shared.flags).then(send)
})

async function read(picture: Picture, flags: Int32Array): Promise<FromLineThread> {
  Atomics.store(flags, isRunning, 1)
  try {
    const beforeStep = (): void => {
      if (Atomics.load(flags, isEnding) === 1) throw new Error('ended')
    }
    const texts: string[] = []
    let telling: Promise<void> | null = null
    const tell = async (): Promise<void> => send({ language: await languageOf(texts) })
    const leanDegrees = await (await reader)?.read(picture, beforeStep, (line) => {
      send({ line })
      if (texts.push(textOf(line.characters)) === judgedLines) telling = tell()
    })
    await (texts.length > 0 ? (telling ?? tell()) : null)
    return leanDegrees === undefined ? { failed: 'no reader' } : { leanDegrees }
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  } finally {
    Atomics.store(flags, isRunning, 0)
    Atomics.notify(flags, isRunning)
  }
}

/** Waits until no other thread has its turn, and blocks meanwhile: a thread reads one picture at a time. */
async function inTurn<Result>({ id, turn }: SharedWithThread, run: () => Promise<Result>): Promise<Result> {
  for (let holder; (holder = Atomics.compareExchange(turn, 0, 0, id)) !== 0; ) Atomics.wait(turn, 0, holder)
  try {
    return await run()
  } finally {
    giveUpTurn(turn, id)
  }
}
