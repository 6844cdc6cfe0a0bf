/**
 * Whether this run is one for a night (`npm run test:all`): every look of a screen, and as many files, kills and
 * callbacks as the fault catalogue names. `npm test` does the same with fewer, so that a change is judged in minutes.
 */
export const isLong = process.env['SHEAF_TESTS'] === 'all'

/** A limit for what hangs, not a measurement: the machine may be busy, and a night's work is ten times as much. */
export const hangMs = isLong ? 600_000 : 60_000

/** What a test takes: `short` in `npm test`, `long` in `npm run test:all`. */
export function scaled<T>(short: T, long: T): T {
  return isLong ? long : short
}
