import { linkSync, renameSync, rmSync } from 'node:fs'

/**
 * Runs an installation that removes an AppImage before it puts another in its place; `install` says whether it went
 * well. Where it did not, the old one is there again. `path` is undefined where there is none. Throws what the file
 * system says when the old one cannot be kept; nothing was installed then.
 */
export function keepingOld(path: string | undefined, install: () => boolean): void {
  if (path === undefined) {
    install()
    return
  }
  const kept = `${path}.old`
  rmSync(kept, { force: true })
  linkSync(path, kept)
  if (install()) rmSync(kept, { force: true })
  else renameSync(kept, path)
}
