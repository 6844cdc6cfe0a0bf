import { timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../shared/domain/errors.ts'
import {
  acknowledgement,
  maxCallbackBytes,
  maxInlineBytes,
  maxWaitSeconds,
  pairRequest,
} from '../../shared/wire/mailbox.ts'
import { lockFolder } from '../system/folder-lock.ts'
import { limitUnfinished } from '../system/unfinished-connections.ts'
import { openMailboxDatabase, whereDiskAllows } from './database.ts'
import { Leases } from './leases.ts'
import { answerJson, answerRefusal, readJson, Refusal } from './respond.ts'
import { sealingReady } from './seal.ts'
import { hashOf, MailboxStore } from './store.ts'
import type { Box } from './store.ts'
import { BoxFull, noSuchBox, takeCallback } from './take.ts'
import type { TakeLimits } from './take.ts'

type MailboxLimits = TakeLimits & {
  /** How long a desktop has to acknowledge what it was given. */
  leaseMs: number
  /** How long a message waits at most, in time that the mailbox runs. */
  lifetimeMs: number
  patrolMs: number
  /** For one whole request to come in. */
  requestMs: number
}

const defaultMailboxLimits: MailboxLimits = {
  maxMessages: 10_000,
  maxBoxBytes: 2 * 1024 * 1024 * 1024,
  maxBodyBytes: maxCallbackBytes,
  reserveBytes: 64 * 1024 * 1024,
  leaseMs: 60_000,
  lifetimeMs: 30 * 24 * 60 * 60_000,
  patrolMs: 10 * 60_000,
  requestMs: 5 * 60_000,
}

export type MailboxOptions = {
  dataDir: string
  host: string
  /** 0 for any free one. */
  port: number
  /** Where desktops and services reach it; kept for the pairing codes. Null: the one that was kept. */
  publicUrl: string | null
  limits?: Partial<MailboxLimits>
  /**
   * One line for the operator: pairings and full boxes. Never an address with a path, a token or a name of a document.
   */
  log?: (line: string) => void
  now?: () => number
  /** A monotonic clock, in ms. */
  elapsedMs?: () => number
}

export type Mailbox = { url: string; publicUrl: string; close(): Promise<void> }

const closeGraceMs = 2000
/** At some 20 KB each 10 MB of memory; a desktop that waits for messages has asked, and does not count. */
const maxUnfinished = 512
/** A box's last fetch is noted this often. */
const touchMs = 60_000

/**
 * Starts the mailbox (shared/wire/mailbox.ts). Plain HTTP: TLS is for the proxy in front of it. Throws
 * `already_running`, `newer_database`, `callback_port_taken`, and `usage` when no public address was ever said.
 */
export async function startMailbox(options: MailboxOptions): Promise<Mailbox> {
  await sealingReady
  const db = openMailboxDatabase(options.dataDir)
  let lock: { close: () => void } | null = null
  try {
    lock = lockFolder(options.dataDir)
    const store = new MailboxStore(db)
    const publicUrl = options.publicUrl ?? store.publicUrl()
    if (publicUrl === null)
      throw new AppError('usage', {
        problem:
          'Say under which address the mailbox is reached from outside: --public-url https://mailbox.example.com',
      })
    if (publicUrl !== store.publicUrl()) whereDiskAllows(() => store.setPublicUrl(publicUrl))
    whereDiskAllows(() => store.discardUnfinished())
    const server = new MailboxServer(store, publicUrl, options)
    const port = await server.listen(options.host, options.port)
    const held = lock
    return {
      url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
      publicUrl,
      close: async () => {
        await server.close()
        db.close()
        held.close()
      },
    }
  } catch (error) {
    db.close()
    lock?.close()
    throw error
  }
}

class MailboxServer {
  readonly #store: MailboxStore
  readonly #limits: MailboxLimits
  readonly #leases: Leases
  readonly #log: (line: string) => void
  readonly #now: () => number
  readonly #elapsedMs: () => number
  /** The path of the public address, for a proxy that leaves it on. */
  readonly #prefix: string
  readonly #server: Server
  readonly #full = new Set<string>()
  /** How many callbacks are coming in, by the boxes that have any. */
  readonly #coming = new Map<string, number>()
  readonly #stopping = new AbortController()
  #patrolledAt: number
  #patrol: NodeJS.Timeout | null = null
  #sweeping: Promise<void> | null = null

  constructor(store: MailboxStore, publicUrl: string, options: MailboxOptions) {
    this.#store = store
    this.#limits = { ...defaultMailboxLimits, ...options.limits }
    this.#log = options.log ?? (() => undefined)
    this.#now = options.now ?? Date.now
    this.#elapsedMs = options.elapsedMs ?? (() => performance.now())
    this.#leases = new Leases(store, this.#limits.leaseMs, this.#elapsedMs)
    this.#prefix = new URL(publicUrl).pathname.replace(/\/$/, '')
    this.#patrolledAt = this.#elapsedMs()
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      this.#serve(request, response).catch((error: unknown) => answerRefusal(request, response, error))
    }
    this.#server = createServer({ requestTimeout: this.#limits.requestMs }, serve)
    // A caller that expects `100 Continue` gets it only once its body is wanted.
    this.#server.on('checkContinue', serve)
    limitUnfinished(this.#server, { most: maxUnfinished })
  }

  async listen(host: string, port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          error.code === 'EADDRINUSE' || error.code === 'EACCES'
            ? new AppError('callback_port_taken', { port }, { cause: error })
            : error,
        ),
      )
      this.#server.listen(port, host, resolve)
    })
    this.#patrol = setInterval(() => this.#age(), this.#limits.patrolMs)
    this.#scheduleSweep()
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    if (this.#patrol !== null) clearInterval(this.#patrol)
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#stopping.abort()
    this.#server.closeIdleConnections()
    const limit = setTimeout(() => this.#server.closeAllConnections(), closeGraceMs)
    await closed
    clearTimeout(limit)
    this.#age()
    await this.#swept().catch(() => undefined)
  }

  #age(): void {
    const now = this.#elapsedMs()
    try {
      this.#store.addServed(now - this.#patrolledAt)
      // The time is counted now, and the next patrol must not count it again, whatever fails below. Where counting
      // failed, it does.
      this.#patrolledAt = now
      const expired = this.#store.expire(this.#limits.lifetimeMs)
      if (expired > 0) this.#log(`Deleted ${expired} callbacks that no desktop fetched in time.`)
      this.#store.giveBack()
    } catch (error) {
      this.#logDiskTrouble(error)
    }
    if (this.#isDiskFull()) this.#log('The disk of the mailbox is full: callbacks are refused until there is room.')
    this.#scheduleSweep()
  }

  #logDiskTrouble(error: unknown): void {
    this.#log(`The disk of the mailbox gives trouble: ${error instanceof Error ? error.message : 'error'}`)
  }

  #isDiskFull(): boolean {
    return this.#store.freeBytes() < this.#limits.reserveBytes
  }

  #scheduleSweep(): void {
    // A callback that breaks off by the stop comes here when the database is closed: its bytes go at the next start.
    if (this.#stopping.signal.aborted) return
    this.#swept().catch((error: unknown) => this.#logDiskTrouble(error))
  }

  /** Resolves when the bytes of all that is gone are deleted. */
  #swept(): Promise<void> {
    const sweep = async (): Promise<void> => {
      while (this.#store.sweep()) await setImmediate()
      // Else the next patrol does.
      if (this.#isDiskFull()) this.#store.giveBack()
    }
    this.#sweeping ??= sweep().finally(() => (this.#sweeping = null))
    return this.#sweeping
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = '', query = ''] = (request.url ?? '').split('?')
    const parts = (this.#prefix !== '' && path.startsWith(`${this.#prefix}/`) ? path.slice(this.#prefix.length) : path)
      .split('/')
      .slice(1)
    const [area, ...rest] = parts
    if (area === 'in' && rest.length === 2) return this.#take(request, response, rest[0]!, rest[1]!)
    if (area === 'v1' && rest[0] === 'boxes')
      return this.#manage(request, response, rest.slice(1), new URLSearchParams(query))
    if (parts.length === 1 && area === 'healthz' && request.method === 'GET')
      return answerJson(response, 200, { status: 'ok' })
    throw nothingHere()
  }

  async #take(request: IncomingMessage, response: ServerResponse, boxId: string, token: string): Promise<void> {
    const box = this.#store.box(boxId)
    if (box === null || !/^[\w-]{1,200}$/.test(token)) throw noSuchBox()
    this.#countComing(boxId, 1)
    try {
      await takeCallback(this.#store, this.#limits, box, token, {
        request,
        proceed: () => proceed(request, response),
        now: this.#now(),
      })
    } catch (error) {
      if (error instanceof BoxFull) this.#logFull(box)
      this.#scheduleSweep()
      throw error
    } finally {
      this.#countComing(boxId, -1)
    }
    this.#full.delete(boxId)
    answerJson(response, 200, { status: 'stored' })
    this.#leases.wake(boxId)
  }

  #countComing(boxId: string, change: 1 | -1): void {
    const count = (this.#coming.get(boxId) ?? 0) + change
    if (count > 0) this.#coming.set(boxId, count)
    else this.#coming.delete(boxId)
  }

  #logFull(box: Box): void {
    if (this.#full.has(box.id)) return
    this.#full.add(box.id)
    this.#log(`The box ${box.id} (${box.name}) is full: its desktop has to fetch what waits.`)
  }

  async #manage(
    request: IncomingMessage,
    response: ServerResponse,
    rest: string[],
    query: URLSearchParams,
  ): Promise<void> {
    const { method } = request
    const [boxId, what, id, ...more] = rest
    if (boxId === undefined && method === 'POST') return this.#pair(request, response)
    if (boxId === undefined || more.length > 0) throw nothingHere()
    const box = this.#boxOf(request, boxId)
    const route = [method, what, id === undefined ? undefined : ':id'].filter((part) => part !== undefined).join(' ')
    switch (route) {
      case 'DELETE':
        return this.#remove(response, box)
      case 'GET messages':
        return this.#handOut(response, box, query)
      case 'GET messages :id':
        return this.#sendOne(response, box, id!)
      case 'POST acknowledgements':
        return this.#acknowledge(request, response, box)
      default:
        throw nothingHere()
    }
  }

  async #pair(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const secret = bearerOf(request)
    if (secret === null) throw forbidden()
    proceed(request, response)
    const parsed = pairRequest.safeParse(await readJson(request))
    if (!parsed.success) throw new Refusal(400, 'The request is not {publicKey, accessKeyHash, name}.')
    const { publicKey, accessKeyHash, name } = parsed.data
    const values = {
      publicKey: Buffer.from(publicKey, 'base64url'),
      accessKeyHash: Buffer.from(accessKeyHash, 'base64url'),
      name,
    }
    const boxId = this.#store.pair(secret, values, this.#now())
    if (boxId === null) throw new Refusal(403, 'This pairing code is wrong, used or too old.')
    this.#log(`Paired with «${name}»: box ${boxId}.`)
    answerJson(response, 200, { boxId })
  }

  async #remove(response: ServerResponse, box: Box): Promise<void> {
    // Otherwise its sender would get 404 for a result that was already on its way.
    if (this.#coming.has(box.id)) throw new Refusal(409, 'Something is coming in to this box.')
    if (!this.#store.endBox(box.id)) throw new Refusal(409, 'Something waits in this box.')
    this.#leases.release(box.id)
    this.#leases.wake(box.id)
    this.#log(`The box ${box.id} (${box.name}) was removed by its desktop.`)
    await this.#swept()
    answerJson(response, 200, { status: 'removed' })
  }

  async #handOut(response: ServerResponse, box: Box, query: URLSearchParams): Promise<void> {
    const wait = query.get('wait') ?? '0'
    if (!/^\d{1,2}$/.test(wait) || Number(wait) > maxWaitSeconds)
      throw new Refusal(400, `wait is a number of seconds from 0 to ${maxWaitSeconds}.`)
    const now = this.#now()
    if (box.fetchedAt === null || Math.abs(now - box.fetchedAt) > touchMs)
      whereDiskAllows(() => this.#store.touch(box.id, now))
    if (query.get('release') === '1') this.#leases.release(box.id)
    const left = new AbortController()
    response.once('close', () => left.abort())
    const signal = AbortSignal.any([left.signal, this.#stopping.signal])
    const until = this.#elapsedMs() + Number(wait) * 1000
    for (;;) {
      // The caller has disconnected.
      if (left.signal.aborted) return
      const messages = this.#leases.take(box.id)
      const remainingMs = until - this.#elapsedMs()
      if (messages.length > 0 || remainingMs <= 0 || signal.aborted) {
        response.once('close', () => {
          if (!response.writableFinished)
            this.#leases.release(
              box.id,
              messages.map(({ id }) => id),
            )
        })
        return answerJson(response, 200, {
          messages: messages.map(({ id, sizeBytes }) => ({ id, sizeBytes, sealed: this.#inline(id, sizeBytes) })),
        })
      }
      await this.#leases.wait(box.id, remainingMs, signal)
      if (this.#store.box(box.id) === null) throw forbidden()
    }
  }

  #inline(id: number, sizeBytes: number): string | null {
    return sizeBytes > maxInlineBytes ? null : this.#store.sealed(id).toString('base64url')
  }

  async #sendOne(response: ServerResponse, box: Box, id: string): Promise<void> {
    const message = /^\d{1,15}$/.test(id) ? this.#store.message(box.id, Number(id)) : null
    if (message === null) throw new Refusal(404, 'There is no such message.')
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-length': message.sizeBytes,
      'cache-control': 'no-store',
    })
    // Where it breaks off (the caller left, or the message was acknowledged) it must not look complete.
    await pipeline(Readable.from(this.#piecesOf(Number(id), message.pieces)), response).catch(() => response.destroy())
  }

  *#piecesOf(id: number, pieces: number): Generator<Buffer> {
    for (let number = 0; number < pieces; number++) {
      const piece = this.#store.piece(id, number)
      if (piece === null) throw new Refusal(404, 'There is no such message.')
      yield piece
    }
  }

  async #acknowledge(request: IncomingMessage, response: ServerResponse, box: Box): Promise<void> {
    proceed(request, response)
    const parsed = acknowledgement.safeParse(await readJson(request))
    if (!parsed.success) throw new Refusal(400, 'The request is not {ids}.')
    const deleted = this.#store.remove(box.id, parsed.data.ids)
    this.#leases.release(box.id, parsed.data.ids)
    await this.#swept()
    answerJson(response, 200, { deleted })
  }

  /** The box of whoever has its key. Throws 403, also where there is no such box. */
  #boxOf(request: IncomingMessage, boxId: string): Box {
    const box = this.#store.box(boxId)
    const given = hashOf(bearerOf(request) ?? '')
    if (!timingSafeEqual(given, box?.accessKeyHash ?? hashOf('no such box')) || box === null) throw forbidden()
    return box
  }
}

function bearerOf(request: IncomingMessage): string | null {
  return /^Bearer ([\w-]{1,200})$/.exec(request.headers.authorization ?? '')?.[1] ?? null
}

/** Tells a caller that waits for it to send the body (RFC 9110, 10.1.1). */
function proceed(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.expect !== undefined) response.writeContinue()
}

function forbidden(): Refusal {
  return new Refusal(403, 'The access key is not right.')
}

function nothingHere(): Refusal {
  return new Refusal(404, 'There is nothing at this path.')
}
