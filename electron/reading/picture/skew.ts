import type { Ink } from './ink.ts'

const maxDegrees = 5
const maxPoints = 60_000

/**
 * By how many degrees (clockwise is positive) the lines of text lean, from -5 to 5. Where rows run
 * along the text, ink falls into few rows with gaps between them: the angle with the sharpest
 * profile wins. 0 when there is too little ink to tell.
 */
export function skewOf(ink: Ink): number {
  const points = inkPoints(ink)
  if (points.length < 400) return 0
  let best = 0
  let bestScore = sharpness(points, ink, 0)
  const still = bestScore
  for (const step of [0.5, 0.1, 0.05]) {
    const centre = best
    const reach = step === 0.5 ? maxDegrees : step === 0.1 ? 0.5 : 0.1
    for (let angle = centre - reach; angle <= centre + reach + 1e-9; angle += step) {
      const score = sharpness(points, ink, angle)
      if (score > bestScore) {
        best = angle
        bestScore = score
      }
    }
  }
  // a page that is as sharp unturned is left alone
  return bestScore > still * 1.03 ? Math.max(-maxDegrees, Math.min(maxDegrees, best)) : 0
}

// x and y in turns
function inkPoints(ink: Ink): Int32Array {
  let count = 0
  for (const pixel of ink.pixels) count += pixel
  const every = Math.max(1, Math.ceil(count / maxPoints))
  const points = new Int32Array(Math.ceil(count / every) * 2)
  let seen = 0
  let at = 0
  for (let index = 0; index < ink.pixels.length; index++) {
    if (ink.pixels[index] !== 1 || seen++ % every !== 0) continue
    points[at++] = index % ink.width
    points[at++] = Math.floor(index / ink.width)
  }
  return points.subarray(0, at)
}

function sharpness(points: Int32Array, ink: Ink, degrees: number): number {
  const sin = Math.sin((degrees * Math.PI) / 180)
  const cos = Math.cos((degrees * Math.PI) / 180)
  const offset = Math.ceil(Math.abs(sin) * ink.width) + 1
  const rows = new Float64Array(Math.ceil(ink.height * cos) + 2 * offset + 2)
  for (let index = 0; index < points.length; index += 2) {
    const row = Math.round((points[index + 1] ?? 0) * cos - (points[index] ?? 0) * sin) + offset
    rows[row] = (rows[row] ?? 0) + 1
  }
  let score = 0
  for (let row = 1; row < rows.length; row++) score += ((rows[row] ?? 0) - (rows[row - 1] ?? 0)) ** 2
  return score
}
