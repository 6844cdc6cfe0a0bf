import { basename, dirname, extname } from 'node:path'
import type { EventPayload } from '../../shared/contract/contract.ts'
import type { Core } from '../core/core.ts'
import { schemaIdsOf } from '../core/pipeline/sorting/recognise.ts'
import { requireFolder } from '../core/handlers/lookups.ts'
import { diskAccess } from '../core/files/file-access.ts'
import type { Folder } from '../core/db/tables/folders.ts'
import type { StoredDocument } from '../core/db/tables/documents.ts'
import { sentenceFor } from '../../shared/messages/sentences.ts'
import type { WatchArguments } from './arguments.ts'
import { writeOut } from './extract.ts'
import { onInterrupt } from './interrupt.ts'
import { ProgressBar } from './progress.ts'
import { printable } from './format.ts'
import { blockedReason, folderFor, isAccepted, isOpen, openSession, problemOf, waitUntil } from './session.ts'
import type { Session } from './session.ts'
import { sayStorageTrouble } from './storage-notice.ts'

/**
 * `sheaf watch`: extracts what is and what comes in a folder and keeps the spreadsheet up to date, until Ctrl-C;
 * with `--once` until everything that is there is settled. Exit codes as for `extract`.
 */
export async function watchCommand(given: WatchArguments): Promise<number> {
  await requireFolder(diskAccess, given.folder)
  const session = await openSession(process.env, given)
  const interrupt = onInterrupt(session.bills)
  try {
    const folder = folderFor(session, { kind: 'watched', path: given.folder, name: basename(given.folder) }, given)
    session.core.queue.restrictTo(folder.id)
    const code = await watchUntilDone(session, folder, given, interrupt.requested)
    return interrupt.requested() && given.once ? 130 : code
  } finally {
    interrupt.off()
    await session.core.stop({ atOnce: !session.bills })
  }
}

const exportRetryMs = 10_000

async function watchUntilDone(
  session: Session,
  folder: Folder,
  given: WatchArguments,
  interrupted: () => boolean,
): Promise<number> {
  const { core } = session
  const { now } = core.context
  const reported = new Set<number | string>()
  const bar = new ProgressBar(process.stderr, now())
  // With what the folder shares with other documents: a copy that arrives later is a row as well.
  const results = (): number =>
    schemaIdsOf(folder).reduce(
      (sum, schemaId) => sum + core.context.tables.results.count({ schemaId, folderId: folder.id, documentIds: null }),
      0,
    )
  const written = { results: 0, tryAgainAt: 0 }
  sayStorageTrouble(core, (sentence) => bar.say(sentence))
  const documents = new FolderDocuments(core, folder)
  await core.watchers.followOnly(folder, (path) => path === given.out.path || isBesideExport(path, given.out.path))
  for (;;) {
    let blocked = null as ReturnType<typeof blockedReason>
    await waitUntil(core, () => {
      reportProblems(bar, documents.changed(), reported)
      const open = [...documents.open.values()]
      bar.update(documents.count - open.length, documents.count, '', now())
      blocked = open.length === 0 ? null : blockedReason(session, open)
      // What cannot be stored is said as it comes.
      if (blocked !== null && !blocked.code.startsWith('storage_') && !reported.has(blocked.code)) {
        reported.add(blocked.code)
        bar.say(sentenceFor(blocked.code, blocked.details, 'en'))
      }
      const settled = open.length === 0 && core.watchers.isIdle(folder.id)
      if (interrupted()) return true
      if (given.once) return settled || blocked !== null
      // A spreadsheet that is behind is written when the batch is through; one that could not be written, a little
      // later.
      return settled && results() !== written.results && now() >= written.tryAgainAt
    })
    bar.end()
    const count = results()
    const exported = count === 0 || (await writeOut(session, folder, null, given.out))
    if (exported) written.results = count
    else written.tryAgainAt = now() + exportRetryMs
    if (given.once || interrupted()) {
      const well = newest(core.context.tables.documents.inFolder(folder.id)).every((document) =>
        isAccepted(session, document, false),
      )
      return exported && blocked === null && well ? 0 : 1
    }
  }
}

/** The newest version of each file, and of each of its parts: an older one that failed has been replaced. */
function newest(documents: StoredDocument[]): StoredDocument[] {
  return [...new Map(documents.map((document) => [`${document.path} ${document.firstPage}`, document])).values()]
}

/** The documents of a folder: all are read once, then those that changed. There may be many thousands of them. */
class FolderDocuments {
  /** What is not settled, by id. */
  readonly open = new Map<number, StoredDocument>()
  readonly #core: Core
  readonly #folderId: number
  readonly #known = new Set<number>()
  readonly #changed: Set<number>

  /** Hears of changes for as long as core runs. */
  constructor(core: Core, folder: Folder) {
    this.#core = core
    this.#folderId = folder.id
    this.#changed = new Set(core.context.tables.documents.inFolder(folder.id).map(({ id }) => id))
    core.onEvent((name, payload) => {
      if (name === 'document.changed') this.#changed.add((payload as EventPayload<'document.changed'>).id)
    })
  }

  get count(): number {
    return this.#known.size
  }

  /** Those that changed since the last call; at first all of them. */
  changed(): StoredDocument[] {
    const { documents } = this.#core.context.tables
    const ours = [...this.#changed]
      .flatMap((id) => documents.get(id) ?? [])
      .filter(({ folderId }) => folderId === this.#folderId)
    this.#changed.clear()
    for (const document of ours) {
      this.#known.add(document.id)
      if (isOpen(document)) this.open.set(document.id, document)
      else this.open.delete(document.id)
    }
    return ours
  }
}

/**
 * The spreadsheet may lie in the folder itself: it and its parts (a file for each list, what is being written) are no
 * documents.
 */
function isBesideExport(path: string, out: string): boolean {
  if (dirname(path) !== dirname(out)) return false
  const extension = extname(out)
  const name = basename(path)
  return (
    (name.startsWith(`${basename(out, extension)}-`) && name.endsWith(extension)) ||
    /^\.sheaf-[0-9a-f]+\.tmp$/.test(name)
  )
}

function reportProblems(bar: ProgressBar, documents: StoredDocument[], reported: Set<number | string>): void {
  for (const document of documents) {
    const problem = isOpen(document) ? null : problemOf(document)
    if (problem === null || reported.has(document.id)) continue
    reported.add(document.id)
    bar.say(`${printable(document.path)}: ${problem}`)
  }
}
