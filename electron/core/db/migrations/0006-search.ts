/** By job id. Only the index: what it was made of is in the rows themselves, and it can be made anew of them. */
export const searchIndex = `
CREATE VIRTUAL TABLE job_search USING fts5 (name, place, value, text, scope, content = '', contentless_delete = 1, prefix = '1 2', tokenize = "unicode61 remove_diacritics 2");
`

/** Lists of a million documents: an index for each order, counts that nobody has to count, and the index of words. */
export const search = `
-- Each holds what the list filters by, and nothing that changes often: a page at any place is read from it alone, its rows by their ids.
DROP INDEX jobs_status;
DROP INDEX jobs_received;
CREATE INDEX jobs_status ON jobs (status, id, folder_id, schema_version_id);
CREATE INDEX jobs_received ON jobs (id, folder_id, schema_version_id);
CREATE INDEX jobs_name ON jobs (name COLLATE NOCASE, id, folder_id, schema_version_id);
CREATE INDEX jobs_size ON jobs (size_bytes, id, folder_id, schema_version_id);
CREATE INDEX jobs_finished ON jobs (finished_at, id, folder_id, schema_version_id);

-- How many jobs there are of each kind, kept by the triggers below.
CREATE TABLE job_counts (
  folder_id INTEGER NOT NULL,
  schema_version_id INTEGER NOT NULL,
  status TEXT NOT NULL,
  -- '' of what is not done
  review TEXT NOT NULL,
  jobs INTEGER NOT NULL,
  -- those of them that have a result
  results INTEGER NOT NULL,
  -- when the newest one that ever was one of them was received
  newest_at INTEGER NOT NULL,
  PRIMARY KEY (folder_id, schema_version_id, status, review)
) STRICT, WITHOUT ROWID;
INSERT INTO job_counts
  SELECT folder_id, schema_version_id, status, coalesce(review, ''), count(*), count(result_id), max(created_at) FROM jobs GROUP BY 1, 2, 3, 4;

CREATE TRIGGER jobs_counted_in AFTER INSERT ON jobs BEGIN
  INSERT INTO job_counts VALUES (new.folder_id, new.schema_version_id, new.status, coalesce(new.review, ''), 1, new.result_id IS NOT NULL, new.created_at)
    ON CONFLICT DO UPDATE SET jobs = jobs + 1, results = results + excluded.results, newest_at = max(newest_at, excluded.newest_at);
END;
CREATE TRIGGER jobs_counted_out AFTER DELETE ON jobs BEGIN
  UPDATE job_counts SET jobs = jobs - 1, results = results - (old.result_id IS NOT NULL)
    WHERE folder_id = old.folder_id AND schema_version_id = old.schema_version_id AND status = old.status AND review = coalesce(old.review, '');
END;
CREATE TRIGGER jobs_counted_anew AFTER UPDATE OF status, review, result_id, folder_id, schema_version_id ON jobs
  WHEN old.status <> new.status OR old.review IS NOT new.review OR old.result_id IS NULL <> new.result_id IS NULL OR old.folder_id <> new.folder_id OR old.schema_version_id <> new.schema_version_id
BEGIN
  UPDATE job_counts SET jobs = jobs - 1, results = results - (old.result_id IS NOT NULL)
    WHERE folder_id = old.folder_id AND schema_version_id = old.schema_version_id AND status = old.status AND review = coalesce(old.review, '');
  INSERT INTO job_counts VALUES (new.folder_id, new.schema_version_id, new.status, coalesce(new.review, ''), 1, new.result_id IS NOT NULL, new.created_at)
    ON CONFLICT DO UPDATE SET jobs = jobs + 1, results = results + excluded.results, newest_at = max(newest_at, excluded.newest_at);
END;

-- The text of documents that were read on this computer.
CREATE TABLE job_texts (
  job_id INTEGER PRIMARY KEY REFERENCES jobs (id),
  text TEXT NOT NULL
) STRICT;

-- What is found of a job. Numbers also grouped and with two decimals, days also as day-month-year and month-day-year: as people see
-- and type them; which signs stand between the parts does not matter. The scope narrows a search to folders and schemas.
CREATE VIEW job_words AS
  SELECT j.id, j.original_job_id, j.name, substr(j.path, 1, length(j.path) - length(j.name)) AS place, (
    SELECT group_concat(CASE
      WHEN t.type = 'text' AND t.atom GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'
        THEN substr(t.atom, 6) || ' ' || t.atom || ' ' || substr(t.atom, 6, 2) || ' ' || substr(t.atom, 1, 4)
      WHEN t.type = 'text' THEN t.atom
      WHEN t.type = 'integer' AND abs(t.atom) < 10000 THEN t.atom
      ELSE t.atom || ' ' || printf('%,.2f', t.atom) END, char(10))
    FROM json_tree(coalesce(r.corrected, r.records)) t WHERE t.type IN ('text', 'integer', 'real')) AS value,
    x.text, 'f' || j.folder_id || ' v' || j.schema_version_id AS scope
  FROM jobs j LEFT JOIN jobs o ON o.id = j.original_job_id LEFT JOIN results r ON r.id = coalesce(j.result_id, o.result_id)
    LEFT JOIN job_texts x ON x.job_id = j.id;

${searchIndex}
-- Jobs whose words are still to be put into the index: noted with each change in its transaction, and indexed many at a time.
CREATE TABLE search_due (job_id INTEGER PRIMARY KEY) STRICT;
INSERT INTO search_due SELECT id FROM jobs;

CREATE TRIGGER jobs_found AFTER INSERT ON jobs BEGIN
  INSERT OR IGNORE INTO search_due VALUES (new.id);
END;
CREATE TRIGGER jobs_found_no_more AFTER DELETE ON jobs BEGIN
  INSERT OR IGNORE INTO search_due VALUES (old.id);
END;
-- A copy shows the values of its original.
CREATE TRIGGER jobs_found_anew AFTER UPDATE OF name, path, folder_id, schema_version_id, result_id, original_job_id ON jobs
  WHEN old.name <> new.name OR old.path <> new.path OR old.folder_id <> new.folder_id OR old.schema_version_id <> new.schema_version_id
    OR old.result_id IS NOT new.result_id OR old.original_job_id IS NOT new.original_job_id
BEGIN
  INSERT OR IGNORE INTO search_due SELECT id FROM jobs WHERE id = new.id OR original_job_id = new.id;
END;
-- A person put something else in the place of what the service said.
CREATE TRIGGER results_found_anew AFTER UPDATE OF corrected ON results WHEN old.corrected IS NOT new.corrected BEGIN
  INSERT OR IGNORE INTO search_due SELECT id FROM jobs WHERE id = new.job_id OR original_job_id = new.job_id;
END;
-- What was read is not what lies there now.
CREATE TRIGGER jobs_text_stale AFTER UPDATE OF sha256 ON jobs WHEN old.sha256 IS NOT new.sha256 BEGIN
  DELETE FROM job_texts WHERE job_id = new.id;
END;
CREATE TRIGGER job_texts_found AFTER INSERT ON job_texts BEGIN
  INSERT OR IGNORE INTO search_due VALUES (new.job_id);
END;
CREATE TRIGGER job_texts_found_no_more AFTER DELETE ON job_texts BEGIN
  INSERT OR IGNORE INTO search_due VALUES (old.job_id);
END;
`
