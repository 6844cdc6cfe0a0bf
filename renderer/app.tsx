import { QueryClientProvider } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import type { AppState } from '../shared/contract/contract.ts'
import { hrefOf, useRoute } from './client/route.ts'
import type { Route } from './client/route.ts'
import { useCall } from './client/queries.ts'
import { AddDocuments } from './components/add-documents.tsx'
import { useBatchDone } from './components/batch-done.ts'
import { Broken } from './components/broken.tsx'
import { lazyScreen, usePreloadedScreens } from './components/lazy-screen.tsx'
import { Notices } from './components/notices.tsx'
import { OfflineBar, useIsOutOfTouch } from './components/offline-bar.tsx'
import { Sidebar } from './components/sidebar.tsx'
import { StatusLine } from './components/status-line.tsx'
import { RecoveryBar, SharedFolderBar, StorageBar } from './components/storage-bars.tsx'
import { LanguageProvider } from './messages/language.tsx'
import { DocumentsScreen } from './screens/documents/documents.tsx'

const AgentsScreen = lazyScreen(() => import('./screens/agents/agents.tsx').then((screen) => screen.AgentsScreen))
const AskScreen = lazyScreen(() => import('./screens/ask/ask.tsx').then((screen) => screen.AskScreen))
const ExportsScreen = lazyScreen(() => import('./screens/exports/exports.tsx').then((screen) => screen.ExportsScreen))
const FirstRun = lazyScreen(() => import('./screens/first-run/first-run.tsx').then((screen) => screen.FirstRun))
const FoldersScreen = lazyScreen(() => import('./screens/folders/folders.tsx').then((screen) => screen.FoldersScreen))
const OneDocument = lazyScreen(() =>
  import('./screens/documents/one-document.tsx').then((screen) => screen.OneDocument),
)
const PartnersScreen = lazyScreen(() =>
  import('./screens/partners/partners.tsx').then((screen) => screen.PartnersScreen),
)
const ReviewScreen = lazyScreen(() => import('./screens/review/review-queue.tsx').then((screen) => screen.ReviewScreen))
const SchemaScreen = lazyScreen(() =>
  import('./screens/schemas/schema-editor.tsx').then((screen) => screen.SchemaScreen),
)
const SchemasScreen = lazyScreen(() => import('./screens/schemas/schemas.tsx').then((screen) => screen.SchemasScreen))
const SettingsScreen = lazyScreen(() =>
  import('./screens/settings/settings.tsx').then((screen) => screen.SettingsScreen),
)
const SentScreen = lazyScreen(() => import('./screens/usage/sent.tsx').then((screen) => screen.SentScreen))
const SortScreen = lazyScreen(() => import('./screens/sort/sort.tsx').then((screen) => screen.SortScreen))
const UsageScreen = lazyScreen(() => import('./screens/usage/usage.tsx').then((screen) => screen.UsageScreen))

/** The whole window. */
export function App({ queryClient }: { queryClient: QueryClient }): ReactNode {
  return (
    <QueryClientProvider client={queryClient}>
      <Window />
    </QueryClientProvider>
  )
}

function Window(): ReactNode {
  const answer = useCall('app.state', {})
  const state = answer.data
  const theme = state?.settings.theme ?? 'system'
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }, [theme])
  return (
    <LanguageProvider setting={state?.settings.language ?? 'system'}>
      <OfflineBar />
      {state && <StorageBar state={state} />}
      {state && <SharedFolderBar state={state} />}
      {state && <RecoveryBar state={state} />}
      {state ? (
        <Frame state={state} />
      ) : (
        answer.isError && (
          <main className="main">
            <Broken error={answer.error} onRetry={() => void answer.refetch()} />
          </main>
        )
      )}
      <Notices />
    </LanguageProvider>
  )
}

function Frame({ state }: { state: AppState }): ReactNode {
  const route = useRoute()
  usePreloadedScreens()
  useBatchDone(state)
  const isOutOfTouch = useIsOutOfTouch()
  // Someone who has used Sheaf before does not wait for the folders.
  const mayBeFirstRun = !state.settings.firstRunDone
  const folders = useCall('folders.list', {}, { enabled: mayBeFirstRun }).data?.folders
  if (mayBeFirstRun && folders === undefined) return null
  if (mayBeFirstRun && folders?.length === 0) {
    return (
      <Suspense>
        <FirstRun state={state} />
      </Suspense>
    )
  }
  return (
    <AddDocuments state={state}>
      {/* Nothing that is typed or clicked would get anywhere. */}
      <div className="frame" inert={isOutOfTouch}>
        <Sidebar state={state} route={route} />
        <main className="main" tabIndex={-1}>
          <Suspense>
            <Screen route={route} state={state} />
          </Suspense>
        </main>
        <StatusLine state={state} />
      </div>
    </AddDocuments>
  )
}

/** The focused element may have gone with the previous screen: then the new screen takes the focus. */
function useFocusOnArrival(route: Route): void {
  const place = hrefOf(route)
  const arrived = useRef(place)
  useEffect(() => {
    if (arrived.current === place) return
    arrived.current = place
    const frame = requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return
      const main = document.querySelector<HTMLElement>('.main')
      const target = main?.querySelector<HTMLElement>('.documents [role="grid"]') ?? main
      target?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [place])
}

/** What is shown of each route. */
const screens: { [S in Route['screen']]: (route: Extract<Route, { screen: S }>, state: AppState) => ReactNode } = {
  documents: () => <DocumentsScreen />,
  document: ({ id }, { host }) => <OneDocument key={id} id={id} host={host} />,
  review: ({ id }, { host, counts }) => <ReviewScreen id={id} host={host} ready={counts.ready ?? 0} />,
  sort: ({ id }) => <SortScreen id={id} />,
  folders: (_, state) => <FoldersScreen state={state} />,
  schemas: () => <SchemasScreen />,
  schema: ({ id }) => <SchemaScreen key={id ?? 'new'} id={id} />,
  partners: () => <PartnersScreen />,
  exports: (_, { host }) => <ExportsScreen host={host} />,
  ask: ({ id }, state) => <AskScreen state={state} id={id} />,
  agents: (_, state) => <AgentsScreen state={state} />,
  usage: (_, state) => <UsageScreen state={state} />,
  sent: () => <SentScreen />,
  settings: (_, state) => <SettingsScreen state={state} />,
}

function Screen({ route, state }: { route: Route; state: AppState }): ReactNode {
  useFocusOnArrival(route)
  const show = screens[route.screen] as (route: Route, state: AppState) => ReactNode
  return show(route, state)
}
