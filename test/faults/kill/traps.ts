import { existsSync, readdirSync } from 'node:fs'
import promises from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import type { Core } from '../../../electron/core/core.ts'
import { diskAccess } from '../../../electron/core/files/file-access.ts'
import type { FileAccess } from '../../../electron/core/files/file-access.ts'
import { HttpClient } from '../../../electron/core/platform/http.ts'
import { laterStepMark } from '../later-migration.ts'
import type { ChildPlan } from '../harness/protocol.ts'
import type { Trap } from './points.ts'

/**
 * How a program is ended at exactly one point: by itself, in the middle of the function that gets there. Nothing is
 * told, flushed or tidied up. What is wrapped belongs to the process of the harness; the product has no hooks for this.
 */
function die(): never {
  process.kill(process.pid, 'SIGKILL')
  for (;;);
}

/** The file system of the person's folders. */
export function trapFiles(trap: Trap | null): FileAccess {
  if (trap?.point === 'K1') {
    // Nothing is known of it yet but its name.
    const lstat = (async (path: string, options?: Parameters<FileAccess['lstat']>[1]) =>
      path === trap.path ? die() : diskAccess.lstat(path, options)) as FileAccess['lstat']
    return { ...diskAccess, lstat }
  }
  if (trap?.point === 'K3') {
    const open: FileAccess['open'] = async (path, ...rest) => {
      const handle = await diskAccess.open(path, ...rest)
      const read = handle.read.bind(handle) as (...given: unknown[]) => Promise<unknown>
      handle.read = (async (...given: unknown[]) => {
        const answer = await read(...given)
        // Only what is read for its hash is read without a position.
        return path === trap.path && given[3] === null ? die() : answer
      }) as unknown as typeof handle.read
      return handle
    }
    return { ...diskAccess, open }
  }
  if (trap?.point === 'K18') return trapMove(trap)
  return diskAccess
}

/** Decided but not moved; in its new place and perhaps also in the old; out of the old place but not marked. */
function trapMove({ path, variant }: Trap): FileAccess {
  const from = (place: unknown): boolean => place === path
  const link: FileAccess['link'] = async (existing, added) => {
    if (from(existing) && variant === 0) die()
    await diskAccess.link(existing, added)
    if (from(existing) && variant === 1) die()
  }
  const rename: FileAccess['rename'] = async (old, next) => {
    if (from(old) && variant === 0) die()
    await diskAccess.rename(old, next)
    if (from(old)) die()
  }
  const unlink: FileAccess['unlink'] = async (place) => {
    await diskAccess.unlink(place)
    if (from(place)) die()
  }
  return { ...diskAccess, link, rename, unlink }
}

type Wrapped = { run: (this: StatementLike, ...values: unknown[]) => unknown }
type StatementLike = { source: string; database: { name: string } }

/** Called before and after each statement that writes, of whatever database. */
function onRun(heard: {
  before?: (statement: StatementLike) => void
  after?: (statement: StatementLike) => void
}): void {
  const db = new Sqlite(':memory:')
  const prototype = Object.getPrototypeOf(db.prepare('CREATE TABLE wrapped (one)')) as Wrapped
  db.close()
  const { run } = prototype
  prototype.run = function (this: StatementLike, ...values) {
    heard.before?.(this)
    const outcome = run.apply(this, values)
    heard.after?.(this)
    return outcome
  }
}

/** What has to stand before core starts. */
export function trapProcess(trap: Trap | null): void {
  if (trap === null) return
  if (trap.point === 'start') trapStart(trap.variant)
  else if (trap.point === 'K21') trapMigration(trap.variant)
  else if (trap.point === 'K16') trapOpen(trap.variant)
  else if (trap.point === 'K17') afterRename((from) => basename(from).startsWith('.sheaf-'))
}

/** At the n-th write of a start. */
function trapStart(writes: number): void {
  let left = writes
  onRun({ after: () => left-- <= 0 && die() })
}

