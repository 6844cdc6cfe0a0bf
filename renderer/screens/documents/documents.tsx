import { createContext, memo, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Button as AriaButton, Input, SearchField, Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { useCall } from '../../client/queries.ts'
import { usePickDocuments } from '../../components/add-documents.tsx'
import { Button, Select } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { useKeyNames } from '../../components/key-names.ts'
import { PageHead } from '../../components/page.tsx'
import { useWindowKeys } from '../../components/use-window-keys.ts'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import { useBin } from './bin.ts'
import type { Bin } from './bin.ts'
import { useColumns } from './column-choice.ts'
import type { Columns } from './column-choice.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { DocumentActions } from './document-actions.tsx'
import { DocumentsGrid } from './documents-grid.tsx'
import { LostDocuments } from './lost-documents.tsx'
import { NoDocuments } from './no-documents.tsx'
import { useDocumentPages } from './pages.ts'
import type { DocumentPages } from './pages.ts'
import { nothingSelected } from './selection.ts'
import type { Selection } from './selection.ts'
import { SortLine } from './sort-line.tsx'
import { changeDocumentsView, filterOf, receivedSpans, tabCount, tabs, useDocumentsView } from './view.ts'
import type { ReceivedSpan, TabKey } from './view.ts'

const tabWords: Record<TabKey, MessageId> = {
  all: 'tab.all',
  waiting: 'tab.waiting',
  flagged: 'tab.flagged',
  ready: 'tab.ready',
  approved: 'tab.approved',
  failed: 'tab.failed',
  unknown: 'tab.unknown',
  skipped: 'tab.skipped',
  cancelled: 'tab.cancelled',
  bin: 'tab.bin',
}

const receivedWords: Record<ReceivedSpan, MessageId> = {
  any: 'received.any',
  today: 'received.today',
  yesterday: 'received.yesterday',
  week: 'received.week',
  month: 'received.month',
}

type Listed = {
  pages: DocumentPages
  columns: Columns
  bin: Bin
  selection: Selection
  onSelect: (selection: Selection) => void
  onRange: (range: { first: number; last: number }) => void
}
/** State that changes with every screen of rows bypasses head and tabs, which need not render again. */
const ListedContext = createContext<Listed | null>(null)
type Counted = { counts: Parameters<typeof tabCount>[1]; more: boolean }
const notCounted: Counted = { counts: {}, more: false }

/** All documents with their states; from here they are opened, sent again and exported. */
export function DocumentsScreen(): ReactNode {
  const view = useDocumentsView()
  const [range, onRange] = useState({ first: view.active, last: view.active })
  const pages = useDocumentPages(view, range.first, range.last)
  // After the rows, which are what a person waits for.
  const counted =
    useCall('documents.counts', filterOf({ ...view, tab: 'all' }), { keepPrevious: true, enabled: pages.isAnswered })
      .data ?? notCounted
  const [selection, onSelect] = useState<Selection>(nothingSelected)
  const filter = JSON.stringify(filterOf(view))
  useEffect(() => onSelect(nothingSelected), [filter])
  const columns = useColumns()
  // Here, since what it says comes after the answer, when another tab may be open.
  const bin = useBin()
  return (
    <ListedContext value={{ pages, columns, bin, selection, onSelect, onRange }}>
      <Frame tab={view.tab} counted={counted} />
    </ListedContext>
  )
}

const Frame = memo(function Frame({
  tab: shown,
  counted: { counts, more },
}: {
  tab: TabKey
  counted: Counted
}): ReactNode {
  const { t, formats } = useLanguage()
  const pick = usePickDocuments()
  const shownTabs = (Object.keys(tabs) as TabKey[]).filter(
    (tab) => (tab !== 'cancelled' && tab !== 'bin') || shown === tab || tabCount(tab, counts) > 0,
  )
  return (
    <div className="screen documents">
      <PageHead title={t('documents.title')}>
        <Search />
        <Button variant="primary" onPress={pick}>
          {t('documents.add')}
        </Button>
      </PageHead>
      <Tabs
        className="tabs"
        selectedKey={shown}
        onSelectionChange={(key) => changeDocumentsView({ tab: key as TabKey })}
      >
        <TabList className="tab-list" aria-label={t('documents.tabs')}>
          {shownTabs.map((tab) => (
            <Tab key={tab} id={tab} className="tab">
              {tab === 'unknown' && tabCount(tab, counts) > 0 && <Icon name="question" size={14} />}
              {t(tabWords[tab])}
              <span className="tab__count">{formats.count(tabCount(tab, counts)) + (more ? '+' : '')}</span>
            </Tab>
          ))}
        </TabList>
        {/* A panel keeps the id that it was made with, and the tab would name one that is not there. */}
        <TabPanel key={shown} id={shown} className="tab-panel" shouldForceMount>
          <Panel />
        </TabPanel>
      </Tabs>
    </div>
  )
})

function Panel(): ReactNode {
  const { t, formats } = useLanguage()
  const { pages, columns, bin, selection, onSelect, onRange } = useContext(ListedContext)!
  const view = useDocumentsView()
  function moveToBin(ids: number[]): void {
    if (view.tab === 'bin') return
    bin.move(ids)
    onSelect(nothingSelected)
  }
  return (
    <>
      <div className="filters" data-selecting={selection.documents.size > 0 || undefined}>
        <Filters />
        <ColumnsMenu columns={columns} />
        <DocumentActions selection={selection} pages={pages} onDone={() => onSelect(nothingSelected)} />
      </div>
      {pages.isAnswered && view.tab !== 'bin' && <SortLine />}
      {view.tab === 'unknown' && <LostDocuments view={view} pages={pages} />}
      {pages.more && (
        <p className="documents__more" role="status">
          {t('documents.moreFound', { shown: formats.count(pages.total ?? 0) })}
        </p>
      )}
      {pages.total === 0 ? (
        <NoDocuments view={view} />
      ) : (
        <DocumentsGrid
          view={view}
          pages={pages}
          columns={columns}
          selection={selection}
          onSelect={onSelect}
          onRange={onRange}
          onBin={moveToBin}
        />
      )}
    </>
  )
}

const searchDelayMs = 50

function Search(): ReactNode {
  const { t } = useLanguage()
  const { command } = useKeyNames()
  const { search } = useDocumentsView()
  const [text, setText] = useState(search)
  const field = useRef<HTMLInputElement>(null)
  const sent = useRef(search)
  useEffect(() => {
    if (text === search) return
    const timer = setTimeout(() => {
      sent.current = text.slice(0, 500)
      changeDocumentsView({ search: sent.current })
    }, searchDelayMs)
    return () => clearTimeout(timer)
  }, [text, search])
  // A text that was not typed here was changed elsewhere, for example by «Show all documents»: the field follows.
  useEffect(() => {
    if (search === sent.current) return
    sent.current = search
    setText(search)
  }, [search])
  useWindowKeys((event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'f' || event.shiftKey || event.altKey) return
    event.preventDefault()
    field.current?.select()
  })
  return (
    <SearchField className="search" aria-label={t('documents.search')} value={text} onChange={setText}>
      <Icon name="search" size={14} />
      <Input ref={field} className="search__input" placeholder={t('documents.search')} maxLength={500} />
      {text === '' ? (
        <kbd aria-hidden="true">{command} F</kbd>
      ) : (
        <AriaButton className="search__clear" aria-label={t('documents.searchClear')}>
          <Icon name="cross" size={12} />
        </AriaButton>
      )}
    </SearchField>
  )
}

