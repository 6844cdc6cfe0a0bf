/** Lessons can come from another computer, where the documents are that taught them. */
export const transferredLessons = `
DROP TRIGGER comparisons_due_result;
CREATE TABLE lessons_anew (
  id INTEGER PRIMARY KEY,
  schema_id INTEGER NOT NULL REFERENCES schemas (id),
  -- lessons of one form have the same number: the id of the first of them
  form INTEGER NOT NULL,
  -- null: brought along from another computer
  document_id INTEGER UNIQUE REFERENCES documents (id),
  -- the name of the document where that is on another computer
  document_name TEXT,
  -- who sent it, where its values say so
  seller TEXT,
  -- Fingerprint and FieldLesson[]; null where newer lessons of the form say it
  fingerprint TEXT,
  fields TEXT,
  created_at INTEGER NOT NULL
) STRICT;
INSERT INTO lessons_anew (id, schema_id, form, document_id, seller, fingerprint, fields, created_at)
  SELECT id, schema_id, form, document_id, seller, fingerprint, fields, created_at FROM lessons;
DROP TABLE lessons;
ALTER TABLE lessons_anew RENAME TO lessons;
CREATE INDEX lessons_form ON lessons (schema_id, form, id);
CREATE TRIGGER comparisons_due_result AFTER UPDATE OF result_id ON documents
  WHEN new.result_id IS NOT NULL AND old.result_id IS NOT new.result_id
    AND EXISTS (SELECT 1 FROM lessons WHERE schema_id = (SELECT schema_id FROM schema_versions WHERE id = new.schema_version_id))
BEGIN
  INSERT INTO comparisons_due VALUES (new.id, new.result_id) ON CONFLICT DO UPDATE SET result_id = excluded.result_id;
END;
`
