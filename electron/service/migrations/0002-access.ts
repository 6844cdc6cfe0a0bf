/** Who may call (spec, «What the service does»), what it used, and webhooks that nobody took. */
export const access = `
create table organizations (
  id text primary key,
  name text not null,
  api_enabled integer not null,
  subscribed integer not null,
  -- tokens a month that the plan includes; null: no limit
  quota_tokens integer,
  -- monthly cap of overage; null: none
  spending_cap_euros real,
  euros_per_million_tokens real not null,
  created_at integer not null
) strict;

create table accounts (
  id text primary key,
  organization_id text not null references organizations (id),
  name text not null,
  active integer not null,
  administrator integer not null,
  created_at integer not null
) strict;

insert into organizations values ('local', 'This computer', 1, 1, null, null, 0, unixepoch() * 1000);
insert into accounts values ('local', 'local', 'This computer', 1, 1, unixepoch() * 1000);

alter table clients drop column organization;
alter table clients add column account_id text not null default 'local' references accounts (id);
alter table clients add column name text not null default '';
-- Until now the one client was this computer's own.
update clients set name = 'This computer';

create table usage (
  day text not null,
  organization_id text not null,
  client_id text not null,
  -- '' where no agent is named
  agent text not null,
  kind text not null check (kind in ('extractor', 'documentalist', 'chat')),
  channel text not null check (channel in ('api', 'public')),
  requests integer not null,
  input_tokens integer not null,
  output_tokens integer not null,
  pages integer not null,
  primary key (day, organization_id, client_id, agent, kind, channel)
) strict, without rowid;

-- A webhook that nobody took within a day is kept as 'undelivered'; its caller is known, so that its use can be counted.
create table async_jobs_new (
  extract_id text primary key,
  status text not null check (status in ('started', 'delivering', 'undelivered')),
  file_name text not null,
  kind text not null,
  schema text not null,
  with_sources integer not null,
  callback text not null,
  -- so many deliveries at once go to each; a job of the first version counts as one of its own
  callback_origin text not null,
  organization_id text not null,
  client_id text not null,
  agent text not null,
  channel text not null,
  starts integer not null default 0,
  tries integer not null default 0,
  next_try_at integer,
  -- since when it is tried: the end of the extraction, the last start of the service, or a person's wish
  due_since integer,
  finished_at integer,
  -- what became of the last try: a status or the code of an error; null before the first
  last_failure text,
  created_at integer not null,
  -- last, so that nothing else is read through it
  payload text
) strict;
insert into async_jobs_new
  select extract_id, status, file_name, kind, schema, with_sources, callback, callback, 'local', '', '', 'api',
    starts, tries, next_try_at, finished_at, finished_at, null, created_at, payload
  from async_jobs where status in ('started', 'delivering');
drop table async_jobs;
alter table async_jobs_new rename to async_jobs;
create index async_jobs_due on async_jobs (status, tries > 0, next_try_at, callback_origin, extract_id);
`
