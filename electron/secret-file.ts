import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SecretStore } from './core/platform/connect.ts'
import { flushFolder } from './system/flush-folder.ts'

/** Client secrets of the hosts without a keychain: one file that only its owner can read (mode 0600). */
export function fileSecrets(dataDir: string): SecretStore {
  const path = join(dataDir, 'secrets.json')
  const read = async (): Promise<Record<string, string>> => {
    try {
      return JSON.parse(await readFile(path, 'utf8')) as Record<string, string>
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
      throw error
    }
  }
  const write = async (secrets: Record<string, string>): Promise<void> => {
    // A key that opens results is not made again: after a power cut either these secrets are here or those before.
    await writeFile(`${path}.new`, JSON.stringify(secrets), { mode: 0o600, flush: true })
    await chmod(`${path}.new`, 0o600)
    await rename(`${path}.new`, path)
    flushFolder(dataDir)
  }
  return {
    get: async (id) => (await read())[String(id)] ?? null,
    set: async (id, secret) => write({ ...(await read()), [String(id)]: secret }),
    remove: async (id) => {
      const { [String(id)]: _removed, ...rest } = await read()
      await write(rest)
    },
  }
}
