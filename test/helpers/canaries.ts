import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'

/** Where a secret may lie: readable by its owner alone, and for that only. */
const meantForSecrets = /^(secrets\.json|installation\.key|service\.json|models\.json)$/

/** The spellings in which a text may stand in a file. */
function spellingsOf(text: string): Buffer[] {
  return [text, encodeURIComponent(text), Buffer.from(text).toString('base64').replace(/=+$/, '')].flatMap(
    (spelling) => [Buffer.from(spelling), Buffer.from(spelling, 'utf16le')],
  )
}

/** Every file of a folder in which one of the secrets stands in any spelling, but those that are meant for them. */
export async function filesWith(
  folder: string,
  secrets: readonly string[],
  isMeantForSecrets = (name: string): boolean => meantForSecrets.test(name),
): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = await readFile(path)
    if (!secrets.flatMap(spellingsOf).some((spelling) => bytes.includes(spelling))) continue
    if (isMeantForSecrets(entry.name))
      expect((await stat(path)).mode & 0o077, `${entry.name} is for its owner only`).toBe(0)
    else found.push(path)
  }
  return found
}
