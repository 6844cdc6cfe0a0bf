import { createWorker, OEM, PSM } from 'tesseract.js'
import type { Line, Worker } from 'tesseract.js'
import type { Token } from '../../../shared/domain/document.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { readingLanguages } from '../../../shared/domain/reading-languages.ts'
import type { ReadingLanguage } from '../../../shared/domain/reading-languages.ts'
import { medianOf } from '../numbers.ts'
import { cleanText, unifyBoxes } from '../symbols.ts'
import type { Picture } from '../recognise.ts'
import { withLanguageData } from './language-data.ts'

// below this a «word» is a speck, a rule or a logo
const minConfidence = 0.25

/**
 * One tesseract worker thread (about half a gigabyte), started at the first picture and kept.
 * Pictures are read one after another, in all languages until others are chosen. Never reaches for the network.
 */
export class Recogniser {
  #worker: Promise<Worker> | null = null
  #queue: Promise<unknown> = Promise.resolve()
  #rejectCurrent: ((error: AppError) => void) | null = null
  #languages: readonly ReadingLanguage[] = readingLanguages
  /** Those that the thread was started with. */
  #loaded: readonly ReadingLanguage[] = []
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
   * Words with boxes as fractions of the picture, in reading order. Rejects with AppError
   * `file_too_complex` when one picture takes longer than `timeoutMs` (its thread is ended then),
   * `file_damaged` when it cannot be read, `interrupted` when `close` came first.
   */
  recognise(picture: Picture, timeoutMs = 90_000): Promise<Token[]> {
    const result = this.#queue.then(() => this.#read(picture, timeoutMs))
    this.#queue = result.catch(() => undefined)
    return result
  }

  /** Ends the thread, also in the middle of a picture; the recogniser starts anew when it is asked again. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    this.#rejectCurrent?.(new AppError('interrupted'))
    await (await worker?.catch(() => null))?.terminate()
  }

  async #read(picture: Picture, timeoutMs: number): Promise<Token[]> {
    if (this.#worker !== null && this.#loaded.join() !== this.#languages.join()) await this.close()
    if (this.#worker === null) {
      this.#loaded = this.#languages
      this.#worker = start(this.#loaded, this.#dataFolders)
    }
    const starting = this.#worker
    const worker = await starting.catch((error: unknown) => {
      if (this.#worker === starting) this.#worker = null
      throw new AppError('internal', { detail: 'text recognition could not start' }, { cause: error })
    })
    if (this.#worker !== starting) throw new AppError('interrupted')
    const png = Buffer.from(picture.png.buffer, picture.png.byteOffset, picture.png.byteLength)
    const stopped = new Promise<never>((_, reject) => {
      this.#rejectCurrent = reject
    })
    const timer = setTimeout(() => {
      this.#rejectCurrent?.(new AppError('file_too_complex', { timeoutMs }))
      void this.close()
    }, timeoutMs)
    threadOf(worker).ref()
    try {
      await worker.setParameters({ tessedit_pageseg_mode: picture.layout === 'block' ? PSM.SINGLE_BLOCK : PSM.AUTO })
      const reading = worker.recognize(png, {}, { blocks: true, text: false }).catch((error: unknown) => {
        throw new AppError('file_damaged', {}, { cause: error })
      })
      const { data } = await Promise.race([reading, stopped])
      const lines = (data.blocks ?? []).flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines))
      return lines.flatMap((line) => joinNumbers(tokensOf(line, picture), picture.width / picture.height))
    } finally {
      clearTimeout(timer)
      this.#rejectCurrent = null
      threadOf(worker).unref()
    }
  }
}

// an idle recogniser must not keep the process alive, and the types do not tell of the thread behind it
function threadOf(worker: Worker): { ref(): void; unref(): void } {
  return (worker as Worker & { worker: { ref(): void; unref(): void } }).worker
}

function start(languages: readonly ReadingLanguage[], dataFolders: readonly string[]): Promise<Worker> {
  return withLanguageData(languages, dataFolders, async (langPath) => {
    const worker = await createWorker([...languages], OEM.LSTM_ONLY, {
      langPath,
      cacheMethod: 'none',
      gzip: true,
      logger: () => undefined,
      errorHandler: () => undefined,
    })
    await worker.setParameters({ preserve_interword_spaces: '1', user_defined_dpi: '300' })
    return worker
  })
}

function tokensOf(line: Line, picture: Picture): Token[] {
  const usual =
    line.rowAttributes?.rowHeight > 0
      ? line.rowAttributes.rowHeight
      : (medianOf(line.words.map((word) => word.bbox.y1 - word.bbox.y0)) ?? 0) * 1.3
  return line.words.flatMap((word) => {
    const text = unifyBoxes(cleanText(word.text)).replace(/\s+/g, '')
    const confidence = word.confidence / 100
    const { x0, y0, x1, y1 } = word.bbox
    if (text === '' || confidence < minConfidence || x1 <= x0 || y1 <= y0) return []
    return [
      {
        text,
        box: {
          x: x0 / picture.width,
          y: y0 / picture.height,
          width: (x1 - x0) / picture.width,
          height: (y1 - y0) / picture.height,
        },
        fontSize: usual / picture.height,
        bold: false,
        confidence,
      },
    ]
  })
}

// «470,1 5»: the recogniser tears numbers apart where digits stand a little wide
function joinNumbers(tokens: Token[], aspect: number): Token[] {
  const joined: Token[] = []
  for (const token of tokens) {
    const before = joined.at(-1)
    const gap = before === undefined ? 1 : (token.box.x - before.box.x - before.box.width) * aspect
    if (
      before === undefined ||
      !/\d[.,]?$/.test(before.text) ||
      !/^[\d.,]/.test(token.text) ||
      gap > Math.min(before.box.height, token.box.height) * 0.16
    ) {
      joined.push(token)
      continue
    }
    const top = Math.min(before.box.y, token.box.y)
    const bottom = Math.max(before.box.y + before.box.height, token.box.y + token.box.height)
    joined[joined.length - 1] = {
      ...before,
      text: before.text + token.text,
      box: { x: before.box.x, y: top, width: token.box.x + token.box.width - before.box.x, height: bottom - top },
      confidence: Math.min(before.confidence ?? 1, token.confidence ?? 1),
    }
  }
  return joined
}
