import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { CSSProperties, ReactNode } from 'react'
import type { AppState, CallOutput } from '../../../shared/contract.ts'
import type { JobDetail } from '../../../shared/contract-jobs.ts'
import { AppError } from '../../../shared/errors.ts'
import { extensionOf } from '../../../shared/limits.ts'
import type { FieldSource } from '../../../shared/result.ts'
import { call } from '../../client/client.ts'
import { callKey, useAction, useCall } from '../../client/queries.ts'
import { hrefOf, navigate } from '../../client/route.ts'
import type { Route } from '../../client/route.ts'
import { Button, IconButton } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { EmptyState, useWindowTitle } from '../../components/page.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { RevealButton } from '../../components/reveal-button.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { useBin } from '../jobs/bin.ts'
import { ExtractWithDialog } from '../jobs/extract-with.tsx'
import { DraftDialog } from '../schemas/draft-dialog.tsx'
import { AfterUnfinished } from '../schemas/unfinished.tsx'
import { Divider, useDocumentShare } from './divider.tsx'
import { DocumentView } from './document-view.tsx'
import { KeysButton } from './keys.tsx'
import { useNeighbours } from './neighbours.ts'
import type { Neighbour, Path } from './neighbours.ts'
import { sourcesByPointer } from './pointer.ts'
import type { Active } from './pointer.ts'
import { storeTyped, useTypedFirst } from './typed.ts'
import { useCheck, withUnanswered } from './use-check.ts'
import { ValuesPanel } from './values-panel.tsx'

type Props = {
  id: number
  host: AppState['host']
  path: Path
  /** Where another document of the path is shown. */
  routeTo: (id: number) => Route
  /** Where the path begins. */
  home: Route
  /** A person came to check it. */
  isReview: boolean
  /** Tells that a person went on, so that they come back to the right place. */
  onStep?: (index: number) => void
}

/** Undefined as long as nobody knows. */
type FileState = CallOutput<'jobs.file'>['file'] | undefined

/** One array, so that a document is not drawn again for another one. */
const noSources: FieldSource[] = []
/** A file that is found within this time needs no words. */
const patienceMs = 800

/** One document beside its values; each value shows where it stands. */
export function JobScreen(props: Props): ReactNode {
  const { id, home } = props
  const { t, errorSentence } = useLanguage()
  const job = useCall('jobs.get', { id })
  const file = useCall('jobs.file', { id }).data?.file
  const [seen, setSeen] = useState<number | null>(null)
  if (file === 'there' && seen !== id) setSeen(id)
  // Also when core says again what it said: a value that it refused meanwhile is to leave the screen.
  const shown = useMemo(() => job.data && withUnanswered(job.data), [job.data, job.dataUpdatedAt])
  // What was shown stays on the screen when its share goes away.
  if (shown) return <Job key={id} job={shown} file={file === 'unreachable' && seen === id ? 'there' : file} {...props} />
  if (!job.isError) return <div className="screen" aria-busy="true" />
  const gone = job.error instanceof AppError && job.error.code === 'not_found'
  return (
    <div className="screen">
      <EmptyState icon="document" title={gone ? t('job.gone') : t('job.unreadable')} text={errorSentence(job.error)}>
        <Button onPress={() => navigate(home)}>{t('job.back')}</Button>
      </EmptyState>
    </div>
  )
}

