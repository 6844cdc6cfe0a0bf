import { migrations } from '../../electron/core/db/open.ts'
import type { Migrations } from '../../electron/core/db/open.ts'

/** What the step of `laterMigrations` begins with, and nothing else that Sheaf runs. */
export const laterStepMark = 'CREATE TABLE later_step'

/**
 * The migrations of a Sheaf that is one version ahead: its step makes a table and brings rows along that were written
 * without the names by which the journal calls attempts, and without the state of their check.
 */
export const laterMigrations: Migrations = [
  ...migrations,
  `${laterStepMark} (id INTEGER PRIMARY KEY) STRICT;
   UPDATE attempts SET reference = CAST(printf('%016d', id) AS BLOB);
   UPDATE answers SET unread = 1 WHERE attempt_id IN (
     SELECT t.id FROM attempts t JOIN documents j ON j.id = t.document_id WHERE j.status IN ('submitting', 'waiting'));
   UPDATE documents SET review = 'ready' WHERE status = 'done';`,
]
