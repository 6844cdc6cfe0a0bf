import type { IncomingMessage } from 'node:http'
import { whereDiskAllows } from './database.ts'
import { diskFull, hasBody, Refusal } from './respond.ts'
import { MessageSealer } from './seal.ts'
import type { Box, MailboxStore } from './store.ts'

export type TakeLimits = {
  maxMessages: number
  maxBoxBytes: number
  maxBodyBytes: number
  /** Room on the disk that callbacks leave, so that what waits can still be fetched and acknowledged. */
  reserveBytes: number
}

type Arrival = {
  request: IncomingMessage
  /** Tells a caller that waits for it to send the body. */
  proceed: () => void
  now: number
}

/** A box that has no room: the operator is told, and the caller, who may try again. */
export class BoxFull extends Refusal {
  constructor(what: string) {
    super(507, `This mailbox is full (${what}). It has room again when its desktop has fetched what waits.`)
  }
}

export function noSuchBox(): Refusal {
  return new Refusal(404, 'There is no such box here.')
}

/**
 * Takes one callback: sealed piece by piece as it comes, each piece on the disk before the next is read, and there for
 * the desktop once the last one is. Throws a `Refusal` (400, 404, 405, 413, 507) or the error of the disk or of a
 * caller that went away; nothing stays then.
 */
export async function takeCallback(
  store: MailboxStore,
  limits: TakeLimits,
  box: Box,
  token: string,
  arrival: Arrival,
): Promise<void> {
  const { request, now } = arrival
  if (!hasBody(request))
    throw isReading(request.method)
      ? new Refusal(405, 'A callback has a body.')
      : new Refusal(400, 'A callback has a body.')
  const declaredBytes = Number(request.headers['content-length'] ?? 0)
  if (declaredBytes > limits.maxBodyBytes) throw tooLarge(limits)
  refuseWhenFull(store, limits, box, declaredBytes, 1)
  arrival.proceed()
  const sealer = new MessageSealer(box.publicKey, {
    token,
    method: request.method ?? '',
    contentType: request.headers['content-type'] ?? null,
    receivedAt: now,
  })
  let id: number | null = null
  let pieces = 0
  let sizeBytes = 0
  const keep = (piece: Buffer, isLast: boolean): void =>
    store.transaction(() => {
      // Removed while this came.
      if (store.box(box.id) === null) throw noSuchBox()
      refuseWhenFull(store, limits, box, piece.length, id === null ? 1 : 0)
      const message = id ?? store.begin(box.id, now)
      store.append(message, pieces, piece)
      if (isLast) store.complete(message)
      id = message
      pieces += 1
    })
  try {
    for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      sizeBytes += part.length
      if (sizeBytes > limits.maxBodyBytes) throw tooLarge(limits)
      for (const piece of sealer.push(part)) keep(piece, false)
    }
    if (sizeBytes === 0) throw new Refusal(400, 'A callback has a body.')
    keep(sealer.end(), true)
  } catch (error) {
    const begun = id
    // The part that arrived is of no use. On a disk that takes no changes it is deleted at the next start.
    if (begun !== null) whereDiskAllows(() => store.discard(begun))
    throw error
  }
}

function refuseWhenFull(
  store: MailboxStore,
  limits: TakeLimits,
  box: Box,
  moreBytes: number,
  moreMessages: number,
): void {
  if (store.freeBytes() < limits.reserveBytes) throw diskFull()
  const { messages, sizeBytes } = store.use(box.id)
  if (messages + moreMessages > limits.maxMessages) throw new BoxFull(`${limits.maxMessages} messages`)
  if (sizeBytes + moreBytes > limits.maxBoxBytes)
    throw new BoxFull(`${Math.round(limits.maxBoxBytes / 1024 / 1024)} MB`)
}

function tooLarge(limits: TakeLimits): Refusal {
  return new Refusal(413, `A callback has at most ${Math.round(limits.maxBodyBytes / 1024 / 1024)} MB.`)
}

function isReading(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD'
}
