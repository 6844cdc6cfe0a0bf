import type { Rule } from '../../../../shared/domain/review.ts'
import type { SchemaElement } from '../../../../shared/domain/schema.ts'
import { found } from './columns.ts'
import type { Database } from '../open.ts'

export type StoredSchema = {
  id: number
  name: string
  /** The newest version; a result keeps the one it was made with. */
  versionId: number
  version: number
  elements: SchemaElement[]
  /** What its documents are checked by. */
  rules: Rule[]
  /** The fields that tables show; null: the first ones. */
  columns: string[] | null
  updatedAt: number
}

type Row = {
  id: number
  name: string
  version_id: number
  version: number
  elements: string
  rules: string
  columns: string | null
  updated_at: number
}

/** A version as it was saved; `results`: documents that have a result with it. */
type SavedVersion = { version: number; savedAt: number; results: number; fields: number }

function prepare(db: Database) {
  const newest = `
    SELECT s.id, s.name, v.id AS version_id, v.version, v.elements, s.rules, s.columns, v.created_at AS updated_at
    FROM schemas s JOIN schema_versions v ON v.schema_id = s.id
    WHERE v.version = (SELECT max(version) FROM schema_versions WHERE schema_id = s.id)`
  return {
    all: db.prepare<[], Row>(`${newest} AND s.removed_at IS NULL ORDER BY s.name COLLATE NOCASE, s.id`),
    byId: db.prepare<[number], Row>(`${newest} AND s.id = ?`),
    byElements: db.prepare<[string], Row>(
      `${newest} AND s.removed_at IS NULL AND v.elements = ? ORDER BY s.id LIMIT 1`,
    ),
    version: db.prepare<[number], { elements: string; version: number; schema_id: number }>(
      'SELECT elements, version, schema_id FROM schema_versions WHERE id = ?',
    ),
    insert: db.prepare<[string, number]>('INSERT INTO schemas (name, created_at) VALUES (?, ?)'),
    rename: db.prepare<[string, number]>('UPDATE schemas SET name = ? WHERE id = ?'),
    insertVersion: db.prepare<[number, number, string, number]>(
      'INSERT INTO schema_versions (schema_id, version, elements, created_at) VALUES (?, ?, ?, ?)',
    ),
    setRulesAndColumns: db.prepare<[{ id: number; rules: string; columns: string | null }]>(
      'UPDATE schemas SET rules_pending = rules_pending + (rules <> @rules), rules = @rules, columns = @columns WHERE id = @id',
    ),
    pending: db.prepare<[], { id: number; pending: number }>(
      'SELECT id, rules_pending AS pending FROM schemas WHERE rules_pending > 0 ORDER BY id',
    ),
    settle: db.prepare<[number, number]>('UPDATE schemas SET rules_pending = 0 WHERE id = ? AND rules_pending = ?'),
    fill: db.prepare<[string, number]>('UPDATE schema_versions SET elements = ? WHERE id = ?'),
    remove: db.prepare<[number, number]>('UPDATE schemas SET removed_at = ? WHERE id = ?'),
    requireReassessment: db.prepare<[{ id: number | null }]>(
      'UPDATE schemas SET rules_pending = rules_pending + 1 WHERE @id IS NULL OR id = @id',
    ),
    usage: db.prepare<[], { schema_id: number; results: number }>(`
    SELECT v.schema_id, sum(c.results) AS results FROM document_counts c JOIN schema_versions v ON v.id = c.schema_version_id WHERE c.status <> 'bin' GROUP BY v.schema_id`),
    // As documents.ofEarlierVersions, from the counts.
    earlier: db.prepare<[], { schema_id: number; documents: number }>(`
    SELECT v.schema_id, sum(c.documents) AS documents FROM document_counts c JOIN schema_versions v ON v.id = c.schema_version_id
      JOIN folders f ON f.id = c.folder_id
    WHERE c.status = 'done' AND f.agent_reference IS NULL
      AND v.version < (SELECT max(version) FROM schema_versions n WHERE n.schema_id = v.schema_id) GROUP BY v.schema_id`),
    versions: db.prepare<[number], { version: number; created_at: number; results: number; fields: number }>(`
    SELECT v.version, v.created_at, json_array_length(v.elements) AS fields,
      (SELECT coalesce(sum(c.results), 0) FROM document_counts c WHERE c.schema_version_id = v.id) AS results
    FROM schema_versions v WHERE v.schema_id = ? ORDER BY v.version DESC`),
    byNumber: db.prepare<[number, number], { elements: string }>(
      'SELECT elements FROM schema_versions WHERE schema_id = ? AND version = ?',
    ),
  }
}