/** Before the last migration, inside of its transaction, while it commits, and after it. */
function trapMigration(variant: number): void {
  const { exec } = Sqlite.prototype
  let migrated = false
  Sqlite.prototype.exec = function (this: Sqlite.Database, sql: string) {
    const isIt = sql.includes(laterStepMark)
    if (isIt && variant === 0) die()
    const outcome = exec.call(this, sql)
    if (isIt && variant === 1) die()
    migrated ||= isIt
    return outcome as Sqlite.Database
  }
  onRun({
    before: ({ source }) => migrated && source === 'COMMIT' && variant === 2 && die(),
    after: ({ source }) => migrated && source === 'COMMIT' && variant === 3 && die(),
  })
}

/** While the copy is made beside its place, by a thread of its own, and when it has just got its name. */
function trapBackup(dataDir: string, { variant }: Trap): void {
  const folder = join(dataDir, 'backups')
  const before = existsSync(folder) ? readdirSync(folder).length : 0
  const look = (): void => {
    const names = existsSync(folder) ? readdirSync(folder) : []
    const isPartial = names.some((name) => name.endsWith('.partial'))
    if (variant === 0 ? isPartial : !isPartial && names.length > before) die()
    setImmediate(look)
  }
  look()
}

/** While the temporary file of an export is written: half of a piece, or all of them and nothing synced. */
function trapOpen(variant: number): void {
  const { open } = promises
  promises.open = async (path, ...rest) => {
    const handle = await open(path, ...rest)
    if (!basename(String(path)).startsWith('.sheaf-')) return handle
    const write = handle.write.bind(handle) as (...values: unknown[]) => Promise<unknown>
    const half = async (bytes: Buffer): Promise<never> => {
      await write(bytes, 0, Math.ceil(bytes.length / 2))
      return die()
    }
    if (variant === 0) handle.write = half as unknown as FileHandle['write']
    else handle.sync = async () => die()
    return handle
  }
  syncBuiltinESMExports()
}

function afterRename(concerns: (from: string) => boolean): void {
  const { rename } = promises
  promises.rename = async (from, to) => {
    await rename(from, to)
    if (concerns(String(from))) die()
  }
  syncBuiltinESMExports()
}

/**
 * The answer with the token is here, and nobody has it yet. Another document may have asked for it before theirs was
 * taken in.
 */
function trapToken(isTheirsKnown: () => boolean): void {
  const { send } = HttpClient.prototype
  HttpClient.prototype.send = async function (this: HttpClient, query) {
    const answer = await send.call(this, query)
    if (new URL(query.url).pathname !== '/v2/token') return answer
    while (!isTheirsKnown()) await wait(5)
    return die()
  }
}

/** Once `isTheirs`: before the acknowledgement leaves, or when the mailbox has answered it. */
function trapAcknowledgement(variant: number, isTheirs: () => boolean): void {
  const { open } = HttpClient.prototype
  HttpClient.prototype.open = async function (this: HttpClient, query) {
    const isIt = new URL(query.url).pathname.endsWith('/acknowledgements') && isTheirs()
    if (isIt && variant === 0) die()
    const answer = await open.call(this, query)
    return isIt ? die() : answer
  }
}

