import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../../../shared/errors.ts'
import { makeKeyPair } from './mailbox-open.ts'
import type { KeyPair } from './mailbox-open.ts'

/** What lies in the secret store, in base64url: of one pairing, and for a moment of two, since not both stores change at once. */
const keyring = z.array(z.object({ boxId: z.string(), publicKey: z.string(), privateKey: z.string(), accessKey: z.string() }))
export type Keys = z.infer<typeof keyring>[number]

/** For a new box. */
export async function makeKeys(): Promise<Omit<Keys, 'boxId'>> {
  const { publicKey, privateKey } = await makeKeyPair()
  return { publicKey: base64url(publicKey), privateKey: base64url(privateKey), accessKey: base64url(randomBytes(32)) }
}

/** All that the mailbox gets to know of the access key. */
export function accessKeyHash({ accessKey }: Pick<Keys, 'accessKey'>): string {
  return createHash('sha256').update(accessKey).digest('base64url')
}

export function keyPairOf({ publicKey, privateKey }: Keys): KeyPair {
  return { publicKey: Buffer.from(publicKey, 'base64url'), privateKey: Buffer.from(privateKey, 'base64url') }
}

/** The keys of a box in what the secret store has. Throws `mailbox_key_unavailable`. */
export function keysIn(stored: string | null, boxId: string): Keys {
  if (stored === null) throw new AppError('mailbox_key_unavailable', { detail: 'it is missing' })
  const keys = keyring.parse(JSON.parse(stored)).find((each) => each.boxId === boxId)
  if (keys === undefined) throw new AppError('mailbox_key_unavailable', { detail: 'it is missing' })
  return keys
}

/** The secret store, or what it has, cannot be used. */
export function keyUnavailable(error: unknown): AppError {
  if (error instanceof AppError && error.code === 'mailbox_key_unavailable') return error
  const detail = error instanceof AppError ? String(error.details['problem'] ?? error.code) : 'it is damaged'
  return new AppError('mailbox_key_unavailable', { detail }, { cause: error })
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
