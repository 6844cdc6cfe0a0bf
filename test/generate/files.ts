import { drawCase } from './generate.ts'
import type { DrawnCase, GenerateOptions } from './generate.ts'
import { docxOf, xlsxOf } from './office.ts'
import { pdfOf, scannedPdfOf } from './pdf.ts'
import { picturesOf } from './picture.ts'
import { randomFrom } from './random.ts'
import { templateOf } from './template.ts'

export const fileFormats = ['pdf', 'scan', 'jpg', 'png', 'docx', 'xlsx'] as const
export type FileFormat = (typeof fileFormats)[number]

/** A good half of what people have are PDF files with text. */
const usual: readonly FileFormat[] = ['pdf', 'pdf', 'pdf', 'pdf', 'pdf', 'scan', 'jpg', 'jpg', 'png', 'docx', 'xlsx']

export type GeneratedFile = { name: string; bytes: Uint8Array; made: DrawnCase }

/** A generated document as a file: the same for the same seed and options. */
export async function generateFile(
  seed: number,
  options: GenerateOptions & { formats?: readonly FileFormat[] } = {},
): Promise<GeneratedFile> {
  const random = randomFrom(seed).fork('file')
  const made = drawCase(seed, { ...options, noise: 0 })
  const wanted = random.pick(options.formats ?? usual)
  const isLong = made.paper.sheets.length > 1
  // A photo shows one page.
  const format = isLong && (wanted === 'jpg' || wanted === 'png') ? 'scan' : wanted
  const bytes = await bytesOf(made, format, random.fork('spoil'))
  const extension = format === 'scan' ? 'pdf' : format
  return { name: `${String(seed).padStart(5, '0')}-${made.kind}-${made.language}.${extension}`, bytes, made }
}

async function bytesOf(
  made: DrawnCase,
  format: FileFormat,
  random: ReturnType<typeof randomFrom>,
): Promise<Uint8Array> {
  const template = templateOf(Number(made.group.slice('generated-'.length)))
  if (format === 'docx') return docxOf(made.content, template, random)
  if (format === 'xlsx') return xlsxOf(made.content, template, random.chance(0.5) && !asksForPrintedDates(made))
  const pdf = await pdfOf(made.paper)
  if (format === 'pdf') return pdf
  const pictures = await picturesOf(pdf, random.next(), made.kind === 'receipt', random)
  if (format === 'png') return pictures[0]!.encode('png')
  const quality = random.int(55, 92)
  if (format === 'jpg') return pictures[0]!.encode('jpeg', quality)
  const pages = await Promise.all(
    pictures.map(async (picture) => ({
      jpeg: await picture.encode('jpeg', quality),
      width: made.paper.width,
      height: (made.paper.width * picture.height) / picture.width,
    })),
  )
  return scannedPdfOf(pages)
}

function asksForPrintedDates({ content, expected }: DrawnCase): boolean {
  const printed = new Set(content.meta.filter(({ isDate }) => isDate).map(({ parts }) => parts[0]!.text))
  return Object.values(expected).some((value) => typeof value === 'string' && printed.has(value))
}
