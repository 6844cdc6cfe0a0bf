import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Arch, build, Platform } from 'electron-builder'
import { contents, packagerConfig, validate } from './configuration.ts'
import type { Target } from './configuration.ts'
import { requireOfPackager, writeElectronDist } from './electron-dist.ts'

/**
 * `npm run package -- --check`: packs Sheaf for each system with a stand-in for Electron, and shows that the packages
 * are what they should be. Nothing is fetched. Needs a build. Prints one line for each check; exit code 1 if one
 * failed.
 */
const root = fileURLToPath(new URL('../../../', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'sheaf-package-'))

const platforms = { linux: Platform.LINUX, win32: Platform.WINDOWS, darwin: Platform.MAC }
const targets: Target[] = [
  { system: 'linux', arch: 'x64' },
  { system: 'win32', arch: 'x64' },
  { system: 'darwin', arch: 'arm64' },
  { system: 'darwin', arch: 'x64' },
]

/** A packed application: its folder, what of it has the fuses, and its resources. */
type Packed = { folder: string; program: string; resources: string; archive: string }

async function pack({ system, arch }: Target): Promise<Packed> {
  const dist = join(work, `electron-${system}`)
  writeElectronDist(dist, system)
  const output = join(work, `${system}-${arch}`)
  await build({
    projectDir: root,
    publish: 'never',
    targets: platforms[system].createTarget('dir', Arch[arch]),
    config: {
      electronDist: dist,
      directories: { output },
      // Faults are looked at below, where a system whose packages are not installed is told from a mistake.
      afterPack: () => undefined,
      mac: { identity: null },
    },
  })
  const folder = join(output, readdirSync(output).find((name) => statSync(join(output, name)).isDirectory())!)
  const program = join(folder, { linux: 'sheaf', win32: 'Sheaf.exe', darwin: 'Sheaf.app' }[system])
  const resources = join(system === 'darwin' ? join(program, 'Contents/Resources') : join(folder, 'resources'))
  return { folder, program, resources, archive: join(resources, 'app.asar') }
}

/** Packages for a system are only installed on it. */
function isPictureLibraryInstalled({ system, arch }: Target): boolean {
  return readdirSync(join(root, 'node_modules/@napi-rs')).some((name) => name.startsWith(`canvas-${system}-${arch}`))
}

function checkContents(target: Target, { archive }: Packed): string {
  const faults = contents.faultsOf(archive, target)
  const isElsewhere = !isPictureLibraryInstalled(target)
  const real = faults.filter((fault) => !(isElsewhere && fault.startsWith('missing: node_modules/@napi-rs/canvas-')))
  if (real.length > 0) throw new Error(real.join('\n'))
  const count = `${contents.filesOf(archive).length} files`
  return isElsewhere ? `${count}, without the picture library, which is installed on that system only` : count
}

/** All that is added to Electron, but for the picture library, which is not there for every system. */
function checkSize(target: Target, { resources }: Packed): string {
  const bytes = readdirSync(resources, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path.includes('app.asar') && !/@napi-rs[\\/]canvas-/.test(path))
    .reduce((sum, path) => sum + statSync(path).size, 0)
  const { mb } = contents.limits[`${target.system}-${target.arch}`]!
  const size = `${(bytes / 1e6).toFixed(1)} MB of at most ${mb} MB`
  if (bytes > mb * 1e6) throw new Error(size)
  return size
}

type Fuses = {
  FuseV1Options: Record<string, number>
  getCurrentFuseWire: (program: string) => Promise<Record<number, number>>
}

async function checkFuses({ program }: Packed): Promise<string> {
  const { FuseV1Options, getCurrentFuseWire } = requireOfPackager('@electron/fuses') as Fuses
  const wire = await getCurrentFuseWire(program)
  const isOn = (name: string): boolean => String.fromCharCode(wire[FuseV1Options[name]!]!) === '1'
  const wrong = Object.entries(packagerConfig.electronFuses).filter(
    ([name, expected]) => isOn(name[0]!.toUpperCase() + name.slice(1)) !== expected,
  )
  if (wrong.length > 0) throw new Error(`not as configured: ${wrong.map(([name]) => name).join(', ')}`)
  return `${Object.keys(packagerConfig.electronFuses).length} as configured`
}

/** The packed core, in a folder of its own and without Electron, extracts the sample documents. */
function checkDemo({ archive }: Packed): string {
  const [app, elsewhere] = [join(work, 'app'), join(work, 'elsewhere')]
  mkdirSync(elsewhere)
  ;(requireOfPackager('@electron/asar') as { extractAll: (from: string, to: string) => void }).extractAll(archive, app)
  const start = `import(${JSON.stringify(pathToFileURL(join(app, 'dist/cli.mjs')).href)})
    .then(({ main }) => main(['demo'])).then((code) => { process.exitCode = code })`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', start], {
    cwd: elsewhere,
    encoding: 'utf8',
    timeout: 300_000,
  })
  if (status !== 0) throw new Error(`exit code ${status}\n${stderr}`)
  const rows = readFileSync(join(elsewhere, 'demo-output/invoices.csv'), 'utf8').trim().split('\r\n').length - 1
  return `${rows} rows of the sample documents`
}

/** macOS offers Sheaf for these types and never chooses it by itself. */
function checkDocumentTypes({ program }: Packed): string {
  const plist = readFileSync(join(program, 'Contents/Info.plist'), 'utf8')
  const ranks = [...plist.matchAll(/<key>LSHandlerRank<\/key>\s*<string>(\w+)</g)].map(([, rank]) => rank)
  if (ranks.length === 0 || ranks.some((rank) => rank !== 'Alternate')) throw new Error(ranks.join(', '))
  return `${ranks.length} groups, all as an alternate`
}

const tally = { passed: 0, failed: 0 }

async function check<Result>(name: string, carryOut: () => Result | Promise<Result>): Promise<Result | null> {
  try {
    const result = await carryOut()
    tally.passed += 1
    process.stdout.write(`passed: ${name}${typeof result === 'string' ? `: ${result}` : ''}\n`)
    return result
  } catch (error) {
    tally.failed += 1
    process.stdout.write(`FAILED: ${name}: ${error instanceof Error ? error.message : String(error)}\n`)
    return null
  }
}

async function checkTarget(target: Target): Promise<void> {
  const name = `${target.system} ${target.arch}`
  const packed = await check(`${name}, packed`, () => pack(target))
  if (packed === null) return
  await check(`${name}, contents`, () => checkContents(target, packed))
  await check(`${name}, size`, () => checkSize(target, packed))
  await check(`${name}, fuses`, () => checkFuses(packed))
  if (target.system === 'darwin') await check(`${name}, document types`, () => checkDocumentTypes(packed))
  if (target.system === process.platform && target.arch === process.arch)
    await check(`${name}, packed core does the demo elsewhere`, () => checkDemo(packed))
  // Temporary files may be in memory, and a package has 130 MB.
  rmSync(packed.folder, { recursive: true, force: true, maxRetries: 5 })
}

// What electron-builder says about each step is not shown; what fails throws.
const { log } = requireOfPackager('builder-util') as { log: { stream: { write: (text: string) => void } } }
log.stream = { write: () => undefined }
for (const name of ['CSC_LINK', 'WIN_CSC_LINK']) delete process.env[name]
try {
  await check('configuration of every target by electron-builder’s own schema', () => validate(packagerConfig))
  for (const target of targets) await checkTarget(target)
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 })
}
process.stdout.write(`${tally.passed} passed, ${tally.failed} failed\n`)
process.exitCode = tally.failed === 0 && tally.passed > 0 ? 0 : 1