const Filters = memo(function Filters(): ReactNode {
  const { t } = useLanguage()
  const view = useDocumentsView()
  const folders = useCall('folders.list', {}).data?.folders
  const schemas = useCall('schemas.list', {}).data?.schemas
  const folderChoices = useMemo(
    () => [
      { key: 'all', label: t('filter.allFolders') },
      ...(folders ?? []).map(({ id, name, path }) => ({ key: String(id), label: name, detail: path })),
    ],
    [folders, t],
  )
  const schemaChoices = useMemo(
    () => [
      { key: 'all', label: t('filter.allSchemas') },
      ...(schemas ?? []).map(({ id, name }) => ({ key: String(id), label: name })),
    ],
    [schemas, t],
  )
  return (
    <>
      <Select
        look="chip"
        label={t('field.folder')}
        choices={folderChoices}
        value={view.folderId === null ? 'all' : String(view.folderId)}
        onChange={(key) => changeDocumentsView({ folderId: key === 'all' ? null : Number(key) })}
      />
      <Select
        look="chip"
        label={t('field.schema')}
        choices={schemaChoices}
        value={view.schemaId === null ? 'all' : String(view.schemaId)}
        onChange={(key) => changeDocumentsView({ schemaId: key === 'all' ? null : Number(key) })}
      />
      <Select<ReceivedSpan>
        look="chip"
        label={t('column.received')}
        choices={receivedSpans.map((key) => ({ key, label: t(receivedWords[key]) }))}
        value={view.received}
        onChange={(received) => changeDocumentsView({ received })}
      />
    </>
  )
})
