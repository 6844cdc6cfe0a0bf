// Loaded into each process of the program by NODE_OPTIONS=--import: writes what only the process itself can know.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setInterval, setTimeout } from 'node:timers'
import { isMainThread } from 'node:worker_threads'

const folder = process.env.SHEAF_SOAK_FOLDER
if (isMainThread && folder !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: 10 })
  delays.enable()
  let maxRss = 0
  const write = () => {
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
    maxRss = Math.max(maxRss, rss)
    const path = join(folder, `${process.pid}.json`)
    const about = { pid: process.pid, parent: process.ppid, script: process.argv[1] }
    writeFileSync(
      `${path}.new`,
      JSON.stringify({
        ...about,
        heapUsed,
        heapTotal,
        external,
        maxRss,
        p99Ms: delays.percentile(99) / 1e6,
        maxMs: delays.max / 1e6,
      }),
    )
    renameSync(`${path}.new`, path)
  }
  // What a start costs is not what a person feels while the program runs.
  setTimeout(() => delays.reset(), 5000).unref()
  setInterval(write, 2000).unref()
  write()
}
