import { setImmediate } from 'node:timers/promises'
import type { CallOutput } from '../../../shared/contract/contract.ts'
import type { SortedFile } from '../../../shared/contract/sorting.ts'
import { AppError, toAppError } from '../../../shared/domain/errors.ts'
import { extensionOf, shownKind } from '../../../shared/domain/limits.ts'
import { isWithoutSchema } from '../../../shared/domain/sorting.ts'
import type { PageSpan, SortedPart } from '../../../shared/domain/sorting.ts'
import type { StoredDocument } from '../db/tables/documents.ts'
import { inTransaction } from '../pipeline/context.ts'
import { releaseCopies } from '../pipeline/documents/copies.ts'
import { isSameContent } from '../pipeline/documents/decide.ts'
import type { Identity } from '../pipeline/files/identify.ts'
import { versionOf } from '../pipeline/extra-document.ts'
import { changeSchema, cutInto, isUnderWay, pageSpanOf } from '../pipeline/sort.ts'
import type { Change } from '../pipeline/sort.ts'
import { questionOf, schemaIdsOf } from '../pipeline/sorting/recognise.ts'
import { findDocument, pagesOf, requireKnown } from './lookups.ts'
import type { CallArguments, Handlers, HandlerContext } from './types.ts'

type SortingCalls = Extract<keyof Handlers, `sorting.${string}`> | 'documents.setSchema'
type Needs = Pick<HandlerContext, 'tables' | 'files' | 'queue' | 'workbooks' | 'emit' | 'now' | 'sort'>

export function sortingHandlers(given: Needs): Pick<Handlers, SortingCalls> {
  const context = { ...given, sort: remembering(given.sort) }
  return {
    'sorting.list': async ({ limit }) => list(context, limit),
    'sorting.get': async ({ id }) => sortedFile(context, wholeOf(context, findDocument(context, id))),
    'sorting.apply': async (input) => apply(context, input),
    'documents.setSchema': async (input) => setSchema(context, input),
  }
}

/** Files whose parts nobody asked about before are read for that: a person who comes back waits once. */
const maxRemembered = 20

function remembering(sort: Needs['sort']): Needs['sort'] {
  const known = new Map<string, ReturnType<Needs['sort']>>()
  return (document, question) => {
    const { sha256, firstPage, lastPage } = document
    if (sha256 === null) return sort(document, question)
    const key = JSON.stringify([sha256.toString('hex'), firstPage, lastPage, question])
    const looked = known.get(key) ?? sort(document, question)
    known.delete(key)
    known.set(key, looked)
    looked.catch(() => known.delete(key))
    if (known.size > maxRemembered) known.delete(known.keys().next().value!)
    return looked
  }
}

function list({ tables }: Needs, limit: number): CallOutput<'sorting.list'> {
  const { ids, total } = tables.sortings.unsorted(limit)
  const documents = ids.map((id) => {
    const document = tables.documents.get(id)!
    return {
      id,
      name: document.name,
      pages: pageSpanOf(document),
      parts: tables.sortings.of(id)?.parts.length ?? 1,
      asks: document.reasonCode === 'cut_proposed' ? ('cut' as const) : ('kind' as const),
      reason: { code: document.reasonCode!, details: document.reasonDetails },
    }
  })
  return { total, documents }
}

/** The document that stands for the file of a part; the document itself where it is none, or where that is gone. */
function wholeOf({ tables }: Needs, document: StoredDocument): StoredDocument {
  // In the bin lies what the file was before it was cut.
  if (document.firstPage === null && !document.inBin) return document
  const whole = tables.documents.latestAt(document.folderId, document.path)
  if (whole === null || !isSameContent(whole, document)) return document
  return document.firstPage === null || whole.reasonCode === 'cut' ? whole : document
}

async function sortedFile(context: Needs, whole: StoredDocument): Promise<SortedFile> {
  const { tables } = context
  const folder = tables.folders.get(whole.folderId)!
  const ofFolder = schemaIdsOf(folder)
  const others = tables.schemas.list().filter(({ id }) => !ofFolder.includes(id))
  const proposed = await partsOf(context, whole)
  const documents = whole.firstPage === null ? tables.documents.partsOf(whole) : [whole]
  const last = proposed.at(-1)!.pages.last
  return {
    id: whole.id,
    name: whole.name,
    folderName: folder.name,
    pageCount: last,
    parts: proposed.map(({ pages, schemaId, isNone = false, likely }) => {
      const document =
        proposed.length === 1
          ? whole
          : documents.find(({ firstPage, lastPage }) => firstPage === pages.first && lastPage === pages.last)
      // What a person changed since is what counts.
      const own =
        document === undefined || isWithoutSchema(document.reasonCode)
          ? null
          : tables.schemas.versionOf(document.schemaVersionId)
      return {
        pages,
        schemaId: own?.schemaId ?? schemaId,
        isNone: own === null && isNone,
        likely: [...likely],
        document: document === undefined ? null : { id: document.id, status: document.status },
      }
    }),
    schemas: [
      ...ofFolder.map((id) => ({ id, name: tables.schemas.get(id)!.name, isOfFolder: true })),
      ...others.map(({ id, name }) => ({ id, name, isOfFolder: false })),
    ],
    canCut: whole.firstPage === null && last > 1 && shownKind(extensionOf(whole.name)) === 'pdf' && !isUnderWay(whole),
    bills: tables.connections.bills(whole.connectionId),
  }
}

