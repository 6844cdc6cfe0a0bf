// In: the lessons of a schema.
// Out: which of their forms a document has.
import type { LessonsTable } from '../db/tables/lessons.ts'
import { fits, idsOf } from './fingerprint.ts'
import type { Fingerprint } from './fingerprint.ts'
import type { Printed } from './printed.ts'

/** What one document taught of its form; `documentId`: null where the document is on another computer. */
export type KnownForm = { form: number; documentId: number | null; fingerprint: Fingerprint }

/** The forms of a schema. `shared`: what documents of several senders have, as the number of who receives them. */
export type SchemaForms = { known: KnownForm[]; shared: ReadonlySet<string> }

/** The forms that were learned; those of the schema that was asked for last are kept. */
export class Forms {
  readonly #lessons: LessonsTable
  #kept: (SchemaForms & { schemaId: number; changes: number }) | null = null

  constructor(lessons: LessonsTable) {
    this.#lessons = lessons
  }

  of(schemaId: number): SchemaForms {
    const { changes } = this.#lessons
    if (this.#kept?.schemaId === schemaId && this.#kept.changes === changes) return this.#kept
    const known = this.#lessons
      .fingerprints(schemaId)
      .map(({ fingerprint, ...row }) => ({ ...row, fingerprint: JSON.parse(fingerprint) as Fingerprint }))
    this.#kept = { known, shared: sharedIn(known), schemaId, changes }
    return this.#kept
  }
}

/** The form that a document fits best, other than by what it taught itself; null where it fits none. Pure. */
export function formOf(printed: Printed, { known, shared }: SchemaForms, documentId: number): number | null {
  const ids = idsOf(printed)
  let best: { form: number; share: number } | null = null
  for (const { form, documentId: taught, fingerprint } of known) {
    const share = taught === documentId ? 0 : fits(fingerprint, printed, ids, shared)
    if (share > (best?.share ?? 0)) best = { form, share }
  }
  return best?.form ?? null
}

/** A sender may have so many forms; an account on more of them is of who pays. */
const maxFormsOfSender = 2

/** What documents of more than one sender have. Forms with the same account are of one sender. */
function sharedIn(known: readonly KnownForm[]): Set<string> {
  const formsOf = (ids: (fingerprint: Fingerprint) => string[]): Map<string, Set<number>> => {
    const found = new Map<string, Set<number>>()
    for (const { form, fingerprint } of known)
      for (const id of ids(fingerprint)) found.set(id, (found.get(id) ?? new Set()).add(form))
    return found
  }
  const withAccount = formsOf(({ accounts }) => accounts)
  const senders = new Map<number, string>()
  for (const [account, forms] of withAccount)
    if (forms.size <= maxFormsOfSender) for (const form of forms) if (!senders.has(form)) senders.set(form, account)
  const withId = formsOf(({ ids, accounts }) => [...ids, ...accounts])
  const sendersWith = (forms: ReadonlySet<number>): number =>
    new Set([...forms].map((form) => senders.get(form) ?? String(form))).size
  return new Set([...withId].filter(([, forms]) => sendersWith(forms) > 1).map(([id]) => id))
}
