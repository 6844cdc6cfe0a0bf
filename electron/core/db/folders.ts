import { jobStatuses, reviewStates } from '../../../shared/job.ts'
import type { Afterwards, ExtractionMode, JobStatus, ReviewState } from '../../../shared/job.ts'
import type { Database } from './open.ts'

export type FolderKind = 'watched' | 'inbox' | 'batch'

export type Folder = {
  id: number
  kind: FolderKind
  path: string
  name: string
  schemaId: number
  connectionId: number
  agentReference: string | null
  mode: ExtractionMode
  includeSubfolders: boolean
  afterwards: Afterwards
  /** Patterns for the names of its files (`shared/file-patterns.ts`). */
  include: readonly string[]
  exclude: readonly string[]
  paused: boolean
}

/** Without patterns every name is taken. */
export type FolderValues = Omit<Folder, 'id' | 'paused' | 'include' | 'exclude'> & Partial<Pick<Folder, 'include' | 'exclude'>>

type Row = {
  id: number
  kind: FolderKind
  path: string
  name: string
  schema_id: number
  connection_id: number
  agent_reference: string | null
  mode: ExtractionMode
  include_subfolders: number
  afterwards: Afterwards
  include: string
  exclude: string
  paused: number
}

export function foldersTable(db: Database) {
  const columns = 'id, kind, path, name, schema_id, connection_id, agent_reference, mode, include_subfolders, afterwards, include, exclude, paused'
  const all = db.prepare<[], Row>(`SELECT ${columns} FROM folders WHERE removed_at IS NULL ORDER BY name COLLATE NOCASE, id`)
  const byId = db.prepare<[number], Row>(`SELECT ${columns} FROM folders WHERE id = ?`)
  const same = db.prepare<[string, string, number, number, string | null], Row>(
    `SELECT ${columns} FROM folders WHERE kind = ? AND path = ? AND schema_id = ? AND connection_id = ?
     AND agent_reference IS ? ORDER BY id LIMIT 1`,
  )
  const insert = db.prepare<[string, string, string, number, number, string | null, string, number, string, string, string, number]>(
    `INSERT INTO folders (kind, path, name, schema_id, connection_id, agent_reference, mode, include_subfolders, afterwards, include, exclude, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const update = db.prepare<[string, string, number, number, string | null, string, number, string, string, string, number, number]>(
    `UPDATE folders SET path = ?, name = ?, schema_id = ?, connection_id = ?, agent_reference = ?, mode = ?,
     include_subfolders = ?, afterwards = ?, include = ?, exclude = ?, paused = ? WHERE id = ?`,
  )
  const remove = db.prepare<[number, number]>('UPDATE folders SET removed_at = ?, paused = 0 WHERE id = ?')
  const removedAt = db.prepare<[number], { removed_at: number | null }>('SELECT removed_at FROM folders WHERE id = ?')
  const pause = db.prepare<[number]>('UPDATE folders SET paused = 1 WHERE id = ?')
  const restore = db.prepare<[number]>('UPDATE folders SET removed_at = NULL WHERE id = ?')
  const counts = db.prepare<[], { folder_id: number; status: string; jobs: number; last: number }>(
    "SELECT folder_id, status, sum(jobs) AS jobs, max(newest_at) AS last FROM job_counts WHERE status <> 'bin' GROUP BY folder_id, status",
  )

  const statesSince = db.prepare<[{ id: number; status: string }], { folder_id: number; jobs: number }>(
    'SELECT folder_id, count(*) AS jobs FROM jobs INDEXED BY jobs_status WHERE status = @status AND id >= @id AND in_bin = 0 GROUP BY folder_id',
  )
  const reviewsSince = db.prepare<[{ id: number; status: string }], { folder_id: number; jobs: number }>(
    'SELECT folder_id, count(*) AS jobs FROM jobs INDEXED BY jobs_review WHERE review = @status AND id >= @id AND in_bin = 0 GROUP BY folder_id',
  )
  const next = db.prepare<[number], { id: number; created_at: number }>('SELECT id, created_at FROM jobs WHERE id >= ? ORDER BY id LIMIT 1')
  const last = db.prepare<[], { id: number | null }>('SELECT max(id) AS id FROM jobs')
  const firstOf = db.prepare<[number, number], { id: number; name: string; created_at: number }>(
    'SELECT id, name, created_at FROM jobs WHERE id >= ? AND folder_id = ? ORDER BY id LIMIT 1',
  )

  /** The first job that was received at a time or later, by halves: documents are received in the order of their ids. */
  const firstSince = (time: number): number => {
    let [low, high] = [1, (last.get()!.id ?? 0) + 1]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const row = next.get(middle)
      if (row !== undefined && row.created_at < time) low = row.id + 1
      else high = middle
    }
    return low
  }

  const save = (folder: Folder): void =>
    void update.run(
      folder.path,
      folder.name,
      folder.schemaId,
      folder.connectionId,
      folder.agentReference,
      folder.mode,
      Number(folder.includeSubfolders),
      folder.afterwards,
      folder.include.join('\n'),
      folder.exclude.join('\n'),
      Number(folder.paused),
      folder.id,
    )

  return {
    list: (): Folder[] => all.all().map(fromRow),
    get(id: number): Folder | null {
      const row = byId.get(id)
      return row === undefined ? null : fromRow(row)
    },
    add: (values: FolderValues, now: number): Folder => {
      const { lastInsertRowid } = insert.run(
        values.kind,
        values.path,
        values.name,
        values.schemaId,
        values.connectionId,
        values.agentReference,
        values.mode,
        Number(values.includeSubfolders),
        values.afterwards,
        (values.include ?? []).join('\n'),
        (values.exclude ?? []).join('\n'),
        now,
      )
      return fromRow(byId.get(Number(lastInsertRowid))!)
    },
    /**
     * The folder with this place, schema and way of extraction, also when it was removed before:
     * its jobs tell what is already done, so a second run goes on where the first one stopped. What becomes of its files
     * and which names it takes stay as they were when nothing is said of that.
     */
    findOrAdd(given: Omit<FolderValues, 'afterwards'> & Partial<FolderValues>, now: number): Folder {
      const { kind, path, schemaId, connectionId, agentReference } = given
      const row = same.get(kind, path, schemaId, connectionId, agentReference)
      if (row === undefined) return this.add({ ...given, afterwards: given.afterwards ?? 'stay' }, now)
      restore.run(row.id)
      const before = fromRow(row)
      const { afterwards = before.afterwards, include = before.include, exclude = before.exclude } = given
      const folder: Folder = { ...before, ...given, afterwards, include, exclude, paused: false }
      save(folder)
      return folder
    },
    save,
    pause: (id: number): void => void pause.run(id),
    /** Its jobs stay; what a person sends again of them is held up by no pause that nobody sees. */
    remove: (id: number, now: number): void => void remove.run(now, id),
    /** When it was removed, epoch ms; null while it is watched. */
    removedAt: (id: number): number | null => removedAt.get(id)?.removed_at ?? null,
    /** Jobs of every folder that were received since a time, by their state now. */
    receivedSince(time: number): { folderId: number; state: JobStatus | ReviewState; jobs: number }[] {
      const id = firstSince(time)
      const rows = (states: readonly (JobStatus | ReviewState)[], query: typeof statesSince) =>
        states.flatMap((state) => query.all({ id, status: state }).map((row) => ({ folderId: row.folder_id, state, jobs: row.jobs })))
      return [...rows(jobStatuses, statesSince), ...rows(reviewStates, reviewsSince)]
    },
    /** The document of a folder that was received at this time, the last one by `jobCounts`; null where the clock was set back since. */
    receivedAt(folderId: number, time: number): { id: number; name: string; at: number } | null {
      const row = firstOf.get(firstSince(time), folderId)
      return row === undefined ? null : { id: row.id, name: row.name, at: row.created_at }
    },
    /** Jobs of every folder by status, with the time of the newest. */
    jobCounts: (): { folderId: number; status: string; jobs: number; lastAt: number }[] =>
      counts.all().map((row) => ({ folderId: row.folder_id, status: row.status, jobs: row.jobs, lastAt: row.last })),
  }
}

function fromRow(row: Row): Folder {
  return {
    id: row.id,
    kind: row.kind,
    path: row.path,
    name: row.name,
    schemaId: row.schema_id,
    connectionId: row.connection_id,
    agentReference: row.agent_reference,
    mode: row.mode,
    includeSubfolders: row.include_subfolders === 1,
    afterwards: row.afterwards,
    include: patternsOf(row.include),
    exclude: patternsOf(row.exclude),
    paused: row.paused === 1,
  }
}

function patternsOf(lines: string): string[] {
  return lines === '' ? [] : lines.split('\n')
}
