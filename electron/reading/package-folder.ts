import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** The folder of an installed npm package, whether this code runs as an ES module or bundled as CommonJS. */
export function packageFolder(name: string): string {
  return dirname(packageFile(`${name}/package.json`))
}

/** The path of a file of an installed npm package, by the name under which the package gives it out. */
export function packageFile(name: string): string {
  // a CommonJS bundle has no import.meta.url, an ES module no __filename
  const from = typeof __filename === 'string' ? __filename : import.meta.url
  return createRequire(from).resolve(name)
}
