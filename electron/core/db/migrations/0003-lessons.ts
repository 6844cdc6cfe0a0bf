/**
 * What a person's corrections and approvals teach of a sender's form, and what that changed. What is due is noted with
 * each change in its transaction: nothing that was stored is left out by an end of the process.
 */
export const lessons = `
CREATE TABLE lessons (
  id INTEGER PRIMARY KEY,
  schema_id INTEGER NOT NULL REFERENCES schemas (id),
  -- lessons of one form have the same number: the id of the first of them
  form INTEGER NOT NULL,
  document_id INTEGER NOT NULL UNIQUE REFERENCES documents (id),
  -- who sent it, where its values say so
  seller TEXT,
  -- Fingerprint and FieldLesson[]; null where newer lessons of the form say it
  fingerprint TEXT,
  fields TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX lessons_form ON lessons (schema_id, form, id);

CREATE TABLE learned_values (
  document_id INTEGER PRIMARY KEY REFERENCES documents (id),
  -- LearnedValue[]
  found TEXT NOT NULL
) STRICT;

-- Documents that may teach something, by the last that a person did to them.
CREATE TABLE lessons_due (document_id INTEGER PRIMARY KEY, entry_id INTEGER NOT NULL) STRICT;
CREATE TRIGGER lessons_due_review AFTER INSERT ON review_entries WHEN new.kind <> 'confirm' BEGIN
  INSERT INTO lessons_due VALUES (new.document_id, new.id) ON CONFLICT DO UPDATE SET entry_id = excluded.entry_id;
END;

-- Results that are to be compared with what was learned; until then they are not ready.
CREATE TABLE comparisons_due (document_id INTEGER PRIMARY KEY, result_id INTEGER NOT NULL) STRICT;
CREATE TRIGGER comparisons_due_result AFTER UPDATE OF result_id ON documents
  WHEN new.result_id IS NOT NULL AND old.result_id IS NOT new.result_id
    AND EXISTS (SELECT 1 FROM lessons WHERE schema_id = (SELECT schema_id FROM schema_versions WHERE id = new.schema_version_id))
BEGIN
  INSERT INTO comparisons_due VALUES (new.id, new.result_id) ON CONFLICT DO UPDATE SET result_id = excluded.result_id;
END;
`
