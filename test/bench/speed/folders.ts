import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { addFolder, startTestCore, until } from '../../helpers/core.ts'
import { startVendor } from '../../helpers/vendor.ts'
import { group, memoryOf, msOf } from './group.ts'
import { filesIn } from './sending.ts'

const files = 100_000
const limitMs = 600_000

/** A folder that is dropped into a watched one; then a start with all of it known, and nothing changed. */
export const folders = group({
  name: 'folders',
  rounds: 3,
  figures: {
    first: { what: '100,000 files dropped: the first one sent after', limit: 1, unit: 's' },
    listed: { what: 'all listed after', limit: 20, unit: 's' },
    memory: { what: 'memory above idle meanwhile', limit: 120, unit: 'MB', isWorst: true },
    start: { what: 'a start with 100,000 known files', limit: 2, unit: 's' },
    startMemory: { what: 'memory above idle meanwhile', limit: 80, unit: 'MB', isWorst: true },
    stall: { what: 'the longest stall of the loop meanwhile', limit: 20, unit: 'ms', isWorst: true },
  },
  async measure(dir) {
    const dropped = filesIn(dir, 'dropped', files, 400)
    const watched = join(dir, 'in')
    mkdirSync(watched)
    const sent: number[] = []
    // It never answers: what is measured is not what follows from answers.
    const vendor = await startVendor(() => {
      sent.push(performance.now())
      return new Promise(() => undefined)
    })
    try {
      const core = await startTestCore(join(dir, 'data'))
      const folder = addFolder(core, vendor, { path: watched })
      await core.watchers.follow()
      await until(() => core.watchers.isIdle(folder.id), 'the empty folder')
      const { tables } = core.context
      const count = (): number => tables.documents.openCount()
      const droppedAt = performance.now()
      let listedMs = 0
      const memory = await memoryOf(async () => {
        renameSync(dropped, join(watched, 'dropped'))
        await until(() => count() === files, 'all files to be listed', limitMs)
        listedMs = performance.now() - droppedAt
      })
      await core.stop({ atOnce: true })
      const delays = monitorEventLoopDelay({ resolution: 1 })
      let startMs = 0
      const startMemory = await memoryOf(async () => {
        delays.enable()
        startMs = await msOf(async () => {
          const again = await startTestCore(join(dir, 'data'))
          again.queue.pause()
          await again.watchers.follow()
          await until(() => !again.watchers.isArriving(folder.id), 'the known folder', limitMs)
          await again.stop({ atOnce: true })
        })
        delays.disable()
      })
      return {
        first: (sent[0]! - droppedAt) / 1000,
        listed: listedMs / 1000,
        memory,
        start: startMs / 1000,
        startMemory,
        stall: delays.max / 1e6,
      }
    } finally {
      await vendor.close()
    }
  },
})
