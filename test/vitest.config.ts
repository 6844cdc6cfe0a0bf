import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { isLong } from './helpers/scale.ts'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    // What takes long is for a night: `npm run test:all`.
    exclude: isLong ? [] : ['**/*.long.test.ts'],
    include: ['test/{unit,pipeline,service,client,conformance,transport,desktop,mailbox,faults}/**/*.test.ts'],
    globalSetup: 'test/helpers/build.ts',
    // A limit for what hangs, not a measurement: the machine may be busy.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
  },
})
