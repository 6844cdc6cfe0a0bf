import { acceptedExtensions, extensionOf } from '../../shared/domain/limits.ts'

/**
 * What was dropped, or chosen: documents, and how many other files lay in folders among it; null when there was no
 * folder.
 */
export type Dropped = { files: File[]; skipped: number | null }

/** Must be started while the event is handled: afterwards the browser has discarded what was dropped. */
export function droppedFiles(transfer: DataTransfer): Promise<Dropped> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  if (!entries.some((entry) => entry.isDirectory)) return Promise.resolve({ files: [...transfer.files], skipped: null })
  return filesIn(entries)
}

/**
 * Files that were dropped individually are all taken, so that a refused one gets its reason; from a folder only
 * documents are taken.
 */
async function filesIn(entries: FileSystemEntry[]): Promise<Dropped> {
  const files: File[] = []
  let skipped = 0
  const below: FileSystemEntry[] = []
  for (const entry of entries) {
    if (entry.isDirectory) below.push(...(await entriesOf(entry as FileSystemDirectoryEntry)))
    else files.push(await fileOf(entry as FileSystemFileEntry))
  }
  for (let entry = below.shift(); entry !== undefined; entry = below.shift()) {
    if (entry.isDirectory) below.push(...(await entriesOf(entry as FileSystemDirectoryEntry)))
    else if (entry.name.startsWith('.') || !acceptedExtensions.includes(extensionOf(entry.name))) skipped += 1
    else files.push(await fileOf(entry as FileSystemFileEntry))
  }
  return { files, skipped }
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))

/** A browser hands out a hundred at a time, and an empty list at the end. */
async function entriesOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    all.push(...some)
  }
}
