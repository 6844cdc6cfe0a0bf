/** The window's own protocol (scheme.ts), and the origin of everything on it. */
export const scheme = 'sheaf'
export const appOrigin = `${scheme}://app`

/** True for an address of the app's own origin: its page, its parts and the person's documents. */
export function isAppUrl(url: string): boolean {
  const parsed = URL.parse(url)
  return (
    parsed !== null && `${parsed.protocol}//${parsed.host}` === appOrigin && parsed.username + parsed.password === ''
  )
}

/** True for the window's page itself, wherever it is in it. A document of the same origin is no page. */
export function isAppPage(url: string): boolean {
  return isAppUrl(url) && ['', '/', '/index.html'].includes(new URL(url).pathname)
}
