import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** `npm run bench -- NAME`: runs one bench of this folder and prints its figures. */
const [name = ''] = process.argv.slice(2)
const path = fileURLToPath(new URL(`${name}.ts`, import.meta.url))
if (!/^[a-z]+(-[a-z]+)*$/.test(name) || name === 'run' || !existsSync(path)) {
  process.stderr.write(
    'Usage: npm run bench -- accuracy | tables | load | line-items | memory | million | reading | review | sorting | speed\n',
  )
  process.exit(2)
}
const bench = (await import(path)) as { run: () => Promise<void> }
await bench.run()
