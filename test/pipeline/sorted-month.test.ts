import { PDFDocument } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { templatesFor } from '../../electron/core/drafting/templates.ts'
import { pdfPart } from '../../electron/reading/convert/pdf-part.ts'
import { readDocument } from '../../electron/reading/read.ts'
import { sortDocument } from '../../electron/sorting/sort.ts'
import { setUpFolder } from '../faults/folder-rig.ts'
import type { Rig } from '../faults/folder-rig.ts'
import { generateFile } from '../generate/files.ts'
import { until } from '../helpers/core.ts'

/** Kinds of the generator, which are keys of the templates that ask for them as well. */
const kinds = ['invoice', 'bank_statement', 'receipt', 'purchase_order', 'delivery_note'] as const
type Kind = (typeof kinds)[number]
type Part = { kind: Kind; first: number; last: number }
/** A file of the month, and what is in it. */
type MonthFile = { name: string; bytes: Buffer; parts: Part[] }

/** Documents of layouts that training never saw, behind one another in one file. */
async function makeFile(name: string, seed: number, inside: readonly Kind[]): Promise<MonthFile> {
  const file = await PDFDocument.create()
  const parts: Part[] = []
  for (const [index, kind] of inside.entries()) {
    const { bytes } = await generateFile(seed + index, { split: 'held-out', kinds: [kind], formats: ['pdf'] })
    const source = await PDFDocument.load(bytes)
    const first = file.getPageCount() + 1
    for (const page of await file.copyPages(source, source.getPageIndices())) file.addPage(page)
    parts.push({ kind, first, last: file.getPageCount() })
  }
  return { name, bytes: Buffer.from(await file.save()), parts }
}

/** Thirty files of five kinds, of which three hold three documents each. */
async function makeMonth(): Promise<MonthFile[]> {
  const stacks: Kind[][] = [
    ['invoice', 'invoice', 'delivery_note'],
    ['bank_statement', 'purchase_order', 'invoice'],
    ['receipt', 'invoice', 'receipt'],
  ]
  const single = Array.from({ length: 27 }, (_, index) =>
    makeFile(`file-${index}.pdf`, 9_000_000 + index, [kinds[index % kinds.length]!]),
  )
  const stacked = stacks.map((inside, index) => makeFile(`stack-${index}.pdf`, 9_100_000 + index * 10, inside))
  return Promise.all([...single, ...stacked])
}

/** A folder that has a template's schema for each kind, and cuts where it is sure. */
async function setUp(): Promise<{ rig: Rig; schemaOf: Record<Kind, number> }> {
  const noPictures = (): Promise<never> => Promise.reject(new Error('no picture is expected'))
  const rig = await setUpFolder({
    options: {
      cut: (bytes, pages) => pdfPart({ bytes, pages }),
      sort: async (bytes, kind, _languages, question) =>
        sortDocument(await readDocument(bytes, kind, noPictures, async () => undefined), question),
    },
  })
  const { tables, now } = rig.core.context
  const saved = kinds.map((kind) => {
    const { name, elements } = templatesFor('en').find(({ key }) => key === kind)!
    return [kind, tables.schemas.save(null, name, elements, now()).id] as const
  })
  const [first, ...others] = saved.map(([, id]) => id)
  tables.folders.save({ ...rig.folder, schemaId: first!, otherSchemaIds: others, cuts: 'sure' })
  return { rig, schemaOf: Object.fromEntries(saved) as Record<Kind, number> }
}

type Found = { schemaId: number; first: number; last: number; isAsked: boolean }

/** The documents of a file as they are now, and whether a person is asked about them. */
function foundIn(rig: Rig, { name, parts }: MonthFile): Found[] {
  const { schemas } = rig.core.context.tables
  return rig
    .documents()
    .filter((document) => document.name === name && document.reasonCode !== 'cut')
    .map(({ firstPage, lastPage, schemaVersionId, status }) => ({
      schemaId: schemas.versionOf(schemaVersionId).schemaId,
      first: firstPage ?? 1,
      last: lastPage ?? parts.at(-1)!.last,
      isAsked: status === 'skipped',
    }))
}

async function allSettled(rig: Rig, files: readonly MonthFile[]): Promise<void> {
  const isOver = ({ status }: { status: string }): boolean => status === 'done' || status === 'skipped'
  await until(
    () =>
      files.every(({ name }) => rig.documents().some((one) => one.name === name)) &&
      rig.core.queue.idle &&
      rig.documents().every(isOver),
    'all files to be sorted',
  )
}

describe('a month of five kinds in one folder, some of them in stacks', () => {
  it('is sorted and cut; what is not sure is asked, and nothing is sent twice when a person has answered', async () => {
    const files = await makeMonth()
    const { rig, schemaOf } = await setUp()
    for (const { name, bytes } of files) await rig.put(name, bytes)
    await allSettled(rig, files)

    const parts = files.flatMap((file) => file.parts.map((part) => ({ file, part })))
    const judged = parts.map(({ file, part }) => {
      const found = foundIn(rig, file)
      const same = found.find(({ first, last }) => first === part.first && last === part.last)
      const isAsked = same?.isAsked ?? found.some((one) => one.isAsked)
      return { what: `${file.name} ${part.first}`, isAsked, isRight: same?.schemaId === schemaOf[part.kind] }
    })
    expect(judged.filter(({ isAsked, isRight }) => !isAsked && !isRight)).toEqual([])
    const sure = judged.filter(({ isAsked }) => !isAsked)
    expect(sure.length / judged.length).toBeGreaterThanOrEqual(0.9)
    const cut = files.filter((file) => file.parts.length > 1 && foundIn(rig, file).length === file.parts.length)
    expect(cut).toHaveLength(3)
    expect(rig.vendor.received).toHaveLength(sure.length)

    const { handlers } = rig.core
    for (const { id, name } of (await handlers['sorting.list']({ limit: 500 })).documents) {
      const file = files.find((one) => one.name === name)!
      await handlers['sorting.apply']({
        id,
        parts: file.parts.map(({ kind, first, last }) => ({ pages: { first, last }, schemaId: schemaOf[kind] })),
      })
    }
    await allSettled(rig, files)
    expect((await handlers['sorting.list']({ limit: 500 })).total).toBe(0)
    for (const file of files)
      expect(foundIn(rig, file)).toEqual(
        file.parts.map(({ kind, first, last }) => ({ schemaId: schemaOf[kind], first, last, isAsked: false })),
      )
    const sent = rig.vendor.received.map(({ sha256 }) => sha256)
    expect(sent).toHaveLength(parts.length)
    expect(new Set(sent).size).toBe(parts.length)
  }, 120_000)
})
