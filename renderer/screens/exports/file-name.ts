/** The last part of a path of any system. Pure. */
export function fileNameOf(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path
}
