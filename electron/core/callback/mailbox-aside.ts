import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Whoever knows a desktop's address at the mailbox can send it anything: what is kept of that has an end. */
const maxFiles = 1000
const maxBytes = 256 * 1024 * 1024

/**
 * Keeps, in `<dataDir>/unreadable`, what a mailbox handed out and nobody here could use: sealed for another key, or with
 * a token that is not ours. So nothing that was taken is lost, and nothing goes round for ever. Beyond 1000 files or
 * 256 MB no more is kept. Throws what the file system throws; then it is not to be acknowledged.
 */
export function setAside(dataDir: string, name: string, bytes: Buffer): void {
  const folder = join(dataDir, 'unreadable')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const kept = readdirSync(folder)
  const keptBytes = kept.reduce((sum, file) => sum + (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0), 0)
  if (kept.length >= maxFiles || keptBytes + bytes.length > maxBytes) return
  writeFileSync(join(folder, name), bytes, { mode: 0o600, flush: true })
}
