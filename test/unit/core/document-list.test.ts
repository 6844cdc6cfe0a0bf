import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connect, migrate } from '../../../electron/core/db/open.ts'
import type { Database } from '../../../electron/core/db/open.ts'
import { DocumentList } from '../../../electron/core/db/tables/document-list.ts'
import { DocumentsTable } from '../../../electron/core/db/tables/documents.ts'
import { PlacesTable } from '../../../electron/core/db/tables/places.ts'
import { ResultsTable } from '../../../electron/core/db/tables/results.ts'
import { SchemasTable } from '../../../electron/core/db/tables/schemas.ts'
import { SearchTable } from '../../../electron/core/db/search/search-table.ts'
import { documentFilter } from '../../../shared/contract/documents.ts'
import type { DocumentFilter, documentSorts } from '../../../shared/contract/documents.ts'
import { documentStatuses, reviewStates } from '../../../shared/domain/document-status.ts'
import type { DocumentStatus } from '../../../shared/domain/document-status.ts'
import type { ExtractedRecord } from '../../../shared/domain/result.ts'
import { temporaryDir } from '../../helpers/core.ts'
import { forNight, scaled } from '../../helpers/scale.ts'

let dir: ReturnType<typeof temporaryDir>
let db: Database
beforeEach(() => {
  dir = temporaryDir()
  db = connect(`${dir.path}/sheaf.db`)
  migrate(db)
  db.exec("INSERT INTO connections (id, kind, name) VALUES (1, 'local', 'This computer')")
  for (const id of [1, 2]) {
    new SchemasTable(db).save(null, `Schema ${id}`, [], 0)
    db.prepare(
      "INSERT INTO folders (id, kind, path, name, schema_id, connection_id, mode, include_subfolders, created_at) VALUES (?, 'watched', ?, ?, ?, 1, 'auto', 1, 0)",
    ).run(id, `/in/Büro ${id}`, `Büro ${id}`, id)
  }
})
afterEach(() => {
  db.close()
  dir.remove()
})

const anything: DocumentFilter = documentFilter.parse({})
type Sort = (typeof documentSorts)[number]

function insert(
  name: string,
  { folderId = 1, sizeBytes = 1, originalDocumentId = null as number | null, now = 0 } = {},
): number {
  return new DocumentsTable(db).insert(
    {
      folderId,
      connectionId: 1,
      schemaVersionId: folderId,
      agentReference: null,
      mode: 'auto',
      path: `/in/Büro ${folderId}/${name}`,
      name,
      sizeBytes,
      mtimeMs: 0,
      sha256: null,
      originalDocumentId,
      status: originalDocumentId === null ? 'queued' : 'skipped',
      reason: originalDocumentId === null ? null : { code: 'duplicate', details: {} },
    },
    now,
  )
}

function succeed(documentId: number, record: Record<string, unknown>): void {
  db.prepare(
    "INSERT INTO attempts (document_id, mode, host, started_at, outcome, reference) VALUES (?, 'sync', 'x', 0, 'succeeded', randomblob(8))",
  ).run(documentId)
  db.prepare(
    "INSERT INTO answers (attempt_id, source, received_at, body, body_sha256) SELECT max(id), 'response', 0, x'00', randomblob(8) FROM attempts",
  ).run()
  const { id } = db.prepare<[], { id: number }>('SELECT max(id) AS id FROM answers').get()!
  const resultId = new ResultsTable(db).insert(
    {
      documentId,
      answerId: id,
      records: [record as ExtractedRecord],
      sources: null,
      doubts: [],
      summary: [],
      durationMs: null,
      tokensConsumed: null,
    },
    0,
  )
  new DocumentsTable(db).apply(documentId, 'succeed', { resultId }, 1)
}

function namesFound(search: string, filter: Partial<DocumentFilter> = {}): string[] {
  while (new SearchTable(db).catchUp(3));
  return new DocumentList(db)
    .list({ ...anything, ...filter, search }, { sort: 'name', descending: false, offset: 0, limit: 500 })
    .rows.map(({ name }) => name)
}

