// eslint-disable-next-line no-control-regex -- control characters are among those that are refused
const refused = /[<>:"/\\|?*\u0000-\u001f\u007f-\u009f]/g
const devices = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?= *(\.|$))/i

/** As many bytes of UTF-8 as leave room for a date, a list's name and an ending in the 255 that file systems take. */
const usualBytes = 100

/**
 * A text with every character that a file's name cannot have on Windows, macOS or Linux replaced, and none of the ends and
 * names that Windows keeps for itself (Microsoft, «Naming Files, Paths, and Namespaces»): always one name, never a path.
 * Empty when nothing is left.
 */
export function asFileName(text: string): string {
  return text.toWellFormed().replace(refused, '_').replace(/[. ]+$/g, '').replace(devices, '_$1')
}

/** Any text as a part of a file's name: `asFileName`, without dots and spaces before it, at most `mostBytes` long; `fallback` when nothing is left. */
export function safeFileName(text: string, fallback: string, mostBytes = usualBytes): string {
  let kept = ''
  let bytes = 0
  for (const character of asFileName(text.slice(0, mostBytes * 2)).replace(/^[. ]+/, '')) {
    bytes += new TextEncoder().encode(character).length
    if (bytes > mostBytes) break
    kept += character
  }
  return kept.replace(/[. ]+$/, '') || fallback
}

/** What a file of Sheaf's is called beside its place until it is whole; `part` tells it from others. */
export function temporaryName(part: string): string {
  return `.sheaf-${part}.tmp`
}

/** True for a name that `temporaryName` made. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith('.sheaf-') && name.endsWith('.tmp')
}
