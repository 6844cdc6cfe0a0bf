import { setImmediate } from 'node:timers/promises'
import { requireAllowedHost } from '../../../shared/domain/policies.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import type { Connection } from '../db/tables/connections.ts'
import { normaliseBaseAddress } from '../platform/base-address.ts'
import { readSecret } from '../platform/connect.ts'
import { testConnection } from '../platform/test-connection.ts'
import { pageOfDocuments } from './lookups.ts'
import type { Handlers, HandlerContext } from './types.ts'

type ConnectionCalls = Extract<keyof Handlers, `connections.${string}`>

type Needs = Pick<
  HandlerContext,
  'tables' | 'connections' | 'secrets' | 'queue' | 'localService' | 'policies' | 'emit' | 'now' | 'ended'
>

export function connectionHandlers(context: Needs): Pick<Handlers, ConnectionCalls> {
  const { tables, connections, secrets, policies, emit, now } = context
  const requireAllowed = (address: string): void => requireAllowedHost(policies, 'AllowedPlatformHosts', address)
  return {
    'connections.list': async () => ({ connections: tables.connections.list() }),
    'connections.save': async ({ id, ...given }) => {
      const input = { ...given, address: normaliseBaseAddress(given.baseUrl) }
      requireAllowed(input.address)
      if (id !== null) await connections.change(id, () => update(context, id, input))
      const saved = id ?? (await add(context, input))
      return { id: saved, isSecretTemporary: secrets.isTemporary?.(saved) ?? false }
    },
    'connections.remove': async ({ id }) => {
      if (tables.folders.list().some((folder) => folder.connectionId === id && folder.kind !== 'batch')) {
        throw new AppError('connection_in_use')
      }
      await connections.change(id, async () => {
        tables.connections.remove(platformOf(context, id).id, now())
        tables.connections.pause(id, 'not_found', { what: 'connection' })
        connections.forget(id)
        await cancelQueued(context, id)
        await secrets.remove(id)
      })
      emit('connections.changed', {})
      return {}
    },
    'connections.test': async ({ id, baseUrl, clientId, clientSecret }) => {
      if (id !== null && clientSecret === undefined)
        requireSameServer(platformOf(context, id), normaliseBaseAddress(baseUrl))
      if (clientSecret === undefined && id === null) throw secretMissing()
      const secret = clientSecret ?? (await readSecret(secrets, id!, context.ended))
      return testConnection(connections.http, { baseUrl, clientId, clientSecret: secret }, { requireAllowed })
    },
    'connections.resume': async ({ id }) => {
      const baseUrl = tables.connections.get(id)?.baseUrl ?? null
      if (baseUrl !== null) requireAllowed(baseUrl)
      changed(context, id)
      // What was switched off goes on by its switch only.
      if (id === tables.connections.local().id) context.localService.apply()
      return {}
    },
  }
}

/** What it was is forgotten, and what was stopped goes on. */
function changed({ connections, tables, queue, emit }: Needs, id: number): void {
  connections.forget(id)
  tables.connections.resume(id)
  queue.wake()
  emit('connections.changed', {})
}

function platformOf({ tables }: Needs, id: number): Connection {
  const found = tables.connections.list().find((connection) => connection.id === id && connection.kind === 'platform')
  if (found === undefined) throw new AppError('not_found', { what: 'connection' })
  return found
}

function secretMissing(): AppError {
  return new AppError('invalid_input', { problem: 'the client secret is missing' })
}

type Given = { name: string; address: string; clientId: string; clientSecret?: string | undefined }

async function add(context: Needs, { name, address, clientId, clientSecret }: Given): Promise<number> {
  const { tables, secrets, now } = context
  if (clientSecret === undefined) throw secretMissing()
  const id = tables.connections.addPlatform(name, address, clientId)
  try {
    await secrets.set(id, clientSecret)
  } catch (error) {
    tables.connections.remove(id, now())
    throw error
  }
  changed(context, id)
  return id
}

async function update(context: Needs, id: number, { name, address, clientId, clientSecret }: Given): Promise<void> {
  const stored = platformOf(context, id)
  if (clientSecret === undefined) requireSameServer(stored, address)
  // The secret first: while it is not stored nothing else may change. What follows it happens at once.
  const putBack = clientSecret === undefined ? null : await replaceSecret(context, id, clientSecret)
  try {
    context.tables.connections.update(id, name, address, clientId)
  } catch (error) {
    await putBack?.()
    throw error
  }
  changed(context, id)
}

/** Returns how to undo it. A stored secret that cannot be read may be replaced, and is not put back. */
async function replaceSecret({ secrets }: Needs, id: number, clientSecret: string): Promise<() => Promise<void>> {
  const before = await secrets.get(id).catch(() => null)
  await secrets.set(id, clientSecret)
  return () => (before === null ? secrets.remove(id) : secrets.set(id, before))
}

/** What a batch, or a folder that is no longer watched, has left in the queue has nowhere to go: it says so. */
async function cancelQueued({ tables, emit, now }: Needs, connectionId: number): Promise<void> {
  for (let after = 0; ; ) {
    const ids = tables.documents.idsWithStatus('queued', after, pageOfDocuments)
    if (ids.length === 0) return
    const reason = { code: 'connection_removed' as const, details: {} }
    const cancelled = tables.transaction(() =>
      ids.filter(
        (id) =>
          tables.documents.get(id)?.connectionId === connectionId &&
          tables.documents.apply(id, 'cancel', { reason }, now()) !== null,
      ),
    )
    for (const id of cancelled) emit('document.changed', { id, status: 'cancelled' })
    after = ids.at(-1)!
    await setImmediate()
  }
}

/**
 * A secret is for the server that it was typed for. Throws `invalid_input` for an address with another scheme, host or
 * port.
 */
function requireSameServer(stored: Connection, address: string): void {
  if (URL.parse(stored.baseUrl ?? '')?.origin === new URL(address).origin) return
  throw new AppError('invalid_input', { problem: 'the address is on another server; type the client secret for it' })
}
