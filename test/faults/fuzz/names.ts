import { existsSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { samplePath, storeSample } from '../../../electron/core/drafting/samples.ts'
import { exportDocuments } from '../../../electron/core/export/export.ts'
import { escapeXml, sheetName } from '../../../electron/core/export/sheet-xml.ts'
import { candidateAt, refusalOf } from '../../../electron/core/pipeline/files/file-rules.ts'
import { storeUpload } from '../../../electron/core/uploads.ts'
import { contentTypeOf, readAsset } from '../../../electron/browser/serve-window.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { safeFileName } from '../../../electron/core/files/file-names.ts'
import { extensionOf } from '../../../shared/domain/limits.ts'
import { Broken, expectKnownCode, hold, oneByOne } from './kit.ts'
import type { OpenTarget, Random, Target } from './kit.ts'

type Names = { name: string; other: string; turn: number }

const pieces = fc.constantFrom(
  '..',
  '.',
  '/',
  '\\',
  '//',
  '\0',
  ':',
  '::$DATA',
  'a',
  'scan',
  '.pdf',
  '.docx',
  '.PDF ',
  ' ',
  '\n',
  '\r',
  '\t',
  '\u202e',
  '\u200b',
  '\ufeff',
  'é',
  'e\u0301',
  '漢字',
  '😀',
  '\ud83d',
  '\udc00',
  'CON',
  'nul',
  'COM1',
  'AUX.pdf',
  '~$',
  '%2e%2e',
  '%2f',
  '%00',
  '%',
  'C:',
  'file://',
  '?',
  '*',
  '<',
  '>',
  '|',
  '"',
  "'",
  '=',
  '+1',
  '@',
  '\u001b[31m',
  'History',
  '[x]',
  'ü'.repeat(120),
  'x'.repeat(256),
  '漢'.repeat(90),
  '-',
  '__proto__',
)
const name = fc.oneof(
  fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 30 }),
)

function make(random: Random): Names {
  return { name: random.value(name), other: random.value(name), turn: random.below(4) }
}

/** The longest name that a file may have on the systems of today, in bytes of UTF-8. */
const longestName = 255

async function open(): Promise<OpenTarget<Names>> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'sheaf-names-')))
  const inside = join(dir, 'outer', 'inside')
  const assets = join(dir, 'assets')
  await mkdir(inside, { recursive: true })
  await mkdir(assets)
  await writeFile(join(assets, 'index.html'), 'page')
  await writeFile(join(dir, 'secret.txt'), 'secret')
  const outside = async (): Promise<string[]> =>
    [...(await readdir(dir)), ...(await readdir(join(dir, 'outer')))].sort()
  const before = await outside()

  const emptied = async (): Promise<void> => {
    for (const one of await readdir(inside)) await rm(join(inside, one), { recursive: true })
  }

  async function tryUpload({ name: given, other }: Names): Promise<void> {
    await emptied()
    for (const one of [given, given, other])
      await known(() => storeUpload(inside, one, Readable.from([Buffer.from(one)])))
    const stored = await readdir(inside, { withFileTypes: true })
    hold(
      stored.length === 3 && stored.every((entry) => entry.isFile()),
      `three uploads became ${JSON.stringify(stored.map((entry) => entry.name))}`,
    )
    for (const entry of stored) {
      refusalOf(entry.name, candidateAt(join(inside, entry.name), await lstat(join(inside, entry.name))))
      hold(!/[<>:"/\\|?*\u0000-\u001f]/.test(entry.name), `a stored name is ${JSON.stringify(entry.name)}`)
      await rm(join(inside, entry.name))
    }
  }

  async function tryExport({ name: given, other }: Names): Promise<void> {
    const safe = safeFileName(given, 'Sheaf')
    const file = `${safe} 2026-11-21 10.00.00.csv`
    hold(dirname(resolve(inside, file)) === inside, `an export leaves its folder as ${JSON.stringify(safe)}`)
    hold(Buffer.byteLength(file) <= longestName - 20, `an export has a name of ${Buffer.byteLength(file)} bytes`)
    hold(safe.isWellFormed() && !/^[. ]|[. ]$/.test(safe), `an export is called ${JSON.stringify(safe)}`)
    const lists = [given, other].map((list, index) => ({
      name: `${list}${index}`,
      format: 'list' as const,
      description: '',
      items: [{ name: 'a', format: 'text' as const, description: '' }],
    }))
    const source = [{ fileName: given, records: [{ [other]: given }] }]
    const { paths } = await exportDocuments(() => source, lists, {
      path: join(inside, file),
      format: 'csv',
      locale: 'en',
      lists: 'sheets',
    })
    for (const path of paths) {
      hold(dirname(path) === inside && existsSync(path), `a table leaves its folder as ${JSON.stringify(path)}`)
      await rm(path)
    }
    hold(new Set(paths.map((path) => path.toLowerCase())).size === paths.length, 'two tables have one file')
  }

  async function tryPaths({ name: given, other }: Names): Promise<void> {
    for (const path of [given, `/${given}`, `/../${given}`, `/${given}/../../secret.txt`, `/assets/${other}`]) {
      const asset = await readAsset(assets, path)
      hold(
        asset === null || asset.body.toString() === 'page',
        `${JSON.stringify(path)} is answered with ${asset?.body.toString() ?? ''}`,
      )
    }
    await samplePath(inside, given).then(
      () => Promise.reject(new Broken('a sample that nobody lent')),
      (error: unknown) =>
        error instanceof AppError ? expectKnownCode(error.code, ['not_found']) : Promise.reject(error as Error),
    )
    const id = await known(() => storeSample(inside, given, Readable.from([Buffer.from('x')])))
    if (id !== null) await rm(await samplePath(inside, id))
  }

  function trySheets({ name: given, other }: Names): void {
    const taken = new Set<string>()
    for (const wanted of [given, other, given, `${given}${other}`]) {
      const sheet = sheetName(wanted, taken)
      hold(
        sheet.length > 0 &&
          sheet.length <= 31 &&
          !/[[\]:*?/\\\u0000-\u001f]|^'|'$/.test(sheet) &&
          !taken.has(sheet.toLowerCase()),
        `a sheet is called ${JSON.stringify(sheet)}`,
      )
      taken.add(sheet.toLowerCase())
      hold(!/[<&"]/.test(escapeXml(sheet).replace(/&(amp|lt|gt|quot);/g, '')), 'a name is not escaped')
    }
    hold(/^[a-z]+\/[\w.+-]+/.test(contentTypeOf(given)), 'a content type is none')
    hold(!extensionOf(given).includes('.'), 'an extension has a point')
  }

  return {
    make,
    tryAll: oneByOne(async (names) => {
      if (names.turn === 0) await tryUpload(names)
      else if (names.turn === 1) await tryExport(names)
      else if (names.turn === 2) await tryPaths(names)
      else trySheets(names)
      if (names.turn === 0)
        hold(
          JSON.stringify(await outside()) === JSON.stringify(before),
          `something was written outside: ${JSON.stringify(await outside())}`,
        )
    }),
    close: () => rm(dir, { recursive: true, force: true }),
  }
}

/** Null when it was refused with a code that a person has a sentence for. */
async function known<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expectKnownCode(error.code)
    return null
  }
}

/** Names of files, uploads, samples, exports and sheets, and paths in addresses: all stay in their folder. */
export const names: Target<Names> = { name: 'names', open }
