import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MailboxClient } from '../../electron/core/callback/mailbox-client.ts'
import type { Callback, Receipt } from '../../electron/core/callback/receive.ts'
import type { SecretKey } from '../../electron/core/platform/connect.ts'
import { HttpClient } from '../../electron/core/platform/http.ts'
import { AppError } from '../../shared/domain/errors.ts'
import { codeSecret, raw } from './mailbox.ts'
import type { RawRequest } from './mailbox.ts'

/** The desktop's side of a mailbox: its client, and what its stores hold. */
export class TestDesktop {
  readonly http = new HttpClient()
  readonly secrets = new Map<SecretKey, string>()
  readonly received: (Callback & { token: string })[] = []
  readonly #dataDir: string
  isLocked = false
  /** The person said no to the keychain's question. */
  deniesReading = false
  stored: unknown = undefined
  receive: (token: string) => Receipt = () => 'stored'
  /** Pieces of answers that came. */
  progress = 0
  client: MailboxClient

  constructor(dataDir: string) {
    this.#dataDir = dataDir
    this.client = this.newClient()
  }

  get tokens(): string[] {
    return this.received.map(({ token }) => token)
  }

  newClient(): MailboxClient {
    const unlocked = (): void => {
      if (this.isLocked) throw new AppError('invalid_input', { problem: 'the keychain is locked' })
    }
    return new MailboxClient({
      http: this.http,
      dataDir: this.#dataDir,
      name: 'Front desk',
      secrets: {
        get: async (key) => {
          unlocked()
          if (this.deniesReading) throw new AppError('invalid_input', { problem: 'the keychain was not opened' })
          return this.secrets.get(key) ?? null
        },
        set: async (key, secret) => (unlocked(), void this.secrets.set(key, secret)),
        remove: async (key) => void this.secrets.delete(key),
      },
      stored: { get: () => this.stored, set: (value) => (this.stored = value) },
      receive: (token, callback) => {
        const receipt = this.receive(token)
        this.received.push({ token, ...callback })
        return receipt
      },
      onChange: () => undefined,
      onProgress: () => (this.progress += 1),
      now: Date.now,
      firstRetryMs: 100,
    })
  }

  /** The status that a service gets. */
  async send(token: string, body: string | Buffer = `{"token":"${token}"}`): Promise<number> {
    return (
      await raw(this.client.addressFor(token)!, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      })
    ).status
  }

  async close(): Promise<void> {
    await this.client.stop()
    await this.http.close()
  }
}

/** A pairing code as `sheaf mailbox code` prints it. */
export function testCode(url: string, mailboxDir: string): string {
  return `sheaf-mailbox-${Buffer.from(JSON.stringify({ url, secret: codeSecret(mailboxDir) })).toString('base64url')}`
}

/** What a proxy says in a mailbox's place: a status, an empty list, nothing at all; null for what the mailbox says. */
export type Said = number | 'empty list' | 'nothing' | null

export type Front = { url: string; requests: string[]; close: () => Promise<void> }

/** A proxy before a mailbox, where something can happen on the way. */
export async function startFront(
  mailboxUrl: string,
  says: (request: IncomingMessage) => Said | Promise<Said>,
): Promise<Front> {
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url?.replace(/\/boxes\/[^/]+/, '/boxes/BOX').replace(/\?.*/, '')}`)
    const parts: Buffer[] = []
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
    const said = await says(request)
    if (said === 'nothing') return
    if (said === 'empty list') return void response.end('{"messages":[]}')
    if (said !== null) return void response.writeHead(said).end('<html>')
    const left = new AbortController()
    response.once('close', () => left.abort())
    const query: RawRequest = {
      method: request.method!,
      headers: { authorization: request.headers.authorization ?? '' },
      signal: left.signal,
    }
    if (parts.length > 0) query.body = Buffer.concat(parts)
    const answer = await raw(`${mailboxUrl}${request.url}`, query).catch(() => null)
    if (answer === null) return void response.destroy()
    response.writeHead(answer.status).end(answer.bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
