import { documentStatuses, reviewStates } from '../../../../shared/domain/document-status.ts'
import type {
  Afterwards,
  ExtractionMode,
  DocumentStatus,
  ReviewState,
} from '../../../../shared/domain/document-status.ts'
import type { CutChoice } from '../../../../shared/domain/sorting.ts'
import { aliased, found } from './columns.ts'
import { firstAt } from './first-at.ts'
import type { Database } from '../open.ts'

export type FolderKind = 'watched' | 'inbox' | 'batch'

export type Folder = {
  id: number
  kind: FolderKind
  path: string
  name: string
  schemaId: number
  /** The others of which one may fit a document better; none while an agent is named, which has its own. */
  otherSchemaIds: readonly number[]
  cuts: CutChoice
  connectionId: number
  agentReference: string | null
  mode: ExtractionMode
  includeSubfolders: boolean
  afterwards: Afterwards
  /** What files are called in `Done` (`shared/domain/archive-name.ts`). */
  archiveName: string
  /** Patterns for the names of its files (`shared/domain/file-patterns.ts`). */
  include: readonly string[]
  exclude: readonly string[]
  paused: boolean
}

type Usual = 'include' | 'exclude' | 'otherSchemaIds' | 'cuts' | 'archiveName'
/**
 * Without patterns every name is taken, without other schemas and cuts each file is one document of the one schema, and
 * without a name for the archive files keep theirs.
 */
export type FolderValues = Omit<Folder, 'id' | 'paused' | Usual> & Partial<Pick<Folder, Usual>>

type Row = Omit<Folder, 'includeSubfolders' | 'include' | 'exclude' | 'paused' | 'otherSchemaIds'> & {
  includeSubfolders: number
  otherSchemas: string
  include: string
  exclude: string
  paused: number
}

function prepare(db: Database) {
  const columns = aliased(
    'id, kind, path, name, schema_id, other_schemas, cuts, connection_id, agent_reference, mode, include_subfolders, ' +
      'afterwards, archive_name, include, exclude, paused',
  )
  return {
    all: db.prepare<[], Row>(
      `SELECT ${columns} FROM folders WHERE removed_at IS NULL ORDER BY name COLLATE NOCASE, id`,
    ),
    byId: db.prepare<[number], Row>(`SELECT ${columns} FROM folders WHERE id = ?`),
    // A batch that sorts otherwise is another one: its documents are asked by what it has.
    same: db.prepare<[Record<string, unknown>], Row>(
      `SELECT ${columns} FROM folders WHERE kind = @kind AND path = @path AND schema_id = @schemaId AND connection_id = @connectionId
     AND agent_reference IS @agentReference AND (kind <> 'batch' OR (other_schemas = @otherSchemas AND cuts = @cuts)) ORDER BY id LIMIT 1`,
    ),
    insert: db.prepare<[Record<string, unknown>]>(
      `INSERT INTO folders (kind, path, name, schema_id, other_schemas, cuts, connection_id, agent_reference, mode,
       include_subfolders, afterwards, archive_name, include, exclude, created_at)
     VALUES (@kind, @path, @name, @schemaId, @otherSchemas, @cuts, @connectionId, @agentReference, @mode,
       @includeSubfolders, @afterwards, @archiveName, @include, @exclude, @now)`,
    ),
    update: db.prepare<[Record<string, unknown>]>(
      `UPDATE folders SET path = @path, name = @name, schema_id = @schemaId, other_schemas = @otherSchemas, cuts = @cuts, connection_id = @connectionId, agent_reference = @agentReference, mode = @mode,
       include_subfolders = @includeSubfolders, afterwards = @afterwards, archive_name = @archiveName,
       include = @include, exclude = @exclude, paused = @paused WHERE id = @id`,
    ),
    remove: db.prepare<[number, number]>('UPDATE folders SET removed_at = ?, paused = 0 WHERE id = ?'),
    removedAt: db.prepare<[number], { removed_at: number | null }>('SELECT removed_at FROM folders WHERE id = ?'),
    pause: db.prepare<[number]>('UPDATE folders SET paused = 1 WHERE id = ?'),
    restore: db.prepare<[number]>('UPDATE folders SET removed_at = NULL WHERE id = ?'),
    counts: db.prepare<[], { folder_id: number; status: string; documents: number; last: number }>(
      "SELECT folder_id, status, sum(documents) AS documents, max(newest_at) AS last FROM document_counts WHERE status <> 'bin' GROUP BY folder_id, status",
    ),
    statesSince: db.prepare<[{ id: number; status: string }], { folder_id: number; documents: number }>(
      'SELECT folder_id, count(*) AS documents FROM documents INDEXED BY documents_status WHERE status = @status AND id >= @id AND in_bin = 0 GROUP BY folder_id',
    ),
    reviewsSince: db.prepare<[{ id: number; status: string }], { folder_id: number; documents: number }>(
      'SELECT folder_id, count(*) AS documents FROM documents INDEXED BY documents_review WHERE review = @status AND id >= @id AND in_bin = 0 GROUP BY folder_id',
    ),
    firstOf: db.prepare<[number, number], { id: number; name: string; created_at: number }>(
      'SELECT id, name, created_at FROM documents WHERE id >= ? AND folder_id = ? ORDER BY id LIMIT 1',
    ),
  }
}

