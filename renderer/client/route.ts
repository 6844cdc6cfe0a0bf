import { useSyncExternalStore } from 'react'

export type Route =
  | { screen: 'documents' }
  | { screen: 'document'; id: number }
  /** A document of those to check; null: the first of them. */
  | { screen: 'review'; id: number | null }
  /** Which documents a file holds, and their schemas; null: the first file that waits for that. */
  | { screen: 'sort'; id: number | null }
  | { screen: 'folders' }
  | { screen: 'schemas' }
  | { screen: 'schema'; id: number | null }
  | { screen: 'partners' }
  | { screen: 'exports' }
  /** A conversation; null begins a new one. */
  | { screen: 'ask'; id: number | null }
  | { screen: 'agents' }
  | { screen: 'usage' }
  /** What left this computer. */
  | { screen: 'sent' }
  | { screen: 'settings' }

type RouteOf<S extends Route['screen']> = Extract<Route, { screen: S }>

/** The screens whose route is their name alone. */
type PlainScreen = { [S in Route['screen']]: { screen: S } extends RouteOf<S> ? S : never }[Route['screen']]

/** A record, so that a screen that is missing here does not compile. */
const plainScreens: Record<PlainScreen, true> = {
  documents: true,
  folders: true,
  schemas: true,
  partners: true,
  exports: true,
  agents: true,
  usage: true,
  sent: true,
  settings: true,
}

function isPlainScreen(name: string | undefined): name is PlainScreen {
  return name !== undefined && Object.hasOwn(plainScreens, name)
}

/** The route that the fragment of an address names; the documents for anything unknown. Pure. */
export function parseRoute(hash: string): Route {
  const [screen, id] = hash.replace(/^#\/?/, '').split('/')
  const number = id !== undefined && /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null
  if (screen === 'documents' && number !== null) return { screen: 'document', id: number }
  if (screen === 'schemas' && (number !== null || id === 'new')) return { screen: 'schema', id: number }
  if (screen === 'ask' || screen === 'review' || screen === 'sort') return { screen, id: number }
  return { screen: isPlainScreen(screen) ? screen : 'documents' }
}

/** The address of a route. Pure. */
export function hrefOf(route: Route): string {
  if (route.screen === 'documents') return '#/documents'
  if (route.screen === 'document') return `#/documents/${route.id}`
  if (route.screen === 'schema') return `#/schemas/${route.id ?? 'new'}`
  if ('id' in route && route.id !== null) return `#/${route.screen}/${route.id}`
  return `#/${route.screen}`
}

/** Whether the address bar has a route: it is there before the window is. */
export function isAt(route: Route): boolean {
  return location.hash === hrefOf(route)
}

/** Goes to a route; `replace` leaves no step in the history. */
export function navigate(route: Route, replace = false): void {
  if (replace) location.replace(hrefOf(route))
  else location.hash = hrefOf(route)
}

/** Commits what would be lost with the screen. False: that is not possible, and the screen stays. */
type Guard = () => boolean
const guards = new Set<Guard>()

/** Adds a guard that is asked before the window navigates. Returns a function that removes it. */
export function beforeLeaving(guard: Guard): () => void {
  guards.add(guard)
  return () => void guards.delete(guard)
}

/** The address that the window shows; the address bar is ahead of it until every guard was asked. */
let followed: string | null = null

function subscribe(listener: () => void): () => void {
  const follow = ({ oldURL }: HashChangeEvent): void => {
    if (location.hash !== followed && [...guards].some((guard) => !guard())) return history.pushState(null, '', oldURL)
    followed = location.hash
    listener()
  }
  followed = location.hash
  addEventListener('hashchange', follow)
  return () => removeEventListener('hashchange', follow)
}

/** Subscribes to the route of the address bar. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => followed ?? location.hash)
  return parseRoute(hash)
}
