import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageFolder } from '../package-folder.ts'

/** Languages that are read, by their ISO 639-2 code. The first leads: with English first, accents are lost more often. */
export const languages = ['deu', 'fra', 'eng', 'spa'] as const

/** The folder with a language's data in its npm package. */
function packagedFolder(language: string): string {
  return join(packageFolder(`@tesseract.js-data/${language}`), '4.0.0_best_int')
}

/**
 * Runs `use` with a folder that holds the data of all languages, because the recogniser loads from
 * one folder only; the folder is temporary and gone afterwards. `sources` replaces the npm packages:
 * folders that are searched for `<language>.traineddata.gz` in order.
 */
export async function withLanguageData<Result>(sources: readonly string[], use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-ocr-'))
  try {
    for (const language of languages) {
      const name = `${language}.traineddata.gz`
      await writeFile(join(folder, name), await firstOf([...sources, packagedFolder(language)].map((source) => join(source, name))))
    }
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function firstOf(paths: readonly string[]): Promise<Uint8Array> {
  let missing: unknown
  for (const path of paths) {
    try {
      return await readFile(path)
    } catch (error) {
      missing = error
    }
  }
  throw missing
}
