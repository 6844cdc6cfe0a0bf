import type { Token } from '../../shared/domain/document.ts'

/**
 * A picture to be read: a PNG file and its size in pixels. `layout` is `page` unless said otherwise;
 * `block` takes all of it as one block of lines, which finds columns that stand far from the rest.
 */
export type Picture = { png: Uint8Array; width: number; height: number; layout?: 'page' | 'block' }

/** Reads the words in a picture; boxes are fractions of that picture, in reading order. */
export type Recognise = (image: Picture) => Promise<Token[]>
