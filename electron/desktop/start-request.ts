import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a start asks for, the first one or one more while Sheaf runs. */
export type StartRequest = {
  /** Absolute paths of files to read. */
  files: string[]
  /** A screen to show, as the jump list and the dock name it. */
  screen: 'review' | 'settings' | null
  /** Pause (true) or go on (false) with sending. */
  pause: boolean | null
  /** Started with the computer: no window. */
  isHidden: boolean
}

const screens = ['review', 'settings'] as const

/**
 * Reads the arguments of a start, without the program and its script. The system and Chromium add arguments of their
 * own: whatever is unknown, or no file, is passed over. `directory`: what relative paths start from.
 */
export function parseStart(given: readonly string[], directory: string): StartRequest {
  return {
    files: given
      .filter((argument) => !argument.startsWith('-'))
      .flatMap((name) => fileAt(resolve(directory, pathOf(name)))),
    screen: screens.find((screen) => given.includes(`--show=${screen}`)) ?? null,
    pause: given.includes('--pause') ? true : given.includes('--resume') ? false : null,
    isHidden: given.includes('--hidden'),
  }
}

/** Desktops on Linux name files by their addresses. */
function pathOf(name: string): string {
  if (!name.startsWith('file://')) return name
  try {
    return fileURLToPath(name)
  } catch {
    // It is on another computer, or no address at all.
    return name
  }
}

function fileAt(path: string): string[] {
  // A name with a NUL in it is none, and asking for it throws.
  return !path.includes('\0') && statSync(path, { throwIfNoEntry: false })?.isFile() ? [path] : []
}
