import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../../shared/errors.ts'
import type { Connection } from '../db/connections.ts'
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
  const platformOf = (id: number): Connection => {
    const found = tables.connections.list().find((connection) => connection.id === id && connection.kind === 'platform')
    if (found === undefined) throw new AppError('not_found', { what: 'connection' })
    return found
  }
  const add = async (name: string, address: string, clientId: string, clientSecret: string | undefined): Promise<number> => {
    if (clientSecret === undefined) throw new AppError('invalid_input', { problem: 'the client secret is missing' })
    const id = tables.connections.addPlatform(name, address, clientId)
    try {
      await secrets.set(id, clientSecret)
    } catch (error) {
      tables.connections.remove(id, now())
      throw error
    }
    changed(id)
    return id
  }
  /** Returns how to undo it. A stored secret that cannot be read may be replaced, and is not put back. */
  const replaceSecret = async (id: number, clientSecret: string): Promise<() => Promise<void>> => {
    const before = await secrets.get(id).catch(() => null)
    await secrets.set(id, clientSecret)
    return () => (before === null ? secrets.remove(id) : secrets.set(id, before))
  }
  return {
    'connections.list': async () => ({ connections: tables.connections.list() }),
    'connections.save': async ({ id, name, baseUrl, clientId, clientSecret }) => {
      const address = normaliseBaseAddress(baseUrl)
      if (id === null) return { id: await add(name, address, clientId, clientSecret) }
      await connections.change(id, async () => {
        const stored = platformOf(id)
        if (clientSecret === undefined) requireSameServer(stored, address)
        // The secret first: while it is not stored nothing else may change. What follows it happens at once.
        const putBack = clientSecret === undefined ? null : await replaceSecret(id, clientSecret)
        try {
          tables.connections.update(id, name, address, clientId)
        } catch (error) {
          await putBack?.()
          throw error
        }
        changed(id)
      })
      return { id }
    },
    'connections.remove': async ({ id }) => {
      if (tables.folders.list().some((folder) => folder.connectionId === id && folder.kind !== 'batch')) {
        throw new AppError('invalid_input', { problem: 'a folder still uses this connection; give the folder another one first' })
      }
      await connections.change(id, async () => {
        tables.connections.remove(platformOf(id).id, now())
        tables.connections.pause(id, 'not_found', { what: 'connection' })
        connections.forget(id)
        await cancelQueued(context, id)
        await secrets.remove(id)
      })
      emit('connections.changed', {})
      return {}
    },
    'connections.test': async ({ id, baseUrl, clientId, clientSecret }) => {
      if (id !== null && clientSecret === undefined) requireSameServer(platformOf(id), normaliseBaseAddress(baseUrl))
      const secret = clientSecret ?? (id === null ? null : await secrets.get(id))
      if (secret === null) throw new AppError('invalid_input', { problem: 'the client secret is missing' })
      return testConnection(connections.http, { baseUrl, clientId, clientSecret: secret })
    },
    'connections.resume': async ({ id }) => {
      changed(id)
      // What was switched off goes on by its switch only.
      if (id === tables.connections.local().id) context.localService.apply()
      return {}
    },
  }
}

const lookedAtAtOnce = 500

/** What a batch, or a folder that is no longer watched, has left in the queue has nowhere to go: it says so. */
async function cancelQueued({ tables, emit, now }: HandlerContext, connectionId: number): Promise<void> {
  for (let after = 0; ; ) {
    const ids = tables.jobs.idsWithStatus('queued', after, lookedAtAtOnce)
    if (ids.length === 0) return
    const reason = { code: 'connection_removed' as const, details: {} }
    const cancelled = tables.together(() =>
      ids.filter((id) => tables.jobs.get(id)?.connectionId === connectionId && tables.jobs.apply(id, 'cancel', { reason }, now()) !== null),
    )
    for (const id of cancelled) emit('job.changed', { id, status: 'cancelled' })
    after = ids.at(-1)!
    await setImmediate()
  }
}

/** A secret is for the server that it was typed for. Throws `invalid_input` for an address with another scheme, host or port. */
function requireSameServer(stored: Connection, address: string): void {
  if (URL.parse(stored.baseUrl ?? '')?.origin === new URL(address).origin) return
  throw new AppError('invalid_input', { problem: 'the address is on another server; type the client secret for it' })
}
