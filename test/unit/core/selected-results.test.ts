import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, migrate } from '../../../electron/core/db/open.ts'
import type { Database } from '../../../electron/core/db/open.ts'
import { ResultsTable } from '../../../electron/core/db/tables/results.ts'
import { SchemasTable } from '../../../electron/core/db/tables/schemas.ts'
import type { ResultSelection } from '../../../electron/core/db/tables/selected-results.ts'
import type { Tables } from '../../../electron/core/db/tables/tables.ts'
import { exportHandlers } from '../../../electron/core/handlers/exports.ts'
import type { HandlerContext } from '../../../electron/core/handlers/types.ts'
import { exportSpec } from '../../../shared/contract/exports.ts'
import type { ExportSpec } from '../../../shared/contract/exports.ts'
import { parseSchema } from '../../../shared/domain/schema.ts'
import { temporaryDir } from '../../helpers/core.ts'

const many = 24_000
const hour = 3_600_000
const field = (name: string) => ({ name, format: 'text' as const, description: '' })
const item = { name: 'Items', format: 'list' as const, description: '', items: [field('What')] }

let dir: ReturnType<typeof temporaryDir>
let db: Database

// One document an hour: every second one approved a minute later, the last hundred with a field more, every tenth in
// another folder, which has copies of the first five besides.
beforeAll(() => {
  dir = temporaryDir()
  db = connect(`${dir.path}/sheaf.db`)
  migrate(db)
  const schemas = new SchemasTable(db)
  const { id } = schemas.save(null, 'Invoice', parseSchema([field('Number'), item]), 0)
  schemas.save(id, 'Invoice', parseSchema([field('Number'), field('Customer'), item]), 1)
  db.exec(`
    INSERT INTO connections (id, kind, name) VALUES (1, 'local', 'This computer');
    INSERT INTO folders (id, kind, path, name, schema_id, connection_id, mode, include_subfolders, created_at) VALUES
      (1, 'watched', '/in/one', 'One', 1, 1, 'auto', 1, 0), (2, 'watched', '/in/two', 'Two', 1, 1, 'auto', 1, 0);
    CREATE TEMP TABLE n AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many}) SELECT i FROM n;
    INSERT INTO documents (id, folder_id, connection_id, schema_version_id, mode, path, name, size_bytes, mtime_ms, status, review, result_id, created_at)
      SELECT i, iif(i % 10 = 0, 2, 1), 1, iif(i > ${many - 100}, 2, 1), 'auto', '/in/' || i, i || '.pdf', 1, 0, 'done', iif(i % 2 = 0, 'approved', 'ready'), i, i * ${hour} FROM temp.n;
    INSERT INTO documents (folder_id, connection_id, schema_version_id, mode, path, name, size_bytes, mtime_ms, status, reason_code, original_document_id, created_at)
      SELECT 2, 1, 1, 'auto', '/in/copy' || i, 'copy ' || i || '.pdf', 1, 0, 'skipped', 'duplicate', i, ${many} * ${hour} + i FROM temp.n WHERE i <= 5;
    INSERT INTO attempts (id, document_id, mode, host, started_at, outcome, reference) SELECT i, i, 'sync', 'x', 0, 'succeeded', CAST(i AS BLOB) FROM temp.n;
    INSERT INTO answers (id, attempt_id, source, received_at, body, body_sha256) SELECT i, i, 'response', 0, x'00', x'00' FROM temp.n;
    INSERT INTO results (id, document_id, answer_id, records, record_count, summary, created_at)
      SELECT i, i, i, iif(i > ${many - 100}, json_array(json_object('Number', 'N' || i, 'Colour', 'red', 'Items', json('[{"What":"a"},{"What":"b"},{"What":"c"}]'))),
        json_array(json_object('Number', 'N' || i, 'Items', json('[{"What":"a"},{"What":"b"}]')))), 1, '[]', 0 FROM temp.n;
    INSERT INTO review_entries (document_id, kind, person, created_at) SELECT i, 'approve', 'Ada', i * ${hour} + 60000 FROM temp.n WHERE i % 2 = 0;`)
}, 120_000)
afterAll(() => {
  db.close()
  dir.remove()
})

const selection = (more: Partial<ResultSelection> = {}): ResultSelection => ({
  schemaId: 1,
  folderId: null,
  documentIds: null,
  ...more,
})
const preview = (more: Partial<ExportSpec> = {}) =>
  exportHandlers({
    tables: { results: new ResultsTable(db), schemas: new SchemasTable(db) } as Tables,
    emit: () => undefined,
    now: () => many * hour,
  } as unknown as HandlerContext)['exports.preview']({
    ...exportSpec.parse({ schemaId: 1, format: 'csv', locale: 'en', lists: 'rows', ...more }),
    limit: 50,
  })

