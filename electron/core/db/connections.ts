import type { ErrorCode, ErrorDetails } from '../../../shared/errors.ts'
import type { Database } from './open.ts'

export type Connection = {
  id: number
  kind: 'local' | 'platform'
  name: string
  /** Null for this computer: its service has another port at every start. */
  baseUrl: string | null
  clientId: string | null
  pausedReason: { code: ErrorCode; details: ErrorDetails } | null
  pausedUntil: number | null
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

export function connectionsTable(db: Database) {
  const columns = 'id, kind, name, base_url, client_id, paused_code, paused_details, paused_until'
  const all = db.prepare<[], Row>(`SELECT ${columns} FROM connections WHERE removed_at IS NULL ORDER BY kind, id`)
  const byId = db.prepare<[number], Row>(`SELECT ${columns} FROM connections WHERE id = ?`)
  const byAddress = db.prepare<[string, string], Row>(
    `SELECT ${columns} FROM connections WHERE kind = 'platform' AND base_url = ? AND client_id = ? AND removed_at IS NULL`,
  )
  const insert = db.prepare<[string, string, string | null, string | null]>(
    'INSERT INTO connections (kind, name, base_url, client_id) VALUES (?, ?, ?, ?)',
  )
  const update = db.prepare<[string, string, string, number]>(
    'UPDATE connections SET name = ?, base_url = ?, client_id = ? WHERE id = ?',
  )
  const pause = db.prepare<[string, string, number]>('UPDATE connections SET paused_code = ?, paused_details = ? WHERE id = ?')
  const pauseUntil = db.prepare<[number, number]>('UPDATE connections SET paused_until = ? WHERE id = ?')
  const resume = db.prepare<[number]>(
    'UPDATE connections SET paused_code = NULL, paused_details = NULL, paused_until = NULL WHERE id = ?',
  )
  const remove = db.prepare<[number, number]>('UPDATE connections SET removed_at = ? WHERE id = ?')

  return {
    list: (): Connection[] => all.all().map(fromRow),
    get(id: number): Connection | null {
      const row = byId.get(id)
      return row === undefined ? null : fromRow(row)
    },
    /** Whether what goes there may be billed: everywhere but on this computer. */
    bills: (id: number): boolean => byId.get(id)?.kind === 'platform',
    /** The connection «This computer», made at the first start. */
    local(): Connection {
      const found = this.list().find((connection) => connection.kind === 'local')
      if (found !== undefined) return found
      insert.run('local', 'This computer', null, null)
      return this.local()
    },
    findPlatform(baseUrl: string, clientId: string): Connection | null {
      const row = byAddress.get(baseUrl, clientId)
      return row === undefined ? null : fromRow(row)
    },
    addPlatform: (name: string, baseUrl: string, clientId: string): number =>
      Number(insert.run('platform', name, baseUrl, clientId).lastInsertRowid),
    update: (id: number, name: string, baseUrl: string, clientId: string): void => void update.run(name, baseUrl, clientId, id),
    pause: (id: number, code: ErrorCode, details: ErrorDetails): void => void pause.run(code, JSON.stringify(details), id),
    pauseUntil: (id: number, until: number): void => void pauseUntil.run(until, id),
    resume: (id: number): void => void resume.run(id),
    remove: (id: number, now: number): void => void remove.run(now, id),
  }
}
export type ConnectionsTable = ReturnType<typeof connectionsTable>

function fromRow(row: Row): Connection {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    baseUrl: row.base_url,
    clientId: row.client_id,
    pausedReason:
      row.paused_code === null
        ? null
        : { code: row.paused_code as ErrorCode, details: JSON.parse(row.paused_details ?? '{}') as ErrorDetails },
    pausedUntil: row.paused_until,
  }
}
