import { lstat } from 'node:fs/promises'
import { join, parse as parsePath } from 'node:path'
import type { EventPayload } from '../../shared/contract/contract.ts'
import { usualListLayout } from '../../shared/contract/exports.ts'
import { AppError } from '../../shared/domain/errors.ts'
import { documentStatuses } from '../../shared/domain/document-status.ts'
import type { DocumentStatus } from '../../shared/domain/document-status.ts'
import { valueAt } from '../../shared/domain/pointer.ts'
import { isAsking, isWithoutSchema } from '../../shared/domain/sorting.ts'
import { sentenceFor } from '../../shared/messages/sentences.ts'
import type { Folder } from '../core/db/tables/folders.ts'
import { nameOf } from '../core/db/tables/documents.ts'
import type { Flag } from '../../shared/domain/review.ts'
import type { StoredDocument } from '../core/db/tables/documents.ts'
import { exportDocuments } from '../core/export/export.ts'
import type { Core } from '../core/core.ts'
import { summarise } from '../core/pipeline/answers/assess.ts'
import { restore } from '../core/pipeline/bin.ts'
import type { Candidate } from '../core/pipeline/files/file-rules.ts'
import { candidateAt } from '../core/pipeline/files/file-rules.ts'
import { takeIn } from '../core/pipeline/intake.ts'
import { statCandidate } from '../core/pipeline/files/directory-entries.ts'
import { filesBelow } from '../core/pipeline/files/list-files.ts'
import { schemaIdsOf } from '../core/pipeline/sorting/recognise.ts'
import { attachedTo } from '../core/pipeline/files/unpack-mail.ts'
import { diskAccess } from '../core/files/file-access.ts'
import type { FileAccess } from '../core/files/file-access.ts'
import { safeFileName, withTextNames } from '../core/files/file-names.ts'
import type { ExtractArguments, OutFile } from './arguments.ts'
import { reasonOfFlag } from './flag-reasons.ts'
import { printable, systemLocale } from './format.ts'
import { ProgressBar } from './progress.ts'
import {
  blockedReason,
  folderFor,
  isAccepted,
  isOpen,
  openSession,
  originalOf,
  problemOf,
  reasonOf,
  waitUntil,
} from './session.ts'
import type { Session } from './session.ts'
import { onInterrupt } from './interrupt.ts'

/** So many files are taken in together: the first are sent while the next are read. */
const takenTogether = 32

type Found = { candidate: Candidate; named: boolean }

/** `sheaf extract`: exit code 0 when every file is done, 1 when at least one is not, 130 after Ctrl-C. */
export async function extractCommand(given: ExtractArguments): Promise<number> {
  const { found, missing } = await collect(withTextNames(diskAccess), given.paths)
  for (const path of missing) process.stderr.write(`${sentenceFor('path_missing', { path: printable(path) }, 'en')}\n`)
  const session = await openSession(process.env, given)
  const interrupt = onInterrupt(session.bills)
  try {
    const folder = folderFor(session, { kind: 'batch', path: '', name: given.schemaName }, given)
    session.core.queue.restrictTo(folder.id)
    const documents = await queueAll(session, folder, found, given.resend, interrupt.requested)
    const blocked = await extractAll(session, documents, given, interrupt.requested)
    if (interrupt.requested()) return 130
    const documentIds = documents.map((document) => document.documentId)
    const exported = given.out === null || (await writeOut(session, folder, documentIds, given.out))
    await session.core.backUpIfDue()
    return missing.length === 0 && blocked === null && exported && areAllAccepted(session, documents) ? 0 : 1
  } finally {
    interrupt.off()
    await session.core.stop({ atOnce: !session.bills })
  }
}

async function collect(files: FileAccess, paths: string[]): Promise<{ found: Found[]; missing: string[] }> {
  const found = new Map<string, Found>()
  const missing: string[] = []
  for (const path of paths) {
    const stats = await lstat(path).catch(() => null)
    if (stats === null) missing.push(path)
    else if (stats.isDirectory()) {
      const inside = await filesBelow(files, path, { recursive: true })
      if (inside === null) missing.push(path)
      for (const candidate of inside ?? [])
        if (!found.has(candidate.path)) found.set(candidate.path, { candidate, named: false })
    } else found.set(path, { candidate: candidateAt(path, stats), named: true })
  }
  return { found: [...found.values()].sort((a, b) => (a.candidate.path < b.candidate.path ? -1 : 1)), missing }
}

type RunDocument = Found & { documentId: number }

