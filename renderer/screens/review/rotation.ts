import type { Box } from '../../../shared/domain/document.ts'

/** How far pages are turned clockwise, in degrees. */
export type Rotation = 0 | 90 | 180 | 270

export function rotateClockwise(rotation: Rotation): Rotation {
  return ((rotation + 90) % 360) as Rotation
}

/** Where a box of a page (fractions of its size) lies on the turned page. Pure. */
export function rotateBox({ x, y, width, height }: Box, rotation: Rotation): Box {
  if (rotation === 90) return { x: 1 - y - height, y: x, width: height, height: width }
  if (rotation === 180) return { x: 1 - x - width, y: 1 - y - height, width, height }
  if (rotation === 270) return { x: y, y: 1 - x - width, width: height, height: width }
  return { x, y, width, height }
}

/** The size of the turned page. Pure. */
export function rotateSize<T extends { width: number; height: number }>(
  size: T,
  rotation: Rotation,
): { width: number; height: number } {
  return rotation % 180 === 0 ? size : { width: size.height, height: size.width }
}
