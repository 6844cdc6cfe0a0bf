import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { placeFeatures } from '../../../electron/service/finding/column-look.ts'
import { choiceFeatures } from '../../../electron/service/finding/decide.ts'
import { features } from '../../../electron/service/finding/features.ts'
import { readingFeatures } from '../../../electron/service/finding/rows-setting.ts'
import { cellFeatures } from '../../../electron/service/finding/table-features.ts'

const page = readFileSync(fileURLToPath(new URL('../../../docs/judge.md', import.meta.url)), 'utf8')

/** The features that the page names below a heading. */
function namedUnder(heading: string): string[] {
  const part = page.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!
  return [...part.matchAll(/`([^`]+)`/g)].map(([, name]) => name!).toSorted()
}

const namesOf = (list: readonly (readonly [name: string, of: unknown])[]): string[] => list.map(([name]) => name)

it.each([
  ['Header fields, first look', namesOf(features)],
  ['Header fields, second look', namesOf(choiceFeatures)],
  ['Cells of tables, first look', namesOf(cellFeatures)],
  ['Columns of tables', namesOf(placeFeatures)],
  ['Cells of tables, second look', namesOf(readingFeatures)],
])('the page of the judge names every feature that it sees, and no other: %s', (heading, names) => {
  expect(namedUnder(heading)).toEqual(names.toSorted())
})
