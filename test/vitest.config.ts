import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** They replace modules, or measure what a fresh process does. */
const apart = [
  'test/unit/{memory,export/export,reading/reading-languages,core/lines}.test.ts',
  'test/faults/{files-events,secrets,unforeseen}.test.ts',
  'test/{conformance,desktop}/**/*.test.ts',
]

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    globalSetup: 'test/helpers/build.ts',
    // A limit for what hangs, not a measurement: the machine may be busy.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        // Loading core anew for each file takes as long as its tests.
        test: {
          name: 'together',
          isolate: false,
          setupFiles: 'test/helpers/nothing-left.ts',
          include: ['test/{unit,client,pipeline,faults,mailbox,service,transport}/**/*.test.ts'],
          exclude: apart,
        },
      },
      { extends: true, test: { name: 'apart', include: apart } },
    ],
  },
})
