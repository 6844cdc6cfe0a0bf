import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { dataDirOf } from '../../electron/data-dir.ts'
import { supportedExtensions } from '../../shared/domain/limits.ts'
import { temporaryDir } from '../helpers/core.ts'
import { contents, packagerConfig, validate } from './package/configuration.ts'
import { requireOfPackager } from './package/electron-dist.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const resources = `${root}electron/desktop/resources`
const installer = readFileSync(`${resources}/installer.nsh`, 'utf8')
const dir = temporaryDir()
afterAll(() => dir.remove())

const { Minimatch } = requireOfPackager('minimatch') as {
  Minimatch: new (pattern: string, options: { dot: boolean }) => { match: (path: string) => boolean }
}

/** What Sheaf takes, by the ends of names. */
const types = Object.keys(supportedExtensions).toSorted()
const endsIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, type]) => type!).sort()

describe('electron-builder.yml', () => {
  it('is valid by electron-builder’s own schema', async () => {
    await expect(validate(packagerConfig)).resolves.toBeUndefined()
  })

  it('would not be valid with a word that the schema does not know', async () => {
    await expect(validate({ ...packagerConfig, compresion: 'maximum' })).rejects.toThrow(/compresion/)
  })

  it('makes installers for a person and for a fleet of Windows, for both processors of macOS, and for Linux', () => {
    const made = (['win', 'mac', 'linux'] as const).map((system) =>
      packagerConfig[system].target.map(({ target, arch }) => `${target} ${[arch].flat().join('+')}`),
    )
    expect(made).toEqual([
      ['nsis x64', 'msi x64'],
      ['dmg arm64+x64', 'zip arm64+x64'],
      ['AppImage x64', 'deb x64'],
    ])
  })

  it('installs for one person of Windows without an administrator, and for all only by MSI', () => {
    expect(packagerConfig.nsis).toMatchObject({ perMachine: false, allowElevation: false, packElevateHelper: false })
    expect(installer).toMatch(/macro customInstallMode\s+StrCpy \$isForceCurrentInstall "1"/)
    expect(packagerConfig.msi).toMatchObject({ perMachine: true })
  })

  it.each([
    ['linux', 'x64', ['linux/x64/libonnxruntime.so.1', 'linux/x64/onnxruntime_binding.node']],
    ['mac', 'arm64', ['darwin/arm64/libonnxruntime.1.23.2.dylib', 'darwin/arm64/onnxruntime_binding.node']],
    ['win', 'x64', ['win32/x64/DirectML.dll', 'win32/x64/onnxruntime.dll', 'win32/x64/onnxruntime_binding.node']],
  ] as const)('takes the runtime of the models for %s %s along, and no other system’s', (system, arch, expected) => {
    const leftOut = [...packagerConfig.files, ...packagerConfig[system].files]
      .filter((pattern) => pattern.startsWith('!'))
      .map((pattern) => new Minimatch(pattern.slice(1).replace('${arch}', arch), { dot: true }))
    const bin = 'node_modules/onnxruntime-node/bin'
    const taken = readdirSync(`${root}${bin}`, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(relative(root, entry.parentPath), entry.name).replaceAll('\\', '/'))
      .filter((path) => !leftOut.some((pattern) => pattern.match(path)))
    expect(taken.map((path) => path.slice(`${bin}/napi-v6/`.length)).toSorted()).toEqual(expected)
  })

  it('never lists only exclusions for a system, which would pack the whole project', () => {
    for (const system of ['win', 'mac', 'linux'] as const)
      expect(packagerConfig[system].files.some((pattern) => !pattern.startsWith('!'))).toBe(true)
  })

  it('closes the doors that Electron leaves open by default', () => {
    expect(packagerConfig.electronFuses).toMatchObject({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    })
  })
})