/** What was said or proposed; what nobody asked yet is looked at now, without a word of it being stored. */
async function partsOf(context: Needs, whole: StoredDocument): Promise<readonly SortedPart[]> {
  const { tables } = context
  const known = tables.sortings.of(whole.id)
  const own = pageSpanOf(whole)
  // Of a part whose file is another one by now only its own pages can be shown.
  if (own !== null && known !== null) {
    const pages = { first: 1, last: own.last - own.first + 1 }
    return known.parts.slice(0, 1).map((part) => ({ ...part, pages }))
  }
  const isOneOfOne =
    known !== null && known.parts.length === 1 && whole.firstPage === null && !isWithoutSchema(whole.reasonCode)
  if (known !== null && !isOneOfOne) return known.parts
  const folder = tables.folders.get(whole.folderId)!
  const { parts } = await context.sort(whole, questionOf(context, folder, whole.firstPage === null))
  if (whole.reasonCode === 'kind_unsure' || parts.length > 1) return parts
  // It is what it was asked by.
  const { schemaId } = tables.schemas.versionOf(whole.schemaVersionId)
  return parts.map((part) => ({ ...part, schemaId }))
}

async function apply(
  context: Needs,
  { id, parts }: CallArguments<'sorting.apply'>,
): Promise<CallOutput<'sorting.apply'>> {
  const whole = wholeOf(context, findDocument(context, id))
  for (const { schemaId } of parts) if (schemaId !== null) requireKnown(context, { schemaId })
  const known = await partsOf(context, whole)
  requireWhole(
    parts.map(({ pages }) => pages),
    known.at(-1)!.pages.last,
  )
  const version = await versionNow(context, whole)
  const changes = inTransaction(context, (inside) => {
    const document = findDocument(inside, whole.id)
    const { schemaId } = parts[0]!
    if (whole.firstPage !== null && schemaId !== null) return [changeSchema(inside, document, version, schemaId).kind]
    return cutInto(
      inside,
      document,
      version,
      parts.map((part) => withPrint(part, known)),
    )
  })
  context.queue.wake()
  context.workbooks.flush()
  return counted(changes)
}

/** As `versionOf`. Where the file is gone, its copies no longer wait for what is said of it. */
async function versionNow(context: Needs, document: StoredDocument): Promise<Identity> {
  try {
    return await versionOf(context, document)
  } catch (error) {
    if (toAppError(error).code === 'file_missing')
      inTransaction(context, (inside) => releaseCopies(inside, document.id))
    context.queue.wake()
    throw error
  }
}

/** Of a part that was proposed so, by what it is known again. */
function withPrint(
  { pages, schemaId }: { pages: PageSpan; schemaId: number | null },
  known: readonly SortedPart[],
): SortedPart {
  const same = known.find((one) => one.pages.first === pages.first && one.pages.last === pages.last)
  const likely = same?.likely ?? (schemaId === null ? [] : [schemaId])
  return { pages, schemaId, ...(schemaId === null ? { isNone: true } : {}), likely, print: same?.print ?? [] }
}

/** Throws `invalid_input` unless the parts are all pages, each once, in order. */
function requireWhole(parts: readonly PageSpan[], pageCount: number): void {
  let next = 1
  for (const { first, last } of parts) {
    if (first !== next || last < first) throw new AppError('invalid_input', { detail: 'parts' })
    next = last + 1
  }
  if (next !== pageCount + 1) throw new AppError('invalid_input', { detail: 'parts' })
}

function counted(changes: readonly Change[]): CallOutput<'sorting.apply'> {
  const count = (kind: Change): number => changes.filter((change) => change === kind).length
  return { queued: count('queued'), linked: count('linked'), known: count('known'), kept: count('kept') }
}

async function setSchema(
  context: Needs,
  { ids, schemaId }: CallArguments<'documents.setSchema'>,
): Promise<CallOutput<'documents.setSchema'>> {
  requireKnown(context, { schemaId })
  const changes: Change[] = []
  const replaced: { id: number; by: number }[] = []
  let underWay = 0
  let refused = 0
  let problem: CallOutput<'documents.setSchema'>['problem'] = null
  for (const page of pagesOf([...new Set(ids)])) {
    for (const id of page) {
      const document = findDocument(context, id)
      try {
        // Its parts have schemas of their own.
        if (document.reasonCode === 'cut') throw new AppError('cut', document.reasonDetails)
        const version = await versionNow(context, document)
        const changed = inTransaction(context, (inside) =>
          changeSchema(inside, findDocument(inside, id), version, schemaId),
        )
        changes.push(changed.kind)
        if (changed.id !== id) replaced.push({ id, by: changed.id })
      } catch (error) {
        const { code, details } = toAppError(error)
        if (code === 'internal') throw error
        if (code === 'under_way') underWay += 1
        else {
          refused += 1
          problem ??= { code, details, name: document.name }
        }
      }
    }
    context.queue.wake()
    await setImmediate()
  }
  if (changes.length > 1) context.workbooks.flush()
  return { ...counted(changes), replaced, underWay, refused, problem }
}
