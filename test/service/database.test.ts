import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { getAgent } from '../../electron/service/access/agents.ts'
import { isServiceRunning, migrations, openServiceDatabase } from '../../electron/service/database.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sheaf-database-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

it('brings the database of an earlier version along, with its clients, agents and unfinished jobs', () => {
  const old = openServiceDatabase(directory)
  old.exec(`
    insert into clients (client_id, secret_hash, created_at) values ('c1', x'00', 1);
    insert into agents values ('inv', 'local', 'extractor', 'Invoices', 'Private', '[{"name":"n","format":"text","description":""}]', 1);
    insert into async_jobs (extract_id, status, file_name, kind, schema, with_sources, callback, callback_origin, organization_id, client_id, agent, channel, payload, created_at) values
      ('j1', 'started', 'a.pdf', 'pdf', '[]', 0, 'http://127.0.0.1/', 'http://127.0.0.1', 'local', '', '', 'api', null, 1),
      ('j2', 'delivering', 'b.pdf', 'pdf', '[]', 0, 'http://127.0.0.1/', 'http://127.0.0.1', 'local', '', '', 'api', '{}', 1);
  `)
  old.close()
  // Others point to each table that it moves.
  const step = `
    create table organizations_new (id text primary key, title text not null, api_enabled integer not null, subscribed integer not null, euros_per_million_tokens real not null, created_at integer not null) strict;
    insert into organizations_new select id, name, api_enabled, subscribed, euros_per_million_tokens, created_at from organizations;
    drop table organizations;
    alter table organizations_new rename to organizations;
    create table agents_new (reference text primary key, organization_id text not null references organizations (id), kind text not null, name text not null, visibility text not null, schema text, created_at integer not null) strict;
    insert into agents_new select * from agents;
    drop table agents;
    alter table agents_new rename to agents;
    update clients set name = 'This computer';
  `
  const db = openServiceDatabase(directory, [...migrations, step])
  expect(db.pragma('user_version', { simple: true })).toBe(migrations.length + 1)
  expect(db.prepare('select id, title from organizations').all()).toEqual([{ id: 'local', title: 'This computer' }])
  expect(db.prepare('select client_id, account_id, name from clients').all()).toEqual([
    { client_id: 'c1', account_id: 'local', name: 'This computer' },
  ])
  expect(getAgent(db, 'inv')).toMatchObject({
    organizationId: 'local',
    kind: 'extractor',
    visibility: 'Private',
    schema: [{ name: 'n' }],
  })
  expect(
    db.prepare('select extract_id, status, organization_id, payload from async_jobs order by extract_id').all(),
  ).toEqual([
    { extract_id: 'j1', status: 'started', organization_id: 'local', payload: null },
    { extract_id: 'j2', status: 'delivering', organization_id: 'local', payload: '{}' },
  ])
  expect(db.pragma('foreign_key_check')).toEqual([])
  expect(db.pragma('foreign_keys', { simple: true })).toBe(1)
  db.close()
})

it('is known to be in use while it is open, and not before or after', () => {
  expect(isServiceRunning(directory)).toBe(false)
  const db = openServiceDatabase(directory)
  expect(isServiceRunning(directory)).toBe(true)
  db.close()
  expect(isServiceRunning(directory)).toBe(false)
  openServiceDatabase(directory).close()
})
