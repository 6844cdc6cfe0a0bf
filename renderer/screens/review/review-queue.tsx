import { useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import type { AppState, CallInput } from '../../../shared/contract/contract.ts'
import { useCall } from '../../client/queries.ts'
import { navigate } from '../../client/route.ts'
import { useApprove } from '../../components/approve.ts'
import { Button } from '../../components/controls.tsx'
import { EmptyState, PageHead } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { LearnedOffers } from './learned-offers.tsx'
import { DocumentScreen } from './review.tsx'

/** What needs a look, in the order in which it came. */
const toCheck = {
  search: '',
  statuses: [],
  reviews: ['flagged'],
  folderId: null,
  schemaId: null,
  sort: 'receivedAt',
  descending: false,
} satisfies CallInput<'documents.list'>
const home = { screen: 'documents' } as const
const routeTo = (id: number) => ({ screen: 'review', id }) as const

/** The documents that need a look, one after the other. */
export function ReviewScreen({
  id,
  host,
  ready,
}: {
  id: number | null
  host: AppState['host']
  ready: number
}): ReactNode {
  const [at, setAt] = useState(0)
  const path = useMemo(() => ({ list: toCheck, at }), [at])
  if (id === null) return <FirstToCheck ready={ready} />
  return (
    <DocumentScreen key={id} id={id} host={host} path={path} routeTo={routeTo} home={home} isReview onStep={setAt} />
  )
}

/**
 * Goes to the first document once it is known. That one then stays until a person goes on, also when nothing in it
 * needs a look any more.
 */
function FirstToCheck({ ready }: { ready: number }): ReactNode {
  const first = useCall('documents.list', { ...toCheck, offset: 0, limit: 1 }, { refetchOnMount: 'always' })
  const id = first.isFetchedAfterMount ? (first.data?.rows[0]?.id ?? null) : null
  useEffect(() => {
    if (id !== null) navigate(routeTo(id), true)
  }, [id])
  return first.isFetchedAfterMount && id === null ? (
    <NothingToCheck ready={ready} />
  ) : (
    <div className="screen" aria-busy="true" />
  )
}

function NothingToCheck({ ready }: { ready: number }): ReactNode {
  const { t } = useLanguage()
  return (
    <div className="screen">
      <PageHead title={t('nav.review')}>
        <ApproveReady ready={ready} />
      </PageHead>
      <LearnedOffers />
      <EmptyState icon="check" title={t('check.none')} text={t('check.noneText')} />
    </div>
  )
}

function ApproveReady({ ready }: { ready: number }): ReactNode {
  const { t, formats } = useLanguage()
  const approve = useApprove()
  if (ready === 0) return null
  return (
    <Button isPending={approve.isPending} onPress={approve.ready}>
      {t('check.approveReady', { count: formats.count(ready) })}
    </Button>
  )
}
