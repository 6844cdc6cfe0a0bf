import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Where the built parts are. Bundles lie together in `dist/`; from the source (tests) they are one folder up.
 * In a packed app they are in its archive, which Electron’s own processes and threads read like a folder.
 */
const here = dirname(fileURLToPath(import.meta.url))
const dist = import.meta.url.endsWith('.ts') ? join(here, '..', 'dist') : here

/** The bundle of a process or worker thread of its own. */
export function entryPath(
  name: 'service' | 'service-worker' | 'reading-worker' | 'sorting-worker' | 'snapshot-thread' | 'file-thread',
): string {
  return join(dist, `${name}.mjs`)
}

/** The built window. */
export const rendererDir = join(dist, 'renderer')

/** The sample documents that come with Sheaf; null when they are not there. */
export function findSamplesDir(): string | null {
  const path = join(dist, 'samples')
  return existsSync(path) ? path : null
}

/** An icon that is shown at run time: in the tray, or beside what is dragged. */
export function iconPath(name: 'trayTemplate.png' | 'tray.png' | 'tray-dark.png' | 'icon.png'): string {
  return join(dist, 'icons', name)
}
