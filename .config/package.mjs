// `npm run package`: builds Sheaf and makes its installers with electron-builder, which gets all other arguments.
// `--check`: shows without Electron, and without the network, that they would be what they should be.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const given = process.argv.slice(2)

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

if (process.env['SHEAF_BUILT'] !== '1') run(join(root, '.config/build.mjs'))
if (given.includes('--check')) run('--import', 'tsx', join(root, 'test/desktop/package/check.ts'))
else run(join(dirname(createRequire(import.meta.url).resolve('electron-builder/package.json')), 'cli.js'), ...given)
