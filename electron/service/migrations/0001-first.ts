/** Clients, Extractor agents and asynchronous jobs. */
export const first = `
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
`
