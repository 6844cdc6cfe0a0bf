import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components'
import type { AppState } from '../../shared/contract/contract.ts'
import { useAction, useCall } from '../client/queries.ts'
import { navigate } from '../client/route.ts'
import type { Route } from '../client/route.ts'
import { documentName } from '../messages/document-name.ts'
import { exportFormatNames } from '../messages/export-formats.ts'
import { useLanguage } from '../messages/language.tsx'
import type { MessageId } from '../messages/language.tsx'
import { usePickDocuments } from './add-documents.tsx'
import { useApprove } from './approve.ts'
import { commandsOnScreen, matchingCommands } from './commands.ts'
import type { Command } from './commands.ts'
import { isDialogOpen } from './dialog.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'
import { useKeyNames } from './key-names.ts'
import { notify } from './notices.tsx'
import { useWindowKeys } from './use-window-keys.ts'

const searchFrom = 2
const maxOfAKind = 6
/** Before anything is typed only the main things of a screen are listed, not each of its rows. */
const maxUnasked = 6
const maxAsked = 30

/** The line that opens the palette; so do Ctrl or Cmd and K, from anywhere. */
export function PaletteButton({ state }: { state: AppState }): ReactNode {
  const { t } = useLanguage()
  const { command } = useKeyNames()
  const [isOpen, setOpen] = useState(false)
  useWindowKeys((event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    event.preventDefault()
    // An open dialog has to be answered first.
    if (!isDialogOpen()) setOpen(true)
  })
  return (
    <>
      <button type="button" className="palette-button" onClick={() => setOpen(true)}>
        <Icon name="search" size={14} />
        <span className="ellipsis">{t('palette.open')}</span>
        <kbd aria-hidden="true">{command} K</kbd>
      </button>
      {isOpen && <Palette state={state} onClose={() => setOpen(false)} />}
    </>
  )
}

type Section = { id: string; words: MessageId; commands: Command[] }

