import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { serveCommand } from './serve.ts'

const downloadLimitMs = 60_000
const executables: Partial<Record<NodeJS.Platform, string>> = {
  win32: 'electron.exe',
  darwin: 'Electron.app/Contents/MacOS/Electron',
}

/**
 * `npm start`: the desktop app where Electron's binary is or can be had, else the app in a browser; says which and why.
 */
export async function startCommand(): Promise<number> {
  const found = findElectron()
  if ('path' in found) {
    process.stderr.write('Opening Sheaf in its window.\n')
    const root = join(found.folder, '..', '..')
    const child = spawn(found.path, [root], { stdio: 'inherit' })
    return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
  }
  process.stderr.write(`Sheaf opens in your browser, because ${found.why}. Open the address that follows READY.\n`)
  return serveCommand(0)
}

/**
 * Looks for Electron's executable without loading the package, whose main module would start a download of its own:
 * the override folder, the package's `dist`, then its installer with a time limit.
 */
function findElectron(): { path: string; folder: string } | { why: string } {
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY'])
    return { why: 'there is no display' }
  let folder: string
  try {
    folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'))
  } catch {
    return { why: 'Electron is not installed' }
  }
  const name = executables[process.platform] ?? 'electron'
  const candidates = [process.env['ELECTRON_OVERRIDE_DIST_PATH'], join(folder, 'dist')].filter(
    (path) => path !== undefined && path !== '',
  )
  const present = (): string | undefined => candidates.map((path) => join(path!, name)).find((path) => existsSync(path))
  let path = present()
  if (path === undefined && existsSync(join(folder, 'install.js'))) {
    spawnSync(process.execPath, [join(folder, 'install.js')], { stdio: 'ignore', timeout: downloadLimitMs })
    path = present()
  }
  if (path === undefined) return { why: 'Electron’s program is not here and could not be downloaded' }
  return { path, folder }
}
