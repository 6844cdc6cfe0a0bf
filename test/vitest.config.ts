import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** They replace modules, or measure what a fresh process does. */
const apart = [
  'test/unit/{memory,export/export,reading/reading-languages,core/lines}.test.ts',
  'test/faults/{files-events,secrets,unforeseen}.test.ts',
  'test/{conformance,desktop}/**/*.test.ts',
]

/** Loading core anew for each file takes as long as its tests. */
const inOneProcess = { isolate: false, setupFiles: 'test/helpers/nothing-left.ts', exclude: apart }

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    globalSetup: 'test/helpers/build.ts',
    // A limit for what hangs, not a measurement: the machine may be busy.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Beside the browser's two: with three a run took 7.8 minutes, with two 7.6.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: { ...inOneProcess, name: 'together', include: ['test/{unit,pipeline,faults,service}/**/*.test.ts'] },
      },
      {
        extends: true,
        test: { ...inOneProcess, name: 'wire', include: ['test/{client,mailbox,transport}/**/*.test.ts'] },
      },
      { extends: true, test: { name: 'apart', include: apart } },
    ],
  },
})
