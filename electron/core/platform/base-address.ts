import { AppError } from '../../../shared/domain/errors.ts'
import { isLoopback } from '../../system/loopback.ts'

/** Endpoints that people copy together with the address; what stands before them is a prefix of the platform's own. */
const knownEnding =
  /\/(?:compat(?:\/v1)?(?:\/(?:chat(?:\/completions)?|models(?:\/[^/]*)?))?|v2(?:\/(?:token|extractor|documentalist)(?:\/.*)?)?)$/i

/**
 * The base address of a platform from what a person typed or copied: `{base_url}` of the spec, without a slash at its
 * end. Without a scheme it is https, or http for this computer and for an address of a private network (RFC 1918, RFC
 * 4193), for which nobody issues certificates. A known endpoint at the end, a query and a fragment are dropped, another
 * path is kept. Throws `address_invalid` for what is no http or https address, and for one with a user or password in
 * it.
 */
export function normaliseBaseAddress(text: string): string {
  const typed = text.trim()
  const url = parse(typed)
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    !isHost(url.hostname)
  ) {
    throw new AppError('address_invalid', { address: showable(typed) })
  }
  let path = trimmed(url.pathname)
  for (
    let shorter = trimmed(path.replace(knownEnding, ''));
    shorter !== path;
    shorter = trimmed(path.replace(knownEnding, ''))
  )
    path = shorter
  return url.origin + path
}

function parse(typed: string): URL | null {
  if (typed === '' || /[\s\\]/.test(typed)) return null
  if (/^https?:/i.test(typed)) return URL.canParse(typed) ? new URL(typed) : null
  // «localhost:8080» and «10.0.0.5:80» have a port behind the colon, «ftp://» and «mailto:» a scheme before it.
  if (/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(typed) || typed.startsWith('/')) return null
  if (!URL.canParse(`https://${typed}`)) return null
  const secure = new URL(`https://${typed}`)
  return isLoopback(secure.hostname) || isPrivateNetwork(secure.hostname) ? new URL(`http://${typed}`) : secure
}

function trimmed(path: string): string {
  return path.replace(/\/+$/, '')
}

/** No empty labels (RFC 1035, 2.3.1); the rest was checked by the URL's own parser. */
function isHost(hostname: string): boolean {
  return hostname !== '' && !/^\.|\.\./.test(hostname)
}

/**
 * The address as it may be shown and logged: without a query, which can hold a secret, and without user and password.
 */
function showable(typed: string): string {
  return typed
    .replace(/[?#][^]*$/, '')
    .replace(/^([a-z]+:\/*)?[^/]*@/i, '$1')
    .slice(0, 200)
}

function isPrivateNetwork(hostname: string): boolean {
  return /^(10(\.\d{1,3}){3}|192\.168(\.\d{1,3}){2}|172\.(1[6-9]|2\d|3[01])(\.\d{1,3}){2}|169\.254(\.\d{1,3}){2}|\[f[cd][0-9a-f]{2}:.*\]|\[fe80:.*\])$/.test(
    hostname,
  )
}
