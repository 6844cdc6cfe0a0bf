import { availableParallelism } from 'node:os'
import { AppError, toAppError } from '../../../shared/domain/errors.ts'
import { readingLanguages } from '../../../shared/domain/reading-languages.ts'
import type { ReadingLanguage } from '../../../shared/domain/reading-languages.ts'
import type { Picture, Recognised } from '../recognise.ts'
import { limitTime } from '../time-limit.ts'
import type { SeenLine } from './line-reader.ts'
import { languagesFor } from './line-language.ts'
import { LineThread } from './line-thread.ts'
import { placedOnSheet, sheetFor, withoutDoubles } from './placing.ts'
import { SecondReader } from './second-reader.ts'
import { wordsOfLine } from './two-readings.ts'
import type { Word } from './two-readings.ts'

/** Two readers that read one picture at a time, each in a thread of its own. */
type Lane = {
  lines: Promise<LineThread> | null
  second: { languages: readonly ReadingLanguage[]; reader: Promise<SecondReader> } | null
  stop: ((error: AppError) => void) | null
}

// a lane holds about half a gigabyte
const maxLanes = 2

/**
 * Two readers for pictures, started at the first one and kept: as many pictures at a time as there are cores, at most
 * two. Each is read in the language that its first lines are in, of all until others are chosen; where that cannot be
 * told, in all of these. Never reaches for the network.
 */
export class Recogniser {
  readonly #lanes: Lane[] = Array.from({ length: Math.min(maxLanes, availableParallelism()) }, () => ({
    lines: null,
    second: null,
    stop: null,
  }))
  readonly #free: Lane[] = [...this.#lanes]
  readonly #waiting: ((lane: Lane) => void)[] = []
  #languages: readonly ReadingLanguage[] = readingLanguages
  readonly #dataFolders: readonly string[]

  constructor(dataFolders: readonly string[] = []) {
    this.#dataFolders = dataFolders
  }

  /**
   * Reads in these languages from the next picture on, in a new thread where they are others: data that is not needed
   * is not held.
   */
  useLanguages(languages: readonly ReadingLanguage[]): void {
    this.#languages = readingLanguages.filter((language) => languages.includes(language))
  }

  /**
   * Words with boxes, line by line. Takes the picture's pixels away. Rejects with AppError `file_too_complex` when one
   * picture takes more than `timeoutMs` of the processor (its threads are ended then), `interrupted` when `close` came
   * first, `internal` when the readers cannot start.
   */
  async recognise(picture: Picture, timeoutMs = 90_000): Promise<Recognised> {
    const lane = this.#free.shift() ?? (await new Promise<Lane>((resolve) => this.#waiting.push(resolve)))
    try {
      return await this.#readWithin(lane, picture, timeoutMs)
    } finally {
      const next = this.#waiting.shift()
      if (next !== undefined) next(lane)
      // the lane that was used last has its threads already
      else this.#free.unshift(lane)
    }
  }

  /** Ends the threads, also in the middle of a picture; the recogniser starts anew when it is asked again. */
  async close(): Promise<void> {
    await Promise.all(
      this.#lanes.map((lane) => {
        lane.stop?.(new AppError('interrupted'))
        return endOf(lane)
      }),
    )
  }

  async #readWithin(lane: Lane, picture: Picture, timeoutMs: number): Promise<Recognised> {
    const stopped = new Promise<never>((_, reject) => {
      lane.stop = reject
    })
    const endLimit = limitTime({
      limitMs: timeoutMs,
      usedMs: () => usedByLane(lane),
      onOver: () => {
        lane.stop?.(new AppError('file_too_complex', { timeoutMs }))
        void endOf(lane)
      },
    })
    const reading = this.#read(lane, picture)
    try {
      return await Promise.race([reading, stopped])
    } catch (error) {
      reading.catch(() => undefined)
      throw toAppError(error)
    } finally {
      endLimit()
      lane.stop = null
    }
  }

  async #read(lane: Lane, picture: Picture): Promise<Recognised> {
    const { width, height } = picture
    const chosen = this.#languages
    const lines = (lane.lines ??= LineThread.start())
    const first = await started(lane, 'lines', lines)
    const read: { line: SeenLine; words: Word[] }[] = []
    // The second reader reads a line while the first one reads the next. A failure is thrown where all are awaited.
    let secondReadings: Promise<unknown> = Promise.resolve()
    let reader: Promise<SecondReader> | null = null
    const readAgain = (line: SeenLine): void => {
      secondReadings = secondReadings.then(async () => {
        const words = await (await reader!).readLine(line.picture)
        read.push({ line, words: wordsOfLine(line.characters, words, line.picture) })
      })
      secondReadings.catch(() => undefined)
    }
    // Lines wait until it is told which language the second reader has to know.
    const waiting: SeenLine[] = []
    const leanDegrees = await first.read(picture, {
      onLine: (line) => (reader === null ? waiting.push(line) : readAgain(line)),
      onLanguage: (language) => {
        // Ended meanwhile: nobody would end what is started now.
        if (lane.lines !== lines) return
        reader = started(lane, 'second', this.#secondOf(lane, languagesFor(language, chosen)))
        waiting.forEach(readAgain)
      },
    })
    await secondReadings
    const sheet = sheetFor({ width, height }, leanDegrees)
    return { tokens: withoutDoubles(read.map(({ line, words }) => placedOnSheet(words, line, sheet))), leanDegrees }
  }

  /** The lane's second reader, another one where the languages are others. */
  #secondOf(lane: Lane, languages: readonly ReadingLanguage[]): Promise<SecondReader> {
    if (lane.second !== null && lane.second.languages.join() === languages.join()) return lane.second.reader
    void endReader(lane.second?.reader)
    lane.second = { languages, reader: SecondReader.start(languages, this.#dataFolders) }
    return lane.second.reader
  }
}

/** Waits for a reader of the lane; one that cannot start is started anew for the next picture. */
async function started<Reader>(lane: Lane, which: 'lines' | 'second', reader: Promise<Reader>): Promise<Reader> {
  try {
    return await reader
  } catch (error) {
    lane[which] = null
    throw new AppError('internal', { detail: 'text recognition could not start' }, { cause: error })
  }
}

/** Processor time of both readers until now, in milliseconds; null while they start or end. */
async function usedByLane({ lines, second }: Lane): Promise<number | null> {
  const [lineThread, secondReader] = await Promise.all([lines, second?.reader]).catch(() => [])
  const [lineMs, secondMs] = await Promise.all([lineThread?.usedMs(), second === null ? 0 : secondReader?.usedMs()])
  return typeof lineMs === 'number' && typeof secondMs === 'number' ? lineMs + secondMs : null
}

async function endOf(lane: Lane): Promise<void> {
  const { lines, second } = lane
  lane.lines = null
  lane.second = null
  await Promise.all([
    lines?.then(
      (thread) => thread.end(),
      () => undefined,
    ),
    endReader(second?.reader),
  ])
}

async function endReader(reader: Promise<SecondReader> | undefined): Promise<void> {
  await (await reader?.catch(() => null))?.end()
}
