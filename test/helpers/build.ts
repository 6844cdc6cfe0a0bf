import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs once before the tests: the processes that they start are built from the source as it is now. */
export function setup(): void {
  const script = fileURLToPath(new URL('../../.config/build.mjs', import.meta.url))
  execFileSync(process.execPath, [script, '--node'], { stdio: 'inherit' })
}
