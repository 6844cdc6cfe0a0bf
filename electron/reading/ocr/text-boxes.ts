import type { Slanted } from './sampling.ts'

type Point = { x: number; y: number }

// the detector's own settings for its map (PaddleOCR's DB: thresh 0.3, box_thresh 0.6, unclip_ratio 1.6), but for
// fainter lines
const minProbability = 0.3
const minMean = 0.5
const unclip = 1.6
const minSide = 3

/**
 * Where lines of text are by the detector's map of probabilities: each connected part above the threshold, as the
 * smallest rectangle around it, grown to the size of its type. The angle is within 45 degrees of level.
 */
export function textBoxes(map: Float32Array, width: number, height: number): Slanted[] {
  const seen = new Uint8Array(width * height)
  const boxes: Slanted[] = []
  for (let start = 0; start < seen.length; start++) {
    if (seen[start] === 1 || map[start]! <= minProbability) continue
    const { outline, mean } = partFrom(start, map, seen, width, height)
    const box = smallestRectangle(hullOf(outline))
    if (Math.min(box.width, box.height) < minSide || mean < minMean) continue
    const grow = (box.width * box.height * unclip) / (box.width + box.height)
    boxes.push({ ...box, width: box.width + grow, height: box.height + grow })
  }
  return boxes
}

/** The ends of each row of a connected part, and its mean probability. */
function partFrom(start: number, map: Float32Array, seen: Uint8Array, width: number, height: number) {
  const rows = new Map<number, { left: number; right: number }>()
  const stack = [start]
  seen[start] = 1
  let sum = 0
  let count = 0
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    const x = index % width
    const y = (index - x) / width
    sum += map[index]!
    count++
    const row = rows.get(y)
    if (row === undefined) rows.set(y, { left: x, right: x })
    else {
      row.left = Math.min(row.left, x)
      row.right = Math.max(row.right, x)
    }
    for (let nearY = Math.max(0, y - 1); nearY <= Math.min(height - 1, y + 1); nearY++) {
      for (let nearX = Math.max(0, x - 1); nearX <= Math.min(width - 1, x + 1); nearX++) {
        const near = nearY * width + nearX
        if (seen[near] === 1 || map[near]! <= minProbability) continue
        seen[near] = 1
        stack.push(near)
      }
    }
  }
  const outline = [...rows].flatMap(([y, { left, right }]): Point[] => [
    { x: left, y },
    { x: left, y: y + 1 },
    { x: right + 1, y },
    { x: right + 1, y: y + 1 },
  ])
  return { outline, mean: sum / count }
}

/** The convex hull (Andrew's monotone chain). */
function hullOf(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((one, other) => one.x - other.x || one.y - other.y)
  return [...halfHull(sorted), ...halfHull(sorted.reverse())]
}

function halfHull(points: readonly Point[]): Point[] {
  const hull: Point[] = []
  for (const point of points) {
    while (hull.length > 1 && !turnsLeft(hull.at(-2)!, hull.at(-1)!, point)) hull.pop()
    hull.push(point)
  }
  return hull.slice(0, -1)
}

function turnsLeft(from: Point, via: Point, to: Point): boolean {
  return (via.x - from.x) * (to.y - from.y) - (via.y - from.y) * (to.x - from.x) > 0
}

/** The rectangle of least area around a hull: one of its sides lies on a side of the hull. */
function smallestRectangle(hull: readonly Point[]): Slanted {
  let best: Slanted | null = null
  for (const [index, from] of hull.entries()) {
    const to = hull[(index + 1) % hull.length]!
    const around = rectangleAlong(hull, Math.atan2(to.y - from.y, to.x - from.x))
    if (best === null || around.width * around.height < best.width * best.height) best = around
  }
  return best!
}

function rectangleAlong(points: readonly Point[], direction: number): Slanted {
  // the same rectangle within 45 degrees of level
  const angle = direction - Math.round(direction / (Math.PI / 2)) * (Math.PI / 2)
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const along = points.map(({ x, y }) => x * cos + y * sin)
  const across = points.map(({ x, y }) => y * cos - x * sin)
  const [left, right] = [Math.min(...along), Math.max(...along)]
  const [top, bottom] = [Math.min(...across), Math.max(...across)]
  const [middle, level] = [(left + right) / 2, (top + bottom) / 2]
  return {
    centreX: middle * cos - level * sin,
    centreY: middle * sin + level * cos,
    width: right - left,
    height: bottom - top,
    angle,
  }
}
