const longestName = 100

/**
 * Any text as a part of a file name that Windows, macOS and Linux take: without the characters and the ends that Windows
 * refuses (Microsoft, «Naming Files, Paths, and Namespaces») and without control characters; `fallback` when nothing is left.
 */
export function safeFileName(text: string, fallback: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are among those that are refused
  const allowed = text.replace(/[<>:"/\\|?*\u0000-\u001f\u007f]/g, '_')
  return allowed.slice(0, longestName).replace(/^[. ]+|[. ]+$/g, '') || fallback
}
