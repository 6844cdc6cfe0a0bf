import { createHash, randomBytes } from 'node:crypto'
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { MailboxDatabase } from './database.ts'

export type Box = {
  id: string
  name: string
  publicKey: Buffer
  accessKeyHash: Buffer
  pairedAt: number
  fetchedAt: number | null
}
type BoxUse = { messages: number; sizeBytes: number }
export type StoredMessage = { id: number; sizeBytes: number }

type BoxRow = {
  id: string
  name: string
  public_key: Buffer
  access_key_hash: Buffer
  paired_at: number
  fetched_at: number | null
}

const codeLifetimeMs = 24 * 60 * 60_000
/** A clock may be set back a little between making a code and using it. */
const clockLeewayMs = 60 * 60_000
const piecesAtOnce = 16
/** Pages given back to the disk at once (4 KB each): more would hold the server up. */
const pagesAtOnce = 4096

/** SHA-256, all that is kept of access keys and of codes. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** The operator writes it behind a command: one that began with a hyphen would be taken for an option there. */
function newBoxId(): string {
  const id = randomBytes(16).toString('base64url')
  return id.startsWith('-') ? newBoxId() : id
}

function prepare(db: MailboxDatabase) {
  return {
    publicUrl: db.prepare<[], { public_url: string | null }>('SELECT public_url FROM mailbox'),
    setPublicUrl: db.prepare<[string]>('UPDATE mailbox SET public_url = ?'),
    addServed: db.prepare<[number]>('UPDATE mailbox SET served_ms = served_ms + ?'),
    expire: db.prepare<[number]>(
      "UPDATE messages SET state = 'gone' WHERE state = 'waiting' AND served_ms <= (SELECT served_ms FROM mailbox) - ?",
    ),
    insertCode: db.prepare<[Buffer, number]>('INSERT INTO codes (secret_hash, created_at) VALUES (?, ?)'),
    takeCode: db.prepare<[Buffer, number, number]>(
      'DELETE FROM codes WHERE secret_hash = ? AND created_at BETWEEN ? AND ?',
    ),
    dropCodes: db.prepare<[number]>('DELETE FROM codes WHERE created_at < ?'),
    insertBox: db.prepare<[string, string, Buffer, Buffer, number]>(
      'INSERT INTO boxes (id, name, public_key, access_key_hash, paired_at) VALUES (?, ?, ?, ?, ?)',
    ),
    box: db.prepare<[string], BoxRow>('SELECT * FROM boxes WHERE id = ?'),
    boxes: db.prepare<[], BoxRow & { messages: number; size_bytes: number }>(`
    SELECT b.*, count(m.id) AS messages, coalesce(sum(m.size_bytes), 0) AS size_bytes
    FROM boxes b LEFT JOIN messages m ON m.box_id = b.id AND m.state <> 'gone' GROUP BY b.id ORDER BY b.paired_at, b.id`),
    emptyBox: db.prepare<[string]>("UPDATE messages SET state = 'gone' WHERE box_id = ?"),
    removeBox: db.prepare<[string]>('DELETE FROM boxes WHERE id = ?'),
    touch: db.prepare<[number, string]>('UPDATE boxes SET fetched_at = ? WHERE id = ?'),
    // What is gone takes room until its bytes are deleted.
    use: db.prepare<[string], { messages: number; size_bytes: number }>(
      "SELECT count(*) FILTER (WHERE state <> 'gone') AS messages, coalesce(sum(size_bytes), 0) AS size_bytes FROM messages WHERE box_id = ?",
    ),
    anyWaiting: db.prepare<[string], { id: number }>(
      "SELECT id FROM messages WHERE box_id = ? AND state = 'waiting' LIMIT 1",
    ),
    begin: db.prepare<[string, number]>(
      'INSERT INTO messages (box_id, received_at, served_ms) SELECT ?, ?, served_ms FROM mailbox',
    ),
    append: db.prepare<[number, number, Buffer]>('INSERT INTO pieces (message_id, number, sealed) VALUES (?, ?, ?)'),
    grow: db.prepare<[number, number]>('UPDATE messages SET size_bytes = size_bytes + ? WHERE id = ?'),
    complete: db.prepare<[number]>("UPDATE messages SET state = 'waiting' WHERE id = ?"),
    messages: db.prepare<[string], { id: number; size_bytes: number }>(
      "SELECT id, size_bytes FROM messages WHERE box_id = ? AND state = 'waiting' ORDER BY id",
    ),
    message: db.prepare<[number, string], { size_bytes: number; pieces: number }>(`
    SELECT size_bytes, (SELECT count(*) FROM pieces p WHERE p.message_id = m.id) AS pieces FROM messages m WHERE id = ? AND box_id = ? AND state = 'waiting'`),
    piece: db.prepare<[number, number], { sealed: Buffer }>(
      'SELECT sealed FROM pieces WHERE message_id = ? AND number = ?',
    ),
    pieces: db.prepare<[number], { sealed: Buffer }>('SELECT sealed FROM pieces WHERE message_id = ? ORDER BY number'),
    remove: db.prepare<[number, string]>(
      "UPDATE messages SET state = 'gone' WHERE id = ? AND box_id = ? AND state = 'waiting'",
    ),
    discard: db.prepare<[number]>("UPDATE messages SET state = 'gone' WHERE id = ?"),
    discardUnfinished: db.prepare("UPDATE messages SET state = 'gone' WHERE state = 'coming'"),
    sweepPieces: db.prepare<[number]>(`
    DELETE FROM pieces WHERE rowid IN (SELECT p.rowid FROM messages m CROSS JOIN pieces p ON p.message_id = m.id WHERE m.state = 'gone' LIMIT ?)`),
    sweepMessages: db.prepare("DELETE FROM messages WHERE state = 'gone'"),
  }
}

