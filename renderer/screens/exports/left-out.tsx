import type { ReactNode } from 'react'
import type { UnbookableReason, Unbooked } from '../../../shared/domain/bookings.ts'
import { hrefOf } from '../../client/route.ts'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'

const reasons: Record<UnbookableReason, MessageId> = {
  type: 'bookings.otherType',
  date: 'bookings.noDate',
  amount: 'bookings.noAmount',
  currency: 'bookings.otherCurrency',
  rate: 'bookings.otherRate',
  account: 'bookings.otherAccount',
  credit: 'bookings.noCredit',
  seller: 'bookings.noSeller',
  number: 'bookings.noNumber',
}
const mostShown = 1000

type Props = { documents: readonly Unbooked[]; isAll: boolean; isOpen?: boolean }

/** Documents that are no bookings: they are booked by hand. `isAll`: there are no others. */
export function LeftOut({ documents, isAll, isOpen = false }: Props): ReactNode {
  const { t, formats } = useLanguage()
  if (documents.length === 0) return null
  const count = { count: documents.length, shown: formats.count(documents.length) }
  return (
    <details className="left-out" open={isOpen || undefined}>
      <summary>{t(isAll ? 'bookings.leftOut' : 'bookings.leftOutAtLeast', count)}</summary>
      <ul>
        {documents.slice(0, mostShown).map(({ id, name, reason }, at) => (
          <li key={at}>
            <bdi>{id === null ? name : <a href={hrefOf({ screen: 'document', id })}>{name}</a>}</bdi> –{' '}
            {t(reasons[reason])}
          </li>
        ))}
      </ul>
    </details>
  )
}
