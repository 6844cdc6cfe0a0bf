import type { Box } from '../../../shared/domain/document.ts'
import { clampToPage } from '../numbers.ts'

/** An affine map as PDF writes it, [a b c d e f]: x' = a·x + c·y + e, y' = b·x + d·y + f (ISO 32000-1, 8.3.3). */
export type Matrix = readonly [number, number, number, number, number, number]

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** The map that applies `inner` first and then `outer`. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  return [
    outer[0] * inner[0] + outer[2] * inner[1],
    outer[1] * inner[0] + outer[3] * inner[1],
    outer[0] * inner[2] + outer[2] * inner[3],
    outer[1] * inner[2] + outer[3] * inner[3],
    outer[0] * inner[4] + outer[2] * inner[5] + outer[4],
    outer[1] * inner[4] + outer[3] * inner[5] + outer[5],
  ]
}

export function apply(matrix: Matrix, x: number, y: number): { x: number; y: number } {
  return { x: matrix[0] * x + matrix[2] * y + matrix[4], y: matrix[1] * x + matrix[3] * y + matrix[5] }
}

/** Six numbers from an array of unknown content, or null. */
export function toMatrix(value: unknown): Matrix | null {
  if (!Array.isArray(value) && !ArrayBuffer.isView(value)) return null
  const numbers = Array.from(value as ArrayLike<unknown>)
  if (
    numbers.length < 6 ||
    !numbers.slice(0, 6).every((number) => typeof number === 'number' && Number.isFinite(number))
  )
    return null
  return numbers.slice(0, 6) as unknown as Matrix
}

/** The upright rectangle around a rectangle after the map. */
export function boundsOf(matrix: Matrix, left: number, bottom: number, right: number, top: number): Bounds {
  const corners = [
    apply(matrix, left, bottom),
    apply(matrix, right, bottom),
    apply(matrix, left, top),
    apply(matrix, right, top),
  ]
  const xs = corners.map((corner) => corner.x)
  const ys = corners.map((corner) => corner.y)
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}

/** A rectangle in page units, y downwards. */
export type Bounds = { left: number; top: number; right: number; bottom: number }

/** What of a rectangle is on the visible page, as fractions of it; null for nothing. */
export function boxOf(bounds: Bounds, width: number, height: number): Box | null {
  const left = clampToPage(bounds.left / width)
  const top = clampToPage(bounds.top / height)
  const right = clampToPage(bounds.right / width)
  const bottom = clampToPage(bounds.bottom / height)
  return right <= left || bottom <= top ? null : { x: left, y: top, width: right - left, height: bottom - top }
}
