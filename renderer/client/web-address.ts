/** True for an address of the web with a host, as a person types it. Pure. */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text.trim())
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname !== ''
}
