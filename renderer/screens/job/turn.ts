import type { Box } from '../../../shared/document.ts'

/** How far pages are turned clockwise, in degrees. */
export type Turn = 0 | 90 | 180 | 270

export function turnedOn(turn: Turn): Turn {
  return ((turn + 90) % 360) as Turn
}

/** Where a box of a page (fractions of its size) lies on the turned page. Pure. */
export function turnedBox({ x, y, width, height }: Box, turn: Turn): Box {
  if (turn === 90) return { x: 1 - y - height, y: x, width: height, height: width }
  if (turn === 180) return { x: 1 - x - width, y: 1 - y - height, width, height }
  if (turn === 270) return { x: y, y: 1 - x - width, width: height, height: width }
  return { x, y, width, height }
}

/** The size of the turned page. Pure. */
export function turnedSize<T extends { width: number; height: number }>(size: T, turn: Turn): { width: number; height: number } {
  return turn % 180 === 0 ? size : { width: size.height, height: size.width }
}
