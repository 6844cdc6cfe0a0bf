import type { LearnedValue } from '../../../../shared/domain/learned.ts'
import type { Database } from '../open.ts'

/**
 * A form that was learned. `seller`: as its documents call it, where they do; `name`: of the first of them; `newest`:
 * the last one that taught it, null where that is on another computer.
 */
export type LearnedForm = {
  form: number
  schemaName: string
  seller: string | null
  name: string
  newest: number | null
  documents: number
  learnedAt: number
}

type NewLesson = { schemaId: number; documentId: number; seller: string | null; fingerprint: string; fields: string }

/** A lesson without the document that taught it. `form`: lessons of one have the same number. */
export type TransferredLesson = {
  form: number
  documentName: string
  seller: string | null
  fingerprint: string
  fields: string
}

/** Older lessons of a form than so many only count: the newer ones say what they said. */
export const maxKept = 8

/** What lessons say of a document's values. Also for a database that was opened for a repair. */
export function learnedBy(db: Database): (documentId: number) => LearnedValue[] {
  const select = db.prepare<[number], { found: string }>('SELECT found FROM learned_values WHERE document_id = ?')
  return (documentId) => {
    const row = select.get(documentId)
    return row === undefined ? [] : (JSON.parse(row.found) as LearnedValue[])
  }
}

function prepare(db: Database) {
  return {
    nextLesson: db.prepare<[], { documentId: number; entryId: number }>(
      'SELECT document_id AS documentId, entry_id AS entryId FROM lessons_due ORDER BY entry_id LIMIT 1',
    ),
    settleLesson: db.prepare<[number, number]>('DELETE FROM lessons_due WHERE document_id = ? AND entry_id = ?'),
    nextComparison: db.prepare<[], { documentId: number; resultId: number }>(
      'SELECT document_id AS documentId, result_id AS resultId FROM comparisons_due ORDER BY document_id LIMIT 1',
    ),
    settleComparison: db.prepare<[number, number]>(
      'DELETE FROM comparisons_due WHERE document_id = ? AND result_id = ?',
    ),
    isComparing: db.prepare<[number], { found: 1 }>('SELECT 1 AS found FROM comparisons_due WHERE document_id = ?'),
    formOf: db.prepare<[number], { form: number }>('SELECT form FROM lessons WHERE document_id = ?'),
    insert: db.prepare<[NewLesson & { form: number; now: number }]>(`
    INSERT INTO lessons (schema_id, form, document_id, seller, fingerprint, fields, created_at)
    VALUES (@schemaId, @form, @documentId, @seller, @fingerprint, @fields, @now)`),
    ofSchema: db.prepare<[number], TransferredLesson>(`
    SELECT l.form, coalesce(d.name, l.document_name, '') AS documentName, l.seller, l.fingerprint, l.fields
    FROM lessons l LEFT JOIN documents d ON d.id = l.document_id
    WHERE l.schema_id = ? AND l.fingerprint IS NOT NULL ORDER BY l.id`),
    importOne: db.prepare<[TransferredLesson & { schemaId: number; now: number }]>(`
    INSERT INTO lessons (schema_id, form, document_name, seller, fingerprint, fields, created_at)
    VALUES (@schemaId, @form, @documentName, @seller, @fingerprint, @fields, @now)`),
    nameForm: db.prepare<[number]>('UPDATE lessons SET form = id WHERE id = ?'),
    thin: db.prepare<[{ form: number; keep: number }]>(`
    UPDATE lessons SET fingerprint = NULL, fields = NULL WHERE form = @form AND fingerprint IS NOT NULL
      AND id <= (SELECT id FROM lessons WHERE form = @form ORDER BY id DESC LIMIT 1 OFFSET @keep)`),
    remove: db.prepare<[number]>('DELETE FROM lessons WHERE document_id = ?'),
    kept: db.prepare<[number], { form: number; documentId: number | null; fingerprint: string }>(
      'SELECT form, document_id AS documentId, fingerprint FROM lessons WHERE schema_id = ? AND fingerprint IS NOT NULL ORDER BY id',
    ),
    fields: db.prepare<[number], { fields: string }>(
      'SELECT fields FROM lessons WHERE form = ? AND fields IS NOT NULL ORDER BY id DESC',
    ),
    forms: db.prepare<[], LearnedForm>(`
    SELECT l.form, s.name AS schemaName, count(*) AS documents, max(l.created_at) AS learnedAt,
      (SELECT coalesce(d.name, f.document_name, '') FROM lessons f LEFT JOIN documents d ON d.id = f.document_id
        WHERE f.form = l.form ORDER BY f.id LIMIT 1) AS name,
      (SELECT e.seller FROM lessons e WHERE e.form = l.form AND e.seller IS NOT NULL ORDER BY e.id DESC LIMIT 1) AS seller,
      (SELECT n.document_id FROM lessons n WHERE n.form = l.form ORDER BY n.id DESC LIMIT 1) AS newest
    FROM lessons l JOIN schemas s ON s.id = l.schema_id GROUP BY l.form ORDER BY max(l.id) DESC LIMIT 1000`),
    forget: db.prepare<[number]>('DELETE FROM lessons WHERE form = ?'),
    forgetAll: db.prepare('DELETE FROM lessons'),
    setLearned: db.prepare<[number, string]>(
      'INSERT INTO learned_values VALUES (?, ?) ON CONFLICT DO UPDATE SET found = excluded.found',
    ),
    clearLearned: db.prepare<[number]>('DELETE FROM learned_values WHERE document_id = ?'),
    waiting: db.prepare<[{ schemaId: number; limit: number }], { id: number }>(`
    SELECT j.id FROM documents j WHERE j.review IN ('ready', 'flagged') AND j.in_bin = 0
      AND j.schema_version_id IN (SELECT id FROM schema_versions WHERE schema_id = @schemaId) ORDER BY j.id DESC LIMIT @limit`),
    noComparisons: db.prepare<[], { documentId: number }>(
      'DELETE FROM comparisons_due RETURNING document_id AS documentId',
    ),
  }
}

