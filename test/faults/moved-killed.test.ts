import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileSecrets } from '../../electron/system/secret-file.ts'
import { pdfBytes, until } from '../helpers/core.ts'
import { vendorCredentials } from '../helpers/vendor.ts'
import { correctAndApprove, expectApproved, setUpFolder } from './folder-rig.ts'
import type { Rig } from './folder-rig.ts'
import { Program } from './harness/program.ts'
import { quickTimings } from './harness/protocol.ts'
import type { Trap } from './kill/points.ts'

/** Starts Sheaf anew in a process of its own, which is killed at the trap. */
async function killAt(rig: Rig, trap: Trap): Promise<void> {
  await fileSecrets(rig.dataDir).set(rig.folder.connectionId, vendorCredentials.clientSecret)
  const program = new Program({ dataDir: rig.dataDir, concurrency: 2, timings: quickTimings, trap })
  await program.ready
  // What was asked of a program that dies is never answered.
  void program.run().catch(() => undefined)
  const { killed, said } = await program.ended
  expect(said).toBe('')
  expect(killed).toBe(true)
}

describe('a program that is killed when a file was moved', () => {
  it('while the file is read at its new place (K3), has the document there after the next start, with its approval', async () => {
    const rig = await setUpFolder({})
    const [a, b, c] = ['a.pdf', 'b.pdf', 'c.pdf'].map((name) => join(rig.inbox, name)) as [string, string, string]
    await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.document('a.pdf')?.status === 'done', 'the result')
    const id = await correctAndApprove(rig, 'a.pdf')
    await rig.core.stop()
    await rename(a, b)
    await killAt(rig, { point: 'K3', path: b, variant: 0 })
    // It moves on while nothing runs, and another file takes the place where it was.
    await rename(b, c)
    await rig.put('a.pdf', pdfBytes('another'))
    await rig.restart()
    await until(() => rig.document('a.pdf')?.status === 'done' && rig.document('c.pdf') !== null, 'both documents')
    expect(rig.documents().map(({ id, name, status }) => [id, name, status])).toEqual([
      [id, 'c.pdf', 'done'],
      [id + 1, 'a.pdf', 'done'],
    ])
    await expectApproved(rig, id)
    rig.check([a, c], 2)
  })

  it.each([0, 1, 2])(
    'while Sheaf itself moves the file to what is done (K18, %i), ends it under its new name',
    async (variant) => {
      const rig = await setUpFolder({ folder: { afterwards: 'move' } })
      rig.core.queue.pause()
      const path = await rig.put('a.pdf', pdfBytes('a'))
      await until(() => rig.document('a.pdf') !== null, 'the document')
      const moved = join(rig.inbox, 'b.pdf')
      await rename(path, moved)
      await until(() => rig.document('b.pdf') !== null, 'the document at its new place')
      // Nothing is sent before the next start.
      rig.core.context.tables.settings.setPaused(false)
      await rig.core.stop()
      await killAt(rig, { point: 'K18', path: moved, variant })
      await rig.restart()
      await until(() => rig.documents().every(({ archivedAs }) => archivedAs === 'done'), 'the end of the move')
      const [document, ...others] = rig.documents()
      expect(others).toEqual([])
      expect(document).toMatchObject({ name: 'b.pdf', status: 'done' })
      expect(existsSync(document!.path)).toBe(true)
      expect([path, moved].filter((place) => existsSync(place))).toEqual([])
      rig.check([document!.path], 1)
    },
  )
})
