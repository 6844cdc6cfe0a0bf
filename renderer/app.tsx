import { QueryClientProvider } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import type { AppState } from '../shared/contract.ts'
import { hrefOf, useRoute } from './client/route.ts'
import type { Route } from './client/route.ts'
import { useCall } from './client/queries.ts'
import { AddDocuments } from './components/add-documents.tsx'
import { useBatchDone } from './components/batch-done.ts'
import { Button } from './components/controls.tsx'
import { Notices } from './components/notices.tsx'
import { OfflineBar } from './components/offline-bar.tsx'
import { EmptyState } from './components/page.tsx'
import { Sidebar } from './components/sidebar.tsx'
import { StatusLine } from './components/status-line.tsx'
import { RecoveryBar, StorageBar } from './components/storage-bars.tsx'
import { LanguageProvider, useLanguage } from './messages/language.tsx'
import { AgentsScreen } from './screens/agents/agents.tsx'
import { AskScreen } from './screens/ask/ask.tsx'
import { ExportsScreen } from './screens/exports/exports.tsx'
import { FirstRun } from './screens/first-run/first-run.tsx'
import { FoldersScreen } from './screens/folders/folders.tsx'
import { JobsScreen } from './screens/jobs/jobs.tsx'
import { OneJob } from './screens/jobs/one-job.tsx'
import { ReviewScreen } from './screens/review/review.tsx'
import { SchemaScreen } from './screens/schemas/schema.tsx'
import { SchemasScreen } from './screens/schemas/schemas.tsx'
import { SettingsScreen } from './screens/settings/settings.tsx'
import { SentScreen } from './screens/usage/sent.tsx'
import { UsageScreen } from './screens/usage/usage.tsx'

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
      {state && <RecoveryBar state={state} />}
      {state ? <Frame state={state} /> : answer.isError && <Broken error={answer.error} onRetry={() => void answer.refetch()} />}
      <Notices />
    </LanguageProvider>
  )
}

/** Core answered, but not with its state: the sentence says why. */
function Broken({ error, onRetry }: { error: unknown; onRetry: () => void }): ReactNode {
  const { t, errorSentence } = useLanguage()
  return (
    <main className="main">
      <EmptyState icon="warning" title={t('app.broken')} text={errorSentence(error)}>
        <Button onPress={onRetry}>{t('app.retry')}</Button>
      </EmptyState>
    </main>
  )
}

function Frame({ state }: { state: AppState }): ReactNode {
  const route = useRoute()
  useBatchDone(state)
  useFocusOnArrival(route)
  const folders = useCall('folders.list', {}).data?.folders
  if (!folders) return null
  if (!state.settings.firstRunDone && folders.length === 0) return <FirstRun state={state} />
  return (
    <AddDocuments state={state}>
      <div className="frame">
        <Sidebar state={state} route={route} folderCount={folders.length} />
        <main className="main" tabIndex={-1}>
          <Screen route={route} state={state} />
        </main>
        <StatusLine state={state} />
      </div>
    </AddDocuments>
  )
}

/** What had the focus may be gone with the screen that was left: then it is in the new one, not nowhere. */
function useFocusOnArrival(route: Route): void {
  const place = hrefOf(route)
  const arrived = useRef(place)
  useEffect(() => {
    if (arrived.current === place) return
    arrived.current = place
    const frame = requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return
      const main = document.querySelector<HTMLElement>('.main')
      const target = main?.querySelector<HTMLElement>('.jobs [role="grid"]') ?? main
      target?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [place])
}

function Screen({ route, state }: { route: Route; state: AppState }): ReactNode {
  switch (route.screen) {
    case 'jobs':
      return <JobsScreen />
    case 'job':
      return <OneJob key={route.id} id={route.id} host={state.host} />
    case 'review':
      return <ReviewScreen id={route.id} host={state.host} ready={state.counts.ready ?? 0} />
    case 'folders':
      return <FoldersScreen state={state} />
    case 'schemas':
      return <SchemasScreen />
    case 'schema':
      return <SchemaScreen key={route.id ?? 'new'} id={route.id} />
    case 'exports':
      return <ExportsScreen host={state.host} />
    case 'ask':
      return <AskScreen state={state} id={route.id} />
    case 'agents':
      return <AgentsScreen state={state} />
    case 'usage':
      return <UsageScreen state={state} />
    case 'sent':
      return <SentScreen />
    case 'settings':
      return <SettingsScreen state={state} />
  }
}
