import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import { systemChromium } from '../helpers/chromium.ts'
import { isLong } from '../helpers/scale.ts'
import { timeZone } from '../helpers/time-zone.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Where the test runner wants to read the counts. */
const report = process.env['PLAYWRIGHT_JSON_OUTPUT_NAME']
const isRoot = process.getuid?.() === 0

export default defineConfig({
  testDir: fileURLToPath(new URL('.', import.meta.url)),
  outputDir: `${root}test-results/ui`,
  globalSetup: fileURLToPath(new URL('../helpers/build.ts', import.meta.url)),
  // Each test has a host with a home and a port of its own. The tests of one file go one after the other.
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  // What takes long is for a night: `npm run test:all`.
  ...(isLong ? {} : { grepInvert: /@night/ }),
  // All looks of a screen are one test.
  timeout: isLong ? 900_000 : 180_000,
  expect: { timeout: 20_000 },
  reporter: report === undefined ? [['list']] : [['list'], ['json', { outputFile: report }]],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: timeZone,
    acceptDownloads: true,
    // Nothing moves, as for a person who asked the system for that: 40 instead of 46 s of processor time (8 tests).
    contextOptions: { reducedMotion: 'reduce' },
    // What a trace costs is a quarter of the processor time (65 to 49 s, review.spec.ts): `--trace on` makes one.
    screenshot: 'only-on-failure',
    launchOptions: {
      ...systemChromium(),
      args: [
        ...(isRoot ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        // No page lives long enough for what these compile: a tenth of the processor time (88 to 78 s, 31 tests).
        '--js-flags=--no-maglev --no-turbofan',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
