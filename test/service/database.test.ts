import Database from 'better-sqlite3'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { getAgent } from '../../electron/service/agents.ts'
import { isServiceRunning, openServiceDatabase } from '../../electron/service/database.ts'
import { first } from '../../electron/service/migrations/0001-first.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sheaf-database-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

it('brings the database of the first version along, with its client, agents and unfinished jobs', () => {
  const old = new Database(join(directory, 'service.db'))
  old.exec(first)
  old.pragma('user_version = 1')
  old.exec(`
    insert into clients values ('c1', x'00', 'local', 1);
    insert into agents values ('inv', 'extractor', 'Invoices', 'Private', '[{"name":"n","format":"text","description":""}]', 1);
    insert into async_jobs (extract_id, status, file_name, kind, schema, with_sources, callback, payload, created_at) values
      ('j1', 'started', 'a.pdf', 'pdf', '[]', 0, 'http://127.0.0.1/', null, 1),
      ('j2', 'delivering', 'b.pdf', 'pdf', '[]', 0, 'http://127.0.0.1/', '{}', 1),
      ('j3', 'abandoned', 'c.pdf', 'pdf', '[]', 0, 'http://127.0.0.1/', null, 1);
  `)
  old.close()
  const db = openServiceDatabase(directory)
  expect(db.prepare('select client_id, account_id, name from clients').all()).toEqual([{ client_id: 'c1', account_id: 'local', name: 'This computer' }])
  expect(getAgent(db, 'inv')).toMatchObject({ organizationId: 'local', kind: 'extractor', visibility: 'Private', schema: [{ name: 'n' }] })
  expect(db.prepare('select extract_id, status, organization_id, payload from async_jobs order by extract_id').all()).toEqual([
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
