import type { Token } from '../../shared/document.ts'

/** A picture to be read: a PNG file and its size in pixels. */
export type Picture = { png: Uint8Array; width: number; height: number }

/** Reads the words in a picture; boxes are fractions of that picture, in reading order. */
export type Recognise = (image: Picture) => Promise<Token[]>
