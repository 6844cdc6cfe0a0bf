import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Runs once before the tests of Vitest and of Playwright: what they start is built from the source as it is now.
 * `npm test` has built already.
 */
export default function buildOnce(): void {
  if (process.env['SHEAF_BUILT'] === '1') return
  const script = fileURLToPath(new URL('../../.config/build.mjs', import.meta.url))
  execFileSync(process.execPath, [script, '--test'], { stdio: 'inherit' })
}
