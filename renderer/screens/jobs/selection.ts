import type { JobStatus } from '../../../shared/job.ts'

/** Selected jobs with the status they had when they were last seen, and the row that a range starts from. */
export type Selection = { statuses: ReadonlyMap<number, JobStatus>; anchor: number | null }

export type Selectable = { id: number; status: JobStatus }

export const nothingSelected: Selection = { statuses: new Map(), anchor: null }

/** Core takes at most this many ids in one call. */
export const mostSelected = 10_000

/** Only this row. Pure. */
export function selectOnly(row: Selectable, index: number): Selection {
  return { statuses: new Map([[row.id, row.status]]), anchor: index }
}

/** This row in or out, the others as they are. Pure. */
export function toggle(selection: Selection, row: Selectable, index: number): Selection {
  const statuses = new Map(selection.statuses)
  if (!statuses.delete(row.id) && statuses.size < mostSelected) statuses.set(row.id, row.status)
  return { statuses, anchor: index }
}

/** Exactly these rows, with the anchor where it was. Pure. */
export function selectRange(selection: Selection, rows: readonly Selectable[], anchor: number): Selection {
  return { statuses: new Map(rows.slice(0, mostSelected).map((row) => [row.id, row.status])), anchor: selection.anchor ?? anchor }
}

export type SelectionActions = { retry: number[]; resend: number[]; readAgain: number[]; cancel: number[]; exportable: number[] }

/** What can be done with a selection: the ids for each action. Pure. */
export function actionsFor(selection: Selection, seen: (id: number) => JobStatus | undefined): SelectionActions {
  const found: SelectionActions = { retry: [], resend: [], readAgain: [], cancel: [], exportable: [] }
  for (const [id, before] of selection.statuses) {
    const status = seen(id) ?? before
    if (status === 'failed' || status === 'skipped' || status === 'cancelled') found.retry.push(id)
    if (status === 'unknown') found.resend.push(id)
    if (status === 'failed' || status === 'done') found.readAgain.push(id)
    if (status === 'queued' || status === 'waiting') found.cancel.push(id)
    if (status === 'done') found.exportable.push(id)
  }
  return found
}
