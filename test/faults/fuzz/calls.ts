import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join, resolve, sep } from 'node:path'
import Sqlite from 'better-sqlite3'
import { diskAccess } from '../../../electron/core/files/file-access.ts'
import type { FileAccess } from '../../../electron/core/files/file-access.ts'
import { calls as contract } from '../../../shared/contract/contract.ts'
import type { CallName } from '../../../shared/contract/contract.ts'
import { dispatch } from '../../../shared/contract/dispatch.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { documentStatuses } from '../../../shared/domain/document-status.ts'
import { startTestCore } from '../../helpers/core.ts'
import { inputFor } from './calls-input.ts'
import { expectKnownCode, hold, oneByOne } from './kit.ts'
import type { OpenTarget, Random, Target } from './kit.ts'

type Call = { name: string; input: unknown }

const canary = 'canary-5d2f-secret'
/** More rows only make each later call slower; nothing new comes of them. */
const maxRows = 40
const names = Object.keys(contract) as CallName[]

async function open(): Promise<OpenTarget<Call>> {
  const dir = await mkdtemp(join(tmpdir(), 'sheaf-calls-'))
  const dataDir = join(dir, 'data')
  const inbox = join(dir, 'in')
  await mkdir(inbox)
  await writeFile(join(inbox, 'a.pdf'), '%PDF-1.7 a %%EOF')
  // A path that is no place, in a call that takes one, means a place beside the process: that must be this folder.
  const before = process.cwd()
  process.chdir(inbox)
  // A workbook goes where the window says: outside of this folder nothing is written.
  const within = <F extends (path: string, ...rest: never[]) => unknown>(access: F): F =>
    ((path: string, ...rest: never[]) => {
      if (!path.startsWith(dir)) throw Object.assign(new Error('not here'), { code: 'EACCES' })
      return access(path, ...rest)
    }) as F
  const files: FileAccess = {
    ...diskAccess,
    mkdir: within(diskAccess.mkdir as never),
    open: within(diskAccess.open as never),
    unlink: within(diskAccess.unlink as never),
  }
  const core = await startTestCore(dataDir, {
    files,
    secrets: { get: async () => canary, set: async () => undefined, remove: async () => undefined },
    localService: {
      start: () => Promise.reject(new AppError('service_not_started', { detail: 'not here' })),
      suspend: async () => undefined,
      stop: async () => undefined,
    },
    read: () => Promise.reject(new AppError('file_damaged')),
    timings: { probeTimeoutMs: 100 },
  })
  core.queue.pause()
  // Where a name that is no path begins: in this folder, and among the person's documents.
  const places = [inbox, join(dataDir, 'documents')]
  const texts = [
    inbox,
    join(inbox, 'a.pdf'),
    dataDir,
    'a.pdf',
    'Invoice',
    '[{"name":"a","format":"text","description":""}]',
    join(dir, 'not-there'),
  ]
  const schema = [{ name: 'a', format: 'text' as const, description: '' }]
  const { tables, now } = core.context
  tables.schemas.save(null, 'Invoice', schema, now())

  function make(random: Random): Call {
    const drawn = random.pick(names)
    // A copy of the database takes as long as the disk does, which is not what is looked for here.
    if (drawn === 'storage.backUp' && !random.oneIn(20)) return make(random)
    const name = random.oneIn(40) ? random.pick(['', '__proto__', 'constructor', 'app.state ', 'no.such']) : drawn
    const input = Object.hasOwn(contract, name) ? inputFor(random, contract[name as CallName].input, texts) : { id: 1 }
    return { name, input }
  }

  async function tryOne({ name, input }: Call): Promise<void> {
    trim()
    const answer = await dispatch(contract, core.handlers, name, input)
    const said = JSON.stringify(answer)
    hold(!said.includes(canary), `${name} answers with a secret`)
    hold(!said.includes('root:x:0:0'), `${name} answers with a file of this computer`)
    if (!answer.ok) {
      const path = textsIn(answer.error.details).find((text) => text.includes(dir) && !isNamedBy(input, text, places))
      hold(path === undefined, `${name} answers with a path that nobody named: ${said.slice(0, 300)}`)
      hold(answer.error.code !== 'internal', `${name} fails unexpectedly: ${said.slice(0, 300)}`)
      return expectKnownCode(answer.error.code)
    }
    const parsed = contract[name as CallName].output.safeParse(answer.value)
    hold(parsed.success, `${name} answers what the contract does not say: ${parsed.error?.message ?? ''}`)
    hold(!('polluted' in {}), 'the prototype of all objects was changed')
  }

  /** Folders with nobody to watch them, schemas and connections by the thousand would only measure lists. */
  function trim(): void {
    for (const { id } of tables.folders.list().slice(0, -maxRows)) tables.folders.remove(id, now())
    for (const { id } of tables.schemas.list().slice(0, -maxRows)) tables.schemas.remove(id, now())
    for (const { id } of tables.connections.list().slice(1, -maxRows)) tables.connections.remove(id, now())
    for (const { id } of tables.conversations.list().slice(0, -maxRows)) tables.conversations.remove(id, now())
  }

  return {
    make,
    tryAll: oneByOne(tryOne),
    async check() {
      await core.stop({ atOnce: true })
      const db = new Sqlite(join(dataDir, 'sheaf.db'), { readonly: true })
      try {
        hold(db.pragma('integrity_check', { simple: true }) === 'ok', 'the database is broken')
        for (const { status } of db.prepare<[], { status: string }>('SELECT DISTINCT status FROM documents').all())
          hold((documentStatuses as readonly string[]).includes(status), `a document is ${status}`)
      } finally {
        db.close()
      }
    },
    async close() {
      process.chdir(before)
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** Every text of an input or an answer, at any depth, and the names of its fields. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)])
}

/**
 * Whether a text of an answer names only what the input does: a path, one beneath or above it, or a part of it. What is
 * no whole path begins at one of `places`.
 */
function isNamedBy(input: unknown, said: string, places: readonly string[]): boolean {
  const named = textsIn(input).flatMap((text) => places.map((place) => [text, resolve(place, text)] as const))
  return named.some(([text, path]) => {
    const isThere = said === path || said.includes(path + sep) || path.startsWith(said + sep)
    return isThere || (isAbsolute(text) && said.includes(text))
  })
}

/** The calls of the window, with inputs of any shape, to a core that is really there. */
export const calls: Target<Call> = { name: 'calls', open }
