import type { Canvas, Image } from '@napi-rs/canvas'

/**
 * What is freed here the collector would free later: it does not see what a picture holds outside of its heap, so
 * hundreds of megabytes would pile up.
 */

export function freeSamples({ buffer }: { buffer: ArrayBufferLike }): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

export function freeCanvas(canvas: Canvas): void {
  canvas.width = 0
  canvas.height = 0
}

export function freeImage(image: Image): void {
  image.src = Buffer.alloc(0)
}
