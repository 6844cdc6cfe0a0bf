// Builds everything that runs: the processes with esbuild, the window with Vite. `--node` leaves the window out,
// `--test` adds the programs that tests start.
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { licencesText } from './licenses.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = `${root}dist`

const node = {
  bundle: true,
  absWorkingDir: root,
  metafile: true,
  platform: 'node',
  target: 'node22',
  sourcemap: true,
  // What brings binaries, workers or data of its own stays a package. The rest is bundled: Node starts from one file in
  // two thirds of the time that it takes to find and read two hundred.
  external: [
    'electron',
    'better-sqlite3',
    '@napi-rs/canvas',
    'libsodium-wrappers',
    'onnxruntime-node',
    'pdfjs-dist',
    'tesseract.js',
    'zxing-wasm',
  ],
  logLevel: 'warning',
}
/**
 * An import of `node:http` asks for each of its names, and one of them loads Node's own undici: 45 ms of processor time
 * for each process (Node 24). What asks for the module itself does not.
 */
const plainHttp = {
  name: 'plain-http',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:http$/ }, ({ path }) => ({ path, namespace: 'plain-http' }))
    onLoad({ filter: /.*/, namespace: 'plain-http' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}')`,
    }))
  },
}
/** An ES module has no `require`; what is bundled from CommonJS asks for it. */
const esm = {
  ...node,
  plugins: [plainHttp],
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)",
  },
}

await mkdir(dist, { recursive: true })
// Shared parts have another name with each change: those of the build before would stay for ever.
for (const entry of await readdir(dist, { withFileTypes: true })) if (entry.isFile()) await rm(`${dist}/${entry.name}`)
const built = await Promise.all([
  build({
    ...esm,
    outdir: dist,
    // What several of them need is loaded, and compiled, from one file; a command is loaded when it is called.
    splitting: true,
    chunkNames: 'shared-[hash]',
    entryPoints: {
      cli: `${root}electron/cli.ts`,
      service: `${root}electron/service/main.ts`,
      'service-worker': `${root}electron/service/worker.ts`,
      'reading-worker': `${root}electron/reading/worker.ts`,
      'sorting-worker': `${root}electron/sorting/worker.ts`,
      'ocr-thread': `${root}electron/reading/ocr/ocr-thread.ts`,
      'snapshot-thread': `${root}electron/core/db/durability/snapshot-thread.ts`,
      'file-thread': `${root}electron/core/pipeline/files/file-thread.ts`,
    },
  }),
  build({
    ...node,
    format: 'cjs',
    outdir: dist,
    outExtension: { '.js': '.cjs' },
    entryPoints: { main: `${root}electron/main.ts` },
    // A CommonJS bundle has no import.meta; what asks for it gets the bundle's own address.
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href" },
  }),
  // A sandboxed preload can require next to nothing: no banner, no packages.
  build({
    ...node,
    format: 'cjs',
    outfile: `${dist}/preload.cjs`,
    entryPoints: [`${root}electron/preload.ts`],
  }),
])

if (process.argv.includes('--test')) {
  await build({
    ...esm,
    outdir: `${dist}/test`,
    entryPoints: {
      serve: `${root}test/ui/serve.ts`,
      harness: `${root}test/faults/harness/child.ts`,
      'rename-child': `${root}test/faults/rename-child.ts`,
      'migration-child': `${root}test/faults/migration-child.ts`,
      'fuzz-thread': `${root}test/faults/fuzz/reading-thread.ts`,
    },
    // They find the other bundles where the product's own would.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(`${dist}/cli.mjs`).href) },
  })
}

await rm(`${dist}/samples`, { recursive: true, force: true })
for (const file of JSON.parse(await readFile(`${root}test/fixtures/demo.json`, 'utf8')))
  await cp(`${root}test/fixtures/samples/${file}`, `${dist}/samples/${file}`)

// The icons that the running program shows; those of installers stay where they are.
await cp(`${root}electron/desktop/resources/tray`, `${dist}/icons`, { recursive: true })
await cp(`${root}electron/desktop/resources/icons/256x256.png`, `${dist}/icons/icon.png`)

if (!process.argv.includes('--node')) {
  const vite = await import('vite')
  const { output } = await vite.build({ configFile: `${root}renderer/vite.config.ts`, logLevel: 'warn' })
  const modules = [
    ...built.flatMap(({ metafile }) => Object.keys(metafile.inputs)),
    ...output.flatMap((part) => part.moduleIds ?? []),
  ]
  // Electron is a program of its own, with licences beside it; the models are read, and not imported.
  const packages = [
    ...node.external.filter((name) => name !== 'electron'),
    ...Object.keys(JSON.parse(await readFile(`${root}package.json`, 'utf8')).dependencies).filter((name) =>
      /^@(gutenye|tesseract\.js-data)\//.test(name),
    ),
  ]
  await writeFile(`${dist}/renderer/licenses.txt`, await licencesText(root, modules, packages))
}