/** All the SQL of the mailbox: boxes, codes and sealed messages. Times are epoch ms, `servedMs` apart. */
export class MailboxStore {
  readonly #db: MailboxDatabase
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: MailboxDatabase) {
    this.#db = db
    this.#sql = prepare(db)
  }

  /** Runs `work` in one transaction, durable when it returns. */
  transaction<T>(work: () => T): T {
    return this.#db.transaction(work).immediate()
  }

  publicUrl(): string | null {
    return this.#sql.publicUrl.get()?.public_url ?? null
  }

  setPublicUrl(url: string): void {
    this.#sql.setPublicUrl.run(url)
  }

  /** A new secret for a pairing code. */
  addCode(now: number): string {
    const secret = randomBytes(24).toString('base64url')
    this.#sql.insertCode.run(hashOf(secret), now)
    return secret
  }

  /** Pairs a desktop and uses the code up; null when the code is wrong, used or older than a day. */
  pair(secret: string, values: { publicKey: Buffer; accessKeyHash: Buffer; name: string }, now: number): string | null {
    return this.transaction(() => {
      this.#sql.dropCodes.run(now - codeLifetimeMs)
      if (this.#sql.takeCode.run(hashOf(secret), now - codeLifetimeMs, now + clockLeewayMs).changes === 0) return null
      const id = newBoxId()
      this.#sql.insertBox.run(id, values.name, values.publicKey, values.accessKeyHash, now)
      return id
    })
  }

  box(id: string): Box | null {
    const row = this.#sql.box.get(id)
    return row === undefined ? null : boxOf(row)
  }

  boxes(): (Box & BoxUse)[] {
    return this.#sql.boxes.all().map((row) => ({ ...boxOf(row), messages: row.messages, sizeBytes: row.size_bytes }))
  }

  /** With everything that waits in it; false when there is no such box. */
  removeBox(id: string): boolean {
    return this.transaction(() => {
      this.#sql.emptyBox.run(id)
      return this.#sql.removeBox.run(id).changes > 0
    })
  }

  /** `removeBox` unless a message waits in it: false then. */
  endBox(id: string): boolean {
    return this.transaction(() => this.#sql.anyWaiting.get(id) === undefined && this.removeBox(id))
  }

  touch(id: string, now: number): void {
    this.#sql.touch.run(now, id)
  }

  /** Messages of a box, with those that are still coming, and the bytes that it takes on the disk. */
  use(boxId: string): BoxUse {
    const { messages: count, size_bytes: sizeBytes } = this.#sql.use.get(boxId)!
    return { messages: count, sizeBytes }
  }

  /** The id of a message that is still coming: nobody is given it before `complete`. */
  begin(boxId: string, now: number): number {
    return Number(this.#sql.begin.run(boxId, now).lastInsertRowid)
  }

  append(id: number, number: number, sealed: Buffer): void {
    this.#sql.append.run(id, number, sealed)
    this.#sql.grow.run(sealed.length, id)
  }

  complete(id: number): void {
    this.#sql.complete.run(id)
  }

  /** Deletes a message that did not arrive completely. */
  discard(id: number): void {
    this.#sql.discard.run(id)
  }

  /** What was coming when the last process ended: its sender was not told 200. */
  discardUnfinished(): void {
    this.#sql.discardUnfinished.run()
  }

  /** What waits in a box, oldest first. */
  messages(boxId: string): StoredMessage[] {
    return this.#sql.messages.all(boxId).map((row) => ({ id: row.id, sizeBytes: row.size_bytes }))
  }

  /** Size and number of pieces of a whole message of this box. */
  message(boxId: string, id: number): { sizeBytes: number; pieces: number } | null {
    const row = this.#sql.message.get(id, boxId)
    return row === undefined ? null : { sizeBytes: row.size_bytes, pieces: row.pieces }
  }

  /** One piece; null when the message was deleted meanwhile. */
  piece(id: number, number: number): Buffer | null {
    return this.#sql.piece.get(id, number)?.sealed ?? null
  }

  sealed(id: number): Buffer {
    return Buffer.concat(this.#sql.pieces.all(id).map((row) => row.sealed))
  }

  /** Messages of this box are done with; returns how many there were. */
  remove(boxId: string, ids: readonly number[]): number {
    return this.#db.transaction(() => ids.reduce((count, id) => count + this.#sql.remove.run(id, boxId).changes, 0))()
  }

  /**
   * Overwrites and deletes some of what is gone: 4 MB take about 60 ms, a large box in one go would hold everybody
   * up. True when there may be more.
   */
  sweep(): boolean {
    if (this.#sql.sweepPieces.run(piecesAtOnce).changes > 0) return true
    this.#sql.sweepMessages.run()
    return false
  }

  /**
   * Counts `servedMs` more of service: age is counted in time that the mailbox ran, so a clock that jumps deletes
   * nothing.
   */
  addServed(servedMs: number): void {
    this.#sql.addServed.run(Math.round(servedMs))
  }

  /** Deletes what has waited for `lifetimeMs` of service; returns how many messages that were. */
  expire(lifetimeMs: number): number {
    return this.#sql.expire.run(lifetimeMs).changes
  }

  /** Gives some of the room that is free in the database back to the disk. */
  giveBack(): void {
    this.#db.pragma(`incremental_vacuum(${pagesAtOnce})`)
    this.#db.pragma('wal_checkpoint(TRUNCATE)')
  }

  /** Room on the disk, in bytes; no limit where the system does not say. */
  freeBytes(): number {
    try {
      const { bavail, bsize } = statfsSync(dirname(this.#db.name))
      return bavail * bsize
    } catch {
      return Infinity
    }
  }
}

function boxOf(row: BoxRow): Box {
  return {
    id: row.id,
    name: row.name,
    publicKey: row.public_key,
    accessKeyHash: row.access_key_hash,
    pairedAt: row.paired_at,
    fetchedAt: row.fetched_at,
  }
}
