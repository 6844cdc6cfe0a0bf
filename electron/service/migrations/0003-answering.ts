/** Agents of every kind, the documents of Documentalists as passages with a full-text index, and their conversations. */
export const answering = `
create table agents_new (
  reference text primary key,
  organization_id text not null references organizations (id),
  kind text not null check (kind in ('documentalist', 'extractor', 'writer')),
  name text not null,
  visibility text not null check (visibility in ('Private', 'Organization', 'Public')),
  -- an Extractor's fields; null for the other kinds
  schema text,
  created_at integer not null
) strict;
insert into agents_new select reference, 'local', kind, name, visibility, schema, created_at from agents;
drop table agents;
alter table agents_new rename to agents;

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
