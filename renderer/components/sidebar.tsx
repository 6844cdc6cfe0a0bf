import type { ReactNode } from 'react'
import type { AppState } from '../../shared/contract/contract.ts'
import { totalOf } from '../../shared/domain/document-status.ts'
import { hrefOf } from '../client/route.ts'
import type { Route } from '../client/route.ts'
import { useCall } from '../client/queries.ts'
import { useLanguage } from '../messages/language.tsx'
import type { MessageId } from '../messages/language.tsx'
import { BrandMark, Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'
import { PaletteButton } from './palette.tsx'

type Entry = {
  route: Route
  icon: IconName
  words: MessageId
  count?: number
  countWords?: MessageId
  attention?: number
  problems?: number
}

/** Where everything is, with how much of it there is. */
export function Sidebar({ state, route }: { state: AppState; route: Route }): ReactNode {
  const { t } = useLanguage()
  const folders = useCall('folders.list', {}).data?.folders
  const schemas = useCall('schemas.list', {}).data?.schemas
  const waiting = useCall('sorting.list', { limit: 0 }).data?.total ?? 0
  const section = sectionOf(route)
  const counts = state.counts
  const entries: Entry[] = [
    {
      route: { screen: 'documents' },
      icon: 'document',
      words: 'nav.documents',
      count: totalOf(counts),
      countWords: 'count.documents',
      problems: (counts.failed ?? 0) + (counts.unknown ?? 0),
    },
    { route: { screen: 'review', id: null }, icon: 'eye', words: 'nav.review', attention: counts.flagged },
    { route: { screen: 'folders' }, icon: 'folder', words: 'nav.folders', count: folders?.length },
    { route: { screen: 'schemas' }, icon: 'schema', words: 'nav.schemas', count: schemas?.length },
    { route: { screen: 'partners' }, icon: 'partner', words: 'partners.title' },
    { route: { screen: 'exports' }, icon: 'export', words: 'nav.exports' },
    { route: { screen: 'ask', id: null }, icon: 'ask', words: 'nav.ask' },
    { route: { screen: 'usage' }, icon: 'usage', words: 'nav.usage' },
    // Most folders have one schema and nothing to sort. Last, since it comes and goes.
    ...(waiting > 0 || section === 'sort' ? [sortEntry(waiting)] : []),
  ]
  return (
    <nav className="sidebar" aria-label={t('nav.label')}>
      <button type="button" className="skip-link" onClick={() => document.querySelector<HTMLElement>('.main')?.focus()}>
        {t('nav.skip')}
      </button>
      <div className="brand">
        <BrandMark />
        Sheaf
      </div>
      <PaletteButton state={state} />
      {entries.map((entry) => (
        <NavLink key={entry.words} entry={entry} current={section === entry.route.screen} />
      ))}
      <div className="sidebar__space" />
      <NavLink
        entry={{ route: { screen: 'settings' }, icon: 'settings', words: 'nav.settings' }}
        current={route.screen === 'settings'}
      />
    </nav>
  )
}

function sortEntry(waiting: number): Entry {
  return { route: { screen: 'sort', id: null }, icon: 'sort', words: 'sort.title', attention: waiting }
}

function sectionOf(route: Route): Route['screen'] {
  if (route.screen === 'document') return 'documents'
  if (route.screen === 'agents') return 'ask'
  if (route.screen === 'sent') return 'usage'
  return route.screen === 'schema' ? 'schemas' : route.screen
}

function NavLink({ entry, current }: { entry: Entry; current: boolean }): ReactNode {
  const { t, formats } = useLanguage()
  return (
    <a className="nav-link" href={hrefOf(entry.route)} aria-current={current ? 'page' : undefined}>
      <Icon name={entry.icon} />
      <span className="ellipsis">{t(entry.words)}</span>
      {!!entry.attention && (
        <Counted
          className="nav-link__attention"
          count={entry.attention}
          words={t(entry.words === 'sort.title' ? 'nav.toSort' : 'nav.toCheck', { count: entry.attention })}
        />
      )}
      {!!entry.problems && (
        <span className="nav-link__problems" title={t('nav.attention', { count: entry.problems })}>
          <Icon name="warning" size={12} />
          <span className="visually-hidden">{t('nav.attention', { count: entry.problems })}</span>
        </span>
      )}
      {!!entry.count && (
        <Counted
          className="nav-link__count"
          count={entry.count}
          words={entry.countWords && t(entry.countWords, { count: entry.count, shown: formats.count(entry.count) })}
        />
      )}
    </a>
  )
}

/** How much there is; `words` say of what, where the entry's name does not. */
function Counted({
  className,
  count,
  words,
}: {
  className: string
  count: number
  words: string | undefined
}): ReactNode {
  const { formats } = useLanguage()
  return (
    <span className={className} title={words}>
      <span aria-hidden={words !== undefined}>{formats.count(count)}</span>
      {words !== undefined && <span className="visually-hidden">{words}</span>}
    </span>
  )
}
