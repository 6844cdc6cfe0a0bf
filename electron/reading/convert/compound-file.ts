import { AppError } from '../../../shared/domain/errors.ts'
import { asDamaged } from '../damaged.ts'

/** A folder of a compound file: streams by name, and folders by name. */
export type Storage = { streams: ReadonlyMap<string, Stream>; storages: ReadonlyMap<string, Storage> }
type Stream = () => Buffer

/** Sector numbers above it are no sectors: free, end of a chain, or the allocation table itself. */
const lastSector = 0xfffffffa
const entryBytes = 128
const [storageType, streamType, rootType] = [1, 2, 5]
const maxDepth = 12

/**
 * What lies in a compound file ([MS-CFB]), Office's file system within a file. Throws AppError `file_damaged` for what
 * is none, or leads in circles.
 */
export function openCompoundFile(file: Buffer): Storage {
  try {
    return new CompoundFile(file).root
  } catch (error) {
    throw asDamaged(error)
  }
}

type Entry = { name: string; type: number; left: number; right: number; child: number; start: number; size: number }

class CompoundFile {
  readonly root: Storage
  readonly #file: Buffer
  readonly #sectorBytes: number
  readonly #miniBytes: number
  readonly #cutoff: number
  readonly #table: number[]
  readonly #miniTable: number[]
  readonly #entries: Entry[]
  readonly #miniStream: Buffer

  constructor(file: Buffer) {
    if (file.readUInt32BE(0) !== 0xd0cf11e0) throw new AppError('file_damaged')
    this.#file = file
    this.#sectorBytes = 2 ** file.readUInt16LE(30)
    this.#miniBytes = 2 ** file.readUInt16LE(32)
    if (![512, 4096].includes(this.#sectorBytes) || this.#miniBytes !== 64) throw new AppError('file_damaged')
    this.#cutoff = file.readUInt32LE(56)
    this.#table = this.#tableSectors().flatMap((sector) => numbersIn(this.#sector(sector)))
    this.#miniTable = numbersIn(this.#read(file.readUInt32LE(60)))
    const directory = this.#read(file.readUInt32LE(48))
    this.#entries = Array.from({ length: Math.floor(directory.length / entryBytes) }, (_, index) =>
      entryAt(directory.subarray(index * entryBytes)),
    )
    const root = this.#entries[0]
    if (root?.type !== rootType) throw new AppError('file_damaged')
    this.#miniStream = root.start <= lastSector ? this.#read(root.start) : Buffer.alloc(0)
    this.root = this.#storage(root.child, new Set(), 0)
  }

  #sector(number: number): Buffer {
    const from = (number + 1) * this.#sectorBytes
    if (from >= this.#file.length) throw new AppError('file_damaged')
    return this.#file.subarray(from, from + this.#sectorBytes)
  }

  /** The sectors of the allocation table: 109 stand in the header, further ones in a chain of their own. */
  #tableSectors(): number[] {
    const found = numbersIn(this.#file.subarray(76, 512))
    let [next, left] = [this.#file.readUInt32LE(68), Math.ceil(this.#file.length / this.#sectorBytes)]
    for (; next <= lastSector; left--) {
      if (left === 0) throw new AppError('file_damaged')
      const numbers = numbersIn(this.#sector(next))
      next = numbers.pop()!
      found.push(...numbers)
    }
    return found.filter((sector) => sector <= lastSector)
  }

  #chain(start: number, table: readonly number[]): number[] {
    const chain: number[] = []
    for (let next = start; next <= lastSector; next = table[next]!) {
      // A chain that is longer than its table leads in a circle.
      if (next >= table.length || chain.length > table.length) throw new AppError('file_damaged')
      chain.push(next)
    }
    return chain
  }

  #read(start: number): Buffer {
    return Buffer.concat(this.#chain(start, this.#table).map((sector) => this.#sector(sector)))
  }

  #content({ start, size }: Entry): Buffer {
    const content =
      size < this.#cutoff
        ? Buffer.concat(
            this.#chain(start, this.#miniTable).map((sector) =>
              this.#miniStream.subarray(sector * this.#miniBytes, (sector + 1) * this.#miniBytes),
            ),
          )
        : this.#read(start)
    if (content.length < size) throw new AppError('file_damaged')
    return content.subarray(0, size)
  }

  /** The entries of a folder are a tree, which a damaged file ties into a knot. */
  #storage(child: number, seen: Set<number>, depth: number): Storage {
    const streams = new Map<string, Stream>()
    const storages = new Map<string, Storage>()
    const open = [child]
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      const entry = this.#entries[index]
      if (entry === undefined || seen.has(index)) continue
      seen.add(index)
      open.push(entry.left, entry.right)
      if (entry.type === streamType) streams.set(entry.name, () => this.#content(entry))
      if (entry.type === storageType && depth < maxDepth)
        storages.set(entry.name, this.#storage(entry.child, seen, depth + 1))
    }
    return { streams, storages }
  }
}

function entryAt(bytes: Buffer): Entry {
  const nameBytes = Math.min(64, Math.max(2, bytes.readUInt16LE(64)))
  return {
    name: bytes.toString('utf16le', 0, nameBytes - 2),
    type: bytes[66]!,
    left: bytes.readUInt32LE(68),
    right: bytes.readUInt32LE(72),
    child: bytes.readUInt32LE(76),
    start: bytes.readUInt32LE(116),
    size: bytes.readUInt32LE(120),
  }
}

function numbersIn(bytes: Buffer): number[] {
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readUInt32LE(index * 4))
}
