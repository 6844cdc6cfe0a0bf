import * as z from 'zod'
import type { ReviewWork } from '../../../../shared/contract/review.ts'
import { reviewTotals } from '../../../../shared/contract/usage.ts'
import type { ReviewTotals } from '../../../../shared/contract/usage.ts'
import type { Database } from '../open.ts'
import { SettingValues } from '../setting-values.ts'

const byDay = z.record(z.string(), reviewTotals)

/** Three years, as far as the report of usage goes back. */
const keptDays = 1100

/** What it took people to check documents, summed up by day. */
export class ReviewWorkTable {
  readonly #values: SettingValues

  constructor(db: Database) {
    this.#values = new SettingValues(db)
  }

  /** Adds what one document took on a day (`YYYY-MM-DD`). */
  add(day: string, { ms, keys }: ReviewWork): void {
    const days = this.#days()
    const before = days[day] ?? { documents: 0, ms: 0, keys: 0 }
    days[day] = { documents: before.documents + 1, ms: before.ms + ms, keys: before.keys + keys }
    const kept = Object.keys(days).sort().slice(-keptDays)
    this.#values.write('reviewWork', Object.fromEntries(kept.map((each) => [each, days[each]])))
  }

  /** From one day to another, both included. */
  between(from: string, to: string): ReviewTotals {
    const total: ReviewTotals = { documents: 0, ms: 0, keys: 0 }
    for (const [day, { documents, ms, keys }] of Object.entries(this.#days())) {
      if (day < from || day > to) continue
      total.documents += documents
      total.ms += ms
      total.keys += keys
    }
    return total
  }

  #days(): Record<string, ReviewTotals> {
    return byDay.safeParse(this.#values.readOrNull('reviewWork')).data ?? {}
  }
}
