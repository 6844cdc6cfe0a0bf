import { expect, it, onTestFinished } from 'vitest'
import { connect, migrate } from '../../../electron/core/db/open.ts'
import { DocumentsTable } from '../../../electron/core/db/tables/documents.ts'
import { SchemasTable } from '../../../electron/core/db/tables/schemas.ts'
import { parseSchema } from '../../../shared/domain/schema.ts'
import { temporaryDir } from '../../helpers/core.ts'

/** Queued documents by number, folder, connection and when they are due; folder 3 is paused. */
function documentsTable(queued: [id: number, folder: number, connection: number, notBefore: number][]): DocumentsTable {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  const db = connect(`${dir.path}/sheaf.db`)
  onTestFinished(() => void db.close())
  migrate(db)
  new SchemasTable(db).save(null, 'Invoice', parseSchema([{ name: 'Number', format: 'text', description: '' }]), 0)
  db.exec(`
    INSERT INTO connections (id, kind, name) VALUES (1, 'local', 'This computer'), (2, 'platform', 'Platform');
    INSERT INTO folders (id, kind, path, name, schema_id, connection_id, mode, include_subfolders, paused, created_at) VALUES
      (1, 'watched', '/1', '1', 1, 1, 'auto', 1, 0, 0),
      (2, 'watched', '/2', '2', 1, 1, 'auto', 1, 0, 0),
      (3, 'watched', '/3', '3', 1, 1, 'auto', 1, 1, 0);`)
  const insert = db.prepare(`
    INSERT INTO documents (id, folder_id, connection_id, not_before, schema_version_id, mode, path, name, size_bytes, mtime_ms, status, created_at)
    VALUES (?, ?, ?, ?, 1, 'auto', '/x', '', 1, 0, 'queued', 0)`)
  for (const document of queued) insert.run(...document)
  return new DocumentsTable(db)
}

it('documents of all folders have their turn by when they are due and came, without those of a paused folder', () => {
  const documents = documentsTable([
    [1, 2, 1, 50],
    [2, 1, 1, 0],
    [3, 3, 1, 0],
    [4, 2, 1, 0],
    [5, 1, 1, 50],
    [6, 1, 1, 200],
    [7, 1, 2, 0],
  ])
  const ids = (folderId: number | null, limit: number): number[] =>
    documents.due(1, 100, folderId, limit).map(({ id }) => id)
  expect(ids(null, 10)).toEqual([2, 4, 1, 5])
  expect(ids(null, 3)).toEqual([2, 4, 1])
  expect(ids(1, 10)).toEqual([2, 5])
  expect(ids(3, 10)).toEqual([])
  expect(documents.due(2, 100, null, 10).map(({ id }) => id)).toEqual([7])
})

it('the next document that is due is told of one folder or of all that are not paused', () => {
  const documents = documentsTable([
    [1, 1, 1, 70],
    [2, 2, 1, 60],
    [3, 3, 1, 5],
  ])
  expect(documents.nextDueAt(1, null)).toBe(60)
  expect(documents.nextDueAt(1, 1)).toBe(70)
  expect(documents.nextDueAt(1, 3)).toBeNull()
  expect(documents.nextDueAt(2, null)).toBeNull()
})
