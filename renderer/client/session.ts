import { socketProtocol } from '../../shared/wire/window-session.ts'
import { readStored, writeStored } from './local-storage.ts'

/** Stored for the origin, port included: every tab has it, a closed browser keeps it, and no other server gets it. */
const storedAs = 'sheaf.session'

let secret: string | null = null

/** What a request for anything of the person's needs; nothing on the desktop, which serves its own window only. */
export function sessionHeaders(): Record<string, string> {
  return secret === null ? {} : { authorization: `Bearer ${secret}` }
}

/** What a WebSocket offers to be let in: a script cannot give it headers. */
export function sessionProtocols(): string[] {
  return secret === null ? [socketProtocol] : [socketProtocol, secret]
}

/**
 * Lets this page in, by the launch token of its address, else by the secret that this browser got for one before. Takes
 * the token out of the address. False: the host does not know this browser.
 */
export async function openSession(): Promise<boolean> {
  if ('sheaf' in window) return true
  const address = new URL(location.href)
  const token = address.searchParams.get('token')
  secret = (token === null ? null : await exchange(token)) ?? (await exchange(readStored(storedAs)))
  if (secret !== null) writeStored(storedAs, secret)
  if (token !== null) {
    address.searchParams.delete('token')
    history.replaceState(history.state, '', address)
  }
  return secret !== null
}

async function exchange(key: unknown): Promise<string | null> {
  if (typeof key !== 'string') return null
  try {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(new URL('session', document.baseURI), { method: 'POST', headers })
    return response.ok ? await response.text() : null
  } catch {
    return null
  }
}
