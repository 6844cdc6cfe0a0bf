import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type * as Chokidar from 'chokidar'
import { describe, expect, it, vi } from 'vitest'
import { pdfBytes, until } from '../helpers/core.ts'
import { setUpFolder } from './folder-rig.ts'

/**
 * The share of the operating system's events that never arrive; how many did, and whether anybody listens yet.
 */
const events = vi.hoisted(() => ({
  dropped: 0,
  told: 0,
  lost: 0,
  isReady: false,
  failWith: null as NodeJS.ErrnoException | null,
}))

vi.mock('chokidar', async (original) => {
  const chokidar = await original<typeof Chokidar>()
  return {
    ...chokidar,
    watch: (...given: Parameters<typeof chokidar.watch>) => {
      const watcher = chokidar.watch(...given)
      const emit = watcher.emit.bind(watcher) as (...event: unknown[]) => boolean
      let seen = 0
      watcher.emit = ((...event: unknown[]) => {
        if (event[0] === 'ready') events.isReady = true
        if (event[0] === 'ready' || event[0] === 'error') return emit(...event)
        seen += 1
        const isLost = Math.floor(seen * events.dropped) > Math.floor((seen - 1) * events.dropped)
        events[isLost ? 'lost' : 'told'] += 1
        return isLost ? false : emit(...event)
      }) as typeof watcher.emit
      if (events.failWith !== null) setImmediate(() => emit('error', events.failWith))
      return watcher
    },
  }
})

describe('F04 events of the file system', () => {
  for (const dropped of [0.1, 1]) {
    it(`of which ${dropped * 100} % are dropped lose no file: the sweep finds all`, async () => {
      Object.assign(events, { dropped, told: 0, lost: 0, isReady: false, failWith: null })
      const rig = await setUpFolder({ options: { timings: { sweepIntervalMs: 200 } } })
      await until(() => events.isReady, 'somebody to listen')
      const paths: string[] = []
      for (let index = 0; index < 40; index += 1) {
        paths.push(await rig.put(join(index % 3 === 0 ? `sub ${index % 7}` : '', `${index}.pdf`), pdfBytes(`${index}`)))
      }
      await until(
        () => rig.documents().filter((document) => document.status === 'done').length === 40,
        'all to be done',
      )
      expect(events.lost).toBeGreaterThan(0)
      if (dropped === 1) expect(events.told).toBe(0)
      else expect(events.told).toBeGreaterThan(events.lost)
      rig.check(paths, 40)
    })
  }

  it('that cannot be had at all (no more watches, ENOSPC) leave the sweeps, which find all', async () => {
    Object.assign(events, {
      dropped: 1,
      told: 0,
      lost: 0,
      failWith: Object.assign(new Error('inotify'), { code: 'ENOSPC' }),
    })
    const rig = await setUpFolder({})
    const path = await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.document('a.pdf')?.status === 'done', 'the result')
    expect(rig.core.queue.storageTrouble).toBeNull()
    rig.check([path], 1)
  })

  it('that were missed during sleep are no loss: the first look afterwards finds what came, moved and changed', async () => {
    Object.assign(events, { dropped: 1, told: 0, lost: 0, failWith: null })
    const clock = { skewMs: 0 }
    const rig = await setUpFolder({
      options: { now: () => Date.now() + clock.skewMs, timings: { longQuietMs: 10_000 } },
    })
    const first = await rig.put('a.pdf', pdfBytes('a'))
    await until(() => rig.document('a.pdf')?.status === 'done', 'the result')
    clock.skewMs = 8 * 3_600_000
    await mkdir(join(rig.inbox, 'new'))
    const second = join(rig.inbox, 'new', 'b.pdf')
    const bytes = pdfBytes('b', 9000)
    // Half of it lies there when the computer wakes: its clock has moved on by hours, the file has not been watched for
    // long.
    await writeFile(second, bytes.subarray(0, 5000))
    await rig.core.handlers['folders.rescan']({ id: rig.folder.id })
    await rig.core.handlers['folders.rescan']({ id: rig.folder.id })
    expect(rig.document('new/b.pdf')).toBeNull()
    await writeFile(second, bytes)
    await until(() => rig.document('new/b.pdf')?.status === 'done', 'the second result')
    expect(rig.vendor.received.map((document) => document.sizeBytes)).toEqual([2000, 9000])
    rig.check([first, second], 2)
  })
})
