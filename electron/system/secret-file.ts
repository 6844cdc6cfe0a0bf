import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { flushFolder } from './flush-folder.ts'

type Secrets = {
  get: (key: number | string) => Promise<string | null>
  set: (key: number | string, secret: string) => Promise<void>
  remove: (key: number | string) => Promise<void>
}

/** Client secrets of the hosts without a keychain: one file that only its owner can read (mode 0600). */
export function fileSecrets(dataDir: string): Secrets {
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
    await flushFolder(dataDir)
  }
  return {
    get: async (key) => (await read())[String(key)] ?? null,
    set: async (key, secret) => write({ ...(await read()), [String(key)]: secret }),
    remove: async (key) => {
      const { [String(key)]: _removed, ...rest } = await read()
      await write(rest)
    },
  }
}
