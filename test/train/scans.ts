import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scannedPdfOf } from '../generate/pdf.ts'
import { picturesOf } from '../generate/picture.ts'
import { randomFrom } from '../generate/random.ts'
import { casesOf } from '../bench/read-cases.ts'
import { hash } from './hash.ts'

const cache = fileURLToPath(new URL('../../node_modules/.cache/sheaf-scans', import.meta.url))
/** What a scan depends on beside the paper. */
const drawnBy = ['../generate/picture.ts', '../generate/pdf.ts', './scans.ts'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)
/** Points that a page is wide: only its shape matters. */
const width = 595

/**
 * The papers of a set as somebody scanned or photographed them, the same each time, in a folder of their own with the
 * same answers: what a page says is not changed by the way it comes. The folder is called like the set, `-scanned`.
 */
export async function scansOf(set: string): Promise<string> {
  const sources = await Promise.all(drawnBy.map((file) => readFile(file)))
  const files = await Promise.all(
    (await casesOf(set)).map(async ([file]) => ({ file, bytes: await readFile(join(set, file)) })),
  )
  const version = createHash('sha256')
  for (const bytes of [...sources, ...files.map((one) => one.bytes)]) version.update(bytes)
  const folder = join(cache, version.digest('hex').slice(0, 16), `${basename(set)}-scanned`)
  await mkdir(folder, { recursive: true })
  for (const { file, bytes } of files) {
    const scan = join(folder, file)
    if (existsSync(scan)) continue
    await writeFile(`${scan}.part`, await scanned(new Uint8Array(bytes), hash(`${basename(set)}/${file}`)))
    await rename(`${scan}.part`, scan)
  }
  await writeFile(join(folder, 'expected.json'), await readFile(join(set, 'expected.json')))
  return folder
}

async function scanned(pdf: Uint8Array, seed: number): Promise<Uint8Array> {
  const random = randomFrom(seed)
  const pictures = await picturesOf(pdf, random.next(), false, random)
  const quality = random.int(55, 92)
  return scannedPdfOf(
    await Promise.all(
      pictures.map(async (picture) => ({
        jpeg: await picture.encode('jpeg', quality),
        width,
        height: (width * picture.height) / picture.width,
      })),
    ),
  )
}