describe('the documents of an export', () => {
  it('are counted as many as there are, copies that stand for their original included', () => {
    const results = new ResultsTable(db)
    for (const more of [
      {},
      { folderId: 1 },
      { folderId: 2 },
      { reviews: ['approved' as const] },
      { folderId: 2, reviews: ['ready' as const] },
      { documentIds: [3, 10, many + 1, 99_999] },
    ]) {
      expect(results.count(selection(more))).toBe([...results.documents(selection(more))].length)
    }
    expect(results.count(selection({ folderId: 2 }))).toBe(many / 10 + 5)
  })

  it('come in the order in which they were received, from whatever states they are', () => {
    const names = [
      ...new ResultsTable(db).documents(selection({ folderId: 2, reviews: ['flagged', 'ready', 'approved'] })),
    ].map(({ fileName }) => fileName)
    expect(names.slice(0, 2)).toEqual(['10.pdf', '20.pdf'])
    expect(names.slice(-2)).toEqual(['copy 4.pdf', 'copy 5.pdf'])
  })

  it('of a period are found among many as they are when each is asked', () => {
    const results = new ResultsTable(db)
    const from = (many - 700) * hour
    for (const by of ['received', 'approved'] as const) {
      for (const period of [
        { by, from, to: null },
        { by, from, to: from + 90 * hour },
        { by, from: null, to: 50 * hour },
        { by, from: many * hour * 2, to: null },
      ]) {
        const { ids, isAll } = results.first(selection({ period }), 10_000)
        expect(isAll).toBe(true)
        expect(ids.map((id) => `${id}.pdf`)).toEqual(
          [...results.documents(selection({ period }))].map(({ fileName }) => fileName),
        )
      }
    }
  })
})

describe('a preview of many documents', () => {
  it('counts all of them, and says that there are more rows than it looked at', async () => {
    const { tables, documents, atLeast } = await preview()
    expect({ documents, atLeast, rows: tables[0]!.rows.length, total: tables[0]!.totalRows }).toEqual({
      documents: many,
      atLeast: { documents: false, flagged: false, rows: true },
      rows: 50,
      total: 2000,
    })
    expect(tables[0]!.rows[0]).toEqual(['1.pdf', 'N1', '', '', 'a'])
  })

  it('has the columns of documents of each version, also of those that it does not reach', async () => {
    const { tables } = await preview()
    expect(tables[0]!.columns.map(({ header }) => header)).toEqual(['File', 'Number', 'Customer', 'Colour', 'What'])
    const { tables: flat } = await preview({ lists: 'columns' })
    expect(flat[0]!.columns.map(({ header }) => header)).toEqual([
      'File',
      'Number',
      'Customer',
      'Colour',
      'Items 1 What',
      'Items 2 What',
      'Items 3 What',
    ])
  })

  it('counts a period up to ten thousand, and says that there are more', async () => {
    const days = (last: number) => ({ days: { by: 'received' as const, from: null, to: null, last } })
    const today = new Date(many * hour)
    const first = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 19).getTime() / hour
    expect(await preview(days(20))).toMatchObject({
      documents: many - Math.ceil(first) + 1,
      atLeast: { documents: false, rows: false },
    })
    expect(await preview(days(900))).toMatchObject({ documents: 10_000, atLeast: { documents: true, rows: true } })
  })

  it('says how many need a look, all of them or as many as are counted', async () => {
    expect(await preview()).toMatchObject({ flagged: 0 })
    db.exec(`UPDATE documents SET review = 'flagged' WHERE review = 'ready'`)
    expect(await preview()).toMatchObject({ documents: many, flagged: many / 2, atLeast: { flagged: false } })
    expect(await preview({ folderId: 2, reviews: ['flagged'] })).toMatchObject({ documents: 3, flagged: 3 })
    expect(await preview({ reviews: ['approved'] })).toMatchObject({ documents: many / 2, flagged: 0 })
    expect(await preview({ documentIds: [1, 2, 3] })).toMatchObject({ documents: 3, flagged: 2 })
    const days = (by: 'received' | 'approved') => ({ days: { by, from: null, to: null, last: 900 } })
    expect(await preview(days('received'))).toMatchObject({
      documents: 10_000,
      flagged: 10_000,
      atLeast: { documents: true, flagged: true },
    })
    expect(await preview(days('approved'))).toMatchObject({ flagged: 0, atLeast: { flagged: false } })
  })
})
