import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findElectron } from '../../electron/terminal/electron-binary.ts'

/**
 * `npm run test:desktop`: the tests of the window on real Electron, where its program is. Where it is not, nothing has
 * passed, and the last line says why; with `--required` that is a failure.
 */
const { values } = parseArgs({ options: { required: { type: 'boolean', default: false } } })
const root = fileURLToPath(new URL('../..', import.meta.url))
const results = join(root, 'test-results')
const report = join(results, 'desktop.json')

type Report = { stats: { expected: number; flaky: number; unexpected: number } }

/** Runs the tests and returns their counts; null where Playwright left none. */
function run(): Report['stats'] | null {
  mkdirSync(results, { recursive: true })
  rmSync(report, { force: true })
  const cli = join(root, 'node_modules/@playwright/test/cli.js')
  spawnSync(process.execPath, [cli, 'test', '--config=test/ui/desktop.config.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SHEAF_UI_HOST: 'electron', PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  })
  return existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as Report).stats : null
}

const found = findElectron(process.env)
const why = 'why' in found ? found.why : found.path === null ? 'its program has not been fetched' : null
if (why !== null) {
  process.stdout.write(`0 passed, 0 failed, no Electron here: ${why}\n`)
  process.exitCode = values.required ? 1 : 0
} else {
  const { version } = createRequire(import.meta.url)('electron/package.json') as { version: string }
  const stats = run()
  const passed = stats === null ? 0 : stats.expected + stats.flaky
  const failed = stats === null ? 1 : stats.unexpected
  process.stdout.write(`${passed} passed, ${failed} failed, on Electron ${version}\n`)
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1
}
