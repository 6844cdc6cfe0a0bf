import { convertToPdf } from '../../../electron/reading/convert/convert.ts'
import { openMail } from '../../../electron/reading/convert/mail.ts'
import { readDocument } from '../../../electron/reading/read.ts'
import { serveThread } from '../../../electron/reading/thread.ts'
import { extractDocument } from '../../../electron/service/extraction/thread-tasks.ts'
import type { FileKind } from '../../../shared/domain/document.ts'
import { convertedExtensions } from '../../../shared/domain/limits.ts'
import type { ConvertedFormat } from '../../../shared/domain/limits.ts'
import type { MailFormat } from '../../../shared/domain/mail.ts'
import { AppError, toAppError } from '../../../shared/domain/errors.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'

export type Trial = { kind: FileKind | ConvertedFormat | MailFormat; bytes: Uint8Array }
/**
 * How much of the processor's time one file took (others use this computer too) and what came of it; `wrong` is what a
 * document may not be.
 */
export type Verdict = { ms: number; code: string; wrong: string | null }

const schema: SchemaElement[] = [
  { name: 'Invoice number', format: 'text', description: 'The number' },
  { name: 'Total amount', format: 'number', description: 'The total' },
  {
    name: 'Positions',
    format: 'list',
    description: 'The lines',
    items: [
      { name: 'Article', format: 'text', description: '' },
      { name: 'Price', format: 'number', description: '' },
    ],
  },
]

/**
 * The product's reader and its extraction, many small files in one go. Recognition is a thread of its own, and asked in
 * vain here.
 */
export const fuzzTasks = {
  async readAll(trials: Trial[]): Promise<Verdict[]> {
    const verdicts: Verdict[] = []
    for (const { kind, bytes } of trials) {
      const before = process.threadCpuUsage()
      const verdict = { code: 'done', wrong: null as string | null }
      try {
        if (kind === 'eml' || kind === 'msg') {
          await openMail({ bytes, format: kind })
          throw new AppError('no_text')
        }
        const document = await readDocument(
          isConverted(kind) ? await convertToPdf({ bytes, format: kind, locale: 'en' }, async () => undefined) : bytes,
          isConverted(kind) ? 'pdf' : kind,
          () => Promise.resolve({ tokens: [], leanDegrees: 0 }),
        )
        for (const page of document.pages) {
          const broken = page.tokens.find(
            ({ box, text }) =>
              text.trim() === '' ||
              ![box.x, box.y, box.width, box.height].every((number) => number >= -0.001 && number <= 1.001),
          )
          if (broken !== undefined) verdict.wrong = `a word that is not on its page: ${JSON.stringify(broken)}`
        }
        const { sources } = extractDocument(document, schema)
        if (sources.some(({ page }) => page < 1 || page > document.pages.length))
          verdict.wrong = 'a place on a page that is not there'
      } catch (error) {
        const known = toAppError(error)
        verdict.code = known.code
        if (known.code === 'internal')
          verdict.wrong = error instanceof Error ? (error.stack ?? error.message) : String(error)
      }
      const { user, system } = process.threadCpuUsage(before)
      verdicts.push({ ...verdict, ms: (user + system) / 1000 })
    }
    return verdicts
  },
}

function isConverted(kind: Trial['kind']): kind is ConvertedFormat {
  return Object.values(convertedExtensions).some((format) => format === kind)
}

serveThread(fuzzTasks)
