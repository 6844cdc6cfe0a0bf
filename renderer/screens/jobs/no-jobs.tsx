import type { ReactNode } from 'react'
import { useCall } from '../../client/queries.ts'
import { navigate } from '../../client/route.ts'
import { usePickDocuments } from '../../components/add-documents.tsx'
import { Button } from '../../components/controls.tsx'
import { EmptyState } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { changeJobsView, isNarrowed } from './view.ts'
import type { JobsView } from './view.ts'

/** Why the list is empty, and the way out. */
export function NoJobs({ view }: { view: JobsView }): ReactNode {
  const { t } = useLanguage()
  const pick = usePickDocuments()
  const folders = useCall('folders.list', {}).data?.folders ?? []
  if (isNarrowed(view)) {
    return (
      <EmptyState icon="search" title={t('jobs.noneFound')} text={t('jobs.noneFoundHint')}>
        <Button onPress={() => changeJobsView({ search: '', folderId: null, schemaId: null, received: 'any', tab: 'all' })}>{t('jobs.showAll')}</Button>
      </EmptyState>
    )
  }
  if (view.tab !== 'all') return <EmptyState icon="check" title={t('jobs.noneInTab')} text={t('jobs.noneInTabHint')} />
  const first = folders[0]
  return (
    <EmptyState icon="document" title={t('jobs.none')} text={first ? t('jobs.noneHint', { folder: first.path }) : t('jobs.noneHintNoFolder')}>
      <Button variant="primary" onPress={pick}>
        {t('jobs.add')}
      </Button>
      <Button onPress={() => navigate({ screen: 'folders' })}>{t('jobs.toFolders')}</Button>
    </EmptyState>
  )
}