function Job({ job, file, host, path, routeTo, home, isReview, onStep }: Props & { job: JobDetail; file: FileState }): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const { previous, next, index, total } = useNeighbours(job.id, path)
  useWindowTitle(job.name)
  const check = useCheck(job)
  const screen = useRef<HTMLDivElement>(null)
  useTypedFirst(screen, host !== 'electron')
  usePrefetch(next?.id ?? null)
  const reveal = useAction('jobs.reveal')
  const bin = useBin()
  const [active, setActive] = useState<Active>(null)
  const [drafting, setDrafting] = useState(false)
  const [extracting, setExtracting] = useState<number[] | null>(null)
  const share = useDocumentShare()
  const found = useCall('jobs.sources', { id: job.id }, { enabled: job.sources === null && file === 'there' })
  const places = job.sources ?? found.data?.sources ?? null
  const sources = useMemo(() => places && sourcesByPointer(places), [places])

  const go = useCallback(
    (target: Neighbour | null) => {
      if (target === null || !storeTyped(screen.current)) return
      onStep?.(target.at)
      navigate(routeTo(target.id), true)
    },
    [onStep, routeTo],
  )
  /** What was opened is gone from its list: the one behind it takes its place. */
  function moveToBin(): void {
    if (!storeTyped(screen.current)) return
    bin.move([job.id])
    if (job.status === 'submitting' || job.status === 'waiting') return
    navigate(next === null ? home : routeTo(next.id), next !== null)
  }
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.altKey && event.key === 'ArrowUp') go(previous)
      else if (event.altKey && event.key === 'ArrowDown') go(next)
      else if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('[role="dialog"], [role="alertdialog"], [role="listbox"]')) navigate(home)
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [go, home, next, previous])

  return (
    <div ref={screen} className="screen job">
      <header className="page-head job__head">
        <a className="icon-button job__back" href={hrefOf(home)} aria-label={t('job.back')} title={t('job.back')}>
          <Icon name="left" />
        </a>
        <div className="job__title">
          <h1 title={job.path}>
            <bdi>{job.name}</bdi>
          </h1>
          <span className="job__sub ellipsis">{[job.inBin ? t('bin.isIn') : null, job.folderName, job.schemaName, formats.size(job.sizeBytes)].filter((part) => part !== null).join(' · ')}</span>
        </div>
        <StateBadge job={job} />
        <div className="page-head__actions">
          {host === 'electron' && (
            <RevealButton quiet onPress={() => reveal.mutate({ id: job.id }, { onError: (error) => notify('problem', errorSentence(error)) })} />
          )}
          {file === 'there' && (
            <Button variant="quiet" icon="plus" onPress={() => setDrafting(true)}>
              {t('draft.fromJob')}
            </Button>
          )}
          {job.inBin && (
            <Button icon="undo" onPress={() => bin.restore([job.id])}>
              {t('bin.restore')}
            </Button>
          )}
          {index !== null && total !== null && <span className="hint tabular">{t('job.position', { index: formats.count(index + 1), total: formats.count(total) })}</span>}
          {file === 'there' && !job.inBin && <IconButton icon="schema" label={t('with.action')} onPress={() => setExtracting([job.id])} />}
          {!job.inBin && <IconButton icon="trash" label={t('bin.move')} onPress={moveToBin} />}
          <KeysButton />
          <IconButton icon="up" label={t('job.previous')} keys="Alt ↑" isDisabled={previous === null} onPress={() => go(previous)} />
          <IconButton icon="down" label={t('job.next')} keys="Alt ↓" isDisabled={next === null} onPress={() => go(next)} />
        </div>
      </header>
      <div className="job__body" style={{ '--document-share': `${share.percent}%` } as CSSProperties}>
        {file === 'there' ? (
          <DocumentView jobId={job.id} extension={extensionOf(job.name)} sources={places ?? noSources} active={active} onActive={setActive} />
        ) : (
          <NoDocument key={job.id} file={file} />
        )}
        <Divider {...share} />
        {extracting && <ExtractWithDialog ids={extracting} schemaId={job.schemaId} folderId={job.folderId} onClose={() => setExtracting(null)} onDone={() => setExtracting(null)} />}
        {drafting && (
          <AfterUnfinished onClose={() => setDrafting(false)}>
            <DraftDialog job={job} onClose={() => setDrafting(false)} />
          </AfterUnfinished>
        )}
        <ValuesPanel
          job={job}
          check={check}
          sources={sources}
          active={active}
          onActive={setActive}
          startsAtFlag={isReview}
          // What is approved leaves the list of what is to be checked: the one behind it takes its place. After the last one the
          // list is asked for anew, since those before it may have been approved a moment ago.
          onApproved={isReview ? () => navigate(next === null ? { screen: 'review', id: null } : routeTo(next.id), true) : () => go(next)}
        />
      </div>
    </div>
  )
}

/** The next document is ready before it is asked for. */
function usePrefetch(id: number | null): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (id === null) return
    for (const name of ['jobs.get', 'jobs.file'] as const) void queries.prefetchQuery({ queryKey: callKey(name, { id }), queryFn: () => call(name, { id }) })
  }, [id, queries])
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
      {file === 'replaced' && <EmptyState icon="document" title={t('document.replaced')} text={t('document.replacedHint')} />}
      {file === 'missing' && <EmptyState icon="document" title={t('document.missing')} text={t('document.missingHint')} />}
      {file === 'unreachable' && <EmptyState icon="document" title={t('document.unreachable')} text={t('document.unreachableHint')} />}
      {file === undefined && late && <EmptyState icon="document" title={t('document.slow')} text={t('document.slowHint')} />}
    </div>
  )
}
