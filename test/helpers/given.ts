/**
 * What a script was given. Null where that is wrong, which is said on stderr with how to use it: the script ends with
 * 2.
 */
export function givenOr<T>(read: () => T, usage: string): { given: T } | null {
  try {
    return { given: read() }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    return null
  }
}
