// The licences of everything that comes with Sheaf: what is in the bundles, and the packages that stay beside them.
import { readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'

/** The folder of the npm package that a module is from; null for one of our own. `path` may be a bundler's name. */
function packageOf(path) {
  return /^\0?(.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path)?.[1] ?? null
}

/** `names` of packages in node_modules below `root`, and all that those need; not what is for one system only. */
async function closureOf(root, names) {
  const folders = new Set()
  const add = async (from, name) => {
    const { folder, manifest } = await installed(root, from, name)
    if (folders.has(folder)) return
    folders.add(folder)
    for (const next of Object.keys(manifest.dependencies ?? {})) await add(folder, next)
  }
  for (const name of names) await add(root, name)
  return folders
}

/** Where Node finds the package `name` from `from`: in its own folder, or in the project's. */
async function installed(root, from, name) {
  for (const folder of [join(from, 'node_modules', name), join(root, 'node_modules', name)]) {
    const manifest = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null)
    if (manifest !== null) return { folder, manifest: JSON.parse(manifest) }
  }
  throw new Error(`${name} is not installed`)
}

async function licenceOf(folder) {
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort()
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  const by = typeof author === 'string' ? author : author?.name
  const text = texts.map((part) => part.replaceAll('\r\n', '\n').trim()).join('\n\n')
  return { title: `${name} ${version}`, head: `${license}${by ? `, ${by}` : ''}`, text }
}

/**
 * One text with the licence of each package, sorted by name, so that the same packages give the same bytes.
 *
 * @param {string} root the project's folder
 * @param {string[]} modules paths of bundled modules, absolute or from `root`
 * @param {string[]} packages names of packages that are not bundled
 */
export async function licencesText(root, modules, packages) {
  const folders = await closureOf(root, packages)
  for (const path of modules) {
    const folder = packageOf(path)
    if (folder !== null && basename(folder) !== '.vite') folders.add(resolve(root, folder))
  }
  const licences = await Promise.all([...folders].map(licenceOf))
  const byTitle = new Map(licences.map((licence) => [licence.title, licence]))
  const parts = [...byTitle.keys()].sort().map((title) => {
    const { head, text } = byTitle.get(title)
    return `${title}\n${head}${text === '' ? '' : `\n\n${text}`}\n`
  })
  const intro = `Sheaf comes with these ${parts.length} packages. The licences of Electron and Chromium are beside the program.\n`
  return [intro, ...parts].join(`\n${'-'.repeat(80)}\n\n`)
}
