import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The systems of a package, by the names that Node has for them. */
export const systems = ['linux', 'win32', 'darwin'] as const
export type System = (typeof systems)[number]

/** Modules of the packager's own: they are no dependencies of ours, and what it packs with is what is looked at. */
export const requireOfPackager = createRequire(
  createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json')).resolve(
    'app-builder-lib/package.json',
  ),
)

/**
 * What Electron's binaries hold for @electron/fuses: a mark, version 1, the number of fuses, and each one, switched on.
 */
const fuses = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 8]),
  Buffer.from('1'.repeat(8)),
])

/** Of these, only what people of Sheaf's languages need stays. */
const chromiumLanguages = ['de', 'en-GB', 'en-US', 'es', 'fr']

/**
 * A folder as Electron's archive for `system` unpacks, for the packager's `electronDist`: its files are there, and hold
 * what the packager reads and changes in them, but nothing that runs. Electron's own cannot be fetched everywhere.
 */
export function writeElectronDist(folder: string, system: System): void {
  const write = (name: string, content: string | Uint8Array): void => {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  write('LICENSE', 'Electron')
  write('LICENSES.chromium.html', 'Chromium')
  if (system === 'darwin') {
    writeBundle('Electron.app', 'Electron', write)
    for (const kind of ['', ' (GPU)', ' (Plugin)', ' (Renderer)'])
      writeBundle(`Electron.app/Contents/Frameworks/Electron Helper${kind}.app`, `Electron Helper${kind}`, write)
    const framework = 'Electron.app/Contents/Frameworks/Electron Framework.framework'
    write(`${framework}/Electron Framework`, fuses)
    for (const language of chromiumLanguages) {
      const name = language === 'en-US' ? 'en' : language.replace('-', '_')
      write(`Electron.app/Contents/Resources/${name}.lproj/InfoPlist.strings`, '')
      write(`${framework}/Versions/A/Resources/${name}.lproj/locale.pak`, '')
    }
    return
  }
  for (const language of chromiumLanguages) write(`locales/${language}.pak`, '')
  if (system === 'linux') write('electron', fuses)
  else write('electron.exe', Buffer.concat([emptyExecutable(), fuses]))
}

function writeBundle(path: string, name: string, write: (name: string, content: string) => void): void {
  const plist = (entries: Record<string, string>): string =>
    `<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>${Object.entries(entries)
      .map(([key, value]) => `<key>${key}</key><string>${value}</string>`)
      .join('')}</dict></plist>`
  write(`${path}/Contents/Info.plist`, plist({ CFBundleExecutable: name, CFBundleName: name }))
  write(`${path}/Contents/MacOS/${name}`, '')
}

type Resedit = {
  NtExecutable: { createEmpty(is32Bit: boolean, isDll: boolean): { generate(): ArrayBuffer } }
  NtExecutableResource: {
    from(executable: object): { entries: object[]; outputResource(executable: object): void }
  }
  Resource: {
    VersionInfo: {
      createEmpty(): {
        setStringValues(language: { lang: number; codepage: number }, values: Record<string, string>): void
        outputToResourceEntries(entries: object[]): void
      }
    }
  }
}

/** A program for Windows that does nothing, with the resource of its version, which the packager writes into. */
function emptyExecutable(): Buffer {
  const { NtExecutable, NtExecutableResource, Resource } = requireOfPackager('resedit') as Resedit
  const executable = NtExecutable.createEmpty(false, false)
  const resources = NtExecutableResource.from(executable)
  const version = Resource.VersionInfo.createEmpty()
  version.setStringValues({ lang: 1033, codepage: 1200 }, { ProductName: 'Electron' })
  version.outputToResourceEntries(resources.entries)
  resources.outputResource(executable)
  return Buffer.from(executable.generate())
}
