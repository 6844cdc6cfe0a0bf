import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Core, CoreOptions } from '../../electron/core/core.ts'
import { readDocument } from '../../electron/reading/read.ts'
import type { DocumentDetail } from '../../shared/contract/documents.ts'
import { parseSchema } from '../../shared/domain/schema.ts'
import { addFolder, startTestCore, temporaryDir, until } from '../helpers/core.ts'
import { invoiceElements, invoicesOf } from '../helpers/senders.ts'
import type { Invoice } from '../helpers/senders.ts'
import { startVendor, vendorCredentials } from '../helpers/vendor.ts'

const seed = 7
let twelve: Invoice[]
let [firsts, others]: Invoice[][] = []
beforeAll(async () => {
  twelve = await invoicesOf(3, seed)
  firsts = twelve.filter((_invoice, index) => index % 3 === 0)
  others = twelve.filter((_invoice, index) => index % 3 !== 0)
})

type Rig = {
  core: Core
  /** Which documents were read so far. */
  reads: () => number
  /** Puts invoices into the folder and waits until each has a result that was compared with what was learned. */
  receive: (invoices: readonly Invoice[]) => Promise<void>
  detail: (invoice: Invoice) => Promise<DocumentDetail>
  /** Puts what is right in the place of what is wrong, and waits until that was learned. */
  correct: (invoice: Invoice) => Promise<void>
  restart: (options?: Partial<CoreOptions>) => Promise<void>
}

/** A service, on this computer or elsewhere, that answers wrongly or with nothing, for one folder. */
async function setUp(where: 'here' | 'elsewhere', given: Partial<CoreOptions> = {}): Promise<Rig> {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  const answers = new Map<string, Invoice>()
  const vendor = await startVendor(({ filename }) => ({
    body: JSON.stringify({ status: 'success', data: answers.get(filename)!.wrong, metadata: { filename } }),
  }))
  onTestFinished(vendor.close)
  let reads = 0
  const start = (options: Partial<CoreOptions> = {}): Promise<Core> =>
    startTestCore(join(dir.path, 'data'), {
      timings: { quietMs: 40, sweepIntervalMs: 100 },
      read: (content, kind) => {
        reads += 1
        return readDocument(content, kind, () => Promise.reject(new Error('no picture')))
      },
      localService: {
        start: async () => ({
          baseUrl: vendor.baseUrl,
          ...vendorCredentials,
          control: { url: 'http://127.0.0.1:9/', key: 'none' },
          privateCallbacks: true,
        }),
        suspend: async () => undefined,
        stop: async () => undefined,
      },
      ...given,
      ...options,
    })
  const inbox = join(dir.path, 'in')
  mkdirSync(inbox)
  let core = await start()
  const { tables, now } = core.context
  tables.schemas.save(null, 'Invoice', parseSchema(invoiceElements), now())
  const folder = addFolder(core, vendor, { path: inbox })
  if (where === 'here') tables.folders.save({ ...folder, connectionId: tables.connections.local().id })
  await core.run()
  onTestFinished(() => core.stop({ atOnce: true }))
  const find = (name: string) =>
    core.context.tables.documents.inFolder(folder.id).findLast((document) => document.name === name)
  const isCompared = ({ name }: Invoice): boolean => {
    const document = find(name)
    return document?.status === 'done' && !core.context.tables.lessons.isComparing(document.id)
  }
  const detail = (invoice: Invoice) => core.handlers['documents.get']({ id: find(invoice.name)!.id })
  return {
    get core() {
      return core
    },
    reads: () => reads,
    receive: async (invoices) => {
      for (const invoice of invoices) {
        answers.set(invoice.name, invoice)
        writeFileSync(join(inbox, invoice.name), invoice.content)
      }
      await until(() => invoices.every(isCompared), 'the results')
    },
    detail,
    correct: async (invoice) => {
      const { id, records } = await detail(invoice)
      const changes = Object.entries(invoice.values)
        .filter(([name, value]) => records[0]![name] !== value)
        .map(([name, value]) => ({ pointer: `/0/${name}`, value }))
      await core.handlers['review.correct']({ id, changes })
      await core.handlers['review.approve']({ ids: [id] })
      await until(() => core.context.tables.lessons.nextLesson() === null, 'the lesson')
    },
    restart: async (options) => {
      await core.stop({ atOnce: true })
      core = await start(options)
      await core.run()
    },
  }
}

/** The share of fields that are right. */
async function rightShare(rig: Rig, invoices: readonly Invoice[]): Promise<number> {
  let [right, all] = [0, 0]
  for (const invoice of invoices) {
    const { records } = await rig.detail(invoice)
    for (const { name } of invoiceElements) {
      all += 1
      if (records[0]![name] === invoice.values[name]) right += 1
    }
  }
  return right / all
}
const flagsOf = async (rig: Rig, invoice: Invoice) =>
  (await rig.detail(invoice)).check.flags.map(({ code, pointer }) => `${code} ${pointer}`)
const learnedForms = async ({ core }: Rig) => (await core.handlers['lessons.list']({})).forms

describe('documents of a sender whose form was corrected once', () => {
  it('have their values in the places where that document had them', async () => {
    const rig = await setUp('here')
    await rig.receive(firsts!)
    expect(await rightShare(rig, firsts!)).toBeLessThan(0.3)
    for (const invoice of firsts!) await rig.correct(invoice)
    await rig.receive(others!)
    expect(await rightShare(rig, others!)).toBeGreaterThanOrEqual(0.98)
    expect(await learnedForms(rig)).toMatchObject(
      firsts!.toReversed().map(({ values }) => ({ name: values.seller, schemaName: 'Invoice', documents: 1 })),
    )
    await rig.core.handlers['lessons.forget']({ form: null })
    const later = await invoicesOf(1, seed + 1)
    await rig.receive(later)
    expect(await rightShare(rig, later)).toBeLessThan(0.3)
  })
})
