import { socketProtocol } from '../../shared/wire/window-session.ts'

/** What lets a window in: headers for its requests, and protocols for its WebSocket. */
export type WindowSession = { secret: string; headers: { authorization: string }; protocols: string[] }

/** Exchanges the launch token for a session, as the page at that address does. Throws where it is refused. */
export async function openWindowSession(launchUrl: string): Promise<WindowSession> {
  const { origin, searchParams } = new URL(launchUrl)
  const response = await postSession(origin, searchParams.get('token')!)
  if (!response.ok) throw new Error(`no session: ${response.status}`)
  const secret = await response.text()
  return { secret, headers: { authorization: `Bearer ${secret}` }, protocols: [socketProtocol, secret] }
}

/** Asks for a session with `key`, which may be a launch token or the secret of an earlier answer. */
export function postSession(origin: string, key: string): Promise<Response> {
  return fetch(new URL('/session', origin), { method: 'POST', headers: { origin, authorization: `Bearer ${key}` } })
}
