import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findElectron } from './electron-binary.ts'
import { serveCommand } from './serve.ts'

const downloadLimitMs = 60_000

/**
 * `npm start`: the desktop app where Electron's binary is or can be had, else the app in a browser; says which and why.
 */
export async function startCommand(): Promise<number> {
  const found = findOrFetchElectron()
  if ('path' in found) {
    process.stderr.write('Opening Sheaf in its window.\n')
    const root = join(found.folder, '..', '..')
    const child = spawn(found.path, [root], { stdio: 'inherit' })
    return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
  }
  process.stderr.write(`Sheaf opens in your browser, because ${found.why}. Open the address that follows READY.\n`)
  return serveCommand(0)
}

/** Electron, fetched by its own installer, with a time limit, where it is not there yet. */
function findOrFetchElectron(): { path: string; folder: string } | { why: string } {
  let found = findElectron(process.env)
  if (!('why' in found) && found.path === null && existsSync(join(found.folder, 'install.js'))) {
    spawnSync(process.execPath, [join(found.folder, 'install.js')], { stdio: 'ignore', timeout: downloadLimitMs })
    found = findElectron(process.env)
  }
  if ('why' in found) return found
  if (found.path === null) return { why: 'Electron’s program is not here and could not be downloaded' }
  return { path: found.path, folder: found.folder }
}
