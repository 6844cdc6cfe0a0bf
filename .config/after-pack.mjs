// electron-builder calls this when an application is packed and before it is signed: what is not as it should be stops
// the build (package-contents.mjs).
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { faultsOf } from './package-contents.mjs'

const { Arch } = createRequire(import.meta.url)('electron-builder')

export default function checkContents({ appOutDir, electronPlatformName, arch, packager }) {
  const archive = join(packager.getResourcesDir(appOutDir), 'app.asar')
  const faults = faultsOf(archive, { system: electronPlatformName, arch: Arch[arch] })
  if (faults.length > 0)
    throw new Error(`The package for ${electronPlatformName} is not as it should be:\n${faults.join('\n')}`)
}
