/**
 * Whether this run is one for a night (`npm run test:all`): every look of a screen, and as many files, kills and
 * callbacks as the fault catalogue names. `npm test` does the same with fewer, so that a change is judged in minutes.
 */
export const isLong = process.env['SHEAF_TESTS'] === 'all'

/** What a test takes: `short` in `npm test`, `long` in `npm run test:all`. */
export function scaled<T>(short: T, long: T): T {
  return isLong ? long : short
}
