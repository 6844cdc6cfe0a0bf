/** The row of an approved document is written anew when its file was renamed. */
export const renamedInWorkbooks = `
CREATE TRIGGER workbook_rows_renamed AFTER UPDATE OF name ON documents
WHEN OLD.name <> NEW.name AND NEW.review IS 'approved'
BEGIN
  UPDATE workbooks SET change = change + 1 WHERE is_on = 1 AND folder_id IN (SELECT folder_id FROM documents WHERE id = NEW.id OR original_document_id = NEW.id);
  INSERT INTO workbook_rows (folder_id, document_id, added, change)
    SELECT w.folder_id, NEW.id, w.change, w.change FROM workbooks w
    WHERE w.is_on = 1 AND w.folder_id IN (SELECT folder_id FROM documents WHERE id = NEW.id OR original_document_id = NEW.id)
    ON CONFLICT (folder_id, document_id) DO UPDATE SET change = excluded.change;
END;
`
