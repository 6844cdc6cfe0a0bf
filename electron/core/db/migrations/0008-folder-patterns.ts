/** Which files of a folder are taken: by their names, and whether those that were there before it was watched. */
export const folderPatterns = `
-- patterns for names, one a line; none: every name
ALTER TABLE folders ADD COLUMN include TEXT NOT NULL DEFAULT '';
ALTER TABLE folders ADD COLUMN exclude TEXT NOT NULL DEFAULT '';

-- Versions of files that lay in a folder when a person chose to have new ones only. Another version of such a file is new.
CREATE TABLE earlier_files (
  folder_id INTEGER NOT NULL REFERENCES folders (id),
  path TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  mtime_ms INTEGER NOT NULL,
  PRIMARY KEY (folder_id, path)
) STRICT, WITHOUT ROWID;
`