describe('«Open with Sheaf»', () => {
  it('is offered for the same types on every system', async () => {
    expect(packagerConfig.mac.fileAssociations.flatMap(({ ext }) => ext).toSorted()).toEqual(types)
    expect(endsIn(installer, /SupportedTypes" "\.(\w+)"/g)).toEqual(types)
    const project = join(dir.path, 'project.wxs')
    writeFileSync(project, '<ComponentGroup>\n    </ComponentGroup>')
    const { default: addOpenWith } = (await import(new URL('../../.config/msi-project.mjs', import.meta.url).href)) as {
      default: (path: string) => Promise<void>
    }
    await addOpenWith(project)
    expect(endsIn(readFileSync(project, 'utf8'), /"SupportedTypes" Name="\.(\w+)"/g)).toEqual(types)
    expect(packagerConfig.linux.mimeTypes).toHaveLength(5)
  })

  it('never makes Sheaf the default of a type', () => {
    for (const { role, rank } of packagerConfig.mac.fileAssociations)
      expect([role, rank]).toEqual(['Viewer', 'Alternate'])
    // The packager would write the default of each type for these.
    for (const place of [packagerConfig, packagerConfig.win, packagerConfig.linux, packagerConfig.nsis])
      expect(place).not.toHaveProperty('fileAssociations')
    expect(installer).not.toMatch(/Classes\\\./)
  })
})

describe('uninstalling on Windows', () => {
  it('keeps what Sheaf knows and says where it is, in the folder that Sheaf uses there', () => {
    expect(packagerConfig.nsis).toMatchObject({ deleteAppDataOnUninstall: false })
    const platform = Object.getOwnPropertyDescriptor(process, 'platform')!
    onTestFinished(() => void Object.defineProperty(process, 'platform', platform))
    Object.defineProperty(process, 'platform', { ...platform, value: 'win32' })
    const folder = dataDirOf({ APPDATA: '$APPDATA' }).replaceAll('/', '\\')
    const told = installer.split('\n').filter((line) => line.includes('LangString dataStays'))
    expect(told).toHaveLength(3)
    for (const text of told) expect(text).toContain(`${folder}$\\r`)
    expect(installer).toMatch(/MessageBox [^\n]*"\$\(dataStays\)" \/SD IDOK/)
  })

  it('takes away what «Send to» and «Open with» got, unless it is an update', () => {
    const [, uninstall] = installer.split('!macro customUnInstall')
    expect(uninstall).toMatch(/\$\{ifNot\} \$\{isUpdated\}\s+Delete "\$SENDTO\\\$\{PRODUCT_NAME\}\.lnk"\s+DeleteRegKey/)
  })
})

describe('the contents of a package', () => {
  const target = { system: 'linux', arch: 'x64' } as const

  it.each([
    'electron/main.ts',
    'dist/main.cjs.map',
    'dist/test/serve.mjs',
    'node_modules/hono/dist/index.js',
    'node_modules/better-sqlite3/prebuilds/win32-x64.node',
    'node_modules/onnxruntime-node/bin/napi-v6/darwin/arm64/onnxruntime_binding.node',
    'node_modules/pdfjs-dist/legacy/build/pdf.mjs.map',
  ])('may not have %s', (file) => {
    expect(contents.differences([file], target).unexpected).toEqual([file])
  })

  it('must have the native parts of the system that it is for', () => {
    const other = ['node_modules/better-sqlite3/prebuilds/linux-x64.node']
    expect(contents.differences(other, target).missing).not.toContain(other[0])
    expect(contents.differences(other, { system: 'darwin', arch: 'arm64' }).missing).toContain(
      'node_modules/better-sqlite3/prebuilds/darwin-arm64.node',
    )
  })

  it('must have each package that a bundle asks for, or the build stops', async () => {
    const app = join(dir.path, 'app')
    mkdirSync(join(app, 'dist'), { recursive: true })
    writeFileSync(join(app, 'dist/main.cjs'), 'require("node:fs"); require("electron"); require("left-pad/lib");')
    const { createPackage } = requireOfPackager('@electron/asar') as {
      createPackage: (from: string, to: string) => Promise<void>
    }
    await createPackage(app, join(dir.path, 'app.asar'))
    expect(contents.faultsOf(join(dir.path, 'app.asar'), target)).toContain('missing package: left-pad')
    const { default: afterPack } = (await import(new URL('../../.config/after-pack.mjs', import.meta.url).href)) as {
      default: (context: object) => void
    }
    const context = { appOutDir: '', electronPlatformName: 'linux', arch: 1 }
    expect(() => afterPack({ ...context, packager: { getResourcesDir: () => dir.path } })).toThrow(/left-pad/)
  })
})

describe('the licences that come with Sheaf', () => {
  const text = readFileSync(`${root}dist/renderer/licenses.txt`, 'utf8')

  it.each(['react ', 'hono ', 'better-sqlite3 ', 'onnxruntime-common ', '@tesseract.js-data/deu '])(
    'have a part for %s',
    (name) => {
      expect(text).toContain(`\n\n${name}`)
    },
  )

  it('have the text of each package that has one, in the order of names', () => {
    expect(text).toMatch(/\n\nhono [\d.]+\nMIT, [^\n]+\n\nMIT License\n/)
    const titles = text.split(`\n${'-'.repeat(80)}\n\n`).map((part) => part.split('\n', 1)[0]!)
    expect(titles.slice(1)).toEqual(titles.slice(1).toSorted())
  })
})

describe('the icons', () => {
  // Other processors round the edges of a drawing otherwise.
  it.runIf(process.platform === 'linux' && process.arch === 'x64')('are what their drawings give', async () => {
    const out = join(dir.path, 'icons')
    await promisify(execFile)(process.execPath, [`${root}.config/icons.mjs`, '--out', out])
    const drawn = readdirSync(out, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(out, join(entry.parentPath, entry.name)))
    expect(drawn).toHaveLength(17)
    for (const file of drawn)
      expect([file, readFileSync(join(out, file)).equals(readFileSync(join(resources, file)))]).toEqual([file, true])
  })

  it('of the notification area are where the running program finds them', () => {
    for (const name of ['tray', 'tray-dark', 'trayTemplate'])
      for (const scale of ['', '@2x'])
        expect(statSync(`${root}dist/icons/${name}${scale}.png`).size).toBeGreaterThan(100)
  })
})