/** What documents taught, what is to be learned and compared, and what lessons say of documents. */
export class LessonsTable {
  readonly #sql: ReturnType<typeof prepare>
  readonly #learned: (documentId: number) => LearnedValue[]
  #changes = 0

  constructor(db: Database) {
    this.#sql = prepare(db)
    this.#learned = learnedBy(db)
  }

  /** Another number after each change of the lessons. */
  get changes(): number {
    return this.#changes
  }

  /** The next document that may teach something, the one that has waited longest. */
  nextLesson(): { documentId: number; entryId: number } | null {
    return this.#sql.nextLesson.get() ?? null
  }

  /** `entryId`: what a person did meanwhile is due by itself. */
  settleLesson({ documentId, entryId }: { documentId: number; entryId: number }): void {
    this.#sql.settleLesson.run(documentId, entryId)
  }

  nextComparison(): { documentId: number; resultId: number } | null {
    return this.#sql.nextComparison.get() ?? null
  }

  settleComparison({ documentId, resultId }: { documentId: number; resultId: number }): void {
    this.#sql.settleComparison.run(documentId, resultId)
  }

  /** Whether its result is still to be compared with what was learned. */
  isComparing(documentId: number): boolean {
    return this.#sql.isComparing.get(documentId) !== undefined
  }

  /**
   * Stores what a document teaches, in the place of what it taught before. `form`: the one that it has; null for a new
   * one, unless it had one.
   */
  put(lesson: NewLesson, form: number | null, now: number): void {
    const before = this.#sql.formOf.get(lesson.documentId)?.form ?? null
    this.#sql.remove.run(lesson.documentId)
    const known = form ?? before
    const { lastInsertRowid } = this.#sql.insert.run({ ...lesson, form: known ?? 0, now })
    if (known === null) this.#sql.nameForm.run(Number(lastInsertRowid))
    else this.#sql.thin.run({ form: known, keep: maxKept })
    this.#changes += 1
  }

  /** The document teaches nothing any more. */
  remove(documentId: number): void {
    this.#sql.remove.run(documentId)
    this.#changes += 1
  }

  /** The forms of a schema by the fingerprints (JSON) of their newest documents. */
  fingerprints(schemaId: number): { form: number; documentId: number | null; fingerprint: string }[] {
    return this.#sql.kept.all(schemaId)
  }

  /** What is kept of a schema, to be taken to another computer. */
  ofSchema(schemaId: number): TransferredLesson[] {
    return this.#sql.ofSchema.all(schemaId)
  }

  /** Stores lessons of another computer, save those that are here already. Returns how many forms are new. */
  import(schemaId: number, lessons: readonly TransferredLesson[], now: number): number {
    const known = new Map(this.ofSchema(schemaId).map(({ form, fingerprint }) => [fingerprint, form]))
    const forms = new Map(
      lessons.flatMap(({ form, fingerprint }) => {
        const here = known.get(fingerprint)
        return here === undefined ? [] : [[form, here] as const]
      }),
    )
    const before = forms.size
    for (const lesson of lessons) {
      if (known.has(lesson.fingerprint)) continue
      const form = forms.get(lesson.form)
      const id = Number(this.#sql.importOne.run({ ...lesson, schemaId, form: form ?? 0, now }).lastInsertRowid)
      if (form === undefined) this.#sql.nameForm.run(id)
      forms.set(lesson.form, form ?? id)
    }
    this.#changes += 1
    return forms.size - before
  }

  /** What the newest documents of a form teach of its fields, as JSON. */
  fieldsOf(form: number): string[] {
    return this.#sql.fields.all(form).map(({ fields }) => fields)
  }

  /** The newest first: a thousand at most. */
  forms(): LearnedForm[] {
    return this.#sql.forms.all()
  }

  /** Null: all forms. Returns the documents that need not be compared any more, where there is nothing left. */
  forget(form: number | null): number[] {
    if (form === null) this.#sql.forgetAll.run()
    else this.#sql.forget.run(form)
    this.#changes += 1
    return form === null ? this.#sql.noComparisons.all().map(({ documentId }) => documentId) : []
  }

  /** The newest documents of a schema that nobody approved, at most so many. */
  waiting(schemaId: number, limit: number): number[] {
    return this.#sql.waiting.all({ schemaId, limit }).map(({ id }) => id)
  }

  /** What lessons say of a document's values. */
  learnedOf(documentId: number): LearnedValue[] {
    return this.#learned(documentId)
  }

  setLearned(documentId: number, found: LearnedValue[]): void {
    if (found.length === 0) this.#sql.clearLearned.run(documentId)
    else this.#sql.setLearned.run(documentId, JSON.stringify(found))
  }
}
