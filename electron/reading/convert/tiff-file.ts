import { AppError } from '../../../shared/domain/errors.ts'
import { asDamaged } from '../damaged.ts'

/** Tags that are read (TIFF 6.0, part 1 and 2). */
export const tags = {
  subfile: 254,
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  orientation: 274,
  samples: 277,
  rowsPerStrip: 278,
  stripBytes: 279,
  xResolution: 282,
  yResolution: 283,
  planes: 284,
  faxOptions: 292,
  resolutionUnit: 296,
  predictor: 317,
  palette: 320,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileBytes: 325,
  extraSamples: 338,
  jpegTables: 347,
} as const
const known: ReadonlySet<number> = new Set(Object.values(tags))

/** The values of one picture by tag; a ratio is one number, bytes are numbers too. */
export type TiffDirectory = ReadonlyMap<number, readonly number[]>

const maxPages = 2000
/** Bytes of a value by its type: BYTE, ASCII, SHORT, LONG, RATIONAL, and UNDEFINED, which bytes are kept as. */
const sizes: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1 }

/**
 * What the pictures of a TIFF say of themselves, in their order. A list that leads in a circle, or more than 2,000, is
 * AppError `file_too_complex`; what points out of the file is `file_damaged`.
 */
export function directoriesOf(file: Buffer): TiffDirectory[] {
  const isLittle = isLittleEndian(file)
  const short = (at: number): number => (isLittle ? file.readUInt16LE(at) : file.readUInt16BE(at))
  const long = (at: number): number => (isLittle ? file.readUInt32LE(at) : file.readUInt32BE(at))
  const readers: Readonly<Record<number, (at: number) => number>> = {
    3: short,
    4: long,
    5: (at) => long(at) / long(at + 4),
  }
  const valuesAt = (at: number): [tag: number, values: number[]] | null => {
    const [tag, type, count] = [short(at), short(at + 2), long(at + 4)]
    const size = sizes[type]
    if (!known.has(tag) || size === undefined) return null
    const from = count * size > 4 ? long(at + 8) : at + 8
    if (from + count * size > file.length) throw new AppError('file_damaged')
    const read = readers[type] ?? ((place: number) => file[place]!)
    return [tag, Array.from({ length: count }, (_, index) => read(from + index * size))]
  }
  try {
    const directories: TiffDirectory[] = []
    for (let at = long(4); at !== 0; ) {
      if (directories.length === maxPages) throw new AppError('file_too_complex', { pages: maxPages + 1, maxPages })
      const entries = short(at)
      const found = Array.from({ length: entries }, (_, index) => valuesAt(at + 2 + index * 12))
      directories.push(new Map(found.filter((entry) => entry !== null)))
      at = long(at + 2 + entries * 12)
    }
    return directories
  } catch (error) {
    throw asDamaged(error)
  }
}

/** Whether its numbers begin with their lowest byte. */
export function isLittleEndian(file: Buffer): boolean {
  return file.toString('latin1', 0, 2) === 'II'
}

/** The first value of a tag. */
export function valueOf(directory: TiffDirectory, tag: number, fallback: number): number {
  return directory.get(tag)?.[0] ?? fallback
}