/** A lost answer, or one that was no longer waited for: to send it again may be billed twice. */
function isUnanswered({ core }: Session, document: StoredDocument): boolean {
  return (
    document.status === 'unknown' ||
    (document.status !== 'done' && !isOpen(document) && core.context.tables.attempts.mayBeBilled(document.id))
  )
}

/**
 * Makes the documents, or finds those of an earlier run: what is done stays done, what failed is tried again, and what
 * may be billed without an answer only when the person says so.
 */
async function queueAll(
  session: Session,
  folder: Folder,
  found: Found[],
  resend: boolean,
  interrupted: () => boolean,
): Promise<RunDocument[]> {
  const { context, queue } = session.core
  const documents: RunDocument[] = []
  for (let at = 0; at < found.length && !interrupted(); ) {
    const batch = found.slice(at, at + takenTogether)
    at += batch.length
    const known = batch.map(({ candidate }) => goOnWith(session, folder, candidate, resend))
    const fresh = batch.filter((_, index) => known[index] === null).map(({ candidate }) => candidate)
    const taken = (await takeIn(context, folder, fresh)).values()
    for (const [index, item] of batch.entries()) {
      const documentId = known[index] ?? taken.next().value!
      documents.push({ ...item, documentId })
      found.push(...(await attachmentsOf(session, documentId, item, found)))
    }
    queue.wake()
  }
  return documents
}

/** The attachments of a mail, which were saved beside it, where nobody named them as well. */
async function attachmentsOf(
  { core }: Session,
  documentId: number,
  { candidate, named }: Found,
  found: readonly Found[],
): Promise<Found[]> {
  const { reasonCode, reasonDetails } = core.context.tables.documents.get(documentId)!
  if (reasonCode !== 'mail_unpacked') return []
  const paths = attachedTo(candidate.path, { code: reasonCode, details: reasonDetails })
  const attached = await Promise.all(paths.map((path) => statCandidate(core.context.files, path)))
  return attached.flatMap((one) =>
    one === null || found.some(({ candidate: { path } }) => path === one.path) ? [] : [{ candidate: one, named }],
  )
}

/**
 * The document of an earlier run whose file is as it was then, in the queue again where it is to be; null when there is
 * none.
 */
function goOnWith(session: Session, folder: Folder, candidate: Candidate, resend: boolean): number | null {
  const { context } = session.core
  const earlier = context.tables.documents.latestAt(folder.id, candidate.path)
  if (earlier === null || earlier.sizeBytes !== candidate.sizeBytes || earlier.mtimeMs !== candidate.mtimeMs)
    return null
  // It was put into the bin, and is asked for by its name now.
  if (earlier.inBin) restore(context, earlier)
  for (const document of [earlier, ...context.tables.documents.partsOf(earlier)])
    if (isUnanswered(session, document) ? resend : endedWithoutAnswer(document))
      context.tables.documents.apply(document.id, 'requeue', { resendApproved: 'person' }, context.now())
  return earlier.id
}

/** It failed, or waits for somebody to say what it is: another run may have other schemas. */
function endedWithoutAnswer({ status, reasonCode }: StoredDocument): boolean {
  return status === 'failed' || status === 'cancelled' || isAsking(reasonCode)
}

