import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Anybody who knows a desktop's address at the mailbox can send it anything, so what is kept is limited. */
const maxFiles = 1000
const maxBytes = 256 * 1024 * 1024

/**
 * Keeps, in `<dataDir>/unreadable`, a mailbox message that cannot be used: sealed for another key, or with a token that
 * is not ours. So it can be acknowledged, and is neither lost nor fetched again and again. Beyond 1000 files or 256 MB
 * no more is kept. Throws what the file system throws; then the message must not be acknowledged.
 */
export function quarantine(dataDir: string, name: string, bytes: Buffer): void {
  const folder = join(dataDir, 'unreadable')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const kept = readdirSync(folder)
  const keptBytes = kept.reduce(
    (sum, file) => sum + (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
  if (kept.length >= maxFiles || keptBytes + bytes.length > maxBytes) return
  writeFileSync(join(folder, name), bytes, { mode: 0o600, flush: true })
}
