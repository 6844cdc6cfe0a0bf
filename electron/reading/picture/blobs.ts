import type { Ink } from './ink.ts'

/** A rectangle around ink, in pixels, edges included. */
export type Blob = { left: number; top: number; right: number; bottom: number }

/** Connected ink (eight neighbours) that is smaller than `most` pixels in either direction. */
export function blobsOf(ink: Ink, most: number): Blob[] {
  const { pixels, width, height } = ink
  const seen = new Uint8Array(pixels.length)
  const stack: number[] = []
  const found: Blob[] = []
  for (let start = 0; start < pixels.length; start++) {
    if (pixels[start] !== 1 || seen[start] === 1) continue
    const blob: Blob = { left: width, top: height, right: 0, bottom: 0 }
    seen[start] = 1
    stack.push(start)
    while (stack.length > 0) {
      const index = stack.pop() ?? 0
      const x = index % width
      const y = (index - x) / width
      blob.left = Math.min(blob.left, x)
      blob.right = Math.max(blob.right, x)
      blob.top = Math.min(blob.top, y)
      blob.bottom = Math.max(blob.bottom, y)
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++) {
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
          const next = ny * width + nx
          if (pixels[next] !== 1 || seen[next] === 1) continue
          seen[next] = 1
          stack.push(next)
        }
      }
    }
    if (blob.right - blob.left < most && blob.bottom - blob.top < most) found.push(blob)
  }
  return found
}
