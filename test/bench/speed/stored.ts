import { constants, copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeMillion, millionPath } from '../million-data.ts'
import { group } from './group.ts'
import { extract, filesIn, startPlatform } from './sending.ts'

const documents = 300

/**
 * How long 300 small files take beside so many that are stored, from the first that is sent to the last answer, in ms.
 */
async function costBeside(dir: string, stored: number): Promise<number> {
  const kept = millionPath(stored)
  if (!existsSync(kept)) makeMillion(kept, stored)
  const dataDir = join(dir, `data-${stored}`)
  mkdirSync(dataDir, { mode: 0o700 })
  copyFileSync(kept, join(dataDir, 'sheaf.db'), constants.COPYFILE_FICLONE)
  const platform = await startPlatform()
  try {
    const folder = filesIn(dir, `in-${stored}`, documents, 3000)
    await extract(dir, folder, platform.environment, dataDir)
    return (await platform.figures()).spanMs
  } finally {
    platform.close()
  }
}

const steps = [10_000, 100_000, 1_000_000]

export const stored = group({
  name: 'stored',
  rounds: 3,
  figures: Object.fromEntries(
    steps.map((count) => [
      count,
      { what: `a document beside ${count.toLocaleString('en')} stored ones, against 1,000`, limit: 1.2, unit: '×' },
    ]),
  ),
  async measure(dir) {
    const few = await costBeside(dir, 1000)
    const costs: Record<string, number> = {}
    for (const count of steps) costs[count] = (await costBeside(dir, count)) / few
    return costs
  },
})