describe('the list of documents', () => {
  const sorts: Sort[] = ['receivedAt', 'name', 'status', 'sizeBytes', 'finishedAt']

  it.each(scaled(['receivedAt', 'finishedAt'] as const, sorts))(
    'has every page of every filter in the order of %s, from both ends',
    (sort) => {
      const documents = new DocumentsTable(db)
      for (let index = 0; index < 60; index += 1) {
        const id = insert(`${'baCD'[index % 4]}${index % 7}.pdf`, {
          folderId: 1 + (index % 2),
          sizeBytes: index % 5,
          now: 1000 - index,
        })
        if (index % 3 === 0) documents.apply(id, 'fail', {}, 2000 - index)
        if (index % 5 === 0) documents.apply(id, 'cancel', {}, 3000 + (index % 4))
        if (index % 8 === 1) documents.setInBin(id, true)
      }
      const all = db
        .prepare<
          [],
          {
            id: number
            name: string
            status: DocumentStatus
            size_bytes: number
            finished_at: number | null
            folder_id: number
            in_bin: number
          }
        >('SELECT * FROM documents')
        .all()
      const keys: Record<Sort, (row: (typeof all)[number]) => string | number> = {
        receivedAt: ({ id }) => id,
        name: ({ name }) => name.toLowerCase(),
        status: ({ status }) => status,
        sizeBytes: (row) => row.size_bytes,
        finishedAt: (row) => row.finished_at ?? -1,
      }
      for (const statuses of [
        [],
        ['failed'],
        ['queued', 'cancelled'],
        ['queued', 'failed'],
        [...documentStatuses],
      ] as DocumentStatus[][]) {
        for (const [folderId, schemaId] of [
          [null, null],
          [2, null],
          [null, 1],
          [1, 2],
        ] as const) {
          for (const [descending, inBin] of [
            [false, false],
            [true, false],
            [false, true],
            [true, true],
          ] as const) {
            const wanted = all
              .filter(
                ({ status, folder_id, in_bin }) =>
                  in_bin === Number(inBin) &&
                  (statuses.length === 0 || statuses.includes(status)) &&
                  (folderId === null || folder_id === folderId) &&
                  (schemaId === null || folder_id === schemaId),
              )
              .sort((a, b) => (keys[sort](a) < keys[sort](b) ? -1 : keys[sort](a) > keys[sort](b) ? 1 : a.id - b.id))
              .map(({ id }) => id)
            if (descending) wanted.reverse()
            const list = (offset: number, limit: number) =>
              new DocumentList(db).list(
                { ...anything, statuses, folderId, schemaId, inBin },
                { sort, descending, offset, limit },
              )
            for (const [offset, limit] of [
              [0, 7],
              [7, 7],
              [20, 9],
              [wanted.length - 3, 9],
              [0, 500],
              [900, 5],
            ] as const) {
              if (offset < 0) continue
              const { rows, total } = list(offset, limit)
              expect(rows.map(({ id }) => id)).toEqual(wanted.slice(offset, offset + limit))
              expect(total).toBe(wanted.length)
            }
          }
        }
      }
    },
  )

  it('is read from its indexes alone, never by sorting all of it', () => {
    const plans = ['documents_received', 'documents_name', 'documents_size', 'documents_finished'].map((index) =>
      db
        .prepare<[], { detail: string }>(
          `EXPLAIN QUERY PLAN SELECT id FROM documents INDEXED BY ${index} WHERE in_bin = 0 AND folder_id = 1 AND schema_version_id IN (1, 2) ORDER BY ${{ documents_received: 'id', documents_name: 'name COLLATE NOCASE', documents_size: 'size_bytes', documents_finished: 'finished_at' }[index]} DESC, id DESC LIMIT 5 OFFSET 5`,
        )
        .all(),
    )
    for (const plan of plans)
      expect(plan.map(({ detail }) => detail)).toEqual([expect.stringMatching(/^SCAN documents USING COVERING INDEX/)])
    const planOf = (sql: string): string[] =>
      db
        .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => detail)
    expect(
      planOf(
        "SELECT id FROM documents INDEXED BY documents_status WHERE status IN ('done') AND in_bin = 0 AND folder_id = 1 ORDER BY id DESC LIMIT 5",
      ),
    ).toEqual([expect.stringMatching(/^SEARCH documents USING COVERING INDEX documents_status/)])
    expect(
      planOf(
        "SELECT id FROM documents INDEXED BY documents_review WHERE review IN ('ready') AND in_bin = 0 ORDER BY id DESC LIMIT 5",
      ),
    ).toEqual([expect.stringMatching(/^SEARCH documents USING COVERING INDEX documents_review/)])
    expect(
      planOf('SELECT count(*) FROM documents INDEXED BY documents_in_bin WHERE in_bin = 1 AND folder_id = 1'),
    ).toEqual([expect.stringMatching(/^SCAN documents USING (COVERING )?INDEX documents_in_bin/)])
    expect(
      planOf(
        "SELECT rowid FROM document_search WHERE document_search MATCH 'a' AND NOT EXISTS (SELECT 1 FROM documents b INDEXED BY documents_in_bin WHERE b.in_bin = 1 AND b.id = document_search.rowid) ORDER BY rowid DESC LIMIT 5",
      ),
    ).toEqual([
      expect.stringMatching(/^SCAN document_search VIRTUAL TABLE/),
      expect.stringMatching(/CORRELATED/),
      expect.stringMatching(/^SEARCH b USING (COVERING )?INDEX documents_in_bin/),
    ])
  })

  it('can be of what was received in a span of time, in every order, tab and search, with its counts', forNight, () => {
    const documents = new DocumentsTable(db)
    // Every seventh was removed: ids have gaps.
    for (let index = 0; index < 70; index += 1) {
      const id = insert(`tulip ${'baC'[index % 3]}${index}.pdf`, {
        folderId: 1 + (index % 2),
        sizeBytes: index % 5,
        now: 1000 + Math.floor(index / 10) * 100,
      })
      if (index % 7 === 3) db.prepare('DELETE FROM documents WHERE id = ?').run(id)
      else if (index % 3 === 0) documents.apply(id, 'fail', {}, 5000)
    }
    while (new SearchTable(db).catchUp(100));
    const all = db
      .prepare<[], { id: number; status: DocumentStatus; created_at: number; folder_id: number }>(
        'SELECT * FROM documents',
      )
      .all()
    for (const [receivedFrom, receivedBefore] of [
      [null, 1200],
      [1200, null],
      [1100, 1300],
      [1101, 1299],
      [0, 9000],
      [9000, null],
      [null, 0],
      [1300, 1100],
    ] as const) {
      for (const folderId of [null, 2]) {
        const within = all.filter(
          (row) =>
            (receivedFrom === null || row.created_at >= receivedFrom) &&
            (receivedBefore === null || row.created_at < receivedBefore) &&
            (folderId === null || row.folder_id === folderId),
        )
        for (const search of ['', 'tulip']) {
          const filter = { ...anything, search, receivedFrom, receivedBefore, folderId }
          expect(new DocumentList(db).counts(filter).counts).toMatchObject({
            queued: within.filter(({ status }) => status === 'queued').length,
            failed: within.filter(({ status }) => status === 'failed').length,
          })
          for (const statuses of [[], ['failed']] as DocumentStatus[][]) {
            const wanted = within
              .filter(({ status }) => statuses.length === 0 || statuses.includes(status))
              .map(({ id }) => id)
            for (const sort of sorts) {
              const { rows, total } = new DocumentList(db).list(
                { ...filter, statuses },
                { sort, descending: true, offset: 0, limit: 500 },
              )
              expect([rows.map(({ id }) => id).sort((a, b) => a - b), total]).toEqual([wanted, wanted.length])
            }
          }
        }
      }
    }
  })

  it('can be of several states of the check in every order', () => {
    const documents = new DocumentsTable(db)
    const ids = ['a.pdf', 'b.pdf', 'c.pdf'].map((name) => insert(name, { folderId: 1 }))
    for (const [index, id] of ids.entries()) {
      documents.apply(id, 'submit', {}, 5)
      succeed(id, { total: 1 })
      db.prepare('UPDATE documents SET review = ? WHERE id = ?').run(reviewStates[index]!, id)
    }
    for (const sort of sorts) {
      const filter = { ...anything, reviews: reviewStates.slice(0, 2) }
      const { rows } = new DocumentList(db).list(filter, { sort, descending: false, offset: 0, limit: 10 })
      expect(rows.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    }
  })

  it('counts what there is after every change of a document and of its check', () => {
    const documents = new DocumentsTable(db)
    const ids = Array.from({ length: 9 }, (_, index) => insert(`${index}.pdf`, { folderId: 1 + (index % 2) }))
    const countOf = (column: string, value: string | number): number =>
      db
        .prepare<[string | number], { documents: number }>(
          `SELECT count(*) AS documents FROM documents WHERE ${column} = ? AND (in_bin = 0 OR '${column}' = 'in_bin')`,
        )
        .get(value)!.documents
    const counted = () => ({
      ...Object.fromEntries([
        ...documentStatuses.map((status) => [status, countOf('status', status)]),
        ...reviewStates.map((state) => [state, countOf('review', state)]),
      ]),
      bin: countOf('in_bin', 1),
    })
    expect(new DocumentList(db).counts(anything).counts).toEqual(counted())
    for (const id of ids.slice(2)) documents.apply(id, 'submit', {}, 5)
    succeed(ids[3]!, { total: 1 })
    db.prepare("UPDATE documents SET review = 'flagged', flag_count = 2 WHERE id = ?").run(ids[3]!)
    documents.apply(ids[4]!, 'fail', {}, 5)
    db.prepare('DELETE FROM documents WHERE id = ?').run(ids[0]!)
    db.prepare('UPDATE documents SET folder_id = 2, schema_version_id = 2 WHERE id = ?').run(ids[4]!)
    for (const id of [ids[1]!, ids[3]!, ids[5]!]) documents.setInBin(id, true)
    expect(new DocumentList(db).counts(anything).counts).toEqual(counted())
    expect(new DocumentList(db).counts({ ...anything, receivedFrom: 0 }).counts).toEqual(counted())
    expect([...new SchemasTable(db).resultCounts()].filter(([, results]) => results > 0)).toEqual([])
    // What changes in the bin is counted there.
    documents.apply(ids[5]!, 'fail', {}, 5)
    db.prepare('DELETE FROM documents WHERE id = ?').run(ids[5]!)
    expect(new DocumentList(db).counts(anything).counts).toEqual(counted())
    for (const id of [ids[1]!, ids[3]!]) documents.setInBin(id, false)
    expect(new DocumentList(db).counts(anything).counts).toEqual(counted())
    expect(new DocumentList(db).counts({ ...anything, folderId: 2 }).counts).toMatchObject({
      failed: 1,
      done: 1,
      queued: 1,
      submitting: 1,
    })
    expect([...new SchemasTable(db).resultCounts()].filter(([, results]) => results > 0)).toEqual([[2, 1]])
  })
})

