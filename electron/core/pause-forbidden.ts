import { isAllowedHost, refusedBy } from '../../shared/domain/policies.ts'
import { isAllowedFolder } from './files/allowed-folders.ts'
import type { Context } from './pipeline/context.ts'

/**
 * Stops what an administrator does not allow and an earlier start still did: connections and watched folders. What
 * waits there waits on. What was stopped so goes on at the first start at which it is allowed again.
 */
export async function pauseForbidden(context: Pick<Context, 'tables' | 'files' | 'policies'>): Promise<void> {
  pauseConnections(context)
  await pauseFolders(context)
}

function pauseConnections({ tables, policies }: Pick<Context, 'tables' | 'policies'>): void {
  const { code, details } = refusedBy('AllowedPlatformHosts')
  for (const { id, kind, baseUrl, pausedReason } of tables.connections.list()) {
    if (kind === 'local') continue
    const isAllowed = isAllowedHost(policies.AllowedPlatformHosts, baseUrl ?? '')
    // Another reason, such as a restored database, has to hold when this one no longer does.
    if (!isAllowed && pausedReason === null) tables.connections.pause(id, code, details)
    if (isAllowed && pausedReason?.code === code) tables.connections.resume(id)
  }
}

async function pauseFolders(context: Pick<Context, 'tables' | 'files' | 'policies'>): Promise<void> {
  const { tables, policies } = context
  const before = tables.settings.forbiddenFolders()
  // As on nearly every computer: nothing is looked up on a disk.
  if (policies.AllowedFolders === undefined && before.length === 0) return
  const watched = tables.folders.list().filter(({ kind }) => kind === 'watched')
  const allowed = await Promise.all(watched.map(({ path }) => isAllowedFolder(context, path)))
  tables.transaction(() => {
    const forbidden = watched.filter((folder, index) => {
      const isOurs = before.includes(folder.id)
      if (allowed[index]) {
        if (isOurs) tables.folders.save({ ...folder, paused: false })
        return false
      }
      // One that a person has paused stays so afterwards.
      if (!folder.paused) tables.folders.pause(folder.id)
      return isOurs || !folder.paused
    })
    tables.settings.setForbiddenFolders(forbidden.map(({ id }) => id))
  })
}
