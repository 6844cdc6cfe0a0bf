import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { extractFields } from '../../../electron/service/finding/find.ts'
import { pointerOf } from '../../../shared/domain/pointer.ts'
import { sameValue } from '../../bench/compare.ts'
import { typed } from '../../train/cases.ts'
import type { Typed } from '../../train/cases.ts'
import { typedDocument } from '../extraction/typed-page.ts'

type Told = { isRight: boolean; isGiven: boolean; isFlagged: boolean }

/** Every header field of the typed documents: what was given, whether it is right, and whether it is flagged. */
function told(): Told[] {
  const cases = JSON.parse(readFileSync(typed, 'utf8')) as Typed[]
  return cases.flatMap(({ pages, schema, expected }) => {
    const { data, doubts } = extractFields(typedDocument(...pages.map((lines) => lines.join('\n'))), schema)
    const flagged = new Set(doubts.map((doubt) => doubt.pointer))
    return schema
      .filter((element) => element.format !== 'list')
      .map((element) => {
        const value = data[element.name] ?? null
        return {
          isRight: sameValue(element, expected[element.name] ?? null, value, false),
          isGiven: value !== null,
          isFlagged: flagged.has('/0') || flagged.has(pointerOf([0, element.name])),
        }
      })
  })
}

const share = (some: readonly unknown[], all: readonly unknown[]): number => (100 * some.length) / all.length

describe('values of papers of many kinds', () => {
  const all = told()

  it('are right in 98 of 100 cases where nothing is flagged', () => {
    const unflagged = all.filter((one) => one.isGiven && !one.isFlagged)
    expect(unflagged.length).toBeGreaterThan(all.length / 4)
    expect(
      share(
        unflagged.filter((one) => one.isRight),
        unflagged,
      ),
    ).toBeGreaterThanOrEqual(98)
  })

  it('are right in 80 of 100 cases altogether, since the judge has seen papers like these', () => {
    expect(
      share(
        all.filter((one) => one.isRight),
        all,
      ),
    ).toBeGreaterThanOrEqual(80)
  })
})
