import { bookFormats } from '../../../shared/contract/exports.ts'
import type { BookFormat } from '../../../shared/contract/exports.ts'
import { readStored, writeStored } from '../../client/local-storage.ts'

const storageKey = 'sheaf.book'

/** The program of bookkeeping that was chosen last in this browser. */
export function readBook(): BookFormat {
  const kept = readStored(storageKey)
  return bookFormats.find((each) => each === kept) ?? 'datev'
}

export function saveBook(format: BookFormat): void {
  writeStored(storageKey, format)
}
