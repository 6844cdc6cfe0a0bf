import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { CompiledMessage } from '@lingui/message-utils/compileMessage'
import { describe, expect, it } from 'vitest'
import { de } from '../../../renderer/messages/de.ts'
import { en } from '../../../renderer/messages/en.ts'
import { fr } from '../../../renderer/messages/fr.ts'
import { i18nFor, localeFor, regionalTag } from '../../../renderer/messages/language.tsx'

const root = fileURLToPath(new URL('../../../renderer/', import.meta.url))
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/messages[/\\](en|de|fr)([/\\][\w-]+)?\.ts$/.test(path))
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n')

/** The names of the values that a message takes, however deep they stand in its plurals. */
function namesIn(message: CompiledMessage): Set<string> {
  const names = new Set<string>()
  for (const token of message) {
    if (typeof token === 'string') continue
    const [name, , choices] = token
    if (name !== '#') names.add(name)
    if (typeof choices === 'object' && choices !== null) {
      for (const choice of Object.values(choices))
        if (Array.isArray(choice)) for (const inner of namesIn(choice as CompiledMessage)) names.add(inner)
    }
  }
  return names
}

describe('the messages of the window', () => {
  it('are the same in every language, none of them empty', () => {
    for (const catalog of [de, fr]) {
      expect(Object.keys(catalog)).toEqual(Object.keys(en))
      expect(Object.values(catalog).filter((text) => text.trim() === '')).toEqual([])
    }
  })

  it('are well-formed and take the same values in every language', () => {
    for (const [id, text] of Object.entries(en)) {
      const names = [...namesIn(compileMessageOrThrow(text))].sort()
      for (const catalog of [de, fr]) {
        const translated = catalog[id as keyof typeof en]
        expect({ id, names: [...namesIn(compileMessageOrThrow(translated))].sort() }).toEqual({ id, names })
      }
    }
  })

  it('are all used', () => {
    const unused = Object.keys(en).filter((id) => !sources.includes(`'${id}'`) && !sources.includes(`"${id}"`))
    expect(unused).toEqual([])
  })

  it('hold no straight apostrophe, which ICU takes for a quotation', () => {
    const straight = [en, de, fr].flatMap((catalog) => Object.entries(catalog).filter(([, text]) => text.includes("'")))
    expect(straight).toEqual([])
  })

  it('quote as their language does', () => {
    // Each: what stands between its own marks is taken out, and no mark of any language is left.
    const own = [
      [en, /“[^«»„“”"]*”/g],
      [de, /„[^«»„“”"]*“/g],
      [fr, /«\u202f[^«»„“”"]*\u202f»/g],
    ] as const
    const foreign = own.flatMap(([catalog, marks]) =>
      Object.entries(catalog).filter(([, text]) => /[«»„“”"]/.test(text.replace(marks, ''))),
    )
    expect(foreign).toEqual([])
  })

  it('count in the grammar of their language', () => {
    expect(i18nFor('en')._('documents.retried', { count: 1, shown: '1' })).toBe('1 document is sent again')
    expect(i18nFor('de')._('documents.retried', { count: 2, shown: '2' })).toBe(
      '2 Dokumente werden noch einmal gesendet',
    )
    expect(i18nFor('fr')._('exports.results', { count: 0, shown: '0' })).toBe('aucun résultat')
  })
})

describe('the language of the window', () => {
  it('is the one that was set, else the first of the system that Sheaf speaks, else English', () => {
    expect(localeFor('fr', ['de-DE'])).toBe('fr')
    expect(localeFor('system', ['it-IT', 'de-AT', 'fr'])).toBe('de')
    expect(localeFor('system', ['it-IT'])).toBe('en')
  })

  it('writes numbers and dates as the person’s own region does', () => {
    expect(regionalTag('de', ['en-GB', 'de-CH'])).toBe('de-CH')
    expect(regionalTag('fr', ['en-GB', 'de-CH'])).toBe('fr')
    expect(regionalTag('en', ['de-DE', 'de', 'en-US', 'en'])).toBe('en-DE')
    expect(regionalTag('en', ['de', 'en-US'])).toBe('en-DE')
    expect(regionalTag('en', ['en-US', 'de-DE'])).toBe('en-US')
    expect(regionalTag('en', ['en', 'en-GB'])).toBe('en-GB')
    expect(regionalTag('de', [])).toBe('de')
    expect(regionalTag('de', ['eo'])).toBe('de')
  })
})
