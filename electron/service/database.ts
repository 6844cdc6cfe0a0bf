import Database from 'better-sqlite3'
import { join } from 'node:path'
import { AppError } from '../../shared/errors.ts'

export type ServiceDatabase = Database.Database

/** One entry for each version of the file; `user_version` says how many have run. */
const migrations = [
  `
  create table clients (
    client_id text primary key,
    secret_hash blob not null,
    organization text not null,
    created_at integer not null
  ) strict;

  create table agents (
    reference text primary key,
    kind text not null check (kind in ('extractor')),
    name text not null,
    visibility text not null check (visibility in ('Private', 'Organization', 'Public')),
    schema text not null,
    created_at integer not null
  ) strict;

  create table async_jobs (
    extract_id text primary key,
    status text not null check (status in ('started', 'delivering', 'abandoned')),
    file_name text not null,
    kind text not null,
    schema text not null,
    with_sources integer not null,
    callback text not null,
    starts integer not null default 0,
    payload text,
    tries integer not null default 0,
    next_try_at integer,
    finished_at integer,
    created_at integer not null
  ) strict;

  create index async_jobs_due on async_jobs (status, next_try_at);
  `,
]

/**
 * Opens `<dataDir>/service.db`, locks it for this process and brings it to the newest version.
 * Throws `already_running` when another service has the folder; the lock ends with its process.
 */
export function openServiceDatabase(dataDir: string): ServiceDatabase {
  const db = new Database(join(dataDir, 'service.db'), { timeout: 2000 })
  try {
    db.pragma('locking_mode = EXCLUSIVE')
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    const migrate = db.transaction(() => {
      const done = db.pragma('user_version', { simple: true }) as number
      for (const sql of migrations.slice(done)) db.exec(sql)
      db.pragma(`user_version = ${migrations.length}`)
    })
    migrate.immediate()
    return db
  } catch (error) {
    db.close()
    const locked = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
    throw locked ? new AppError('already_running', { path: dataDir }, { cause: error }) : error
  }
}
