import type { ErrorCode, ErrorDetails } from '../../../../shared/domain/errors.ts'
import { found, reasonOf } from './columns.ts'
import type { Database } from '../open.ts'

export type Connection = {
  id: number
  kind: 'local' | 'platform'
  name: string
  /** Null for this computer: its service has another port at every start. */
  baseUrl: string | null
  clientId: string | null
  pausedReason: { code: ErrorCode; details: ErrorDetails } | null
  throttledUntil: number | null
}

type Row = {
  id: number
  kind: 'local' | 'platform'
  name: string
  base_url: string | null
  client_id: string | null
  paused_code: string | null
  paused_details: string | null
  paused_until: number | null
}

function prepare(db: Database) {
  const columns = 'id, kind, name, base_url, client_id, paused_code, paused_details, paused_until'
  return {
    all: db.prepare<[], Row>(`SELECT ${columns} FROM connections WHERE removed_at IS NULL ORDER BY kind, id`),
    byId: db.prepare<[number], Row>(`SELECT ${columns} FROM connections WHERE id = ?`),
    byAddress: db.prepare<[string, string], Row>(
      `SELECT ${columns} FROM connections WHERE kind = 'platform' AND base_url = ? AND client_id = ? AND removed_at IS NULL`,
    ),
    insert: db.prepare<[string, string, string | null, string | null]>(
      'INSERT INTO connections (kind, name, base_url, client_id) VALUES (?, ?, ?, ?)',
    ),
    update: db.prepare<[string, string, string, number]>(
      'UPDATE connections SET name = ?, base_url = ?, client_id = ? WHERE id = ?',
    ),
    pause: db.prepare<[string, string, number]>(
      'UPDATE connections SET paused_code = ?, paused_details = ? WHERE id = ?',
    ),
    throttleUntil: db.prepare<[number, number]>('UPDATE connections SET paused_until = ? WHERE id = ?'),
    resume: db.prepare<[number]>(
      'UPDATE connections SET paused_code = NULL, paused_details = NULL, paused_until = NULL WHERE id = ?',
    ),
    remove: db.prepare<[number, number]>('UPDATE connections SET removed_at = ? WHERE id = ?'),
  }
}

export class ConnectionsTable {
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: Database) {
    this.#sql = prepare(db)
  }

  list(): Connection[] {
    return this.#sql.all.all().map(fromRow)
  }

  get(id: number): Connection | null {
    return found(this.#sql.byId.get(id), fromRow)
  }

  /** Whether what goes there may be billed: everywhere but on this computer. */
  bills(id: number): boolean {
    return this.#sql.byId.get(id)?.kind === 'platform'
  }

  /** The connection «This computer», made at the first start. */
  local(): Connection {
    const found = this.list().find((connection) => connection.kind === 'local')
    if (found !== undefined) return found
    this.#sql.insert.run('local', 'This computer', null, null)
    return this.local()
  }

  findPlatform(baseUrl: string, clientId: string): Connection | null {
    return found(this.#sql.byAddress.get(baseUrl, clientId), fromRow)
  }

  addPlatform(name: string, baseUrl: string, clientId: string): number {
    return Number(this.#sql.insert.run('platform', name, baseUrl, clientId).lastInsertRowid)
  }

  update(id: number, name: string, baseUrl: string, clientId: string): void {
    this.#sql.update.run(name, baseUrl, clientId, id)
  }

  pause(id: number, code: ErrorCode, details: ErrorDetails): void {
    this.#sql.pause.run(code, JSON.stringify(details), id)
  }

  throttleUntil(id: number, until: number): void {
    this.#sql.throttleUntil.run(until, id)
  }

  resume(id: number): void {
    this.#sql.resume.run(id)
  }

  remove(id: number, now: number): void {
    this.#sql.remove.run(now, id)
  }
}

function fromRow(row: Row): Connection {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    baseUrl: row.base_url,
    clientId: row.client_id,
    pausedReason: reasonOf(row.paused_code, row.paused_details),
    throttledUntil: row.paused_until,
  }
}
