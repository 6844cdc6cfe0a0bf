import type { Afterwards, ExtractionMode } from '../../../shared/job.ts'
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
  paused: boolean
}

export type FolderValues = Omit<Folder, 'id' | 'paused'>

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
  paused: number
}

export function foldersTable(db: Database) {
  const columns = 'id, kind, path, name, schema_id, connection_id, agent_reference, mode, include_subfolders, afterwards, paused'
  const all = db.prepare<[], Row>(`SELECT ${columns} FROM folders WHERE removed_at IS NULL ORDER BY name COLLATE NOCASE, id`)
  const byId = db.prepare<[number], Row>(`SELECT ${columns} FROM folders WHERE id = ?`)
  const same = db.prepare<[string, string, number, number, string | null], Row>(
    `SELECT ${columns} FROM folders WHERE kind = ? AND path = ? AND schema_id = ? AND connection_id = ?
     AND agent_reference IS ? ORDER BY id LIMIT 1`,
  )
  const insert = db.prepare<[string, string, string, number, number, string | null, string, number, string, number]>(
    `INSERT INTO folders (kind, path, name, schema_id, connection_id, agent_reference, mode, include_subfolders, afterwards, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const update = db.prepare<[string, string, number, number, string | null, string, number, string, number, number]>(
    `UPDATE folders SET path = ?, name = ?, schema_id = ?, connection_id = ?, agent_reference = ?, mode = ?,
     include_subfolders = ?, afterwards = ?, paused = ? WHERE id = ?`,
  )
  const remove = db.prepare<[number, number]>('UPDATE folders SET removed_at = ?, paused = 0 WHERE id = ?')
  const removedAt = db.prepare<[number], { removed_at: number | null }>('SELECT removed_at FROM folders WHERE id = ?')
  const pause = db.prepare<[number]>('UPDATE folders SET paused = 1 WHERE id = ?')
  const restore = db.prepare<[number]>('UPDATE folders SET removed_at = NULL WHERE id = ?')
  const counts = db.prepare<[], { folder_id: number; status: string; jobs: number; last: number }>(
    'SELECT folder_id, status, sum(jobs) AS jobs, max(newest_at) AS last FROM job_counts GROUP BY folder_id, status',
  )

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
        now,
      )
      return fromRow(byId.get(Number(lastInsertRowid))!)
    },
    /**
     * The folder with this place, schema and way of extraction, also when it was removed before:
     * its jobs tell what is already done, so a second run goes on where the first one stopped. What becomes of its files
     * stays as it was when nothing is said of that.
     */
    findOrAdd(given: Omit<FolderValues, 'afterwards'> & Partial<FolderValues>, now: number): Folder {
      const { kind, path, schemaId, connectionId, agentReference } = given
      const row = same.get(kind, path, schemaId, connectionId, agentReference)
      const values: FolderValues = { ...given, afterwards: given.afterwards ?? row?.afterwards ?? 'stay' }
      if (row === undefined) return this.add(values, now)
      restore.run(row.id)
      const folder = { ...fromRow(row), ...values, paused: false }
      save(folder)
      return folder
    },
    save,
    pause: (id: number): void => void pause.run(id),
    /** Its jobs stay; what a person sends again of them is held up by no pause that nobody sees. */
    remove: (id: number, now: number): void => void remove.run(now, id),
    /** When it was removed, epoch ms; null while it is watched. */
    removedAt: (id: number): number | null => removedAt.get(id)?.removed_at ?? null,
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
    paused: row.paused === 1,
  }
}
