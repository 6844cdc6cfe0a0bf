import type { Canvas, Image } from '@napi-rs/canvas'

// The collector would free all this later: it does not see what a picture holds outside of its heap, so hundreds of
// megabytes would pile up.

/** Frees samples that are needed no more; their array is empty then. */
export function freeSamples({ buffer }: { buffer: ArrayBufferLike }): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** Frees a canvas that is drawn and read no more. */
export function freeCanvas(canvas: Canvas): void {
  canvas.width = 0
  canvas.height = 0
}

/** Frees a decoded picture that is drawn no more. */
export function freeImage(image: Image): void {
  image.src = Buffer.alloc(0)
}
