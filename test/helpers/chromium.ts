import { existsSync } from 'node:fs'

/** The package of the Linux distribution that {@link systemChromium} is from. */
export const chromiumPackage = 'chromium-headless-shell'

/**
 * Where the browser of the Linux distribution lies, as an option of a launch, or null; elsewhere Playwright finds, or
 * is told to fetch, one of its own. The shell goes first: a new window costs it 0.54 s of processor time, and the whole
 * Chromium 1.4 s, which draws a frame of its own around each (20 windows).
 */
export function systemChromium(): { executablePath: string } | null {
  const executablePath = [`/usr/bin/${chromiumPackage}`, '/usr/bin/chromium'].find((path) => existsSync(path))
  return executablePath === undefined ? null : { executablePath }
}
