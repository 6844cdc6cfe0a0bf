import { join } from 'node:path'
import { startCore } from '../../../electron/core/core.ts'
import type { Core, CoreOptions } from '../../../electron/core/core.ts'
import { entryPath } from '../../../electron/entries.ts'
import { noPolicies } from '../../../shared/domain/policies.ts'
import { fileSecrets } from '../../../electron/system/secret-file.ts'

/** The real core on a data folder, as `sheaf serve` would start it, without the service on this computer. */
export function harnessCore(
  dataDir: string,
  options: Pick<CoreOptions, 'concurrency' | 'timings' | 'files' | 'migrations'>,
): Promise<Core> {
  return startCore({
    dataDir,
    snapshotThread: entryPath('snapshot-thread'),
    fileThread: entryPath('file-thread'),
    secrets: fileSecrets(dataDir),
    localService: {
      start: () => Promise.reject(new Error('not part of this harness')),
      suspend: async () => undefined,
      stop: async () => undefined,
    },
    read: () => Promise.reject(new Error('not part of this harness')),
    convert: () => Promise.reject(new Error('not part of this harness')),
    cut: () => Promise.reject(new Error('not part of this harness')),
    sort: () => Promise.reject(new Error('not part of this harness')),
    unpack: () => Promise.reject(new Error('not part of this harness')),
    person: 'Test',
    version: '0.0.0',
    documentsDir: join(dataDir, 'documents'),
    samplesDir: null,
    desktop: null,
    policies: noPolicies,
    ...options,
  })
}
