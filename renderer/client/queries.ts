import { QueryClient, keepPreviousData, replaceEqualDeep, useMutation, useQuery } from '@tanstack/react-query'
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import type { AppState, CallInput, CallName, CallOutput, Settings } from '../../shared/contract/contract.ts'
import { call } from './client.ts'

/**
 * One cache for the window. Events say when something is stale, so nothing is refetched on focus, and by a timer only
 * where no event tells.
 */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        refetchOnReconnect: 'always',
        structuralSharing: keepUnchanged,
      },
      mutations: { retry: false },
    },
  })
}

/** Parts that equal those of the previous answer keep their identity, so that only what changed renders again. */
function keepUnchanged(before: unknown, after: unknown): unknown {
  // An answer that this window changed itself already shares the rest with the one before. Comparing 10,000 rows for
  // one cell would make garbage that costs frames.
  return isMadeFrom(before, after) ? after : replaceEqualDeep(before, after)
}

/** Whether the two share parts by identity; an answer that was just received shares none. */
function isMadeFrom(before: unknown, after: unknown): boolean {
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null) return false
  return Object.entries(after).some(
    ([name, part]) => typeof part === 'object' && part !== null && (before as Record<string, unknown>)[name] === part,
  )
}

/** Name and arguments of a call as the key under which its answer is kept. */
export function callKey<N extends CallName>(name: N, input: CallInput<N>): readonly [N, CallInput<N>] {
  return [name, input]
}

/**
 * Prefetches an answer before the component that needs it renders; a call made while offline goes out on reconnect.
 * Resolves when the answer is there or has failed.
 */
export function prefetchCall<N extends CallName>(queries: QueryClient, name: N, input: CallInput<N>): Promise<void> {
  return queries.prefetchQuery({
    queryKey: callKey(name, input),
    queryFn: () => call(name, input),
    networkMode: 'always',
  })
}

/** Where no event tells of a change, an answer that is still changing is asked for again this often. */
const pollMs = 1000

type CallOptions<N extends CallName> = {
  enabled?: boolean
  keepPrevious?: boolean
  refetchOnMount?: 'always'
  refetchIntervalMs?: number
  pollWhile?: (answer: CallOutput<N>) => boolean
}

/** The answer of a call that reads, kept current by events. */
export function useCall<N extends CallName>(
  name: N,
  input: CallInput<N>,
  options: CallOptions<N> = {},
): UseQueryResult<CallOutput<N>> {
  return useQuery({
    queryKey: callKey(name, input),
    queryFn: () => call(name, input),
    enabled: options.enabled ?? true,
    // The cached answer may be older than what a person just did.
    refetchOnMount: options.refetchOnMount ?? true,
    refetchInterval: ({ state }) =>
      state.data !== undefined && options.pollWhile?.(state.data as CallOutput<N>)
        ? pollMs
        : (options.refetchIntervalMs ?? false),
    ...(options.keepPrevious ? { placeholderData: keepPreviousData as never } : {}),
  }) as UseQueryResult<CallOutput<N>>
}

/** A call that changes something; core's events bring the change back. */
export function useAction<N extends CallName>(name: N): UseMutationResult<CallOutput<N>, Error, CallInput<N>> {
  return useMutation({ mutationFn: (input: CallInput<N>) => call(name, input) })
}

/** Changes settings; resolves when the cached state has them, and rejects as `call` does. */
export async function storeSettings(queries: QueryClient, part: Partial<Settings>): Promise<void> {
  const settings = await call('settings.update', part)
  const queryKey = callKey('app.state', {})
  // A state that was asked for before the change would take it back when it arrives.
  await queries.cancelQueries({ queryKey })
  queries.setQueryData<AppState>(queryKey, (state) => state && { ...state, settings })
  void queries.invalidateQueries({ queryKey })
}
