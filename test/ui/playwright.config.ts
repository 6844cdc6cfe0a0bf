import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The browser of the Linux distribution, where Playwright's own cannot be downloaded. */
const systemChromium = '/usr/bin/chromium'
/** Where the test runner wants to read the counts. */
const report = process.env['PLAYWRIGHT_JSON_OUTPUT_NAME']
const isRoot = process.getuid?.() === 0

export default defineConfig({
  testDir: fileURLToPath(new URL('.', import.meta.url)),
  outputDir: `${root}test-results/ui`,
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  // All looks of a screen are one test.
  timeout: process.env['SHEAF_LOOKS'] === 'all' ? 900_000 : 180_000,
  expect: { timeout: 20_000 },
  reporter: report === undefined ? [['list']] : [['list'], ['json', { outputFile: report }]],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    acceptDownloads: true,
    trace: 'retain-on-failure',
    launchOptions: {
      ...(existsSync(systemChromium) ? { executablePath: systemChromium } : {}),
      args: [
        ...(isRoot ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
