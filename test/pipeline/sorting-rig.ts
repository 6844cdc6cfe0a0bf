import type { CoreOptions } from '../../electron/core/core.ts'
import type { FolderValues } from '../../electron/core/db/tables/folders.ts'
import type { StoredDocument } from '../../electron/core/db/tables/documents.ts'
import { pdfPart } from '../../electron/reading/convert/pdf-part.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import type { Sorted, SortedPart, SortingQuestion } from '../../shared/domain/sorting.ts'
import { setUpFolder } from '../faults/folder-rig.ts'
import type { Rig } from '../faults/folder-rig.ts'
import { simpleSchema, until } from '../helpers/core.ts'
import { textsOf, typedPdf } from '../helpers/typed-pdf.ts'
import type { Received, VendorReply } from '../helpers/vendor.ts'

const statementFields: SchemaElement[] = [{ name: 'iban', format: 'text', description: 'the account' }]

/** Answers each schema with its own first field. */
const bySchema = ({ params, filename }: Received): VendorReply => {
  const [field] = params as { name: string }[]
  const data = [{ [field!.name]: filename }]
  return { body: JSON.stringify({ status: 'success', data, metadata: { tokens_consumed: 3 } }) }
}

/**
 * Sorts by the words of the pages: each begins a document that says INVOICE or STATEMENT, which is its schema; «maybe»
 * says that it is not sure.
 */
async function sortByWords(content: Uint8Array, question: SortingQuestion): Promise<Sorted> {
  const texts = await textsOf(content)
  const likely = question.schemas.map(({ id }) => id)
  const kindOf = (text: string): number | null =>
    text.includes('maybe')
      ? null
      : (question.schemas.find(({ name }) => text.includes(name.toUpperCase()))?.id ?? likely[0]!)
  const parts: SortedPart[] = []
  texts.forEach((text, index) => {
    const page = index + 1
    const begins = /INVOICE|STATEMENT|maybe/.test(text)
    if (parts.length === 0 || (begins && question.mayCut))
      parts.push({ pages: { first: page, last: page }, schemaId: kindOf(text), likely, print: [page] })
    else parts[parts.length - 1] = { ...parts.at(-1)!, pages: { first: parts.at(-1)!.pages.first, last: page } }
  })
  return { parts, areCutsSure: !texts.some((text) => text.includes('torn')) }
}

/**
 * A folder of invoices and statements that sends to a platform. `sorting` is waited for whenever something is sorted.
 */
export async function setUpSorting(
  folder: Partial<FolderValues> = {},
  { sorting = async () => undefined, ...more }: Partial<CoreOptions> & { sorting?: () => Promise<void> } = {},
): Promise<{
  rig: Rig
  invoice: number
  statement: number
  asked: SortingQuestion[]
  put: (name: string, ...pages: string[]) => Promise<string>
}> {
  const asked: SortingQuestion[] = []
  const options: Partial<CoreOptions> = {
    cut: (bytes, pages) => pdfPart({ bytes, pages }),
    sort: async (content, _kind, _languages, question) => {
      asked.push(question)
      await sorting()
      return sortByWords(content, question)
    },
    ...more,
  }
  const rig = await setUpFolder({ reply: bySchema, options })
  const { tables, now } = rig.core.context
  const invoice = rig.folder.schemaId
  tables.schemas.save(invoice, 'Invoice', [...simpleSchema], now())
  const statement = tables.schemas.save(null, 'Statement', statementFields, now()).id
  tables.folders.save({ ...rig.folder, otherSchemaIds: [statement], cuts: 'sure', ...folder })
  await rig.core.watchers.follow()
  const put = async (name: string, ...pages: string[]): Promise<string> => rig.put(name, await typedPdf(...pages))
  return { rig, invoice, statement, asked, put }
}

export const inBin = ({ inBin: is }: StoredDocument): boolean => is
const isOpen = ({ status }: StoredDocument): boolean => ['queued', 'submitting', 'waiting'].includes(status)

/** What the documents of a file are: status, reason or schema, pages; without what is in the bin. */
export function shown(rig: Rig, name: string): string[] {
  const { tables } = rig.core.context
  return rig
    .documents()
    .filter((document) => document.name === name && !document.inBin)
    .toSorted((one, other) => (one.firstPage ?? 0) - (other.firstPage ?? 0))
    .map(({ status, reasonCode, schemaVersionId, firstPage, lastPage }) => {
      const pages = firstPage === null ? '' : ` ${firstPage}-${lastPage}`
      return `${status}${pages} ${reasonCode ?? tables.schemas.get(tables.schemas.versionOf(schemaVersionId).schemaId)!.name}`
    })
}

export async function settled(rig: Rig, name: string): Promise<string[]> {
  await until(
    () => rig.documents().some((one) => one.name === name) && rig.core.queue.idle && !rig.documents().some(isOpen),
    `${name} to be settled`,
  )
  return shown(rig, name)
}
export const idOf = (rig: Rig, name: string, firstPage: number | null = null): number =>
  rig.documents().find((one) => one.name === name && one.firstPage === firstPage && !inBin(one))!.id
export const fieldsSent = (rig: Rig): string[] =>
  rig.vendor.received.map(({ params }) => (params as { name: string }[])[0]!.name)
