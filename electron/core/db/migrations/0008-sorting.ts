/**
 * Folders with several schemas, files that hold several documents, and what is known of both; files that move between
 * folders.
 */
export const sorting = `
-- Ids of the schemas beside schema_id, of which the one that fits is asked: a JSON array.
ALTER TABLE folders ADD COLUMN other_schemas TEXT NOT NULL DEFAULT '[]';
ALTER TABLE folders ADD COLUMN cuts TEXT NOT NULL DEFAULT 'never' CHECK (cuts IN ('never', 'ask', 'sure'));

-- Of a part: which pages of its file are the document.
ALTER TABLE documents ADD COLUMN first_page INTEGER;
ALTER TABLE documents ADD COLUMN last_page INTEGER;

-- What was recognised in a document, or said by a person.
CREATE TABLE sortings (
  document_id INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
  -- SortedPart[]
  parts TEXT NOT NULL,
  -- 0: a proposal, which waits for a person
  settled INTEGER NOT NULL,
  by_person INTEGER NOT NULL,
  -- 1: an example for others: a person said so, or approved the values
  confirmed INTEGER NOT NULL
) STRICT;
CREATE INDEX sortings_confirmed ON sortings (document_id) WHERE confirmed = 1;
CREATE TRIGGER sortings_approved AFTER UPDATE OF review ON documents WHEN NEW.review IS 'approved' AND OLD.review IS NOT 'approved' BEGIN
  UPDATE sortings SET confirmed = 1 WHERE document_id = NEW.id AND settled = 1;
END;
CREATE INDEX documents_unsorted ON documents (id)
  WHERE status = 'skipped' AND reason_code IN ('kind_unsure', 'cut_proposed') AND in_bin = 0;

-- A file that was cut goes where its parts ended.
DROP INDEX documents_unarchived;
CREATE INDEX documents_unarchived ON documents (folder_id, id)
  WHERE (status IN ('done', 'failed')
      OR (status = 'skipped' AND (original_document_id IS NOT NULL OR reason_code = 'cut')))
    AND (archived_as IS NULL OR (archived_as = 'failed' AND status <> 'failed')
      OR (archived_as = 'done' AND status = 'failed'))
    AND extra = 0 AND in_bin = 0;

-- A document that moved to another folder is a row of that folder's workbook, and none of the other's.
CREATE TRIGGER workbook_rows_moved AFTER UPDATE OF folder_id ON documents
WHEN OLD.folder_id <> NEW.folder_id AND NEW.review IS 'approved'
BEGIN
  UPDATE workbooks SET change = change + 1 WHERE is_on = 1 AND folder_id IN (OLD.folder_id, NEW.folder_id);
  INSERT INTO workbook_rows (folder_id, document_id, added, change)
    SELECT w.folder_id, NEW.id, w.change, w.change FROM workbooks w WHERE w.is_on = 1 AND w.folder_id IN (OLD.folder_id, NEW.folder_id)
    ON CONFLICT (folder_id, document_id) DO UPDATE SET change = excluded.change;
END;
`
