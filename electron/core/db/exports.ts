import { basename } from 'node:path'
import type { ExportRow } from '../../../shared/contract.ts'
import type { Database } from './open.ts'

type Row = { id: number; paths: string; format: string; rows: number; documents: number; schema_name: string; created_at: number }

/** The exports that were written, newest first. */
export function exportsTable(db: Database) {
  const columns = 'e.id, e.paths, e.format, e.rows, e.documents, s.name AS schema_name, e.created_at'
  const from = 'FROM exports e JOIN schemas s ON s.id = e.schema_id'
  const insert = db.prepare<[number, string, string, number, number, number]>(
    'INSERT INTO exports (schema_id, paths, format, rows, documents, created_at) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const all = db.prepare<[], Row>(`SELECT ${columns} ${from} ORDER BY e.id DESC LIMIT 200`)
  const named = db.prepare<[string], { path: string }>('SELECT DISTINCT p.value AS path FROM exports, json_each(exports.paths) p WHERE instr(p.value, ?) > 0')
  const byId = db.prepare<[number], Row>(`SELECT ${columns} ${from} WHERE e.id = ?`)

  return {
    add(made: { schemaId: number; paths: string[]; format: string; rows: number; documents: number }, now: number): ExportRow {
      const { lastInsertRowid } = insert.run(made.schemaId, JSON.stringify(made.paths), made.format, made.rows, made.documents, now)
      return fromRow(byId.get(Number(lastInsertRowid))!)
    },
    get(id: number): ExportRow | null {
      const row = byId.get(id)
      return row === undefined ? null : fromRow(row)
    },
    /** Where files were written whose path ends in this name. */
    pathsNamed: (name: string): string[] => named.all(name).map(({ path }) => path).filter((path) => basename(path) === name),
    list: (): ExportRow[] => all.all().map(fromRow),
  }
}

function fromRow(row: Row): ExportRow {
  return {
    id: row.id,
    paths: JSON.parse(row.paths) as string[],
    format: row.format as ExportRow['format'],
    rows: row.rows,
    documents: row.documents,
    schemaName: row.schema_name,
    createdAt: row.created_at,
  }
}
