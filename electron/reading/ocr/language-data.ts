import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReadingLanguage } from '../../../shared/domain/reading-languages.ts'
import { packageFolder } from '../package-folder.ts'

/** The folder with a language's data in its npm package. */
function packagedFolder(language: string): string {
  return join(packageFolder(`@tesseract.js-data/${language}`), '4.0.0_best_int')
}

/**
 * Runs `use` with a folder that holds the data of these languages, because the recogniser loads from
 * one folder only; the folder is temporary and gone afterwards. `sources` replaces the npm packages:
 * folders that are searched for `<language>.traineddata.gz` in order.
 */
export async function withLanguageData<Result>(
  languages: readonly ReadingLanguage[],
  sources: readonly string[],
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-ocr-'))
  try {
    for (const language of languages) {
      const name = `${language}.traineddata.gz`
      await writeFile(
        join(folder, name),
        await firstOf([...sources, packagedFolder(language)].map((source) => join(source, name))),
      )
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
