import { basename, dirname, extname } from 'node:path'
import { requireDirectory } from '../core/handlers/folders.ts'
import { diskAccess } from '../core/platform/file-access.ts'
import type { Folder } from '../core/db/folders.ts'
import type { Job } from '../core/db/jobs.ts'
import { sentenceFor } from '../../shared/sentences.ts'
import type { WatchArguments } from './arguments.ts'
import { writeExport } from './extract.ts'
import { onInterrupt } from './interrupt.ts'
import { ProgressBar } from './progress.ts'
import { printable } from './report.ts'
import { folderFor, isFine, isOpen, openSession, reasonOf, standstill, waitUntil } from './session.ts'
import type { Session } from './session.ts'

/**
 * `sheaf watch`: extracts what is and what comes in a folder and keeps the spreadsheet up to date, until Ctrl-C;
 * with `--once` until everything that is there is settled. Exit codes as for `extract`.
 */
export async function watchCommand(given: WatchArguments): Promise<number> {
  await requireDirectory(diskAccess, given.folder)
  const session = await openSession(process.env, given)
  const interrupt = onInterrupt(session.bills)
  try {
    const folder = folderFor(session, { kind: 'watched', path: given.folder, name: basename(given.folder) }, given)
    session.core.queue.restrictTo(folder.id)
    const code = await follow(session, folder, given, interrupt.requested)
    return interrupt.requested() && given.once ? 130 : code
  } finally {
    interrupt.off()
    await session.core.stop({ atOnce: !session.bills })
  }
}

const exportRetryMs = 10_000

async function follow(session: Session, folder: Folder, given: WatchArguments, interrupted: () => boolean): Promise<number> {
  const { core } = session
  const { now } = core.context
  const told = new Set<number | string>()
  const bar = new ProgressBar(process.stderr, now())
  // With what the folder shares with other documents: a copy that arrives later is a row as well.
  const selection = { schemaId: folder.schemaId, folderId: folder.id, jobIds: null }
  const written = { results: 0, tryAgainAt: 0 }
  await core.watchers.followOnly(folder, (path) => path === given.out.path || isBesideExport(path, given.out.path))
  for (;;) {
    let stuck = null as ReturnType<typeof standstill>
    await waitUntil(core, () => {
      const jobs = jobsOf(session, folder)
      const open = jobs.filter(isOpen)
      bar.update(jobs.length - open.length, jobs.length, '', now())
      tell(bar, jobs, told)
      stuck = open.length === 0 ? null : standstill(session, open)
      if (stuck !== null && !told.has(stuck.code)) {
        told.add(stuck.code)
        bar.say(sentenceFor(stuck.code, stuck.details, 'en'))
      }
      const settled = open.length === 0 && core.watchers.isSettled(folder.id)
      if (interrupted()) return true
      if (given.once) return settled || stuck !== null
      // A spreadsheet that is behind is written when the batch is through; one that could not be written, a little later.
      return settled && core.context.tables.results.count(selection) !== written.results && now() >= written.tryAgainAt
    })
    bar.end()
    const results = core.context.tables.results.count(selection)
    const exported = results === 0 || (await writeExport(session, selection, given.out))
    if (exported) written.results = results
    else written.tryAgainAt = now() + exportRetryMs
    if (given.once || interrupted()) {
      const well = newest(jobsOf(session, folder)).every((job) => isFine(session, job, false))
      return exported && stuck === null && well ? 0 : 1
    }
  }
}

/** The newest version of each file: an older one that failed has been replaced. */
function newest(jobs: Job[]): Job[] {
  return [...new Map(jobs.map((job) => [job.path, job])).values()]
}

function jobsOf(session: Session, folder: Folder): Job[] {
  return session.core.context.tables.jobs.inFolder(folder.id)
}

/** The spreadsheet may lie in the folder itself: it and its parts (a file for each list, what is being written) are no documents. */
function isBesideExport(path: string, out: string): boolean {
  if (dirname(path) !== dirname(out)) return false
  const extension = extname(out)
  const name = basename(path)
  return (name.startsWith(`${basename(out, extension)}-`) && name.endsWith(extension)) || /^\.sheaf-[0-9a-f]+\.tmp$/.test(name)
}

function tell(bar: ProgressBar, jobs: Job[], told: Set<number | string>): void {
  for (const job of jobs) {
    if (isOpen(job) || job.status === 'done' || told.has(job.id)) continue
    told.add(job.id)
    bar.say(`${printable(job.path)}: ${reasonOf(job) ?? job.status}`)
  }
}
