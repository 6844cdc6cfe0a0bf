import { attemptsTable } from './attempts.ts'
import { callbacksTable } from './callbacks.ts'
import { connectionsTable } from './connections.ts'
import { conversationsTable } from './conversations.ts'
import { earlierFilesTable } from './earlier-files.ts'
import { exchangesTable } from './exchanges.ts'
import { exportsTable } from './exports.ts'
import { foldersTable } from './folders.ts'
import { jobList } from './job-list.ts'
import { jobsTable } from './jobs.ts'
import { ledgerTable } from './ledger.ts'
import { placesTable } from './places.ts'
import { replay } from './recovery-replay.ts'
import { resultsTable } from './results.ts'
import { reviewsTable } from './reviews.ts'
import { schemasTable } from './schemas.ts'
import { searchTable } from './search.ts'
import { settingsTable } from './settings.ts'
import { trialsTable } from './trials.ts'
import { usageTable } from './usage.ts'
import { workbooksTable } from './workbooks.ts'
import type { Journal } from './journal.ts'
import { journaling } from './journaling.ts'
import type { Database } from './open.ts'

/** All the SQL there is, prepared once. */
export function openTables(db: Database, journal: Journal) {
  const journaled = journaling(db, journal)
  return {
    attempts: attemptsTable(db, journaled),
    callbacks: callbacksTable(db, journaled),
    connections: connectionsTable(db),
    conversations: conversationsTable(db),
    earlierFiles: earlierFilesTable(db),
    exchanges: exchangesTable(db),
    exports: exportsTable(db),
    folders: foldersTable(db),
    jobList: jobList(db),
    jobs: jobsTable(db),
    ledger: ledgerTable(db),
    places: placesTable(db),
    results: resultsTable(db),
    reviews: reviewsTable(db, journaled),
    schemas: schemasTable(db),
    search: searchTable(db),
    settings: settingsTable(db),
    trials: trialsTable(db),
    usage: usageTable(db),
    workbooks: workbooksTable(db),
    /** Runs `work` in one transaction: all of it or nothing. */
    together: journaled.together,
    /** Stores as unread what the journal took while the database could not. Throws SQLite's error where it still cannot. */
    catchUp(): void {
      const ahead = journal.ahead()
      replay(db, journal, ahead)
      for (const entry of ahead) if ('seq' in entry) journal.stored(entry.seq)
    },
  }
}
export type Tables = ReturnType<typeof openTables>
