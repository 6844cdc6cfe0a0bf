import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { fileFormats, generateFile } from './files.ts'
import type { FileFormat } from './files.ts'
import type { Split } from './template.ts'
import { kinds, languages } from './words.ts'
import type { Language } from './words.ts'

/**
 * `npm run generate -- --out DIR`: writes generated documents with an `expected.json` that `npm run bench -- accuracy
 * --corpus DIR` measures. `--count` (100) says how many, `--seed` (1) which; `--split` is `held-out` (the default, what
 * training never sees), `training` or `all`; `--kinds`, `--languages` and `--formats` limit them (separated by commas).
 */
const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
    split: { type: 'string', default: 'held-out' },
    kinds: { type: 'string' },
    languages: { type: 'string' },
    formats: { type: 'string' },
  },
})
if (options.out === undefined) {
  process.stderr.write('Usage: npm run generate -- --out DIR [--count 100] [--seed 1] [--split held-out]\n')
  process.exit(2)
}

function listed<T extends string>(text: string | undefined, known: readonly T[], what: string): T[] | undefined {
  if (text === undefined) return undefined
  return text.split(',').map((word) => {
    const found = known.find((one) => one === word)
    if (found === undefined) throw new Error(`${word} is no ${what}: use ${known.join(', ')}`)
    return found
  })
}

const [split] = listed<Split>(options.split, ['held-out', 'training', 'all'], 'split')!
const only = {
  kinds: listed<string>(options.kinds, Object.keys(kinds), 'kind'),
  languages: listed<Language>(options.languages, languages, 'language'),
  formats: listed<FileFormat>(options.formats, fileFormats, 'format'),
}
const given = Object.fromEntries(Object.entries(only).filter(([, value]) => value !== undefined))
const folder = resolve(options.out)
await mkdir(folder, { recursive: true })
const cases: Record<string, unknown> = {}
const first = Number(options.seed) * 100_000
for (let seed = first; seed < first + Number(options.count); seed++) {
  const { name, bytes, made } = await generateFile(seed, { ...given, split: split! })
  await writeFile(join(folder, name), bytes)
  const { kind, language, group, schema, expected } = made
  cases[name] = { kind, language, group, schema, expected }
}
await writeFile(join(folder, 'expected.json'), `${JSON.stringify(cases, null, 1)}\n`)
process.stdout.write(`${Object.keys(cases).length} documents in ${folder}\n`)
