import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const executables: Partial<Record<NodeJS.Platform, string>> = {
  win32: 'electron.exe',
  darwin: 'Electron.app/Contents/MacOS/Electron',
}

/** Where Electron is: its program, or null where it has not been fetched, and the folder of its package. */
type Electron = { path: string | null; folder: string }

/**
 * Looks for Electron's program without loading the package, whose main module would start a download of its own: in the
 * override folder, then in the package's `dist`. Else says in a clause why there cannot be one.
 */
export function findElectron(environment: NodeJS.ProcessEnv): Electron | { why: string } {
  if (process.platform === 'linux' && !environment['DISPLAY'] && !environment['WAYLAND_DISPLAY'])
    return { why: 'there is no display' }
  let folder: string
  try {
    folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'))
  } catch {
    return { why: 'Electron is not installed' }
  }
  const name = executables[process.platform] ?? 'electron'
  const path = [environment['ELECTRON_OVERRIDE_DIST_PATH'], join(folder, 'dist')]
    .filter((place) => place !== undefined && place !== '')
    .map((place) => join(place!, name))
    .find((candidate) => existsSync(candidate))
  return { path: path ?? null, folder }
}
