/** Shorter ones would be found where they are none: in the middle of a word. */
const minSecretChars = 8

/**
 * What a service answered without the secrets that were sent to it, as they are or as a URL, a form or JSON writes
 * them: each byte of them becomes an asterisk, so that nothing else moves. The same bytes when there are none in it.
 */
export function redacted(body: Buffer, secrets: readonly string[]): Buffer {
  let clean = body
  for (const spelling of secrets.filter((secret) => secret.length >= minSecretChars).flatMap(spellings)) {
    const needle = Buffer.from(spelling)
    for (let at = clean.indexOf(needle); at >= 0; at = clean.indexOf(needle, at + needle.length)) {
      if (clean === body) clean = Buffer.from(body)
      clean.fill('*', at, at + needle.length)
    }
  }
  return clean
}

/**
 * The same for a body that is read while it comes: an end that may be the beginning of a secret waits for what follows
 * it.
 */
export async function* redactedStream(
  body: AsyncIterable<Uint8Array>,
  secrets: readonly string[],
): AsyncGenerator<Uint8Array> {
  const needles = secrets
    .filter((secret) => secret.length >= minSecretChars)
    .flatMap(spellings)
    .map((spelling) => Buffer.from(spelling))
  let held: Buffer = Buffer.alloc(0)
  for await (const piece of body) {
    const known = redacted(Buffer.concat([held, piece]), secrets)
    const waits = Math.max(0, ...needles.map((needle) => beginningAtEnd(known, needle)))
    held = known.subarray(known.length - waits)
    if (known.length > waits) yield known.subarray(0, known.length - waits)
  }
  if (held.length > 0) yield held
}

/** How many bytes at the end are the beginning of the needle. */
function beginningAtEnd(bytes: Buffer, needle: Buffer): number {
  for (let length = Math.min(bytes.length, needle.length - 1); length > 0; length -= 1) {
    if (bytes.subarray(bytes.length - length).equals(needle.subarray(0, length))) return length
  }
  return 0
}

function spellings(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const url = encodeURIComponent(secret)
  const form = new URLSearchParams({ secret }).toString().slice('secret='.length)
  return [
    ...new Set([
      secret,
      json,
      json.replaceAll('/', '\\/'),
      url,
      form,
      url.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    ]),
  ]
}