function Palette({ state, onClose }: { state: AppState; onClose: () => void }): ReactNode {
  const { t } = useLanguage()
  const [query, setQuery] = useState('')
  // As it was when the palette opened: the screen behind it does not change meanwhile.
  const [offered] = useState(() => commandsOnScreen(document))
  const everywhere = useEverywhere(state)
  const onScreen = offered.filter(
    ({ words, detail }) => detail !== undefined || !everywhere.some((command) => command.words === words),
  )
  const places = usePlaces()
  const documents = useDocuments(query)
  const asked = query.trim() !== ''
  const sections: Section[] = [
    {
      id: 'here',
      words: 'palette.here',
      commands: asked ? matchingCommands(onScreen, query).slice(0, maxAsked) : onScreen.slice(0, maxUnasked),
    },
    { id: 'goTo', words: 'palette.goTo', commands: matchingCommands(places.main, query) },
    { id: 'everywhere', words: 'palette.elsewhere', commands: matchingCommands(everywhere, query) },
    {
      id: 'folders',
      words: 'nav.folders',
      commands: asked ? matchingCommands(places.folders, query).slice(0, maxOfAKind) : [],
    },
    {
      id: 'schemas',
      words: 'nav.schemas',
      commands: asked ? matchingCommands(places.schemas, query).slice(0, maxOfAKind) : [],
    },
    // Last, because their answer comes last: the entry that is already selected stays the first.
    { id: 'documents', words: 'nav.documents', commands: documents },
  ]
  const shown = sections.filter(({ commands }) => commands.length > 0)
  const byId = new Map(shown.flatMap(({ commands }) => commands.map((command) => [command.id, command] as const)))

  function run(id: string): void {
    // Closed first, so that the focus is back where it was before anything moves it.
    flushSync(onClose)
    byId.get(id)?.run()
  }
  return (
    <ModalOverlay
      className="modal-overlay palette-overlay"
      isOpen
      isDismissable
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal className="modal palette">
        <Dialog className="palette__dialog" aria-label={t('palette.title')}>
          <Autocomplete inputValue={query} onInputChange={setQuery}>
            <SearchField className="palette__field" aria-label={t('palette.search')} autoFocus>
              <Icon name="search" />
              <Input className="palette__input" placeholder={t('palette.search')} maxLength={200} />
            </SearchField>
            {/* Not every browser lets the keyboard into what scrolls. */}
            <div className="palette__list" tabIndex={0}>
              <Menu
                className="palette__menu"
                items={shown}
                aria-label={t('palette.title')}
                onAction={(key) => run(String(key))}
                renderEmptyState={() => <p className="palette__none">{t('palette.none')}</p>}
              >
                {(section) => (
                  <MenuSection id={section.id} items={section.commands}>
                    <Header className="palette__head">{t(section.words)}</Header>
                    {section.commands.map((command) => (
                      <PaletteItem key={command.id} command={command} />
                    ))}
                  </MenuSection>
                )}
              </Menu>
            </div>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function PaletteItem({ command: { id, words, detail, icon, keys } }: { command: Command }): ReactNode {
  return (
    <MenuItem id={id} className="palette__item" textValue={words}>
      <Icon name={icon ?? 'right'} size={14} />
      <span className="ellipsis" title={words}>
        {words}
      </span>
      {detail && <small className="ellipsis">{detail}</small>}
      {keys && <kbd>{keys}</kbd>}
    </MenuItem>
  )
}

const screens: [Route, IconName, MessageId, detail?: string][] = [
  [{ screen: 'documents' }, 'document', 'nav.documents'],
  [{ screen: 'review', id: null }, 'eye', 'nav.review'],
  [{ screen: 'sort', id: null }, 'sort', 'sort.title'],
  [{ screen: 'folders' }, 'folder', 'nav.folders'],
  [{ screen: 'schemas' }, 'schema', 'nav.schemas'],
  [{ screen: 'partners' }, 'partner', 'partners.title'],
  [{ screen: 'exports' }, 'export', 'nav.exports', Object.values(exportFormatNames).join(', ')],
  [{ screen: 'ask', id: null }, 'ask', 'nav.ask'],
  [{ screen: 'agents' }, 'agent', 'agents.title'],
  [{ screen: 'usage' }, 'usage', 'nav.usage'],
  [{ screen: 'sent' }, 'cloud', 'sent.title'],
  [{ screen: 'settings' }, 'settings', 'nav.settings'],
]

/** Where a person can go: the screens, and each folder and schema. */
function usePlaces(): { main: Command[]; folders: Command[]; schemas: Command[] } {
  const { t } = useLanguage()
  const folders = useCall('folders.list', {}).data?.folders
  const schemas = useCall('schemas.list', {}).data?.schemas
  return useMemo(
    () => ({
      main: screens.map(([route, icon, words, detail]) => ({
        id: `go:${route.screen}`,
        words: t(words),
        ...(detail === undefined ? {} : { detail }),
        icon,
        run: () => navigate(route),
      })),
      folders: (folders ?? []).map(({ id, name, path }) => ({
        id: `folder:${id}`,
        words: name,
        detail: path,
        icon: 'folder',
        run: () => navigate({ screen: 'folders' }),
      })),
      schemas: (schemas ?? []).map(({ id, name }) => ({
        id: `schema:${id}`,
        words: name,
        icon: 'schema',
        run: () => navigate({ screen: 'schema', id }),
      })),
    }),
    [t, folders, schemas],
  )
}

/** What can be done wherever a person is. */
function useEverywhere(state: AppState): Command[] {
  const { t, formats, errorSentence } = useLanguage()
  const { command } = useKeyNames()
  const pick = usePickDocuments()
  const approve = useApprove()
  const pause = useAction('queue.pause')
  const resume = useAction('queue.resume')
  const settings = useAction('settings.update')
  const onError = (error: unknown): void => notify('problem', errorSentence(error))
  const ready = state.counts.ready ?? 0
  const themes = [
    ['system', 'settings.themeSystem'],
    ['light', 'settings.themeLight'],
    ['dark', 'settings.themeDark'],
  ] as const
  return [
    { id: 'do:add', words: t('documents.add'), icon: 'plus', run: pick },
    state.paused
      ? { id: 'do:resume', words: t('status.resume'), icon: 'play', run: () => resume.mutate({}, { onError }) }
      : { id: 'do:pause', words: t('status.pause'), icon: 'pause', run: () => pause.mutate({}, { onError }) },
    ...(ready > 0
      ? [
          {
            id: 'do:approve',
            words: t('check.approveReady', { count: formats.count(ready) }),
            icon: 'check',
            run: approve.ready,
          } satisfies Command,
        ]
      : []),
    { id: 'do:schema', words: t('schemas.new'), icon: 'schema', run: () => navigate({ screen: 'schema', id: null }) },
    {
      id: 'do:search',
      words: t('documents.search'),
      icon: 'search',
      keys: `${command} F`,
      run: () => navigate({ screen: 'documents' }),
    },
    ...themes
      .filter(([theme]) => theme !== state.settings.theme)
      .map(
        ([theme, words]): Command => ({
          id: `do:theme:${theme}`,
          words: t('palette.theme', { theme: t(words) }),
          icon: 'eye',
          run: () => settings.mutate({ theme }, { onError }),
        }),
      ),
  ]
}

/** The newest documents in which all words of the query are. */
function useDocuments(query: string): Command[] {
  const { t } = useLanguage()
  const search = query.trim()
  const enabled = search.length >= searchFrom
  const { data } = useCall('documents.list', { search, limit: maxOfAKind }, { enabled, keepPrevious: true })
  if (!enabled || data === undefined) return []
  return data.rows.map(({ id, name, pages, folderName }) => ({
    id: `document:${id}`,
    words: documentName({ name, pages }, t),
    icon: 'document',
    ...(folderName === null ? {} : { detail: folderName }),
    run: () => navigate({ screen: 'document', id }),
  }))
}
