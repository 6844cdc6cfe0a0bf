/** Files that are called by their values in the folder `Done`; which of them are due is noted with each change. */
export const archiveNames = `
-- What files are called in Done (shared/domain/archive-name.ts); empty: they keep their names.
ALTER TABLE folders ADD COLUMN archive_name TEXT NOT NULL DEFAULT '';

-- Where below Done a file lay before it was called by its values, and what its document was called: it goes back there
-- when nobody wants that any more.
CREATE TABLE archive_originals (
  document_id INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
  place TEXT NOT NULL,
  name TEXT NOT NULL
) STRICT;

-- Documents whose file may have to be called otherwise.
CREATE TABLE archive_names_due (
  document_id INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
  folder_id INTEGER NOT NULL
) STRICT;
CREATE INDEX archive_names_due_folder ON archive_names_due (folder_id, document_id);
CREATE TRIGGER archive_names_due_document AFTER UPDATE OF review, result_id, archived_as, extra, in_bin ON documents
  WHEN new.archived_as = 'done' AND new.extra = 0 AND new.in_bin = 0
    AND (old.archived_as IS NOT 'done' OR old.review IS NOT new.review OR old.result_id IS NOT new.result_id
      OR old.extra <> new.extra OR old.in_bin <> new.in_bin)
    AND (EXISTS (SELECT 1 FROM folders WHERE id = new.folder_id AND archive_name <> '')
      OR EXISTS (SELECT 1 FROM archive_originals WHERE document_id = new.id))
BEGIN
  INSERT OR IGNORE INTO archive_names_due VALUES (new.id, new.folder_id);
END;
CREATE TRIGGER archive_names_due_values AFTER UPDATE OF corrected ON results WHEN old.corrected IS NOT new.corrected BEGIN
  INSERT OR IGNORE INTO archive_names_due
    SELECT d.id, d.folder_id FROM documents d JOIN folders f ON f.id = d.folder_id
    WHERE d.id = new.document_id AND d.archived_as = 'done' AND d.extra = 0 AND f.archive_name <> '';
END;
CREATE TRIGGER archive_names_due_folder_changed AFTER UPDATE OF archive_name, path ON folders
  WHEN old.archive_name <> new.archive_name OR old.path <> new.path
BEGIN
  INSERT OR IGNORE INTO archive_names_due
    SELECT id, folder_id FROM documents WHERE folder_id = new.id AND archived_as = 'done' AND extra = 0;
END;
`
