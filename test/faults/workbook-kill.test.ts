import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { reviewStates } from '../../shared/domain/document-status.ts'
import { pdfBytes, until } from '../helpers/core.ts'
import { readXlsx } from '../unit/export/read-back.ts'
import { harnessCore } from './harness/harness-core.ts'
import { Program } from './harness/program.ts'
import { quickTimings } from './harness/protocol.ts'
import { goodAnswer, startScriptedVendor } from './harness/scripted-vendor.ts'
import { seeded } from './harness/seeded.ts'
import { setUp } from './harness/set-up.ts'
import { scaled } from '../helpers/scale.ts'
import { quickFolder } from '../helpers/temporary.ts'

const kills = scaled(2, 20)
const documents = 200
const random = seeded(20_261_122)
const timings = { ...quickTimings, workbookDebounceMs: 5, workbookLockCheckMs: 20 }

let root: string

beforeAll(() => {
  root = mkdtempSync(join(quickFolder, 'sheaf-workbook-'))
})
afterAll(() => {
  rmSync(root, { recursive: true, force: true })
})

/** What a person does until the program is killed: documents are approved and reopened, one by one and many at once. */
async function work(program: Program, ids: number[]): Promise<never> {
  for (;;) {
    const some = ids.filter(() => random.chance(0.2))
    if (some.length > 0) await program.call(random.chance(0.7) ? 'review.approve' : 'review.reopen', { ids: some })
    await wait(random.between(0, 20))
  }
}

it(`a program that is killed ${kills} times has every approved document in its workbook exactly once, and one workbook`, async () => {
  const vendor = await startScriptedVendor({ whole: (order) => ({ bills: true, answer: goodAnswer(order) }) })
  const dataDir = join(root, 'data')
  const folders = { sync: join(root, 'in'), async: join(root, 'none') }
  for (const folder of Object.values(folders)) mkdirSync(folder)
  await setUp(dataDir, {
    baseUrl: vendor.baseUrl,
    folders,
    afterwards: 'stay',
    more: async (core) => void (await core.handlers['workbooks.set']({ folderId: 1, on: true })),
  })
  for (let number = 0; number < documents; number += 1)
    writeFileSync(join(folders.sync, `${number}.pdf`), pdfBytes(String(number), 600))

  let writes = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const program = new Program({ dataDir, concurrency: 8, timings, trap: null })
    await program.ready
    await program.run()
    if (kill === 0)
      for (let done = 0; done < documents; await wait(20)) done = (await program.call('app.state', {})).counts.done ?? 0
    const { rows } = await program.call('documents.list', { limit: 500 })
    // What was asked of a program that dies is never answered.
    void work(
      program,
      rows.map(({ id }) => id),
    ).catch(() => undefined)
    await wait(random.between(20, 500))
    writes += Number(existsSync(join(dataDir, 'documents', 'Sheaf', 'sync.xlsx')))
    await program.kill()
  }
  expect(writes).toBeGreaterThan(kills / 2)

  const core = await harnessCore(dataDir, { timings })
  try {
    const { tables } = core.context
    await core.run()
    await until(() => tables.workbooks.due().length === 0, 'everything to be written')
    const approved = tables.documents
      .withStatus('done')
      .filter(({ id }) => tables.reviews.state(id) === reviewStates[2])
    expect(approved.length).toBeGreaterThan(documents / 10)
    const directory = join(dataDir, 'documents', 'Sheaf')
    expect(readdirSync(directory)).toEqual(['sync.xlsx'])
    const [sheet] = await readXlsx(join(directory, 'sync.xlsx'))
    const inFile = sheet!.values.slice(1).map(([name]) => name!)
    expect(inFile.toSorted()).toEqual(approved.map(({ name }) => name).toSorted())
  } finally {
    await core.stop()
    await vendor.close()
  }
})
