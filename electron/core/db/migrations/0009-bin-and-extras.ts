/** Documents that a person put into the bin, and files that are extracted once more with another schema. */
export const binAndExtras = `
-- 1: beside the job of its file, since a person wants that with another schema as well. The version that its folder knows is the
-- other job's, and so is what becomes of the file; it goes by the connection that it was asked for, not by that of its folder.
ALTER TABLE jobs ADD COLUMN extra INTEGER NOT NULL DEFAULT 0;
-- 1: out of every list, count, search and spreadsheet but the bin's own. Nothing else about it changes.
ALTER TABLE jobs ADD COLUMN in_bin INTEGER NOT NULL DEFAULT 0;

-- As before, with what tells the bin, so that a list is still read from its index alone.
DROP INDEX jobs_status;
DROP INDEX jobs_received;
DROP INDEX jobs_name;
DROP INDEX jobs_size;
DROP INDEX jobs_finished;
DROP INDEX jobs_review;
CREATE INDEX jobs_status ON jobs (status, id, folder_id, schema_version_id, in_bin);
CREATE INDEX jobs_received ON jobs (id, folder_id, schema_version_id, in_bin);
CREATE INDEX jobs_name ON jobs (name COLLATE NOCASE, id, folder_id, schema_version_id, in_bin);
CREATE INDEX jobs_size ON jobs (size_bytes, id, folder_id, schema_version_id, in_bin);
CREATE INDEX jobs_finished ON jobs (finished_at, id, folder_id, schema_version_id, in_bin);
CREATE INDEX jobs_review ON jobs (review, id, folder_id, schema_version_id, in_bin) WHERE review IS NOT NULL;
-- What is in the bin stays where it is, and what was asked besides moves with the job of its file.
DROP INDEX jobs_unfiled;
CREATE INDEX jobs_unfiled ON jobs (folder_id, id) WHERE (status IN ('done', 'failed') OR (status = 'skipped' AND original_job_id IS NOT NULL))
  AND (filed_as IS NULL OR (filed_as = 'failed' AND status <> 'failed') OR (filed_as = 'done' AND status = 'failed')) AND extra = 0 AND in_bin = 0;
CREATE INDEX jobs_in_bin ON jobs (id, folder_id, schema_version_id) WHERE in_bin = 1;

-- What is in the bin is counted under a status of its own, 'bin', so that whoever counts by status does not meet it.
DROP TRIGGER jobs_counted_in;
DROP TRIGGER jobs_counted_out;
DROP TRIGGER jobs_counted_anew;
CREATE TRIGGER jobs_counted_in AFTER INSERT ON jobs BEGIN
  INSERT INTO job_counts VALUES (new.folder_id, new.schema_version_id, iif(new.in_bin, 'bin', new.status), iif(new.in_bin, '', coalesce(new.review, '')), 1, new.result_id IS NOT NULL, new.created_at)
    ON CONFLICT DO UPDATE SET jobs = jobs + 1, results = results + excluded.results, newest_at = max(newest_at, excluded.newest_at);
END;
CREATE TRIGGER jobs_counted_out AFTER DELETE ON jobs BEGIN
  UPDATE job_counts SET jobs = jobs - 1, results = results - (old.result_id IS NOT NULL)
    WHERE folder_id = old.folder_id AND schema_version_id = old.schema_version_id AND status = iif(old.in_bin, 'bin', old.status) AND review = iif(old.in_bin, '', coalesce(old.review, ''));
END;
CREATE TRIGGER jobs_counted_anew AFTER UPDATE OF status, review, result_id, folder_id, schema_version_id, in_bin ON jobs
  WHEN old.status <> new.status OR old.review IS NOT new.review OR old.result_id IS NULL <> new.result_id IS NULL OR old.folder_id <> new.folder_id
    OR old.schema_version_id <> new.schema_version_id OR old.in_bin <> new.in_bin
BEGIN
  UPDATE job_counts SET jobs = jobs - 1, results = results - (old.result_id IS NOT NULL)
    WHERE folder_id = old.folder_id AND schema_version_id = old.schema_version_id AND status = iif(old.in_bin, 'bin', old.status) AND review = iif(old.in_bin, '', coalesce(old.review, ''));
  INSERT INTO job_counts VALUES (new.folder_id, new.schema_version_id, iif(new.in_bin, 'bin', new.status), iif(new.in_bin, '', coalesce(new.review, '')), 1, new.result_id IS NOT NULL, new.created_at)
    ON CONFLICT DO UPDATE SET jobs = jobs + 1, results = results + excluded.results, newest_at = max(newest_at, excluded.newest_at);
END;

-- A workbook has what is approved and not in the bin; a copy in the bin stands for nothing.
CREATE TRIGGER workbook_rows_bin AFTER UPDATE OF in_bin ON jobs
WHEN OLD.in_bin <> NEW.in_bin AND EXISTS (SELECT 1 FROM jobs d WHERE d.id IN (NEW.id, NEW.original_job_id) AND d.review = 'approved')
BEGIN
  UPDATE workbooks SET change = change + 1 WHERE is_on = 1 AND folder_id IN (SELECT folder_id FROM jobs WHERE id = NEW.id OR original_job_id = NEW.id);
  INSERT INTO workbook_rows (folder_id, job_id, added, change)
    SELECT w.folder_id, d.id, w.change, w.change FROM workbooks w JOIN jobs d ON d.id IN (NEW.id, NEW.original_job_id) AND d.review = 'approved'
    WHERE w.is_on = 1 AND w.folder_id IN (SELECT folder_id FROM jobs WHERE id = NEW.id OR original_job_id = NEW.id)
    ON CONFLICT (folder_id, job_id) DO UPDATE SET change = excluded.change;
END;
`
