import type { ReactNode } from 'react'
import type { UnbookableReason, Unbooked } from '../../../shared/domain/bookings.ts'
import { hrefOf } from '../../client/route.ts'
import { Button } from '../../components/controls.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'

const reasons: Record<UnbookableReason, MessageId> = {
  type: 'bookings.otherType',
  final: 'bookings.final',
  no_type: 'bookings.noType',
  date: 'bookings.noDate',
  amount: 'bookings.noAmount',
  currency: 'bookings.otherCurrency',
  no_currency: 'bookings.noCurrency',
  no_tax: 'bookings.noTax',
  sums: 'bookings.wrongSums',
  rate: 'bookings.otherRate',
  no_rate_field: 'bookings.noRateField',
  account: 'bookings.otherAccount',
  credit: 'bookings.noCredit',
  seller: 'bookings.noSeller',
  number: 'bookings.noNumber',
  twice: 'bookings.twice',
  booked: 'bookings.booked',
  booked_otherwise: 'bookings.bookedOtherwise',
}
const mostShown = 500

type Props = {
  documents: readonly Unbooked[]
  /** How many bills an earlier export has as they stand, of which only the first are named. */
  alreadyBooked: number
  /** There are no others. */
  isAll: boolean
  isOpen?: boolean
  /** Where those that an earlier export has can be written once more. */
  onBookAgain?: () => void
}

/** Documents that are no bookings, which are booked by hand, and those whose bookings an earlier export has. */
export function LeftOut({ documents, alreadyBooked, isAll, isOpen = false, onBookAgain }: Props): ReactNode {
  const { t } = useLanguage()
  const [unbookable, booked] = [false, true].map((isBooked) =>
    documents.filter(({ bookedAt }) => (bookedAt !== null) === isBooked),
  ) as [Unbooked[], Unbooked[]]
  const count = alreadyBooked + booked.filter(({ reason }) => reason === 'booked_otherwise').length
  const bound = isAll ? 'exact' : 'atLeast'
  return (
    <>
      <Group documents={unbookable} count={unbookable.length} summary={summaries.unbookable[bound]} isOpen={isOpen} />
      <Group documents={booked} count={count} summary={summaries.booked[bound]} isOpen={isOpen}>
        {onBookAgain && <Button onPress={onBookAgain}>{t('bookings.bookAgain')}</Button>}
      </Group>
    </>
  )
}

const summaries = {
  unbookable: { exact: 'bookings.leftOut', atLeast: 'bookings.leftOutAtLeast' },
  booked: { exact: 'bookings.bookedBefore', atLeast: 'bookings.bookedBeforeAtLeast' },
} as const

type GroupProps = {
  documents: readonly Unbooked[]
  /** Of those that are named and of others. */
  count: number
  summary: MessageId
  isOpen: boolean
  children?: ReactNode
}

function Group({ documents, count, summary, isOpen, children }: GroupProps): ReactNode {
  const { t, formats } = useLanguage()
  if (documents.length === 0) return null
  const byReason = Map.groupBy(documents, ({ reason }) => reason)
  const shown = [...byReason].map(([reason, some]) => [reason, some.slice(0, mostShown)] as const)
  const rest = count - shown.reduce((sum, [, some]) => sum + some.length, 0)
  return (
    <details className="left-out" open={isOpen || undefined}>
      <summary>{t(summary, { count, shown: formats.count(count) })}</summary>
      <div className="left-out__reasons">
        {shown.map(([reason, some]) => (
          <section key={reason}>
            <h3>{t(reasons[reason])}</h3>
            <ul>
              {some.map(({ id, name, bookedAt }, at) => (
                <li key={at}>
                  <bdi>{id === null ? name : <a href={hrefOf({ screen: 'document', id })}>{name}</a>}</bdi>
                  {bookedAt !== null && ` – ${formats.date(bookedAt)}`}
                </li>
              ))}
            </ul>
          </section>
        ))}
        {rest > 0 && <p className="hint">{t('bookings.more', { shown: formats.count(rest) })}</p>}
      </div>
      {children}
    </details>
  )
}
