import { createHash, randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import sodium from 'libsodium-wrappers'
import { openMailboxDatabase } from '../../electron/mailbox/database.ts'
import { startMailbox } from '../../electron/mailbox/server.ts'
import type { Mailbox, MailboxOptions } from '../../electron/mailbox/server.ts'
import { MailboxStore } from '../../electron/mailbox/store.ts'

export type RawAnswer = { status: number; headers: IncomingHttpHeaders; text: string; bytes: Buffer }
export type RawRequest = {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  signal?: AbortSignal
}

/** One request over a connection of its own, with any method and body. */
export function raw(url: string, { method = 'GET', headers = {}, body, signal }: RawRequest = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const length =
      body === undefined || headers['transfer-encoding'] !== undefined
        ? {}
        : { 'content-length': String(Buffer.byteLength(body)) }
    const request = httpRequest(
      url,
      { method, headers: { ...length, ...headers }, agent: false, ...(signal === undefined ? {} : { signal }) },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', reject)
        response.on('end', () => {
          const bytes = Buffer.concat(parts)
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: bytes.toString('utf8'), bytes })
        })
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

export type TestBox = {
  id: string
  accessKey: string
  url: string
  publicKey: Uint8Array
  privateKey: Uint8Array
  messages: (query?: string) => Promise<Listed[]>
  acknowledge: (ids: number[]) => Promise<RawAnswer>
}
export type Listed = { id: number; sizeBytes: number; sealed: string | null }

/** A mailbox in this process, on a free port. */
export function startTestMailbox(dataDir: string, options: Partial<MailboxOptions> = {}): Promise<Mailbox> {
  return startMailbox({ dataDir, host: '127.0.0.1', port: 0, publicUrl: 'http://mailbox.test', ...options })
}

/** The secret of a new code, made beside the server as `sheaf mailbox code` does. */
export function codeSecret(dataDir: string, now = Date.now()): string {
  const db = openMailboxDatabase(dataDir)
  try {
    return new MailboxStore(db).addCode(now)
  } finally {
    db.close()
  }
}

/** Pairs as the interface says, without Sheaf's own client. */
export async function pairBox(url: string, dataDir: string, name = 'Front desk'): Promise<TestBox> {
  await sodium.ready
  const { publicKey, privateKey } = sodium.crypto_box_keypair()
  const accessKey = randomBytes(32).toString('base64url')
  const accessKeyHash = createHash('sha256').update(accessKey).digest('base64url')
  const body = JSON.stringify({ publicKey: Buffer.from(publicKey).toString('base64url'), accessKeyHash, name })
  const answer = await raw(`${url}/v1/boxes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${codeSecret(dataDir)}` },
    body,
  })
  if (answer.status !== 200) throw new Error(`pairing: ${answer.status} ${answer.text}`)
  const { boxId } = JSON.parse(answer.text) as { boxId: string }
  const headers = { authorization: `Bearer ${accessKey}` }
  const boxUrl = `${url}/v1/boxes/${boxId}`
  return {
    id: boxId,
    accessKey,
    url: boxUrl,
    publicKey,
    privateKey,
    messages: async (query = '') =>
      (JSON.parse((await raw(`${boxUrl}/messages${query}`, { headers })).text) as { messages: Listed[] }).messages,
    acknowledge: (ids) => raw(`${boxUrl}/acknowledgements`, { method: 'POST', headers, body: JSON.stringify({ ids }) }),
  }
}

/** Opens a sealed message by the text of the interface: a key of 80 bytes, then pieces of 262,144 + 16 bytes. */
export function openSealed(
  sealed: Buffer,
  box: { publicKey: Uint8Array; privateKey: Uint8Array },
): { head: Record<string, unknown>; body: Buffer } {
  const key = sodium.crypto_box_seal_open(sealed.subarray(0, 80), box.publicKey, box.privateKey)
  const pieces: Buffer[] = []
  for (let at = 80; at < sealed.length; at += 262_160) {
    const nonce = Buffer.alloc(24)
    nonce.writeUInt32BE(pieces.length, 19)
    nonce[23] = at + 262_160 >= sealed.length ? 1 : 0
    pieces.push(
      Buffer.from(
        sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(null, sealed.subarray(at, at + 262_160), null, nonce, key),
      ),
    )
  }
  const text = Buffer.concat(pieces)
  const end = text.indexOf('\n')
  return { head: JSON.parse(text.toString('utf8', 0, end)) as Record<string, unknown>, body: text.subarray(end + 1) }
}

/** How many messages wait in each box of a mailbox, by its data folder alone. */
export function waitingIn(dataDir: string): number[] {
  const db = openMailboxDatabase(dataDir)
  try {
    return new MailboxStore(db).boxes().map(({ messages }) => messages)
  } finally {
    db.close()
  }
}
