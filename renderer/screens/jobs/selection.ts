import type { JobRow } from '../../../shared/contract-jobs.ts'

export type Selectable = Pick<JobRow, 'id' | 'status' | 'mayBeBilled' | 'reason' | 'review'>

/** Selected jobs as they were when they were last seen, and the row that a range starts from. */
export type Selection = { jobs: ReadonlyMap<number, Selectable>; anchor: number | null }

export const nothingSelected: Selection = { jobs: new Map(), anchor: null }

/** Core takes at most this many ids in one call. */
export const mostSelected = 10_000

/** Only this row. Pure. */
export function selectOnly(row: Selectable, index: number): Selection {
  return { jobs: new Map([entryOf(row)]), anchor: index }
}

/** This row in or out, the others as they are. Pure. */
export function toggle(selection: Selection, row: Selectable, index: number): Selection {
  const jobs = new Map(selection.jobs)
  if (!jobs.delete(row.id) && jobs.size < mostSelected) jobs.set(...entryOf(row))
  return { jobs, anchor: index }
}

/** Exactly these rows, with the anchor where it was. Pure. */
export function selectRange(selection: Selection, rows: readonly Selectable[], anchor: number): Selection {
  return { jobs: new Map(rows.slice(0, mostSelected).map(entryOf)), anchor: selection.anchor ?? anchor }
}

/** Of a row only what is needed: ten thousand of them are kept. */
function entryOf({ id, status, mayBeBilled, reason, review }: Selectable): [number, Selectable] {
  return [id, { id, status, mayBeBilled, reason, review }]
}

export type SelectionActions = { retry: number[]; resend: number[]; readAgain: number[]; cancel: number[]; approve: number[]; exportable: number[] }

/** What can be done with a selection: the ids for each action. Pure. */
export function actionsFor(selection: Selection, seen: (id: number) => Selectable | undefined): SelectionActions {
  const found: SelectionActions = { retry: [], resend: [], readAgain: [], cancel: [], approve: [], exportable: [] }
  for (const [id, before] of selection.jobs) {
    const { status, mayBeBilled, reason, review } = seen(id) ?? before
    const isEnded = status === 'failed' || status === 'skipped' || status === 'cancelled'
    // Of content whose outcome is unknown only the original can go again, after the question whether it may be billed twice.
    if (isEnded && !mayBeBilled && reason?.code !== 'duplicate_unknown') found.retry.push(id)
    if (status === 'unknown' || (isEnded && mayBeBilled)) found.resend.push(id)
    if (status === 'failed' || status === 'done') found.readAgain.push(id)
    if (status === 'queued' || status === 'waiting') found.cancel.push(id)
    if (review === 'ready' || review === 'flagged') found.approve.push(id)
    if (status === 'done') found.exportable.push(id)
  }
  return found
}
