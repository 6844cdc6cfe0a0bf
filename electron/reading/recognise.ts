import type { Token } from '../../shared/domain/document.ts'

/** A picture to be read: one byte of grey for each pixel, row by row, 0 is black. */
export type Picture = { pixels: Uint8Array<ArrayBuffer>; width: number; height: number }

/**
 * The words of a picture in reading order. `leanDegrees` is by how many degrees its lines lean clockwise, from -180 to
 * 180. Boxes are fractions of the picture turned back by these degrees about its centre, on the smallest sheet that
 * holds it: there the lines stand level.
 */
export type Recognised = { tokens: Token[]; leanDegrees: number }

/** What is recognised has at most so many pixels: A3 at 287 dpi. */
export const maxRecognisedPixels = 16_000_000

/** Reads the words in a picture, whose pixels it may take away. */
export type Recognise = (picture: Picture) => Promise<Recognised>

/**
 * Reserves about as many bytes as the file takes in its next step, before it: a thread in the middle of a long step
 * cannot be asked what it holds. Resolves once there is room beside other files, and gives back what was reserved
 * before.
 */
export type ReserveMemory = (bytes: number) => Promise<void>
