import type { Worker as Thread } from 'node:worker_threads'
import { createWorker, OEM, PSM } from 'tesseract.js'
import type { Worker } from 'tesseract.js'
import type { ReadingLanguage } from '../../../shared/domain/reading-languages.ts'
import type { Picture } from '../recognise.ts'
import { usedBy } from '../time-limit.ts'
import { withLanguageData } from './language-data.ts'
import type { SecondWord } from './two-readings.ts'

// Tesseract misreads what touches the edge of its picture
const margin = 10

/**
 * The second reader: Tesseract, in a thread of its own (about 300 MB with all languages). It knows accents, ß, € and
 * spaces, and is worse than the first at photos. Never reaches for the network.
 */
export class SecondReader {
  readonly languages: readonly ReadingLanguage[]
  readonly #worker: Worker

  private constructor(worker: Worker, languages: readonly ReadingLanguage[]) {
    this.#worker = worker
    this.languages = languages
  }

  /** `dataFolders` are searched for the languages' data before the npm packages. */
  static async start(languages: readonly ReadingLanguage[], dataFolders: readonly string[]): Promise<SecondReader> {
    const worker = await withLanguageData(languages, dataFolders, (langPath) =>
      createWorker([...languages], OEM.LSTM_ONLY, {
        langPath,
        cacheMethod: 'none',
        gzip: true,
        logger: () => undefined,
        errorHandler: () => undefined,
      }),
    )
    await worker.setParameters({
      tessedit_pageseg_mode: PSM.SINGLE_LINE,
      preserve_interword_spaces: '1',
      user_defined_dpi: '300',
    })
    threadOf(worker).unref()
    return new SecondReader(worker, languages)
  }

  /** The words of one line of type. */
  async readLine(line: Picture): Promise<SecondWord[]> {
    threadOf(this.#worker).ref()
    try {
      const { data } = await this.#worker.recognize(portableGreyMap(line), {}, { blocks: true, text: false })
      return (data.blocks ?? [])
        .flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines.flatMap(({ words }) => words)))
        .map(({ text, confidence, bbox }) => ({
          text,
          confidence: confidence / 100,
          left: bbox.x0 - margin,
          right: bbox.x1 - margin,
        }))
    } finally {
      threadOf(this.#worker).unref()
    }
  }

  /** Processor time since it started, in milliseconds; null once it has ended. */
  usedMs(): Promise<number | null> {
    return usedBy(threadOf(this.#worker))
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}

// the types do not tell of the thread behind a reader, which must not keep the process alive while it is idle
function threadOf(worker: Worker): Thread {
  return (worker as Worker & { worker: Thread }).worker
}

/** The plainest file of a picture (Netpbm's PGM), with a margin of paper: nothing is packed only to be unpacked. */
function portableGreyMap({ pixels, width, height }: Picture): Buffer {
  const [fullWidth, fullHeight] = [width + 2 * margin, height + 2 * margin]
  const header = Buffer.from(`P5 ${fullWidth} ${fullHeight} 255\n`)
  const file = Buffer.alloc(header.length + fullWidth * fullHeight, 255)
  header.copy(file)
  for (let y = 0; y < height; y++)
    file.set(pixels.subarray(y * width, (y + 1) * width), header.length + (y + margin) * fullWidth + margin)
  return file
}