export class SchemasTable {
  readonly #db: Database
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: Database) {
    this.#db = db
    this.#sql = prepare(db)
  }

  list(): StoredSchema[] {
    return this.#sql.all.all().map(fromRow)
  }

  get(id: number): StoredSchema | null {
    return found(this.#sql.byId.get(id), fromRow)
  }

  /** A schema whose newest version has exactly these fields, so that the same file given twice is the same schema. */
  findByElements(elements: SchemaElement[]): StoredSchema | null {
    return found(this.#sql.byElements.get(JSON.stringify(elements)), fromRow)
  }

  elementsOf(versionId: number): SchemaElement[] {
    return JSON.parse(this.#sql.version.get(versionId)!.elements) as SchemaElement[]
  }

  versionOf(versionId: number): { version: number; schemaId: number } {
    const row = this.#sql.version.get(versionId)!
    return { version: row.version, schemaId: row.schema_id }
  }

  /** The newest first. */
  versions(id: number): SavedVersion[] {
    return this.#sql.versions
      .all(id)
      .map(({ version, created_at, results, fields }) => ({ version, savedAt: created_at, results, fields }))
  }

  /** The fields of one version, by its number; null where there is none. */
  elementsOfVersion(id: number, number: number): SchemaElement[] | null {
    const row = this.#sql.byNumber.get(id, number)
    return row === undefined ? null : (JSON.parse(row.elements) as SchemaElement[])
  }

  save(id: number | null, name: string, elements: SchemaElement[], now: number): StoredSchema {
    return this.#db.transaction(() => {
      const text = JSON.stringify(elements)
      if (id === null) {
        const created = Number(this.#sql.insert.run(name, now).lastInsertRowid)
        this.#sql.insertVersion.run(created, 1, text, now)
        return fromRow(this.#sql.byId.get(created)!)
      }
      this.#sql.rename.run(name, id)
      const current = this.#sql.byId.get(id)!
      // Its fields were lost with a damaged database: what is saved now is what documents wait for.
      if (current.elements === '[]') this.#sql.fill.run(text, current.version_id)
      // Unchanged fields make no new version: a version is what duplicates and results refer to.
      else if (current.elements !== text) this.#sql.insertVersion.run(id, current.version + 1, text, now)
      return fromRow(this.#sql.byId.get(id)!)
    })()
  }

  setRulesAndColumns(id: number, rules: Rule[], columns: string[] | null): void {
    this.#sql.setRulesAndColumns.run({
      id,
      rules: JSON.stringify(rules),
      columns: columns === null ? null : JSON.stringify(columns),
    })
  }

  /** What its documents are assessed by is another now; null: those of all schemas. */
  requireReassessment(id: number | null): void {
    this.#sql.requireReassessment.run({ id })
  }

  /**
   * Schemas whose documents are to be assessed again, since their rules or the partners changed. `pending` is another
   * number after each change.
   */
  toReassess(): { id: number; pending: number }[] {
    return this.#sql.pending.all()
  }

  /** All of its documents were assessed by what counted when it was `pending` so. */
  reassessed(id: number, pending: number): void {
    this.#sql.settle.run(id, pending)
  }

  remove(id: number, now: number): void {
    this.#sql.remove.run(now, id)
  }

  /** schema id → documents that have a result with any version of it. */
  resultCounts(): Map<number, number> {
    return new Map(this.#sql.usage.all().map((row) => [row.schema_id, row.results]))
  }

  /** schema id → documents whose result is one by an earlier version of it. */
  earlierCounts(): Map<number, number> {
    return new Map(this.#sql.earlier.all().map((row) => [row.schema_id, row.documents]))
  }
}

function fromRow(row: Row): StoredSchema {
  return {
    id: row.id,
    name: row.name,
    versionId: row.version_id,
    version: row.version,
    elements: JSON.parse(row.elements) as SchemaElement[],
    rules: JSON.parse(row.rules) as Rule[],
    columns: JSON.parse(row.columns ?? 'null') as string[] | null,
    updatedAt: row.updated_at,
  }
}