/** What is wrapped of the core that has started. */
export function trapCore(core: Core, { dataDir, trap }: Pick<ChildPlan, 'dataDir' | 'trap'>): void {
  if (trap === null) return
  const { tables } = core.context
  const { documents, attempts, results } = tables
  const concerns = (documentId: number): boolean => documents.get(documentId)?.path === trap.path
  const onStatus = (status: string): void => {
    core.onEvent((name, payload) => {
      const change = payload as { id: number; status: string }
      if (name === 'document.changed' && change.status === status && concerns(change.id)) die()
    })
  }
  const onAnswer = (source: 'response' | 'callback', when: 'before' | 'after'): void => {
    const storeAnswer = attempts.storeAnswer.bind(attempts)
    attempts.storeAnswer = (answer, ...rest) => {
      const isIt = answer.source === source && concerns(attempts.get(answer.attemptId).documentId)
      if (isIt && when === 'before') die()
      const id = storeAnswer(answer, ...rest)
      return isIt ? die() : id
    }
  }
  /** After the journal took an entry, before the database did. */
  const onJournal = (kind: RegExp, isTheirs: () => boolean): void => {
    let written = false
    onRun({
      after: ({ source, database }) => {
        if (!database.name.endsWith('journal.db')) return
        written ||= kind.test(source)
        if (written && source === 'COMMIT' && isTheirs()) die()
      },
    })
  }

  const arm: Partial<Record<Trap['point'], () => void>> = {
    K2() {
      if (trap.variant === 1) onStatus('queued')
      const insert = documents.insert.bind(documents)
      documents.insert = (document, now) => {
        const id = insert(document, now)
        return trap.variant === 0 && document.path === trap.path ? die() : id
      }
    },
    K4() {
      const due = documents.due.bind(documents)
      documents.due = (...question) => {
        const rows = due(...question)
        return rows.some(({ path }) => path === trap.path) ? die() : rows
      }
    },
    K5: () => trapToken(() => tables.folders.list().some(({ id }) => documents.latestAt(id, trap.path) !== null)),
    K6() {
      if (trap.variant === 0) return onStatus('submitting')
      const open = attempts.open.bind(attempts)
      let opening = false
      onJournal(/INSERT INTO entries/, () => opening)
      attempts.open = (documentId, ...rest) => {
        opening = concerns(documentId)
        return open(documentId, ...rest)
      }
    },
    K7() {
      let steps = trap.variant
      core.onEvent((name, payload) => {
        if (name === 'document.progress' && concerns((payload as { id: number }).id) && steps-- <= 0) die()
      })
    },
    K10() {
      if (trap.variant === 0) return onAnswer('response', 'before')
      const storeAnswer = attempts.storeAnswer.bind(attempts)
      let storing = false
      onJournal(/INSERT INTO entries/, () => storing)
      attempts.storeAnswer = (answer, ...rest) => {
        storing = answer.source === 'response' && concerns(attempts.get(answer.attemptId).documentId)
        return storeAnswer(answer, ...rest)
      }
    },
    K11: () => onStatus('waiting'),
    K12: () => onAnswer('callback', 'before'),
    K13: () => (trap.variant === 0 ? onAnswer('callback', 'after') : onStatus('done')),
    K14: () => onAnswer('response', 'after'),
    K15() {
      const insert = results.insert.bind(results)
      results.insert = (result, now) => {
        const isIt = concerns(result.documentId)
        if (isIt && trap.variant === 0) die()
        const id = insert(result, now)
        return isIt ? die() : id
      }
    },
    K22() {
      const storeAnswer = attempts.storeAnswer.bind(attempts)
      let isStored = false
      trapAcknowledgement(trap.variant, () => isStored)
      attempts.storeAnswer = (answer, ...rest) => {
        const id = storeAnswer(answer, ...rest)
        isStored ||= answer.source === 'callback' && concerns(attempts.get(answer.attemptId).documentId)
        return id
      }
    },
    K20: () => trapBackup(dataDir, trap),
    K23() {
      const flushed = tables.flushed.bind(tables)
      tables.flushed = () => {
        const theirs = tables.folders.list().flatMap(({ id }) => documents.latestAt(id, trap.path) ?? [])
        for (const { id, status } of theirs) {
          const [attempt] = attempts.ofDocument(id)
          const waits = attempt === undefined ? [] : attempts.answers(attempt.id)
          if (status === 'submitting' && waits.length === trap.variant) die()
        }
        return flushed()
      }
    },
  }
  arm[trap.point]?.()
}
