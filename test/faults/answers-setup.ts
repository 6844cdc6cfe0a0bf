import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Core, CoreOptions } from '../../electron/core/core.ts'
import type { Attempt } from '../../electron/core/db/tables/attempts.ts'
import type { StoredDocument } from '../../electron/core/db/tables/documents.ts'
import { takeIn } from '../helpers/take-in.ts'
import { addFolder, pdfBytes, startTestCore, temporaryDir } from '../helpers/core.ts'
import { expectInvariants } from './invariants.ts'

export type Rig = {
  core: Core
  dir: string
  dataDir: string
  send: (name: string, bytes?: Buffer) => Promise<number>
  document: (id: number) => StoredDocument
  attempts: (id: number) => Attempt[]
  /** The answers to a document, as they are in the database: body, type, status, and whether they are whole. */
  kept: (id: number) => { body: Buffer; contentType: string | null; httpStatus: number | null; complete: boolean }[]
  /** Ends core as it ends itself, and starts it on the same folder. */
  restart: (options?: Partial<CoreOptions>) => Promise<void>
  /** Starts it on the same folder once it was ended. */
  startAgain: (options?: Partial<CoreOptions>) => Promise<void>
  /** The invariant of the catalogue, for what was sent so far. */
  check: (billable: number, approvedResends?: number) => void
}

/** Core with one batch folder at a service of whoever stands under `baseUrl`. */
export async function setUp(
  baseUrl: string,
  options: Partial<CoreOptions> & { mode?: 'sync' | 'async' } = {},
): Promise<Rig> {
  const { mode = 'sync', ...coreOptions } = options
  const place = temporaryDir()
  onTestFinished(place.remove)
  const dataDir = join(place.path, 'data')
  const held = { core: await startTestCore(dataDir, coreOptions) }
  onTestFinished(() => held.core.stop({ atOnce: true }))
  const vendor = { baseUrl } as Parameters<typeof addFolder>[1]
  const folder = addFolder(held.core, vendor, { kind: 'batch', path: '', mode })
  const paths: string[] = []
  const sent: number[] = []
  const rig: Rig = {
    get core() {
      return held.core
    },
    dir: place.path,
    dataDir,
    async send(name, bytes = pdfBytes(name)) {
      const path = join(place.path, name)
      await writeFile(path, bytes)
      const id = await takeIn(held.core.context, folder, {
        path,
        type: 'file',
        sizeBytes: bytes.length,
        mtimeMs: 0,
        changedAt: 0,
      })
      paths.push(path)
      sent.push(id)
      held.core.queue.wake()
      return id
    },
    document: (id) => held.core.context.tables.documents.get(id)!,
    attempts: (id) => held.core.context.tables.attempts.ofDocument(id),
    kept: (id) => rig.attempts(id).flatMap((attempt) => held.core.context.tables.attempts.answers(attempt.id)),
    async restart(again = coreOptions) {
      await held.core.stop({ atOnce: true })
      await rig.startAgain(again)
    },
    async startAgain(again = coreOptions) {
      held.core = await startTestCore(dataDir, again)
      held.core.queue.wake()
    },
    check(billable, approvedResends = 0) {
      const wereSent = sent.filter((id) => rig.attempts(id).some(({ outcome }) => outcome !== 'returned'))
      expectInvariants(dataDir, { paths, billable, filesSent: wereSent.length, approvedResends })
    },
  }
  return rig
}
