import { resolve, sep } from 'node:path'
import type { FileAccess } from './file-access.ts'

/** Letters of either case, and accents in either spelling, are one name there (APFS and NTFS as they are delivered). */
const foldingPlatforms = new Set<NodeJS.Platform>(['win32', 'darwin'])

/** Whether a path is a directory or lies in it, told apart by names as the system does. Pure. */
export function isWithin(inner: string, outer: string, platform: NodeJS.Platform = process.platform): boolean {
  const named = (path: string): string => (foldingPlatforms.has(platform) ? path.normalize('NFC').toLowerCase() : path)
  const [a, b] = [named(inner), named(outer)]
  return a === b || a.startsWith(b.endsWith(sep) ? b : b + sep)
}

/** A path without links, drives and shares by their own names; as it was given where it cannot be looked at now. */
export async function resolvedPath(files: Pick<FileAccess, 'realpath'>, path: string): Promise<string> {
  return files.realpath(path).catch(() => resolve(path))
}
