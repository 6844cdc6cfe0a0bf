import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import type { ServiceDatabase } from './database.ts'
import { readFileIfAny, writePrivateFile } from './private-file.ts'

export type Credentials = { baseUrl: string; clientId: string; clientSecret: string }

const storedCredentials = z.object({ clientId: z.string().min(1), clientSecret: z.string().min(1) })

export function credentialsPathIn(dataDir: string): string {
  return join(dataDir, 'service.json')
}

/**
 * The client of this computer, made at the first start and kept in `service.json`. When that file
 * is gone or broken a new client takes its place, since only a hash of the secret is in the database.
 */
export async function loadClient(db: ServiceDatabase, dataDir: string): Promise<{ clientId: string; clientSecret: string }> {
  const stored = storedCredentials.safeParse(parseJson(await readFileIfAny(credentialsPathIn(dataDir))))
  const client = stored.success ? stored.data : { clientId: randomUUID(), clientSecret: randomBytes(32).toString('base64url') }
  if (!clientExists(db, client.clientId) || !secretMatches(db, client.clientId, client.clientSecret)) {
    const replace = db.transaction(() => {
      db.prepare('delete from clients').run()
      db.prepare('insert into clients (client_id, secret_hash, organization, created_at) values (?, ?, ?, ?)').run(
        client.clientId,
        hashOf(client.clientSecret),
        'local',
        Date.now(),
      )
    })
    replace()
  }
  return client
}

/** Writes `service.json` (mode 0600) for the clients on this computer and returns its path. */
export async function publishCredentials(dataDir: string, credentials: Credentials): Promise<string> {
  const path = credentialsPathIn(dataDir)
  await writePrivateFile(path, `${JSON.stringify(credentials, null, 2)}\n`)
  return path
}

export function clientExists(db: ServiceDatabase, clientId: string): boolean {
  return db.prepare('select 1 from clients where client_id = ?').get(clientId) !== undefined
}

/** Compares in constant time. The secret is 32 random bytes, so one round of SHA-256 is enough. */
export function secretMatches(db: ServiceDatabase, clientId: string, clientSecret: string): boolean {
  const row = db.prepare<[string], { secret_hash: Buffer }>('select secret_hash from clients where client_id = ?').get(clientId)
  const expected = row?.secret_hash ?? Buffer.alloc(32)
  return timingSafeEqual(hashOf(clientSecret), expected) && row !== undefined
}

/** The key that signs tokens, kept over restarts so that a token outlives one. */
export async function loadSigningKey(dataDir: string): Promise<Uint8Array> {
  const path = join(dataDir, 'service.key')
  const stored = await readFileIfAny(path)
  if (stored?.length === 32) return stored
  const key = randomBytes(32)
  await writePrivateFile(path, key)
  return key
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function parseJson(bytes: Buffer | null): unknown {
  if (bytes === null) return null
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}
