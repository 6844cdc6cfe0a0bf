// Loaded into each process of the program by NODE_OPTIONS=--import: writes what only the process itself can know.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setInterval, setTimeout } from 'node:timers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

const folder = process.env.SHEAF_SOAK_FOLDER
if (isMainThread && folder !== undefined) {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc')
  // «last-resort» also gives the pages that are free now back to the system; an ordinary collection keeps them for later.
  const collect = () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  const delays = monitorEventLoopDelay({ resolution: 10 })
  delays.enable()
  let settled = null
  let mostRss = 0
  const write = () => {
    mostRss = Math.max(mostRss, process.memoryUsage.rss())
    const path = join(folder, `${process.pid}.json`)
    const about = { pid: process.pid, parent: process.ppid, script: process.argv[1] }
    writeFileSync(`${path}.new`, JSON.stringify({ ...about, settled, mostRss, p99Ms: delays.percentile(99) / 1e6, maxMs: delays.max / 1e6 }))
    renameSync(`${path}.new`, path)
  }
  // Tells growth from what only waits to be collected: V8 lets it wait for hours in a program that does little.
  const settle = () => {
    collect()
    const { rss, heapUsed, external } = process.memoryUsage()
    settled = { rss, alive: heapUsed + external }
    write()
  }
  setTimeout(() => {
    settle()
    // What a start costs is not what a person feels while the program runs.
    delays.reset()
  }, 5000).unref()
  setInterval(settle, 60_000).unref()
  setInterval(write, 2000).unref()
  write()
}
