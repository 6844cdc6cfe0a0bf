import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
// The packager's own check of its own schema, from inside its package.
const require = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'))
type Check = {
  validateConfiguration: (config: unknown, logger: { isEnabled: boolean; add: () => void }) => Promise<void>
}
const { validateConfiguration } = require('app-builder-lib/out/util/config/config') as Check
const { load } = require('js-yaml') as { load: (text: string) => Record<string, unknown> }

const config = load(readFileSync(`${root}electron-builder.yml`, 'utf8'))
const check = (candidate: unknown): Promise<void> =>
  validateConfiguration(candidate, { isEnabled: false, add: () => undefined })

describe('electron-builder.yml', () => {
  it('is valid by electron-builder’s own schema', async () => {
    await expect(check(config)).resolves.toBeUndefined()
  })

  it('would not be valid with a word that the schema does not know', async () => {
    await expect(check({ ...config, compresion: 'maximum' })).rejects.toThrow(/compresion/)
  })

  it('makes an installer for Windows, a disk image for macOS and an AppImage for Linux', () => {
    expect(config).toMatchObject({ win: { target: 'nsis' }, mac: { target: 'dmg' }, linux: { target: 'AppImage' } })
  })

  it('closes the doors that Electron leaves open by default', () => {
    expect(config['electronFuses']).toMatchObject({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      onlyLoadAppFromAsar: true,
    })
  })
})
