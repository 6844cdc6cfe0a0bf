import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scansOfOurOwn } from '../own-scans.ts'
import { group, msOf } from './group.ts'
import { extract } from './sending.ts'

const sample = fileURLToPath(new URL('../../fixtures/samples/INV-20418.pdf', import.meta.url))
const textPages = 300
const scannedPages = 24

/** Writes documents of one page each, none a copy of another. */
function folderOf(dir: string, pages: readonly Uint8Array[], extension: string): string {
  const folder = join(dir, extension)
  mkdirSync(folder)
  for (const [index, page] of pages.entries()) writeFileSync(join(folder, `${index}.${extension}`), page)
  return folder
}

/** Documents of one page that `sheaf extract` reads here in a minute, with its start and that of the service. */
export const reading = [
  group({
    name: 'text-pages',
    rounds: 5,
    figures: { pages: { what: 'text PDFs on this computer', limit: 1000, unit: 'a minute', isAtLeast: true } },
    async measure(dir) {
      const bytes = readFileSync(sample)
      const copies = Array.from({ length: textPages }, (_, index) =>
        Buffer.concat([bytes, Buffer.from(`\n% ${index}\n%%EOF\n`)]),
      )
      const folder = folderOf(dir, copies, 'pdf')
      return { pages: textPages / ((await msOf(() => extract(dir, folder, {}))) / 60_000) }
    },
  }),
  group({
    name: 'scanned-pages',
    rounds: 3,
    figures: { pages: { what: 'scanned pages on this computer', limit: 60, unit: 'a minute', isAtLeast: true } },
    async measure(dir) {
      const scans = (await scansOfOurOwn()).slice(0, scannedPages).map(({ bytes }) => bytes)
      const folder = folderOf(dir, scans, 'jpg')
      return { pages: scans.length / ((await msOf(() => extract(dir, folder, {}))) / 60_000) }
    },
  }),
]
