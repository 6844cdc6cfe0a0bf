import { AppError } from '../../../shared/errors.ts'
import { normaliseBaseAddress } from '../platform/base-address.ts'
import { testConnection } from '../platform/test-connection.ts'
import type { Handlers, HandlerContext } from './types.ts'

type ConnectionCalls = Extract<keyof Handlers, `connections.${string}`>

export function connectionHandlers(context: HandlerContext): Pick<Handlers, ConnectionCalls> {
  const { tables, connections, secrets, queue, emit, now } = context
  const changed = (id: number): void => {
    connections.forget(id)
    tables.connections.resume(id)
    queue.wake()
    emit('connections.changed', {})
  }
  return {
    'connections.list': async () => ({ connections: tables.connections.list() }),
    'connections.save': async ({ id, name, baseUrl, clientId, clientSecret }) => {
      if (id === null && clientSecret === undefined) throw new AppError('invalid_input', { problem: 'the client secret is missing' })
      if (id !== null && tables.connections.get(id)?.kind !== 'platform') throw new AppError('not_found', { what: 'connection' })
      const address = normaliseBaseAddress(baseUrl)
      const saved = id ?? tables.connections.addPlatform(name, address, clientId)
      if (id !== null) tables.connections.update(id, name, address, clientId)
      if (clientSecret !== undefined) await secrets.set(saved, clientSecret)
      changed(saved)
      return { id: saved }
    },
    'connections.remove': async ({ id }) => {
      if (tables.folders.list().some((folder) => folder.connectionId === id && folder.kind !== 'batch')) {
        throw new AppError('invalid_input', { problem: 'a folder still uses this connection; give the folder another one first' })
      }
      if (tables.connections.get(id)?.kind !== 'platform') throw new AppError('not_found', { what: 'connection' })
      tables.connections.remove(id, now())
      await secrets.remove(id)
      connections.forget(id)
      emit('connections.changed', {})
      return {}
    },
    'connections.test': async ({ id, baseUrl, clientId, clientSecret }) => {
      const secret = clientSecret ?? (id === null ? null : await secrets.get(id))
      if (secret === null) throw new AppError('invalid_input', { problem: 'the client secret is missing' })
      return testConnection(connections.http, { baseUrl, clientId, clientSecret: secret })
    },
    'connections.resume': async ({ id }) => {
      changed(id)
      return {}
    },
  }
}
