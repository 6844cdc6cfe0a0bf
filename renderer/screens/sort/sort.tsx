import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { useCall } from '../../client/queries.ts'
import { hrefOf, navigate } from '../../client/route.ts'
import { EmptyState, PageHead } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { FileToSort } from './file-to-sort.tsx'
import { SortKeys } from './sort-keys.tsx'
import { WaitingFiles } from './waiting-files.tsx'

/** The files of which a person says which documents they hold and by which schema each is read, one after the other. */
export function SortScreen({ id }: { id: number | null }): ReactNode {
  return id === null ? <FirstToSort /> : <OneToSort id={id} />
}

/** Goes to the first file that waits, once it is known. */
function FirstToSort(): ReactNode {
  const { t } = useLanguage()
  const waiting = useCall('sorting.list', {}, { refetchOnMount: 'always' })
  const first = waiting.isFetchedAfterMount ? waiting.data?.documents[0] : undefined
  useEffect(() => {
    if (first !== undefined) navigate({ screen: 'sort', id: first.id }, true)
  }, [first])
  if (!waiting.isFetchedAfterMount || first !== undefined) return <div className="screen" aria-busy="true" />
  return (
    <div className="screen">
      <PageHead title={t('sort.title')} />
      <EmptyState icon="sort" title={t('sort.none')} text={t('sort.noneText')}>
        <a className="button button--plain" href={hrefOf({ screen: 'documents' })}>
          {t('sort.toDocuments')}
        </a>
      </EmptyState>
    </div>
  )
}

function OneToSort({ id }: { id: number }): ReactNode {
  const { t } = useLanguage()
  const waiting = useCall('sorting.list', {}).data
  return (
    <div className="screen">
      <PageHead title={t('sort.title')}>
        <SortKeys />
      </PageHead>
      <div className="sort">
        {waiting !== undefined && waiting.documents.length > 0 && <WaitingFiles {...waiting} current={id} />}
        <FileToSort key={id} id={id} />
      </div>
    </div>
  )
}
