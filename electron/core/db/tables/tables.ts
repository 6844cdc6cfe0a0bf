import { ArchiveNamesTable } from './archive-names.ts'
import { AttemptsTable } from './attempts.ts'
import { CallbacksTable } from './callbacks.ts'
import { ConnectionsTable } from './connections.ts'
import { ConversationsTable } from './conversations.ts'
import { EarlierFilesTable } from './earlier-files.ts'
import { ExchangesTable } from './exchanges.ts'
import { ExportsTable } from './exports.ts'
import { FoldersTable } from './folders.ts'
import { DocumentList } from './document-list.ts'
import { DocumentsTable } from './documents.ts'
import { LedgerTable } from './ledger.ts'
import { LessonsTable } from './lessons.ts'
import { MailsTable } from './mails.ts'
import { PartnersTable } from './partners.ts'
import { PlacesTable } from './places.ts'
import { replay } from '../durability/recovery-replay.ts'
import { ResultsTable } from './results.ts'
import { ReviewsTable } from './reviews.ts'
import { ReviewWorkTable } from './review-work.ts'
import { SchemasTable } from './schemas.ts'
import { SearchTable } from '../search/search-table.ts'
import { SortingsTable } from './sortings.ts'
import { SettingsTable } from './settings.ts'
import type { Prescribe } from './settings.ts'
import { TrialsTable } from './trials.ts'
import { UsageTable } from './usage.ts'
import { WorkbooksTable } from './workbooks.ts'
import type { Journal } from '../durability/journal.ts'
import { WriteAhead } from './write-ahead.ts'
import type { Database, Flush } from '../open.ts'

/** All the SQL there is, prepared once. `asPrescribed`: settings as an administrator lets them be. */
export function openTables(db: Database, journal: Journal, asPrescribed: Prescribe = (settings) => settings) {
  const writeAhead = new WriteAhead(db, journal)
  return {
    archiveNames: new ArchiveNamesTable(db),
    attempts: new AttemptsTable(db, writeAhead),
    callbacks: new CallbacksTable(db, writeAhead),
    connections: new ConnectionsTable(db),
    conversations: new ConversationsTable(db),
    earlierFiles: new EarlierFilesTable(db),
    exchanges: new ExchangesTable(db),
    exports: new ExportsTable(db),
    folders: new FoldersTable(db),
    documentList: new DocumentList(db),
    documents: new DocumentsTable(db),
    ledger: new LedgerTable(db),
    lessons: new LessonsTable(db),
    mails: new MailsTable(db),
    partners: new PartnersTable(db),
    places: new PlacesTable(db),
    results: new ResultsTable(db),
    reviews: new ReviewsTable(db, writeAhead),
    reviewWork: new ReviewWorkTable(db),
    schemas: new SchemasTable(db),
    search: new SearchTable(db),
    settings: new SettingsTable(db, asPrescribed),
    sortings: new SortingsTable(db),
    trials: new TrialsTable(db),
    usage: new UsageTable(db),
    workbooks: new WorkbooksTable(db),
    /** Resolves when attempts and answers that were written until now are on the disk. */
    flushed: (): Promise<void> => journal.flushed(),
    /** Runs `work` in one transaction: all of it or nothing. */
    transaction: <T>(work: () => T, flush?: Flush): T => writeAhead.transaction(work, flush),
    /**
     * Stores as unread what the journal took while the database could not. Throws SQLite's error where it still cannot.
     */
    catchUp(): void {
      const ahead = journal.ahead()
      replay(db, journal, ahead)
      for (const entry of ahead) if ('seq' in entry) journal.stored(entry.seq)
    },
  }
}
export type Tables = ReturnType<typeof openTables>
