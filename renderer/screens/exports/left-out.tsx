import type { ReactNode } from 'react'
import type { UnbookableReason, Unbooked } from '../../../shared/domain/datev.ts'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'

const reasons: Record<UnbookableReason, MessageId> = {
  type: 'datev.otherType',
  date: 'datev.noDate',
  amount: 'datev.noAmount',
  currency: 'datev.otherCurrency',
  rate: 'datev.otherRate',
  account: 'datev.otherAccount',
}
const mostShown = 1000

/** Documents that are no bookings: they are booked by hand. `isAll`: there are no others. */
export function LeftOut({ documents, isAll }: { documents: readonly Unbooked[]; isAll: boolean }): ReactNode {
  const { t, formats } = useLanguage()
  if (documents.length === 0) return null
  const count = { count: documents.length, shown: formats.count(documents.length) }
  return (
    <details className="left-out">
      <summary>{t(isAll ? 'datev.leftOut' : 'datev.leftOutAtLeast', count)}</summary>
      <ul>
        {documents.slice(0, mostShown).map(({ name, reason }, at) => (
          <li key={at}>
            <bdi>{name}</bdi> – {t(reasons[reason])}
          </li>
        ))}
      </ul>
    </details>
  )
}
