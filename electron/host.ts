import { mkdirSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import { startCore } from './core/core.ts'
import { callService } from './core/platform/service-control.ts'
import type { Core } from './core/core.ts'
import type { DesktopAbilities } from './core/handlers/types.ts'
import type { SecretStore } from './core/platform/connect.ts'
import type { LocalService } from './core/platform/local-switch.ts'
import type { Timings } from './core/timings.ts'
import { entryPath, findSamplesDir } from './entries.ts'
import type { PolicySet } from '../shared/domain/policies.ts'
import { environmentProxy } from './system/environment-proxy.ts'
import { releaseMemoryAfterWork } from './system/memory.ts'
import { readPolicies } from './system/policies.ts'
import type { ProxyFor } from './system/tunnel.ts'
import { ReadingPool } from './reading/pool.ts'
import { SortingPool } from './sorting/pool.ts'
import { ServiceStarter } from './service/starter.ts'
import type { ServiceProcess } from './service/starter.ts'
import { version } from './version.ts'

/** The name that the system has for whoever started this; it may have none, as in a container. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return ''
  }
}

type HostOptions = {
  dataDir: string
  secrets: SecretStore
  desktop: DesktopAbilities | null
  documentsDir?: string
  concurrency?: number
  timings?: Partial<Timings>
  /** What an administrator has set, where that was read already. */
  policies?: PolicySet
  spawnService?: (entry: string, args: string[]) => ServiceProcess
  /** Which proxies lead to a host; those of the environment when absent. */
  proxyFor?: ProxyFor
}

/**
 * What every host starts: core, with the service on this computer and a reader beside it, both at first need. Throws
 * what `readPolicies` and `startCore` throw.
 */
export async function startHost(options: HostOptions): Promise<Core> {
  releaseMemoryAfterWork()
  const policies = options.policies ?? (await readPolicies())
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  const reader = (): ReadingPool => new ReadingPool({ workerPath: entryPath('reading-worker'), size: 1 })
  // Each a thread of its own: what a person opened waits neither for what is read for the search nor for
  // what is made a PDF to be sent.
  const sorting = new SortingPool({ workerPath: entryPath('sorting-worker'), size: 1 })
  const pools = { awaited: reader(), whenIdle: reader(), converting: reader() }
  const service = new ServiceStarter({
    entry: entryPath('service'),
    worker: entryPath('service-worker'),
    dataDir: join(options.dataDir, 'service'),
    allowPrivateCallbacks: true,
    ...(options.spawnService === undefined ? {} : { spawn: options.spawnService }),
  })
  let lastLanguages = ''
  const localService: LocalService = {
    start: async (languages) => {
      const file = await service.start()
      // A new process has not been sent the languages yet.
      const languagesKey = `${file.control.key} ${languages.join()}`
      if (languagesKey !== lastLanguages)
        await callService(file.control, 'reading.languages', { languages: [...languages] })
      lastLanguages = languagesKey
      return file
    },
    suspend: () => service.suspend(),
    stop: async () => {
      await Promise.all([...Object.values(pools), sorting].map((pool) => pool.close()))
      await service.stop()
    },
  }
  return startCore({
    dataDir: options.dataDir,
    secrets: options.secrets,
    localService,
    snapshotThread: entryPath('snapshot-thread'),
    fileThread: entryPath('file-thread'),
    read: (content, kind, languages, urgency) => {
      pools[urgency].useLanguages(languages)
      return pools[urgency].read(content, kind)
    },
    convert: (bytes, format, locale) => pools.converting.convert({ bytes, format, locale }),
    cut: (bytes, pages) => pools.converting.cut({ bytes, pages }),
    sort: (content, kind, languages, question) => {
      sorting.useLanguages(languages)
      return sorting.sort(content, kind, question)
    },
    unpack: (bytes, format) => pools.converting.unpack({ bytes, format }),
    person: userName(),
    version,
    documentsDir: options.documentsDir ?? join(homedir(), 'Documents'),
    samplesDir: findSamplesDir(),
    desktop: options.desktop,
    policies,
    proxyFor: options.proxyFor ?? environmentProxy(process.env),
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
    ...(options.timings === undefined ? {} : { timings: options.timings }),
  })
}