async function extractAll(
  session: Session,
  documents: RunDocument[],
  given: ExtractArguments,
  interrupted: () => boolean,
): Promise<AppError | null> {
  const { core } = session
  const { tables, now } = core.context
  const bar = new ProgressBar(process.stderr, now())
  const remaining = new Map(documents.map((document) => [document.documentId, document]))
  let blocked: AppError | null = null
  core.queue.wake()

  // There may be many thousands of them: only those are read that changed since the last look; at first that is all.
  const changed = new Set(remaining.keys())
  const open = new Map<number, StoredDocument>()
  const stopHearing = core.onEvent((name, payload) => {
    if (name === 'document.changed') changed.add((payload as EventPayload<'document.changed'>).id)
  })
  await waitUntil(core, () => {
    const ids = [...changed]
    changed.clear()
    for (const documentId of ids) {
      const item = remaining.get(documentId)
      if (item === undefined) continue
      const document = tables.documents.get(documentId)!
      const original = originalOf(session, document)
      if (isOpen(document)) open.set(documentId, document)
      else if (original !== null && original.folderId === document.folderId && isOpen(original)) changed.add(documentId)
      // Its values are not final before that.
      else if (tables.lessons.isComparing(documentId)) changed.add(documentId)
      else {
        remaining.delete(documentId)
        open.delete(documentId)
        for (const part of partsOf(core, item, document)) {
          documents.push(part)
          remaining.set(part.documentId, part)
          changed.add(part.documentId)
        }
        report(core, given, item, document)
        const problem = problemOf(document)
        if (problem !== null) bar.say(`${printable(item.candidate.path)}: ${problem}`)
      }
    }
    const waiting = core.queue.idle ? [...open.values()] : []
    bar.update(documents.length - remaining.size, documents.length, waitNote(session, waiting), now())
    blocked = blockedReason(session, waiting)
    return remaining.size === 0 || blocked !== null || interrupted()
  }).finally(stopHearing)
  bar.end()
  const after = documents.map(({ documentId }) => tables.documents.get(documentId)!)
  bar.say(summaryOf(after.map(({ status }) => status)))
  const toCheck = after.reduce((sum, document) => sum + flagsOf(core, document).length, 0)
  if (toCheck > 0 && !given.json && !given.flagged)
    bar.say(
      `${toCheck === 1 ? '1 value needs' : `${toCheck} values need`} a look: the same command with --flagged says which.`,
    )
  const unanswered = after.filter((document) => isUnanswered(session, document)).length
  if (unanswered > 0)
    bar.say(
      `The answer to ${unanswered === 1 ? '1 file' : `${unanswered} files`} was lost: they may already be billed. Run the same command with --resend to send them again.`,
    )
  const reason = blocked as AppError | null
  for (const [documentId, item] of remaining) {
    const document = tables.documents.get(documentId)!
    report(
      core,
      given,
      item,
      reason !== null && document.reasonCode === null
        ? { ...document, reasonCode: reason.code, reasonDetails: reason.details }
        : document,
    )
  }
  if (reason !== null) {
    const count = remaining.size
    bar.say(
      `${count} ${count === 1 ? 'file is' : 'files are'} still waiting: ${sentenceFor(reason.code, reason.details, 'en')} Run the same command again to go on.`,
    )
  } else if (interrupted()) bar.say(`Stopped. ${remaining.size} left; run the same command again to go on.`)
  return reason
}

/** Prints what the command was asked to print of a document. */
function report(
  core: Core,
  given: ExtractArguments,
  { candidate: { path } }: RunDocument,
  document: StoredDocument,
): void {
  const lines = given.json
    ? [jsonLine(core, path, document)]
    : given.flagged
      ? flagLines(core, path, document)
      : given.out === null
        ? [plainLine(core, path, document)]
        : []
  for (const line of lines) process.stdout.write(`${line}\n`)
}

/** The documents that a file was cut into. */
function partsOf({ context }: Core, item: RunDocument, document: StoredDocument): RunDocument[] {
  const parts = document.reasonCode === 'cut' ? context.tables.documents.partsOf(document) : []
  return parts.map(({ id }) => ({ ...item, documentId: id }))
}

/** One line of `--json` for a file: its state, why, and what was extracted. */
function jsonLine(core: Core, file: string, document: StoredDocument): string {
  const { tables } = core.context
  const resultId = resultIdOf(core, document)
  const row = tables.documentList.get(document.id)!
  const metadata =
    resultId === null
      ? null
      : { filename: document.name, duration: row.durationMs, tokens_consumed: row.tokensConsumed }
  return JSON.stringify({
    file,
    pages: row.pages,
    schema: isWithoutSchema(document.reasonCode) ? null : row.schemaName,
    status: document.status,
    reason: reasonOf(document),
    records: resultId === null ? [] : tables.results.get(resultId).records,
    flags: flagsOf(core, document).map(({ pointer, code }) => ({ pointer, code })),
    metadata,
  })
}

/** The result of a document, or of the one that it is a copy of. */
function resultIdOf({ context: { tables } }: Core, { resultId, originalDocumentId }: StoredDocument): number | null {
  const original = originalDocumentId === null ? null : tables.documents.get(originalDocumentId)
  return resultId ?? original?.resultId ?? null
}

/** A line for each value that a person has to look at: the file, the place, what stands there and why. */
function flagLines(core: Core, file: string, document: StoredDocument): string[] {
  const resultId = resultIdOf(core, document)
  const { records } = resultId === null ? { records: [] } : core.context.tables.results.get(resultId)
  return flagsOf(core, document).map((flag) => {
    const value = valueAt(records, flag.pointer)
    const shown = typeof value === 'object' || value === undefined ? '' : ` (${String(value)})`
    return printable(`${nameOf({ ...document, name: file })}  ${flag.pointer}${shown}: ${reasonOfFlag(flag)}`)
  })
}

