import type { Picture } from '../recognise.ts'

/** A picture with its halves: each next one has half the width and height. */
export type Pyramid = readonly Picture[]

/** A rectangle in a picture: centre, size along and across the direction of reading, and that direction in radians. */
export type Slanted = { centreX: number; centreY: number; width: number; height: number; angle: number }

const smallestSide = 32

/** The picture and its halves, each pixel the mean of four, down to 32 pixels. */
export function pyramidOf(picture: Picture): Pyramid {
  const levels = [picture]
  for (let level = picture; Math.min(level.width, level.height) >= smallestSide * 2; ) {
    level = halved(level)
    levels.push(level)
  }
  return levels
}

function halved({ pixels, width, height }: Picture): Picture {
  const half = { width: width >> 1, height: height >> 1 }
  const mean = new Uint8Array(half.width * half.height)
  for (let y = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++) {
      const at = y * 2 * width + x * 2
      const sum = (pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + width] ?? 0) + (pixels[at + width + 1] ?? 0)
      mean[y * half.width + x] = (sum + 2) >> 2
    }
  }
  return { pixels: mean, ...half }
}

/**
 * A rectangle of the picture as a picture of its own, `width` by `height` pixels, upright. What lies outside of the
 * picture continues its edge. Reads from the level that has about as many pixels, so nothing is skipped.
 */
export function sample(pyramid: Pyramid, from: Slanted, width: number, height: number): Picture {
  const wanted = from.height / height
  const depth = Math.max(0, Math.min(pyramid.length - 1, Math.round(Math.log2(Math.max(1, wanted)))))
  const level = pyramid[depth]!
  const shrink = 2 ** depth
  const pixels = new Uint8Array(width * height)
  const [cos, sin] = [Math.cos(from.angle), Math.sin(from.angle)]
  const [stepX, stepY] = [from.width / width / shrink, from.height / height / shrink]
  for (let y = 0; y < height; y++) {
    const across = (y + 0.5 - height / 2) * stepY
    for (let x = 0; x < width; x++) {
      const along = (x + 0.5 - width / 2) * stepX
      pixels[y * width + x] = pixelAt(
        level,
        from.centreX / shrink + along * cos - across * sin - 0.5,
        from.centreY / shrink + along * sin + across * cos - 0.5,
      )
    }
  }
  return { pixels, width, height }
}

/** Between the four pixels around a place. */
function pixelAt({ pixels, width, height }: Picture, atX: number, atY: number): number {
  const x = Math.max(0, Math.min(width - 1.001, atX))
  const y = Math.max(0, Math.min(height - 1.001, atY))
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const [partX, partY] = [x - left, y - top]
  const at = top * width + left
  const below = top + 1 < height ? width : 0
  const right = left + 1 < width ? 1 : 0
  const upper = (pixels[at] ?? 0) * (1 - partX) + (pixels[at + right] ?? 0) * partX
  const lower = (pixels[at + below] ?? 0) * (1 - partX) + (pixels[at + below + right] ?? 0) * partX
  return upper * (1 - partY) + lower * partY
}

/**
 * Dark type on white paper, whatever the light was: every column is divided by the paper around it, and what is white
 * on black is turned over. `picture` is one line of type.
 */
export function evenLight({ pixels, width, height }: Picture): Picture {
  const turned = isDark(pixels) ? pixels.map((pixel) => 255 - pixel) : pixels
  const brightest = new Float32Array(width)
  for (let index = 0; index < turned.length; index++) {
    const x = index % width
    brightest[x] = Math.max(brightest[x]!, turned[index]!)
  }
  const even = new Uint8Array(turned.length)
  // as wide as the line is high to both sides: wider than a letter, narrower than a shadow
  for (let x = 0; x < width; x++) {
    const near = brightest.subarray(Math.max(0, x - height), x + height + 1)
    const paper = near.reduce((sum, value) => sum + value, 0) / near.length
    for (let index = x; index < turned.length; index += width)
      even[index] = Math.min(255, (turned[index]! * 255) / Math.max(1, paper))
  }
  return { pixels: even, width, height }
}

/** More of it is nearer to its darkest than to its brightest. */
function isDark(pixels: Uint8Array): boolean {
  let least = 255
  let most = 0
  for (const pixel of pixels) {
    least = Math.min(least, pixel)
    most = Math.max(most, pixel)
  }
  let dark = 0
  for (const pixel of pixels) if (pixel - least < most - pixel) dark++
  return dark > pixels.length / 2
}
