import type { DocumentRow } from '../../../shared/contract/documents.ts'
import { isSorted } from './sortable.ts'

export type Selectable = Pick<DocumentRow, 'id' | 'status' | 'mayBeBilled' | 'reason' | 'review'>

/** Selected documents as they were when they were last seen, and the row that a range starts from. */
export type Selection = { documents: ReadonlyMap<number, Selectable>; anchor: number | null }

export const nothingSelected: Selection = { documents: new Map(), anchor: null }

/** Core takes at most this many ids in one call. */
export const maxSelected = 10_000

/** Only this row. Pure. */
export function selectOnly(row: Selectable, index: number): Selection {
  return { documents: new Map([entryOf(row)]), anchor: index }
}

/** This row in or out, the others as they are. Pure. */
export function toggle(selection: Selection, row: Selectable, index: number): Selection {
  const documents = new Map(selection.documents)
  if (!documents.delete(row.id) && documents.size < maxSelected) documents.set(...entryOf(row))
  return { documents, anchor: index }
}

/** Exactly these rows, with the anchor where it was. Pure. */
export function selectRange(selection: Selection, rows: readonly Selectable[], anchor: number): Selection {
  return { documents: new Map(rows.slice(0, maxSelected).map(entryOf)), anchor: selection.anchor ?? anchor }
}

/** The parts of a row that are needed: ten thousand of them are kept. */
function entryOf({ id, status, mayBeBilled, reason, review }: Selectable): [number, Selectable] {
  return [id, { id, status, mayBeBilled, reason, review }]
}

type SelectionAction = 'retry' | 'resend' | 'readAgain' | 'cancel' | 'approve' | 'export'

const hasEnded = ({ status }: Selectable): boolean =>
  status === 'failed' || status === 'skipped' || status === 'cancelled'

const isAllowed: Record<SelectionAction, (document: Selectable) => boolean> = {
  // Of content whose outcome is unknown only the original can go again, after the question whether it may be billed
  // twice. What is sorted is sent by what a person says of it.
  retry: (document) =>
    hasEnded(document) && !document.mayBeBilled && document.reason?.code !== 'duplicate_unknown' && !isSorted(document),
  resend: (document) => document.status === 'unknown' || (hasEnded(document) && document.mayBeBilled),
  readAgain: ({ status }) => status === 'failed' || status === 'done',
  cancel: ({ status }) => status === 'queued' || status === 'waiting',
  approve: ({ review }) => review === 'ready' || review === 'flagged',
  export: ({ status }) => status === 'done',
}

/**
 * What can be done with a selection: the ids for each action, and how many of those to approve have open flags. `seen`:
 * a document as it is now. Pure.
 */
export function actionsFor(
  selection: Selection,
  seen: (id: number) => Selectable | undefined,
): Record<SelectionAction, number[]> & { flagged: number } {
  const documents = [...selection.documents.values()].map((before) => seen(before.id) ?? before)
  const idsFor = (action: SelectionAction): number[] => documents.filter(isAllowed[action]).map(({ id }) => id)
  return {
    retry: idsFor('retry'),
    resend: idsFor('resend'),
    readAgain: idsFor('readAgain'),
    cancel: idsFor('cancel'),
    approve: idsFor('approve'),
    export: idsFor('export'),
    flagged: documents.filter(({ review }) => review === 'flagged').length,
  }
}