function flagsOf(core: Core, document: StoredDocument): Flag[] {
  const resultId = resultIdOf(core, document)
  return resultId === null ? [] : core.context.tables.reviews.flags(resultId)
}

/** One line for a person: state, name and the first values. Control characters of a name are shown, not obeyed. */
function plainLine(core: Core, file: string, document: StoredDocument): string {
  const { tables } = core.context
  const result = document.resultId === null ? null : tables.results.get(document.resultId)
  const values =
    result === null
      ? (reasonOf(document) ?? '')
      : summarise(result.records, tables.schemas.elementsOf(document.schemaVersionId))
          .map(({ name, value }) => `${name}: ${value ?? '–'}`)
          .join(' · ')
  return `${document.status.padEnd(9)} ${printable(nameOf({ ...document, name: file }))}  ${printable(values)}`
}

function summaryOf(statuses: DocumentStatus[]): string {
  const parts = documentStatuses.map((status) => ({ status, count: statuses.filter((one) => one === status).length }))
  return parts
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${status}`)
    .join(', ')
}

/** Why nothing moves right now, and until when; empty while something does. */
function waitNote(session: Session, open: StoredDocument[]): string {
  const { core, connectionId } = session
  const until = core.context.tables.connections.get(connectionId)?.throttledUntil ?? 0
  const seconds = Math.ceil((until - core.context.now()) / 1000)
  const last = open.find((document) => document.reasonCode !== null)
  if (seconds <= 0 || !core.queue.idle || last === undefined) return ''
  const host = last.reasonDetails['host']
  const why =
    last.reasonCode === 'rate_limited' || last.reasonCode === 'service_unavailable'
      ? 'the service asks to wait'
      : `${String(host)} does not answer`
  return `${why}; next try in ${seconds} s`
}

function areAllAccepted(session: Session, documents: RunDocument[]): boolean {
  return documents.every((item) =>
    isAccepted(session, session.core.context.tables.documents.get(item.documentId)!, item.named),
  )
}

/**
 * Writes a spreadsheet for each schema of a folder, of these documents or of all of it (null), and says where; false
 * (with the sentence on stderr) where one could not be written.
 */
export async function writeOut(
  session: Session,
  folder: Folder,
  documentIds: number[] | null,
  out: OutFile,
): Promise<boolean> {
  const { schemas, results } = session.core.context.tables
  const ids = schemaIdsOf(folder)
  const { dir, name, ext } = parsePath(out.path)
  const taken = new Set<string>()
  const files = ids.map((schemaId) => {
    const part = ids.length === 1 ? '' : `-${freeName(safeFileName(schemas.get(schemaId)!.name, 'schema'), taken)}`
    const selection = { schemaId, folderId: folder.id, documentIds }
    return { selection, out: { ...out, path: join(dir, `${name}${part}${ext}`) } }
  })
  // Of several schemas some may fit nothing; where all do, that is said once.
  const filled = files.filter(({ selection }) => results.count(selection) > 0)
  let areWritten = true
  for (const one of filled.length > 0 ? filled : files.slice(0, 1))
    areWritten = (await writeExport(session, one.selection, one.out)) && areWritten
  return areWritten
}

/** A name that no other schema's file has: «Invoice», «Invoice 2». */
function freeName(name: string, taken: Set<string>): string {
  let free = name
  for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${name} ${number}`
  taken.add(free.toLowerCase())
  return free
}

/** Writes the spreadsheet and says where; false (with the sentence on stderr) when it could not be written. */
async function writeExport(
  session: Session,
  selection: { schemaId: number; folderId: number; documentIds: number[] | null },
  out: OutFile,
): Promise<boolean> {
  const { tables } = session.core.context
  const schema = tables.schemas.get(selection.schemaId)!
  if (tables.results.count(selection) === 0) {
    process.stderr.write(`${sentenceFor('export_empty', {}, 'en')}\n`)
    return true
  }
  try {
    const made = await exportDocuments(() => tables.results.documents(selection), schema.elements, {
      path: out.path,
      format: out.format,
      locale: systemLocale(process.env),
      lists: usualListLayout,
    })
    process.stderr.write(
      `${made.documents} ${made.documents === 1 ? 'document' : 'documents'}, ${made.rows} ${made.rows === 1 ? 'row' : 'rows'}: ${made.paths.join(', ')}\n`,
    )
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    process.stderr.write(`${sentenceFor(error.code, error.details, 'en')}\n`)
    return false
  }
}
