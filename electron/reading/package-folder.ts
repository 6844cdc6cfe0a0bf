import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/**
 * The folder of an installed npm package, whether this code runs as an ES module or bundled as CommonJS. `file` lies
 * in it and is one that the package lets others see.
 */
export function packageFolder(name: string, file = 'package.json'): string {
  // a CommonJS bundle has no import.meta.url, an ES module no __filename
  const from = typeof __filename === 'string' ? __filename : import.meta.url
  return dirname(createRequire(from).resolve(`${name}/${file}`))
}
