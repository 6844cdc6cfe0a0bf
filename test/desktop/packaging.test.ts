import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
// The packager's own check of its own schema, from inside its package.
const require = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'))
type Check = {
  validateConfiguration: (config: unknown, logger: { isEnabled: boolean; add: () => void }) => Promise<void>
}
const { validateConfiguration } = require('app-builder-lib/out/util/config/config') as Check
const { Minimatch } = require('minimatch') as {
  Minimatch: new (pattern: string, options: { dot: boolean }) => { match: (path: string) => boolean }
}
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

  it.each([
    ['linux', 'x64', ['linux/x64/libonnxruntime.so.1', 'linux/x64/onnxruntime_binding.node']],
    ['mac', 'arm64', ['darwin/arm64/libonnxruntime.1.23.2.dylib', 'darwin/arm64/onnxruntime_binding.node']],
    ['win', 'x64', ['win32/x64/DirectML.dll', 'win32/x64/onnxruntime.dll', 'win32/x64/onnxruntime_binding.node']],
  ])('takes the runtime of the models for %s %s along, and no other system’s', (system, arch, expected) => {
    const patterns = [...(config['files'] as string[]), ...(config[system] as { files: string[] }).files]
    const leftOut = patterns
      .filter((pattern) => pattern.startsWith('!'))
      .map((pattern) => new Minimatch(pattern.slice(1).replace('${arch}', arch), { dot: true }))
    const bin = 'node_modules/onnxruntime-node/bin'
    const taken = readdirSync(`${root}${bin}`, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(relative(root, entry.parentPath), entry.name).replaceAll('\\', '/'))
      .filter((path) => !leftOut.some((pattern) => pattern.match(path)))
    expect(taken.map((path) => path.slice(`${bin}/napi-v6/`.length)).toSorted()).toEqual(expected)
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
