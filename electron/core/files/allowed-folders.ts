import { homedir } from 'node:os'
import { join } from 'node:path'
import { refusedBy } from '../../../shared/domain/policies.ts'
import type { Policies } from '../../../shared/domain/policies.ts'
import type { FileAccess } from './file-access.ts'
import { isWithin, resolvedPath } from './paths.ts'

type Needs = { files: Pick<FileAccess, 'realpath'>; policies: Policies }

/** Throws `set_by_administrator` for a folder that may not be watched. */
export async function requireAllowedFolder(needs: Needs, path: string): Promise<void> {
  if (!(await isAllowedFolder(needs, path))) throw refusedBy('AllowedFolders')
}

/** Whether a folder may be watched. A place counts by what it is, whatever link or spelling leads there. */
export async function isAllowedFolder({ files, policies }: Needs, path: string): Promise<boolean> {
  const allowed = policies.AllowedFolders
  if (allowed === undefined) return true
  const place = await resolvedPath(files, path)
  const outer = await Promise.all(allowed.map((each) => resolvedPath(files, withHome(each))))
  return outer.some((each) => isWithin(place, each))
}

function withHome(path: string): string {
  return path.startsWith('~') ? join(homedir(), path.slice(1)) : path
}
