import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))

export type BuiltWorker = { path: string; remove(): Promise<void> }

/**
 * Bundles the entry of a thread from source, as the product's build does, into a folder of its own; `entry` is another
 * one than the product's.
 */
export async function buildWorker(
  name: 'reading' | 'service',
  entry = `electron/${name}/worker.ts`,
): Promise<BuiltWorker> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-worker-'))
  // packages stay outside the bundle and are found from where the bundle lies
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const path = join(folder, `${name}-worker.mjs`)
  await build({
    entryPoints: [join(root, entry)],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    packages: 'external',
    logLevel: 'silent',
  })
  return { path, remove: () => rm(folder, { recursive: true, force: true }) }
}
