import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { useCall } from '../../client/queries.ts'
import { navigate } from '../../client/route.ts'
import { usePickDocuments } from '../../components/add-documents.tsx'
import { Button } from '../../components/controls.tsx'
import { EmptyState } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { changeDocumentsView, filterOf, isNarrowed, tabCount } from './view.ts'
import type { DocumentsView } from './view.ts'

/** Why the list is empty, and the way out. */
export function NoDocuments({ view }: { view: DocumentsView }): ReactNode {
  const { t } = useLanguage()
  const pick = usePickDocuments()
  const folders = useCall('folders.list', {}).data?.folders ?? []
  const isArriving = useArriving(folders.some(({ arriving }) => arriving))
  if (isNarrowed(view)) return <NothingFound view={view} />
  if (view.tab !== 'all')
    return <EmptyState icon="check" title={t('documents.noneInTab')} text={t('documents.noneInTabHint')} />
  if (isArriving) return <EmptyState icon="clock" title={t('documents.arriving')} text={t('documents.arrivingHint')} />
  const first = folders[0]
  return (
    <EmptyState
      icon="document"
      title={t('documents.none')}
      text={first ? t('documents.noneHint', { folder: first.path }) : t('documents.noneHintNoFolder')}
    >
      <Button variant="primary" onPress={pick}>
        {t('documents.add')}
      </Button>
      <Button onPress={() => navigate({ screen: 'folders' })}>{t('documents.toFolders')}</Button>
    </EmptyState>
  )
}

/** What no document of the tab has, one of another tab may have. */
function NothingFound({ view }: { view: DocumentsView }): ReactNode {
  const { t, formats } = useLanguage()
  const isInOneTab = view.tab !== 'all'
  const everywhere = useCall('documents.counts', filterOf({ ...view, tab: 'all' }), { enabled: isInOneTab })
  if (isInOneTab && everywhere.isPending) return null
  const found = isInOneTab ? tabCount('all', everywhere.data?.counts ?? {}) : 0
  return found > 0 ? (
    <EmptyState
      icon="search"
      title={t('documents.noneFound')}
      text={t('documents.foundElsewhere', { count: found, shown: formats.count(found) })}
    >
      <Button onPress={() => changeDocumentsView({ tab: 'all' })}>{t('documents.everyState')}</Button>
    </EmptyState>
  ) : (
    <EmptyState icon="search" title={t('documents.noneFound')} text={t('documents.noneFoundHint')}>
      <Button
        onPress={() => changeDocumentsView({ search: '', folderId: null, schemaId: null, received: 'any', tab: 'all' })}
      >
        {t('documents.showAll')}
      </Button>
    </EmptyState>
  )
}

/** Files count as arriving until the list that has them is loaded: the event that they were taken in may come first. */
function useArriving(arriving: boolean): boolean {
  const isAsking = useQueryClient().isFetching({ queryKey: ['documents.list'] }) > 0
  const was = useRef(arriving)
  was.current = arriving || (was.current && isAsking)
  return was.current
}
