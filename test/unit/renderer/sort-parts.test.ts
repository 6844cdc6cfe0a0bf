import { describe, expect, it } from 'vitest'
import {
  answerOf,
  choicesFor,
  chooseSchema,
  cutsOf,
  keepParts,
  moveStart,
  outcomeOf,
  partAt,
  partsOf,
  toggleCut,
} from '../../../renderer/screens/sort/parts.ts'
import type { Cuts } from '../../../renderer/screens/sort/parts.ts'
import { fittingWidth, thumbWidths } from '../../../renderer/screens/sort/thumb-size.ts'
import type { SortedFile } from '../../../shared/contract/sorting.ts'

type SortedPart = SortedFile['parts'][number]

const part = (first: number, last: number, schemaId: number | null, status?: 'done' | 'skipped'): SortedPart => ({
  pages: { first, last },
  schemaId,
  isNone: false,
  likely: [2, 1],
  document: status === undefined ? null : { id: first, status },
})
/** An invoice of two pages, a delivery note, and two pages of which nobody knows what they are. */
const proposed = { pageCount: 5, parts: [part(1, 2, 1), part(3, 3, 2), part(4, 5, null)] }
const cuts = cutsOf(proposed)
/** Each part as its pages and its schema: «1-2:1». */
const shown = (given: Cuts): string =>
  partsOf(given)
    .map(({ pages, schemaId }) => `${pages.first}-${pages.last}:${schemaId ?? '?'}`)
    .join(' ')

describe('the parts of a file', () => {
  it('are what core proposes as long as nobody changes them', () => {
    expect(shown(cuts)).toBe('1-2:1 3-3:2 4-5:?')
    expect([1, 2, 3, 4, 5].map((page) => partAt(cuts, page))).toEqual([0, 0, 1, 2, 2])
  })

  it('are cut before a page, and the new one is of the kind of the one that it was cut from', () => {
    expect(shown(toggleCut(cuts, 2))).toBe('1-1:1 2-2:1 3-3:2 4-5:?')
    expect(shown(toggleCut(cuts, 5))).toBe('1-2:1 3-3:2 4-4:? 5-5:?')
  })

  it('are joined where one began, and cut there again are what they were', () => {
    const joined = toggleCut(cuts, 3)
    expect(shown(joined)).toBe('1-3:1 4-5:?')
    expect(shown(toggleCut(joined, 3))).toBe(shown(cuts))
  })

  it('are of the kind of the second when joined to one that nobody is sure of', () => {
    const known = chooseSchema(toggleCut(cuts, 5), 5, 2)
    expect(shown(toggleCut(known, 5))).toBe('1-2:1 3-3:2 4-5:2')
  })

  it('begin with the first page, whatever is pressed there, and with none that is not there', () => {
    expect(toggleCut(cuts, 1)).toBe(cuts)
    expect(toggleCut(cuts, 6)).toBe(cuts)
  })

  it('begin a page later or earlier and keep their kind', () => {
    expect(shown(moveStart(cuts, 4, 1))).toBe('1-2:1 3-4:2 5-5:?')
    expect(shown(moveStart(cuts, 3, -1))).toBe('1-1:1 2-3:2 4-5:?')
    expect(shown(moveStart(moveStart(cuts, 5, 1), 5, -1))).toBe(shown(cuts))
  })

  it('keep a page each, and the first one its beginning', () => {
    expect(moveStart(cuts, 3, 1)).toBe(cuts)
    expect(moveStart(cuts, 4, -1)).toBe(cuts)
    expect(moveStart(cuts, 2, 1)).toBe(cuts)
    expect(moveStart(cuts, 1, -1)).toBe(cuts)
  })

  it('that did not change are the same ones, so that they are not drawn again', () => {
    const before = partsOf(cuts)
    const after = keepParts(before, partsOf(toggleCut(cuts, 5)))
    expect(after.map((each, index) => each === before[index])).toEqual([true, true, false, false])
  })

  it('are all of a long file after many cuts', () => {
    const long = cutsOf({ pageCount: 400, parts: [part(1, 400, 1)] })
    const cut = Array.from({ length: 399 }, (_, index) => index + 2).reduce(toggleCut, long)
    expect(partsOf(cut)).toHaveLength(400)
    expect(partsOf(cut).at(-1)?.pages).toEqual({ first: 400, last: 400 })
  })
})

describe('what confirming comes to', () => {
  it('is nothing while a part has no schema', () => {
    expect(outcomeOf(partsOf(cuts), proposed)).toEqual({ unsure: 1, added: 3, removed: 0 })
    expect(answerOf(partsOf(cuts))).toBeNull()
  })

  it('is a document for each part, and core is told the pages of each', () => {
    const said = partsOf(chooseSchema(cuts, 5, 1))
    expect(outcomeOf(said, proposed)).toEqual({ unsure: 0, added: 3, removed: 0 })
    expect(answerOf(said)).toEqual([
      { pages: { first: 1, last: 2 }, schemaId: 1 },
      { pages: { first: 3, last: 3 }, schemaId: 2 },
      { pages: { first: 4, last: 5 }, schemaId: 1 },
    ])
  })

  it('leaves out documents that stay, and counts those that would be none any more', () => {
    const read = { pageCount: 4, parts: [part(1, 2, 1, 'done'), part(3, 4, 2, 'done')] }
    expect(outcomeOf(partsOf(cutsOf(read)), read)).toEqual({ unsure: 0, added: 0, removed: 0 })
    expect(outcomeOf(partsOf(toggleCut(cutsOf(read), 4)), read)).toEqual({ unsure: 0, added: 2, removed: 1 })
    expect(outcomeOf(partsOf(chooseSchema(cutsOf(read), 1, 2)), read)).toEqual({ unsure: 0, added: 1, removed: 1 })
  })

  it('takes nothing from a file that was never read as a whole', () => {
    const waiting = { pageCount: 2, parts: [part(1, 2, 1, 'skipped')] }
    expect(outcomeOf(partsOf(toggleCut(cutsOf(waiting), 2)), waiting)).toEqual({ unsure: 0, added: 2, removed: 0 })
  })
})

describe('the schemas to choose from', () => {
  const schemas = Array.from({ length: 11 }, (_, index) => ({ id: index + 1, name: `S${index + 1}`, isOfFolder: true }))

  it('begin with the likely ones, and have the same digits for each part', () => {
    const choices = choicesFor([3, 1], schemas)
    expect(choices.slice(0, 4).map(({ id, digit }) => [id, digit])).toEqual([
      [3, 3],
      [1, 1],
      [2, 2],
      [4, 4],
    ])
    expect(choices.slice(-2).map(({ digit }) => digit)).toEqual([null, null])
  })
})

describe('the size of pages', () => {
  it('is the largest that shows all of them, and never too small to see what begins', () => {
    const small = { width: 840, height: 595 }
    const large = { width: 1480, height: 875 }
    expect(thumbWidths[fittingWidth(4, small)]).toBe(152)
    expect(thumbWidths[fittingWidth(4, large)]).toBeGreaterThan(152)
    expect(thumbWidths[fittingWidth(300, large)]).toBe(152)
    expect(thumbWidths[fittingWidth(2, { width: 100, height: 100 })]).toBe(152)
  })
})
