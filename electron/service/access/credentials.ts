import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod'
import type { ServiceFile } from '../../../shared/wire/service-control.ts'
import { newClient } from './access-table.ts'
import type { AccessTable } from './access-table.ts'
import { readFileIfAny, writePrivateFile } from '../../system/private-files.ts'

const storedCredentials = z.object({ clientId: z.string().min(1), clientSecret: z.string().min(1) })

export function credentialsPathIn(dataDir: string): string {
  return join(dataDir, 'service.json')
}

/**
 * The client of this computer, made at the first start and kept in `service.json`. When that file is gone or broken a
 * new client takes its place, since only a hash of the secret is in the database; clients of others stay.
 */
export async function loadClient(
  access: AccessTable,
  dataDir: string,
): Promise<{ clientId: string; clientSecret: string }> {
  const stored = storedCredentials.safeParse(parseJson(await readFileIfAny(credentialsPathIn(dataDir))))
  if (stored.success && access.secretMatches(stored.data.clientId, stored.data.clientSecret)) return stored.data
  const client = stored.success ? stored.data : newClient()
  access.replaceOwnClient(client)
  return client
}

/** Writes `service.json` (mode 0600) for the programs on this computer and returns its path. */
export async function publishCredentials(dataDir: string, file: ServiceFile): Promise<string> {
  const path = credentialsPathIn(dataDir)
  await writePrivateFile(path, `${JSON.stringify(file, null, 2)}\n`)
  return path
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

function parseJson(bytes: Buffer | null): unknown {
  if (bytes === null) return null
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}
