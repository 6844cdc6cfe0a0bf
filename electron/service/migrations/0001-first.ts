/** Who may call and what it used, asynchronous jobs, agents and what Documentalists answer from, by subject. */
export const first = `
-- Who may call (spec, «What the service does»).
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

create table clients (
  client_id text primary key,
  account_id text not null default 'local' references accounts (id),
  name text not null default '',
  secret_hash blob not null,
  created_at integer not null
) strict;

-- The one client at first is this computer's own.
insert into organizations values ('local', 'This computer', 1, 1, null, null, 0, unixepoch() * 1000);
insert into accounts values ('local', 'local', 'This computer', 1, 1, unixepoch() * 1000);

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
create table async_jobs (
  extract_id text primary key,
  status text not null check (status in ('started', 'delivering', 'undelivered')),
  file_name text not null,
  kind text not null,
  schema text not null,
  with_sources integer not null,
  callback text not null,
  -- so many deliveries at once go to each
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
create index async_jobs_due on async_jobs (status, tries > 0, next_try_at, callback_origin, extract_id);

-- Agents of every kind, the documents of Documentalists as passages with a full-text index, and their conversations.
create table agents (
  reference text primary key,
  organization_id text not null references organizations (id),
  kind text not null check (kind in ('documentalist', 'extractor', 'writer')),
  name text not null,
  visibility text not null check (visibility in ('Private', 'Organization', 'Public')),
  -- an Extractor's fields; null for the other kinds
  schema text,
  created_at integer not null
) strict;

create table agent_documents (
  id text primary key,
  agent_reference text not null references agents (reference) on delete cascade,
  name text not null,
  kind text not null,
  size_bytes integer not null,
  sha256 blob not null,
  state text not null check (state in ('reading', 'ready', 'failed')),
  problem text,
  pages integer not null default 0,
  -- starts of its reading, so that a document that ends the process is not tried for ever
  starts integer not null default 0,
  added_at integer not null,
  unique (agent_reference, sha256, name)
) strict;
create index agent_documents_state on agent_documents (state);

create table passages (
  id integer primary key,
  document_id text not null references agent_documents (id) on delete cascade,
  page integer not null,
  position integer not null,
  text text not null,
  -- what is searched: a word for the agent, the words of the document's name and of the text, folded, and the neutral words behind office terms
  terms text not null
) strict;
create index passages_document on passages (document_id, position);

create virtual table passages_index using fts5 (terms, content = 'passages', content_rowid = 'id', tokenize = "unicode61 remove_diacritics 2");
create trigger passages_added after insert on passages begin
  insert into passages_index (rowid, terms) values (new.id, new.terms);
end;
create trigger passages_removed after delete on passages begin
  insert into passages_index (passages_index, rowid, terms) values ('delete', old.id, old.terms);
end;

create table thread_messages (
  id integer primary key,
  -- spec, «thread_id»: 36 characters; one thread belongs to one organization and one agent
  thread_id text not null,
  organization_id text not null,
  agent_reference text not null references agents (reference) on delete cascade,
  role text not null check (role in ('user', 'assistant')),
  content text not null,
  created_at integer not null
) strict;
create index thread_messages_thread on thread_messages (thread_id, organization_id, agent_reference, id);
`
