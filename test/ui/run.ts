import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `npm run test:ui`: builds the window and tests it in a real browser, each screen in every language, theme and size. The
 * pictures stay in test-results/screens. What follows `--` goes to Playwright.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))
const isWindows = process.platform === 'win32'
const playwright = join(root, 'node_modules', '.bin', isWindows ? 'playwright.cmd' : 'playwright')
const options = { cwd: root, stdio: 'inherit', env: { ...process.env, SHEAF_LOOKS: 'all' } } as const

const built = spawnSync(process.execPath, [join(root, '.config/build.mjs')], options).status
process.exitCode = built === 0 ? (spawnSync(playwright, ['test', '--config', 'test/ui/playwright.config.ts', ...process.argv.slice(2)], { ...options, shell: isWindows }).status ?? 1) : 1
