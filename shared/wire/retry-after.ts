/** Delays beyond this are taken for nonsense: an absurd Retry-After must not stop anything for a year. */
const maxRetryAfterMs = 24 * 60 * 60 * 1000

/**
 * Milliseconds to wait from a Retry-After header, either form (RFC 9110, 10.2.3), at most a day;
 * null when it is absent or says nothing usable.
 */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null || header.trim() === '') return null
  const seconds = Number(header)
  const delayMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now
  return Number.isNaN(delayMs) ? null : Math.min(Math.max(delayMs, 0), maxRetryAfterMs)
}
