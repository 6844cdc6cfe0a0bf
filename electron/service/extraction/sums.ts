import type { Candidate } from './candidates.ts'
import type { Evidence } from './evidence.ts'
import { likeness, type Field } from './field.ts'
import { overlapX, type Cell, type Layout, type LayoutPage, type Line } from './layout.ts'
import { numbersIn } from './read-value.ts'
import { meanings } from './words.ts'

const sumWord =
  /^(?:total|totals|sum|summe|gesamt|gesamtsumme|totaux|totale|suma|totales|insgesamt|grand total|summen)\.?:?$/iu

/**
 * Totals of a column («total weight», «Summe Stunden»): the number of a row that is called sum, under the head
 * of its column, wherever the head names the thing that is asked for.
 */
export function columnSumCandidates(fields: readonly Field[], layout: Layout, evidence: Evidence): Candidate[][] {
  const found: Candidate[][] = fields.map(() => [])
  const asked = fields.map(
    (field) => field.element.format === 'number' && field.kind !== 'percent' && field.role === undefined,
  )
  if (!asked.some(Boolean)) return found
  for (const page of layout.pages) {
    for (const line of page.lines) {
      if (!line.cells.some((cell) => sumWord.test(cell.text))) continue
      for (const cell of line.cells) {
        const number = numbersIn(cell.words, evidence)[0]
        const head = number && headOver(page, line, cell)
        if (!number || head === undefined) continue
        for (const [index, field] of fields.entries()) {
          if (!asked[index]) continue
          const label = Math.max(
            ...field.phrases.map(
              (phrase) =>
                phrase.weight * Math.max(likeness(head, phrase.words), likeness([...head, 'total'], phrase.words)),
            ),
            0,
          )
          if (label >= 0.6)
            found[index]!.push({
              value: number.value,
              words: number.words,
              page: page.number,
              score: 0.88 * label,
              label,
              line: line.index,
            })
        }
      }
    }
  }
  return found
}

/** The words of the nearest head above a cell: a cell without figures in a line of at least three such cells. */
function headOver(page: LayoutPage, line: Line, cell: Cell): string[] | undefined {
  for (const above of [...page.lines].reverse()) {
    if (above.index >= line.index || line.index - above.index > 40) continue
    const plain = above.cells.filter((one) => !/\d/.test(one.text) || /\d\)?$/u.test(one.text) === false)
    if (above.cells.length < 3 || plain.length < above.cells.length) continue
    const head =
      above.cells.find((one) => overlapX(one.box, cell.box) > 0.3) ??
      above.cells.find((one) => Math.abs(one.box.x + one.box.width - cell.box.x - cell.box.width) < page.em)
    return head ? meanings(head.text.replace(/\(.*\)/u, '')) : undefined
  }
  return undefined
}
