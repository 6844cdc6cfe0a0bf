import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/{unit,pipeline,service,client,conformance,transport,desktop,mailbox,faults}/**/*.test.ts'],
    globalSetup: 'test/helpers/build.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
