import { apply } from './matrix.ts'
import type { Matrix } from './matrix.ts'

/**
 * A line across the page (`at` is its y) or down it (`at` is its x), in page units, y downwards. `isSide` when nobody
 * drew it: the side of an area in another colour.
 */
export type Rule = { isAcross: boolean; at: number; from: number; to: number; isSide: boolean }

/** A page of several large tables has 1,000; more are a drawing or a pattern. */
export const maxRules = 2000

// how pdf.js writes a path: an operation, then its points
const moveTo = 0
const lineTo = 1
const closePath = 4
/** Numbers of points of each of its operations. */
const pointsOf = [1, 1, 3, 2, 0]

// In points. Tried at a half and at twice as much on `icdar2013-tables`: F1 of the tables 0.905 to 0.908.
const minLength = 4
const maxSlope = 0.5
const maxThickness = 2.5
/** Comparing each with each costs time with their square; of a path with more, all count as drawn. */
const maxCompared = 200

/** The lines of a path that run straight across or down the page; `isFilled` where it is not stroked. */
export function rulesOf(path: ArrayLike<number>, matrix: Matrix, isFilled: boolean): Rule[] {
  const rules: Omit<Rule, 'isSide'>[] = []
  let start = { x: 0, y: 0 }
  let pen = start
  const drawTo = (point: { x: number; y: number }): void => {
    const [across, down] = [Math.abs(point.x - pen.x), Math.abs(point.y - pen.y)]
    if (down <= maxSlope && across >= minLength)
      rules.push({
        isAcross: true,
        at: (point.y + pen.y) / 2,
        from: Math.min(point.x, pen.x),
        to: Math.max(point.x, pen.x),
      })
    else if (across <= maxSlope && down >= minLength)
      rules.push({
        isAcross: false,
        at: (point.x + pen.x) / 2,
        from: Math.min(point.y, pen.y),
        to: Math.max(point.y, pen.y),
      })
    pen = point
  }
  for (let index = 0; index < path.length && rules.length <= maxRules; ) {
    const operation = path[index++]!
    const points = pointsOf[operation]
    if (points === undefined) break
    index += points * 2
    if (operation === closePath) {
      drawTo(start)
      continue
    }
    const point = apply(matrix, path[index - 2]!, path[index - 1]!)
    if (operation === lineTo) drawTo(point)
    else pen = point
    if (operation === moveTo) start = point
  }
  // what is filled and thin is a line as well: its long sides lie side by side
  const isThin = (rule: Omit<Rule, 'isSide'>): boolean =>
    rules.some(
      (other) =>
        other !== rule &&
        other.isAcross === rule.isAcross &&
        Math.abs(other.at - rule.at) <= maxThickness &&
        other.from < rule.to &&
        other.to > rule.from,
    )
  return rules.map((rule) => ({ ...rule, isSide: isFilled && rules.length <= maxCompared && !isThin(rule) }))
}
