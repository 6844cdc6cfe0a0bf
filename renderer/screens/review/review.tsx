import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ComponentProps, CSSProperties, KeyboardEvent, ReactNode } from 'react'
import type { AppState, CallOutput } from '../../../shared/contract/contract.ts'
import type { DocumentDetail } from '../../../shared/contract/documents.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { extensionOf, shownKind } from '../../../shared/domain/limits.ts'
import type { FieldSource } from '../../../shared/domain/result.ts'
import { call } from '../../client/client.ts'
import { callKey, useCall } from '../../client/queries.ts'
import { navigate } from '../../client/route.ts'
import type { Route } from '../../client/route.ts'
import { Button } from '../../components/controls.tsx'
import { isPopupOpen } from '../../components/dialog.tsx'
import { EmptyState, useWindowTitle } from '../../components/page.tsx'
import { useWindowKeys } from '../../components/use-window-keys.ts'
import { documentName } from '../../messages/document-name.ts'
import { useLanguage } from '../../messages/language.tsx'
import { ChangeSchemaDialog } from '../documents/change-schema.tsx'
import { schemaIdOf } from '../documents/sortable.ts'
import { ExtraDocumentDialog } from '../documents/extra-document.tsx'
import { DraftDialog } from '../schemas/draft-dialog.tsx'
import { UnsavedSchemaGuard } from '../schemas/unsaved-schema-guard.tsx'
import { Divider, useDocumentShare } from './divider.tsx'
import { DocumentHead } from './document-head.tsx'
import type { DocumentDialogKind } from './document-head.tsx'
import { DocumentView } from './document-view.tsx'
import { LearnedOffers } from './learned-offers.tsx'
import { useNeighbours } from './neighbours.ts'
import type { Neighbour, Neighbours, Path } from './neighbours.ts'
import { sourcesByPointer } from './pointer.ts'
import { usePointing } from './use-pointing.ts'
import { useTablePick } from './use-table-pick.ts'
import type { Grids } from '../../grid/grid-context.ts'
import type { Active } from './pointer.ts'
import { commitTyped, useCommitBeforeLeaving } from './commit-typed.ts'
import { useFieldUndo } from './use-field-undo.ts'
import { useReview, withUnanswered } from './use-review.ts'
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
type FileState = CallOutput<'documents.file'>['file'] | undefined

/** One array, so that a document is not drawn again for another one. */
const noSources: FieldSource[] = []
/** A file that loads within this time needs no message. */
const slowFileMs = 800

/** One document beside its values; each value shows where it stands. */
export function DocumentScreen(props: Props): ReactNode {
  const { id, home } = props
  const { t, errorSentence } = useLanguage()
  const document = useCall('documents.get', { id })
  const file = useCall('documents.file', { id }).data?.file
  const [seen, setSeen] = useState<number | null>(null)
  if (file === 'there' && seen !== id) setSeen(id)
  // Also when core says again what it said: a value that it refused meanwhile is to leave the screen.
  const shown = useMemo(() => document.data && withUnanswered(document.data), [document.data, document.dataUpdatedAt])
  // What was shown stays on the screen when its share goes away.
  if (shown)
    return (
      <StoredDocument
        key={id}
        document={shown}
        file={file === 'unreachable' && seen === id ? 'there' : file}
        {...props}
      />
    )
  if (!document.isError) return <div className="screen" aria-busy="true" />
  const gone = document.error instanceof AppError && document.error.code === 'not_found'
  return (
    <div className="screen">
      <EmptyState
        icon="document"
        title={gone ? t('document.gone') : t('document.unreadable')}
        text={errorSentence(document.error)}
      >
        <Button onPress={() => navigate(home)}>{t('document.back')}</Button>
      </EmptyState>
    </div>
  )
}

