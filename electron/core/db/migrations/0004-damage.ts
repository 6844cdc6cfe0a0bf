/** Answers of which a bit flipped on the disk: they are known, and never read. */
export const damage = `
ALTER TABLE answers ADD COLUMN damaged INTEGER NOT NULL DEFAULT 0;
`
