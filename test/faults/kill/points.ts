import type { DocumentStatus } from '../../../shared/domain/document-status.ts'

export type Mode = 'sync' | 'async'

/** Where a program ends itself: the point, the document it is about, and which of its variants. */
export type Trap = { point: string; path: string; variant: number }

/**
 * What a start after the kill finds of the document, before anything runs; `absent`: no row yet, the next sweep makes
 * it.
 */
export type Found = DocumentStatus | 'absent'

export type Point = {
  id: string
  what: string
  /** Ways to hit the point that are told apart; the seed chooses one. */
  variants: number
  /** What the catalogue says of the document after the restart, in the mode in which it went. */
  found: (mode: Mode, variant: number) => Found[]
  /** Exists only for documents that go asynchronously: in mode `sync` that one does, and all others do not. */
  asynchronous?: true
  /** It begins once all documents have their result. */
  afterwards?: true
  largeBytes?: number
}

const unknown = (): Found[] => ['unknown']
const done = (): Found[] => ['done']
const receipt = (mode: Mode): Found[] => (mode === 'sync' ? ['done'] : ['waiting'])

/** The points of the fault catalogue, in its order. */
export const points: readonly Point[] = [
  { id: 'K1', what: 'event seen', variants: 1, found: () => ['absent'] },
  { id: 'K2', what: 'row inserted', variants: 2, found: (_mode, variant) => [variant === 0 ? 'absent' : 'queued'] },
  { id: 'K3', what: 'while hashing', variants: 1, found: () => ['absent'], largeBytes: 300_000 },
  { id: 'K4', what: 'queued', variants: 1, found: () => ['queued'] },
  { id: 'K5', what: 'token fetched', variants: 1, found: () => ['queued'] },
  { id: 'K6', what: 'attempt committed', variants: 1, found: unknown },
  { id: 'K7', what: 'part of the body sent', variants: 2, found: unknown, largeBytes: 1_600_000 },
  { id: 'K8', what: 'whole body sent', variants: 1, found: unknown },
  { id: 'K9', what: 'part of the answer', variants: 1, found: unknown },
  // Whole bytes in the journal are as good as in the database.
  {
    id: 'K10',
    what: 'answer not committed',
    variants: 2,
    found: (mode, variant) => (variant === 0 ? ['unknown'] : receipt(mode)),
  },
  { id: 'K11', what: 'accepted (async)', variants: 1, found: () => ['waiting'], asynchronous: true },
  // A callback can overtake the receipt, of which then nothing is known.
  { id: 'K12', what: 'callback not committed', variants: 1, found: () => ['waiting', 'unknown'], asynchronous: true },
  { id: 'K13', what: 'callback committed but not answered', variants: 2, found: done, asynchronous: true },
  { id: 'K14', what: 'answered but not parsed', variants: 1, found: receipt },
  { id: 'K15', what: 'while parsing', variants: 2, found: done },
  { id: 'K16', what: 'export’s temporary file', variants: 2, found: done, afterwards: true },
  { id: 'K17', what: 'renamed but not marked', variants: 1, found: done, afterwards: true },
  { id: 'K18', what: 'source file moved', variants: 3, found: done },
  { id: 'K19', what: 'checkpoint', variants: 1, found: done, afterwards: true },
  { id: 'K20', what: 'backup', variants: 2, found: done, afterwards: true },
  { id: 'K21', what: 'migration', variants: 4, found: done },
  { id: 'K22', what: 'mailbox acknowledgement', variants: 2, found: done, asynchronous: true },
  {
    id: 'K23',
    what: 'shared flush',
    variants: 2,
    found: (mode, variant) => (variant === 0 ? ['unknown'] : receipt(mode)),
  },
]
