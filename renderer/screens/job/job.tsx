import { useCallback, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import type { AppState, CallOutput, JobDetail } from '../../../shared/contract.ts'
import { AppError } from '../../../shared/errors.ts'
import { extensionOf } from '../../../shared/limits.ts'
import type { FieldSource } from '../../../shared/result.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { hrefOf, navigate } from '../../client/route.ts'
import { Button, IconButton } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { EmptyState, useWindowTitle } from '../../components/page.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { changeJobsView } from '../jobs/view.ts'
import { DraftDialog } from '../schemas/draft-dialog.tsx'
import { DocumentView } from './document-view.tsx'
import { useNeighbours } from './neighbours.ts'
import { sourcesByPointer } from './pointer.ts'
import type { Active } from './pointer.ts'
import { ValuesPanel } from './values-panel.tsx'

type Props = { id: number; host: AppState['host'] }

/** Undefined as long as nobody knows. */
type FileState = CallOutput<'jobs.file'>['file'] | undefined

/** One array, so that a document is not drawn again for another one. */
const noSources: FieldSource[] = []
/** A file that is found within this time needs no words. */
const patienceMs = 800

/** One document beside its values; each value shows where it stands. */
export function JobScreen({ id, host }: Props): ReactNode {
  const { t, errorSentence } = useLanguage()
  const job = useCall('jobs.get', { id })
  const file = useCall('jobs.file', { id }).data?.file
  const [seen, setSeen] = useState<number | null>(null)
  if (file === 'there' && seen !== id) setSeen(id)
  // What was shown stays on the screen when its share goes away.
  if (job.data) return <Job job={job.data} file={file === 'unreachable' && seen === id ? 'there' : file} host={host} />
  if (!job.isError) return <div className="screen" aria-busy="true" />
  const gone = job.error instanceof AppError && job.error.code === 'not_found'
  return (
    <div className="screen">
      <EmptyState icon="document" title={gone ? t('job.gone') : t('job.unreadable')} text={errorSentence(job.error)}>
        <Button onPress={() => navigate({ screen: 'jobs' })}>{t('job.back')}</Button>
      </EmptyState>
    </div>
  )
}

function Job({ job, file, host }: { job: JobDetail; file: FileState; host: AppState['host'] }): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const { previous, next, index, total } = useNeighbours(job.id)
  useWindowTitle(job.name)
  const reveal = useAction('jobs.reveal')
  const [active, setActive] = useState<Active>(null)
  const [drafting, setDrafting] = useState(false)
  const found = useCall('jobs.sources', { id: job.id }, { enabled: job.sources === null && file === 'there' })
  const places = job.sources ?? found.data?.sources ?? null
  const sources = useMemo(() => places && sourcesByPointer(places), [places])

  const go = useCallback(
    (target: number | null, step: -1 | 1) => {
      if (target === null) return
      if (index !== null) changeJobsView({ active: index + step })
      navigate({ screen: 'job', id: target }, true)
    },
    [index],
  )
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.altKey && event.key === 'ArrowUp') go(previous, -1)
      else if (event.altKey && event.key === 'ArrowDown') go(next, 1)
      else if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('[role="dialog"], [role="alertdialog"], [role="listbox"]')) navigate({ screen: 'jobs' })
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [go, next, previous])

  return (
    <div className="screen job">
      <header className="page-head job__head">
        <a className="icon-button job__back" href={hrefOf({ screen: 'jobs' })} aria-label={t('job.back')} title={t('job.back')}>
          <Icon name="left" />
        </a>
        <div className="job__title">
          <h1 title={job.path}>
            <bdi>{job.name}</bdi>
          </h1>
          <span className="job__sub ellipsis">{[job.folderName, job.schemaName, formats.size(job.sizeBytes)].filter((part) => part !== null).join(' · ')}</span>
        </div>
        <StateBadge job={job} />
        <div className="page-head__actions">
          {host === 'electron' && (
            <Button variant="quiet" icon="external" onPress={() => reveal.mutate({ id: job.id }, { onError: (error) => notify('problem', errorSentence(error)) })}>
              {t('job.reveal')}
            </Button>
          )}
          {file === 'there' && (
            <Button variant="quiet" icon="schema" onPress={() => setDrafting(true)}>
              {t('draft.fromJob')}
            </Button>
          )}
          {index !== null && total !== null && <span className="hint tabular">{t('job.position', { index: formats.count(index + 1), total: formats.count(total) })}</span>}
          <IconButton icon="up" label={t('job.previous')} keys="Alt ↑" isDisabled={previous === null} onPress={() => go(previous, -1)} />
          <IconButton icon="down" label={t('job.next')} keys="Alt ↓" isDisabled={next === null} onPress={() => go(next, 1)} />
        </div>
      </header>
      <div className="job__body">
        {file === 'there' ? (
          <DocumentView jobId={job.id} extension={extensionOf(job.name)} sources={places ?? noSources} active={active} onActive={setActive} />
        ) : (
          <NoDocument key={job.id} file={file} />
        )}
        {drafting && <DraftDialog job={job} onClose={() => setDrafting(false)} />}
        <ValuesPanel job={job} sources={sources} active={active} onActive={setActive} />
      </div>
    </div>
  )
}

/** In the place of a document that is not there, or that its folder has not given out yet. */
function NoDocument({ file }: { file: Exclude<FileState, 'there'> }): ReactNode {
  const { t } = useLanguage()
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="document" aria-busy={file === undefined}>
      {file === 'missing' && <EmptyState icon="document" title={t('document.missing')} text={t('document.missingHint')} />}
      {file === 'unreachable' && <EmptyState icon="document" title={t('document.unreachable')} text={t('document.unreachableHint')} />}
      {file === undefined && late && <EmptyState icon="document" title={t('document.slow')} text={t('document.slowHint')} />}
    </div>
  )
}
