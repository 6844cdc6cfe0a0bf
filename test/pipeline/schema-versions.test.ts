import { lstat, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { candidateAt } from '../../electron/core/pipeline/files/file-rules.ts'
import { takeIn } from '../helpers/take-in.ts'
import { calls } from '../../shared/contract/contract.ts'
import { addFolder, pdfBytes, simpleSchema, startTestCore, statuses, temporaryDir, until } from '../helpers/core.ts'
import { startVendor } from '../helpers/vendor.ts'

const withBuyer = [...simpleSchema, { name: 'buyer', format: 'text', description: 'who pays' }]

async function versions(core: Core, id: number): Promise<[number, number, number][]> {
  const answer = calls['schemas.versions'].output.parse(await core.handlers['schemas.versions']({ id }))
  return answer.versions.map(({ version, fieldCount, resultCount }) => [version, fieldCount, resultCount])
}

describe('the versions of a schema', () => {
  it('are all there, each with the results that it made and the fields that it had', async () => {
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    const vendor = await startVendor()
    onTestFinished(vendor.close)
    const clock = { now: Date.UTC(2026, 10, 20) }
    const core = await startTestCore(join(dir.path, 'data'), { now: () => clock.now })
    onTestFinished(() => core.stop({ atOnce: true }))
    await mkdir(join(dir.path, 'in'))
    const folder = addFolder(core, vendor, { path: join(dir.path, 'in') })
    const id = folder.schemaId
    const take = async (name: string): Promise<void> => {
      const path = join(dir.path, 'in', name)
      await writeFile(path, pdfBytes(name))
      await takeIn(core.context, folder, candidateAt(path, await lstat(path)))
      core.queue.wake()
    }
    await take('a.pdf')
    await take('b.pdf')
    await until(() => statuses(core)['done'] === 2, 'two results of the first version')
    clock.now += 60_000
    await core.handlers['schemas.save']({ id, name: 'Invoice', elements: withBuyer })
    await take('c.pdf')
    await until(() => statuses(core)['done'] === 3, 'one of the second')

    expect(await versions(core, id)).toEqual([
      [2, 3, 1],
      [1, 2, 2],
    ])
    expect((await core.handlers['schemas.versions']({ id })).versions.map(({ savedAt }) => savedAt)).toEqual([
      clock.now,
      clock.now - 60_000,
    ])
    expect((await core.handlers['schemas.version']({ id, version: 1 })).elements).toEqual(simpleSchema)

    // What an older version had is saved as a new one: nothing is overwritten.
    await core.handlers['schemas.save']({
      id,
      name: 'Invoice',
      elements: (await core.handlers['schemas.version']({ id, version: 1 })).elements,
    })
    expect(await versions(core, id)).toEqual([
      [3, 2, 0],
      [2, 3, 1],
      [1, 2, 2],
    ])
    await expect(core.handlers['schemas.version']({ id, version: 4 })).rejects.toMatchObject({ code: 'not_found' })
    await expect(core.handlers['schemas.versions']({ id: 99 })).rejects.toMatchObject({ code: 'not_found' })
  })
})