describe('the search', () => {
  it.each([
    ['café', 'the name without its marks', 'cafe'],
    ['2026-0917', 'a number as it is typed', '2026-0917'],
    ['2026-0917', 'its second part', '0917'],
    ['RE/2024', 'a number with a slash', 're/2024'],
    ['RE/2024', 'the beginning of its second part', '20'],
    ['1284.61', 'an amount as it is shown in German', '1.284,61'],
    ['1284.61', 'an amount as it is kept', '1284.61'],
    ['1284.61', 'the end of an amount as it is shown', '284,61'],
    ['1284.61', 'the beginning of an amount', '1.28'],
    ['6067.8', 'an amount with a second decimal', '6.067,80'],
    ['2026-09-17', 'a day as it is written in German', '17.09.2026'],
    ['2026-09-17', 'a day as it is written in the USA', '09/17/2026'],
    ['2026-09-17', 'the beginning of a day', '17.09'],
    ['Hartmann Söhne GmbH', 'several words in any sequence', 'söh hartm'],
    ['DE02 1203 0000 0000 2020 51', 'a code without its spaces', 'DE02120300000000202051'],
  ])('finds «%s» by %s: «%s»', (value, _what, search) => {
    const id = insert('a.pdf')
    const number = /^\d+\.\d+$/.test(value) ? Number(value) : null
    succeed(id, { field: number ?? value })
    insert('b.pdf')
    expect(namesFound(search)).toEqual(['a.pdf'])
    const [row] = new DocumentList(db).list(
      { ...anything, search },
      { sort: 'name', descending: false, offset: 0, limit: 1 },
    ).rows
    expect(row!.hit).toMatchObject({ field: 'value', label: 'field', text: value, number })
    expect(row!.hit!.ranges.length).toBeGreaterThan(0)
  })

  it('finds names, folders, values and the text that was read here, and says where', () => {
    const id = insert('Rechnung_0815.pdf')
    succeed(id, { items: [{ what: 'Tulpen' }, { what: 'Nelken' }] })
    insert('other.pdf', { folderId: 2 })
    new SearchTable(db).setText(id, `${'word '.repeat(100)}Gänseblümchen ${'word '.repeat(100)}`)
    expect(namesFound('0815 nelk')).toEqual(['Rechnung_0815.pdf'])
    expect(namesFound('büro 2')).toEqual(['other.pdf'])
    expect(namesFound('büro')).toHaveLength(2)
    expect(namesFound('ganseblumchen')).toEqual(['Rechnung_0815.pdf'])
    const hit = (search: string) =>
      new DocumentList(db).list({ ...anything, search }, { sort: 'name', descending: false, offset: 0, limit: 1 })
        .rows[0]!.hit!
    const marked = (search: string): string[] =>
      hit(search).ranges.map(([from, to]) => hit(search).text.slice(from, to))
    expect([hit('0815').field, marked('0815')]).toEqual(['name', ['0815']])
    expect([hit('tulp').label, marked('tulp')]).toEqual(['what', ['Tulp']])
    expect([hit('ganse').field, marked('ganse'), hit('ganse').text.length < 200]).toEqual(['text', ['Gänse'], true])
  })

  it('finds every word that goes on as a search begins, be they one, a few or many', () => {
    const words = [
      'trade',
      'traded',
      'tradition',
      'café',
      'cafeteria',
      'cafe\u0301s',
      'CAFÉ',
      '2026',
      ...Array.from({ length: 40 }, (_, index) => `tram${index}`),
    ]
    const names = words.map((word, index) => `${index} ${word} sheet.pdf`)
    for (const name of names) insert(name)
    const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
    for (const search of [
      't',
      'tr',
      'tra',
      'trad',
      'Trade',
      'trades',
      'tram',
      'tram3',
      'tram39',
      'caf',
      'cafe',
      'CAFÉ',
      'cafés',
      '202',
      '2026',
      '2027',
    ]) {
      const wanted = names.filter((_, index) => plain(words[index]!).startsWith(plain(search))).sort()
      expect(namesFound(search).sort(), search).toEqual(wanted)
      expect(namesFound(`shee ${search}`).sort(), search).toEqual(wanted)
      expect(namesFound(`1-${search}`), search).toEqual(
        'traded'.startsWith(plain(search)) ? ['1 traded sheet.pdf'] : [],
      )
    }
  })

  it('follows names, results and texts as they change, also in copies', () => {
    const id = insert('first.pdf')
    insert('copy.pdf', { originalDocumentId: id })
    expect(namesFound('first')).toEqual(['first.pdf'])
    new PlacesTable(db).relocate(id, {
      folderId: 1,
      path: '/in/Büro 1/second.pdf',
      name: 'second.pdf',
      mtimeMs: 1,
    })
    expect(namesFound('first')).toEqual([])
    expect(namesFound('second')).toEqual(['second.pdf'])
    succeed(id, { seller: 'Kestrel' })
    expect(namesFound('kestrel')).toEqual(['copy.pdf', 'second.pdf'])
    succeed(id, { seller: 'Nordwind' })
    expect(namesFound('kestrel')).toEqual([])
    new SearchTable(db).setText(id, 'sunflower')
    expect(namesFound('sunfl nordw')).toEqual(['second.pdf'])
    new DocumentsTable(db).replaceContent(id, 1, 2, Buffer.from('other'))
    expect(namesFound('sunfl')).toEqual([])
  })

  it('keeps to state, folder and schema, and counts by state', () => {
    const ids = [1, 1, 2].map((folderId, index) => insert(`tulip ${index}.pdf`, { folderId }))
    new DocumentsTable(db).apply(ids[0]!, 'cancel', {}, 1)
    expect(namesFound('tulip', { statuses: ['cancelled'] })).toEqual(['tulip 0.pdf'])
    expect(namesFound('tulip', { folderId: 2 })).toEqual(['tulip 2.pdf'])
    expect(namesFound('tulip', { schemaId: 1, statuses: ['queued'] })).toEqual(['tulip 1.pdf'])
    expect(namesFound('f1 v1')).toEqual([])
    expect(namesFound('tulip', { schemaId: 99 })).toEqual([])
    expect(new DocumentList(db).counts({ ...anything, search: 'tulip', statuses: ['done'] })).toMatchObject({
      counts: { queued: 2, cancelled: 1 },
      more: false,
    })
  })

  it('lists the newest ten thousand of more, and says that there are others', () => {
    insert('tulip 0.pdf')
    const columns = db.pragma('table_info(documents)') as { name: string }[]
    const kept = columns
      .map(({ name }) => name)
      .filter((name) => !['id', 'name', 'path', 'created_at'].includes(name))
      .join(', ')
    db.exec(`
      INSERT INTO documents (name, path, created_at, ${kept})
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10004)
      SELECT 'tulip ' || n || '.pdf', path || n, created_at + n, ${kept} FROM documents, numbers WHERE documents.id = (SELECT max(id) FROM documents)`)
    while (new SearchTable(db).catchUp(5000));
    const { rows, total, more } = new DocumentList(db).list(
      { ...anything, search: 'tulip' },
      { sort: 'receivedAt', descending: false, offset: 0, limit: 1 },
    )
    expect([rows[0]!.name, total, more]).toEqual(['tulip 5.pdf', 10_000, true])
    expect(new DocumentList(db).counts({ ...anything, search: 'tulip' }).more).toBe(true)
  })

  it('takes whatever a person can type', forNight, () => {
    insert('a.pdf')
    while (new SearchTable(db).catchUp(5));
    const ask = (search: string): void => {
      new DocumentList(db).list(
        { ...anything, search, folderId: 1 },
        { sort: 'receivedAt', descending: true, offset: 0, limit: 10 },
      )
      new DocumentList(db).counts({ ...anything, search })
    }
    const hostile = [
      '"',
      '""',
      "'",
      '*',
      '^',
      'a"b',
      'a* OR',
      'NEAR(a b)',
      'name:a',
      '{name} : a',
      '-a',
      'AND',
      'NOT',
      '()',
      '\0',
      'a\0b',
      '…',
      '🙂',
      '\ud800',
      'x'.repeat(500),
      'a '.repeat(250),
      '1.'.repeat(250),
      '"a '.repeat(166),
      '%',
      '_',
      '\\',
    ]
    for (const search of hostile) expect(() => ask(search), JSON.stringify(search)).not.toThrow()
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (search) => ask(search)),
      { numRuns: scaled(40, 300) },
    )
    expect(namesFound('!!! ""')).toEqual([])
  })
})
