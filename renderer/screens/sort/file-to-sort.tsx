import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import type { SortedFile } from '../../../shared/contract/sorting.ts'
import { call } from '../../client/client.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { navigate } from '../../client/route.ts'
import { isPopupOpen } from '../../components/dialog.tsx'
import { notify } from '../../components/notices.tsx'
import { EmptyState, useWindowTitle } from '../../components/page.tsx'
import { useWindowKeys } from '../../components/use-window-keys.ts'
import { useLanguage } from '../../messages/language.tsx'
import { useChangeNotices } from '../documents/change-notices.ts'
import { answerOf, noDocument } from './parts.ts'
import { PageTiles } from './page-tiles.tsx'
import { SortBar } from './sort-bar.tsx'
import { useSorting } from './use-sorting.ts'
import type { Sorting } from './use-sorting.ts'
import { WholeFile } from './whole-file.tsx'

/** A file that is read within this time needs no message. */
const slowMs = 800

/** One file, once core has read what it holds. */
export function FileToSort({ id }: { id: number }): ReactNode {
  const { t, errorSentence } = useLanguage()
  // Its parts are documents of their own, whose changes nobody told of.
  const file = useCall('sorting.get', { id }, { refetchOnMount: 'always' })
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), slowMs)
    return () => clearTimeout(timer)
  }, [])
  // Another version may have other pages: what was said of the one before is not about them.
  if (file.data) return <SortOne key={file.data.pageCount} file={file.data} listedAs={id} />
  return (
    <div className="sort-file" aria-busy={!file.isError}>
      {file.isError ? (
        <EmptyState icon="document" title={t('sort.unreadable')} text={errorSentence(file.error)} />
      ) : (
        isLate && <EmptyState icon="document" title={t('sort.reading')} text={t('sort.readingHint')} />
      )}
    </div>
  )
}

/** `listedAs`: the document by which the file was opened, the file's own or one of a part. */
function SortOne({ file, listedAs }: { file: SortedFile; listedAs: number }): ReactNode {
  const { t, formats } = useLanguage()
  useWindowTitle(file.name)
  const sorting = useSorting(file)
  const { confirm, isPending } = useConfirm(file, sorting, listedAs)
  useSortKeys(file, sorting, confirm)
  const pageCount = t('sort.pageCount', { count: file.pageCount, shown: formats.count(file.pageCount) })
  const head = (
    <div className="sort-file__title">
      <h2 className="ellipsis" title={file.name}>
        <bdi>{file.name}</bdi>
      </h2>
      <span className="sort-file__sub ellipsis">
        <bdi>{file.folderName}</bdi> · {pageCount}
      </span>
    </div>
  )
  return (
    <section className="sort-file" aria-label={file.name}>
      {file.canCut ? (
        <PageTiles file={file} sorting={sorting} head={head} />
      ) : (
        <WholeFile file={file} sorting={sorting} head={head} />
      )}
      <SortBar file={file} parts={sorting.parts} isPending={isPending} onConfirm={confirm} />
    </section>
  )
}

/** Gives core what was said, and goes to the file that waits behind it. */
function useConfirm(
  file: SortedFile,
  { parts, settle }: Sorting,
  listedAs: number,
): { confirm: () => void; isPending: boolean } {
  const { t, errorSentence } = useLanguage()
  const apply = useAction('sorting.apply')
  const listed = useCall('sorting.list', {}).data?.documents ?? []
  const say = useChangeNotices()
  const answer = answerOf(parts)
  const onError = (error: unknown): void => notify('problem', errorSentence(error))
  function confirm(): void {
    if (answer === null || apply.isPending) return
    apply.mutate(
      { id: file.id, parts: answer },
      {
        onError,
        onSuccess(changed) {
          settle()
          say(changed, { label: t('sort.again'), run: () => navigate({ screen: 'sort', id: file.id }) })
          const behind = listed.slice(listed.findIndex(({ id }) => id === listedAs) + 1).map(({ id }) => id)
          goToNext(behind).catch(onError)
        },
      },
    )
  }
  return { confirm, isPending: apply.isPending }
}

/** The first of these that still waits, or else of all that wait; the screen says so where none does. */
async function goToNext(behind: readonly number[]): Promise<void> {
  const { documents } = await call('sorting.list', {})
  const waiting = documents.map(({ id }) => id)
  navigate({ screen: 'sort', id: behind.find((id) => waiting.includes(id)) ?? waiting[0] ?? null }, true)
}

/** The keys that act wherever the focus is: digits choose the schema of the part in hand, Escape leads to the list. */
function useSortKeys({ schemas }: SortedFile, { page, choose }: Sorting, confirm: () => void): void {
  // A list of schemas that has the focus would keep the key for itself.
  useWindowKeys((event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isPopupOpen()) return
    event.preventDefault()
    event.stopPropagation()
    confirm()
  }, true)
  useWindowKeys((event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea') !== null
    if (isPopupOpen() || isTyping || event.defaultPrevented) return
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    const chosen = isPlain && /^[1-9]$/.test(event.key) ? schemas[Number(event.key) - 1]?.id : undefined
    if (chosen !== undefined) choose(page, chosen)
    else if (isPlain && event.key === '0') choose(page, noDocument)
    else if (event.key === 'Escape') navigate({ screen: 'documents' })
    else return
    event.preventDefault()
  })
}
