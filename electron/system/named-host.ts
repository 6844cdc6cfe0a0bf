/** Of a request of HTTP/1.1 as Node gives it: the target of its first line, and its headers as they came. */
type RequestHead = { url?: string | undefined; rawHeaders: readonly string[] }

/**
 * The one host that a request names, in lower case; null when it names none or several, or when its target is anything
 * but a path of this server (RFC 9112, 3.2: a target in absolute form would overrule the Host header, and of two Host
 * headers nobody knows which one counts). A loopback server that refuses every other host guards against DNS rebinding:
 * a page of elsewhere reaches it only by a name that somebody else owns.
 */
export function namedHost({ url = '', rawHeaders }: RequestHead): string | null {
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]!.toLowerCase() === 'host')
  return hosts.length === 1 && /^\/(?!\/)/.test(url) ? hosts[0]!.toLowerCase() : null
}
