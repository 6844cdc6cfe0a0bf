import type { ConnectionRow } from '../../shared/contract/connections.ts'
import type { Translate } from '../messages/language.tsx'
import type { Choice } from './controls.tsx'

/** What people call a connection; the one to this computer is named in their language. */
export function connectionName(connection: Pick<ConnectionRow, 'kind' | 'name'>, t: Translate): string {
  return connection.kind === 'local' ? t('connection.local') : connection.name
}

/** Connections as the choices of a select. */
export function connectionChoices(connections: ConnectionRow[], t: Translate): Choice<string>[] {
  return connections.map((connection) => ({ key: String(connection.id), label: connectionName(connection, t) }))
}
