import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connect, migrate } from '../../../electron/core/db/open.ts'
import type { Database } from '../../../electron/core/db/open.ts'
import { DocumentsTable } from '../../../electron/core/db/tables/documents.ts'
import { LessonsTable } from '../../../electron/core/db/tables/lessons.ts'
import { SchemasTable } from '../../../electron/core/db/tables/schemas.ts'
import { Forms } from '../../../electron/core/learning/forms.ts'
import { temporaryDir } from '../../helpers/core.ts'

let dir: ReturnType<typeof temporaryDir>
let db: Database
let lessons: LessonsTable
let documents = 0
beforeEach(() => {
  dir = temporaryDir()
  db = connect(`${dir.path}/sheaf.db`)
  migrate(db)
  db.exec("INSERT INTO connections (id, kind, name) VALUES (1, 'local', 'This computer')")
  new SchemasTable(db).save(null, 'Invoices', [], 0)
  db.exec(
    "INSERT INTO folders (id, kind, path, name, schema_id, connection_id, mode, include_subfolders, created_at) VALUES (1, 'watched', '/in', 'In', 1, 1, 'auto', 1, 0)",
  )
  lessons = new LessonsTable(db)
})
afterEach(() => {
  db.close()
  dir.remove()
})

function insert(name: string): number {
  return new DocumentsTable(db).insert(
    {
      folderId: 1,
      connectionId: 1,
      schemaVersionId: 1,
      agentReference: null,
      mode: 'auto',
      path: `/in/${name}`,
      name,
      sizeBytes: 1,
      mtimeMs: 1,
      sha256: null,
      status: 'queued',
      reason: null,
      originalDocumentId: null,
    },
    0,
  )
}

/** A lesson of a form (null: a new one); returns the form. */
function put(
  form: number | null,
  { ids = [] as string[], accounts = [] as string[], seller = null as string | null } = {},
) {
  const documentId = insert(`${(documents += 1)}.pdf`)
  lessons.put(
    { schemaId: 1, documentId, seller, fingerprint: JSON.stringify({ words: [], ids, accounts }), fields: '[]' },
    form,
    1000 + documentId,
  )
  return lessons.forms()[0]!.form
}

describe('the lessons of one form', () => {
  it('all count, and the newest eight say what is learned', () => {
    const form = put(null, { seller: 'Nordwind' })
    for (let more = 0; more < 9; more += 1) put(form)
    expect(lessons.forms()).toMatchObject([{ form, seller: 'Nordwind', documents: 10, newest: 10, learnedAt: 1010 }])
    expect(lessons.fieldsOf(form)).toHaveLength(8)
    expect(lessons.fingerprints(1).map(({ documentId }) => documentId)).toEqual([3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('are forgotten together, and no others with them', () => {
    const [one, other] = [put(null), put(null)]
    put(one)
    lessons.forget(one)
    expect(lessons.forms().map(({ form }) => form)).toEqual([other])
  })
})

describe('what documents of several forms have', () => {
  it('is of who receives them, unless they have the account of one sender', () => {
    put(null, { ids: ['receiver.example', 'north.example'], accounts: ['DE1'] })
    put(null, { ids: ['receiver.example', 'north.example'], accounts: ['DE1'] })
    put(null, { ids: ['receiver.example', 'south.example'], accounts: ['DE2'] })
    expect([...new Forms(lessons).of(1).shared]).toEqual(['receiver.example'])
  })

  it('is an account of who pays, where more forms have it than a sender has', () => {
    for (const id of ['a.example', 'b.example', 'c.example']) put(null, { ids: [id], accounts: ['DE9'] })
    expect([...new Forms(lessons).of(1).shared]).toEqual(['DE9'])
  })
})
