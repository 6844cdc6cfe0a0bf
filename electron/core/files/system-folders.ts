import { resolvedPath, isWithin } from './paths.ts'
import type { FileAccess } from './file-access.ts'

/**
 * File systems that hold no files but views of the running system, by the type that `statfs` gives under Linux
 * (include/uapi/linux/magic.h). Ordinary ones in memory, tmpfs and ramfs, are not among them.
 */
const pseudoFileSystems: ReadonlySet<number> = new Set([
  0x9fa0, // proc
  0x62656572, // sysfs
  0x1cd1, // devpts
  0x63677270, // cgroup2
  0x27e0eb, // cgroup
  0x64626720, // debugfs
  0x74726163, // tracefs
  0x73636673, // securityfs
  0xcafe4a11, // bpf
  0x6165676c, // pstore
  0xde5e81e4, // efivarfs
])

/**
 * Devices lie on a file system that says it is tmpfs, so the place tells; what is mounted in it is judged by itself.
 */
const devices = '/dev'

/** Whether a directory, whatever link leads there, is the system's own: reading there may hang or never end. */
export async function isSystemFolder(
  files: Pick<FileAccess, 'statfs' | 'stat' | 'realpath'>,
  path: string,
): Promise<boolean> {
  const place = await resolvedPath(files, path)
  if (pseudoFileSystems.has((await files.statfs(place)).type)) return true
  return isWithin(place, devices) && (await files.stat(place)).dev === (await files.stat(devices)).dev
}