export class FoldersTable {
  readonly #sql: ReturnType<typeof prepare>
  readonly #firstSince: (time: number) => number

  constructor(db: Database) {
    this.#sql = prepare(db)
    this.#firstSince = firstAt(db, 'documents')
  }

  list(): Folder[] {
    return this.#sql.all.all().map(fromRow)
  }

  get(id: number): Folder | null {
    return found(this.#sql.byId.get(id), fromRow)
  }

  add(values: FolderValues, now: number): Folder {
    const { lastInsertRowid } = this.#sql.insert.run({ ...columnsOf(values), now })
    return fromRow(this.#sql.byId.get(Number(lastInsertRowid))!)
  }

  /**
   * The folder with this place, schema and way of extraction, also when it was removed before:
   * its documents tell what is already done, so a second run goes on where the first one stopped. What becomes of its
   * files and which names it takes stay as they were when nothing is said of that.
   */
  findOrAdd(given: Omit<FolderValues, 'afterwards'> & Partial<FolderValues>, now: number): Folder {
    const { kind, path, schemaId, connectionId, agentReference } = given
    const { otherSchemas, cuts } = columnsOf({ afterwards: 'stay', ...given })
    const row = this.#sql.same.get({ kind, path, schemaId, connectionId, agentReference, otherSchemas, cuts })
    if (row === undefined) return this.add({ ...given, afterwards: given.afterwards ?? 'stay' }, now)
    this.#sql.restore.run(row.id)
    const before = fromRow(row)
    const folder: Folder = { ...before, ...given, paused: false }
    this.save(folder)
    return folder
  }

  save(folder: Folder): void {
    this.#sql.update.run({ ...columnsOf(folder), id: folder.id, paused: Number(folder.paused) })
  }

  pause(id: number): void {
    this.#sql.pause.run(id)
  }

  /** Its documents stay; what a person sends again of them is held up by no pause that nobody sees. */
  remove(id: number, now: number): void {
    this.#sql.remove.run(now, id)
  }

  /** When it was removed, epoch ms; null while it is watched. */
  removedAt(id: number): number | null {
    return this.#sql.removedAt.get(id)?.removed_at ?? null
  }

  /** Documents of every folder that were received since a time, by their state now. */
  receivedSince(time: number): { folderId: number; state: DocumentStatus | ReviewState; documents: number }[] {
    const id = this.#firstSince(time)
    const rows = (
      states: readonly (DocumentStatus | ReviewState)[],
      query: ReturnType<typeof prepare>['statesSince'],
    ) =>
      states.flatMap((state) =>
        query.all({ id, status: state }).map((row) => ({ folderId: row.folder_id, state, documents: row.documents })),
      )
    return [...rows(documentStatuses, this.#sql.statesSince), ...rows(reviewStates, this.#sql.reviewsSince)]
  }

  /**
   * The document of a folder that was received at this time, the last one by `documentCounts`; null where the clock
   * was set back since.
   */
  receivedAt(folderId: number, time: number): { id: number; name: string; at: number } | null {
    return found(this.#sql.firstOf.get(this.#firstSince(time), folderId), (row) => ({
      id: row.id,
      name: row.name,
      at: row.created_at,
    }))
  }

  /** Documents of every folder by status, with the time of the newest. */
  documentCounts(): { folderId: number; status: string; documents: number; lastAt: number }[] {
    return this.#sql.counts
      .all()
      .map((row) => ({ folderId: row.folder_id, status: row.status, documents: row.documents, lastAt: row.last }))
  }
}

function columnsOf(values: FolderValues) {
  const {
    includeSubfolders,
    include = [],
    exclude = [],
    otherSchemaIds = [],
    cuts = 'never',
    archiveName = '',
    ...others
  } = values
  return {
    ...others,
    archiveName,
    cuts,
    otherSchemas: JSON.stringify(otherSchemaIds),
    includeSubfolders: Number(includeSubfolders),
    include: include.join('\n'),
    exclude: exclude.join('\n'),
  }
}

function fromRow({ includeSubfolders, include, exclude, paused, otherSchemas, ...row }: Row): Folder {
  return {
    ...row,
    otherSchemaIds: JSON.parse(otherSchemas) as number[],
    includeSubfolders: includeSubfolders === 1,
    include: patternsOf(include),
    exclude: patternsOf(exclude),
    paused: paused === 1,
  }
}

function patternsOf(lines: string): string[] {
  return lines === '' ? [] : lines.split('\n')
}