function StoredDocument(props: Props & { document: DocumentDetail; file: FileState }): ReactNode {
  const { document, file, host, path, routeTo, home, isReview, onStep } = props
  const neighbours = useNeighbours(document.id, path)
  const { next } = neighbours
  useDocumentTitle(document)
  const screen = useRef<HTMLDivElement>(null)
  const { undoable: review, onUndoKey } = useFieldUndo(useReview(document), document, screen)
  useCommitBeforeLeaving(screen, host !== 'electron')
  usePrefetch(next?.id ?? null)
  const [active, setActive] = useState<Active>(null)
  const [dialog, setDialog] = useState<DocumentDialogKind | null>(null)
  const share = useDocumentShare()
  const { places, sources } = usePlaces(document, file)
  const grids = useMemo((): Grids => ({ schemaId: document.schemaId, all: new Map() }), [document.schemaId])
  const { pointing, onKeyDown } = usePointing({ document, review, active, sources, grids, screen })

  const { pick, begin } = useTablePick(document, review)

  const go = useCallback(
    (target: Neighbour | null) => {
      if (target === null || !commitTyped(screen.current)) return
      onStep?.(target.at)
      navigate(routeTo(target.id), true)
    },
    [onStep, routeTo],
  )
  useScreenKeys(go, home, neighbours)
  /** What was opened is gone from its list: the one behind it takes its place. */
  const goToReplacement = (): void => navigate(next === null ? home : routeTo(next.id), next !== null)
  // What is approved leaves the list of what is to be checked: the one behind it takes its place. After the last one
  // the list is asked for anew, since those before it may have been approved a moment ago.
  const goToNextToReview = (): void => navigate(next === null ? { screen: 'review', id: null } : routeTo(next.id), true)
  const onKeys = (event: KeyboardEvent): void => [onKeyDown, onUndoKey].forEach((onKey) => onKey(event))

  return (
    <div ref={screen} className="screen review" onKeyDown={onKeys}>
      <DocumentHead
        document={document}
        isHere={file === 'there'}
        host={host}
        home={home}
        neighbours={neighbours}
        onGo={go}
        onDialog={(kind) => commitTyped(screen.current) && setDialog(kind)}
        canLeave={() => commitTyped(screen.current)}
        onGone={goToReplacement}
      />
      {isReview && <LearnedOffers />}
      <div className="review__body" style={{ '--document-share': `${share.percent}%` } as CSSProperties}>
        <ShownFile
          {...{ document, file, active, pointing, pick }}
          sources={places ?? noSources}
          onActive={setActive}
          onPick={begin}
        />
        <Divider {...share} />
        {dialog && (
          <DocumentDialog
            dialog={dialog}
            document={document}
            onClose={() => setDialog(null)}
            onReplaced={(by) => (isReview ? goToNextToReview() : navigate(routeTo(by), true))}
          />
        )}
        <ValuesPanel
          document={document}
          review={review}
          screen={screen}
          grids={grids}
          sources={sources}
          active={active}
          onActive={setActive}
          startsAtFlag={isReview}
          onApproved={isReview ? goToNextToReview : () => go(next)}
        />
      </div>
    </div>
  )
}

type View = Omit<ComponentProps<typeof DocumentView>, 'documentId' | 'kind'>

/** The document itself, or why it is not there. */
function ShownFile({ document, file, ...view }: View & { document: DocumentDetail; file: FileState }): ReactNode {
  if (file !== 'there') return <NoDocument key={document.id} file={file} />
  return <DocumentView documentId={document.id} kind={shownKind(extensionOf(document.name))} {...view} />
}

/** Where values stand: as the service said it, else as they are found in the file. */
function usePlaces(document: DocumentDetail, file: FileState) {
  const isAsked = document.sources === null && file === 'there'
  const found = useCall('documents.sources', { id: document.id }, { enabled: isAsked })
  const places = document.sources ?? found.data?.sources ?? null
  const sources = useMemo(() => places && sourcesByPointer(places), [places])
  return { places, sources }
}

function useDocumentTitle(document: DocumentDetail): void {
  const { t } = useLanguage()
  useWindowTitle(documentName(document, t))
}

/** Alt and the arrows lead to the documents beside this one, Escape back to the list. */
function useScreenKeys(
  go: (target: Neighbour | null) => void,
  home: Route,
  { previous, next }: Pick<Neighbours, 'previous' | 'next'>,
): void {
  useWindowKeys((event) => {
    if (event.altKey && event.key === 'ArrowUp') go(previous)
    else if (event.altKey && event.key === 'ArrowDown') go(next)
    else if (event.key === 'Escape' && !event.defaultPrevented && !isPopupOpen()) navigate(home)
    else return
    event.preventDefault()
  })
}

function DocumentDialog({
  dialog,
  document,
  onClose,
  onReplaced,
}: {
  dialog: DocumentDialogKind
  document: DocumentDetail
  onClose: () => void
  onReplaced: (by: number) => void
}): ReactNode {
  const ids = useMemo(() => [document.id], [document.id])
  if (dialog === 'draft')
    return (
      <UnsavedSchemaGuard onClose={onClose}>
        <DraftDialog document={document} onClose={onClose} />
      </UnsavedSchemaGuard>
    )
  const common = { ids, schemaId: schemaIdOf(document), folderId: document.folderId, onClose }
  if (dialog === 'extract') return <ExtraDocumentDialog {...common} onDone={onClose} />
  return (
    <ChangeSchemaDialog
      {...common}
      onDone={({ replaced: [other] }) => {
        onClose()
        // This one is in the bin.
        if (other) onReplaced(other.by)
      }}
    />
  )
}

/** The next document is ready before it is asked for. */
function usePrefetch(id: number | null): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (id === null) return
    for (const name of ['documents.get', 'documents.file'] as const)
      void queries.prefetchQuery({ queryKey: callKey(name, { id }), queryFn: () => call(name, { id }) })
  }, [id, queries])
}

/** In the place of a document that is not there, or that its folder has not given out yet. */
function NoDocument({ file }: { file: Exclude<FileState, 'there'> }): ReactNode {
  const { t } = useLanguage()
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), slowFileMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="document" aria-busy={file === undefined}>
      {file === 'replaced' && (
        <EmptyState icon="document" title={t('document.replaced')} text={t('document.replacedHint')} />
      )}
      {file === 'missing' && (
        <EmptyState icon="document" title={t('document.missing')} text={t('document.missingHint')} />
      )}
      {file === 'unreachable' && (
        <EmptyState icon="document" title={t('document.unreachable')} text={t('document.unreachableHint')} />
      )}
      {file === undefined && late && (
        <EmptyState icon="document" title={t('document.slow')} text={t('document.slowHint')} />
      )}
    </div>
  )
}
