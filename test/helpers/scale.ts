/**
 * Whether this run is one for a night (`npm run test:all`): every look of a screen, and as many files, kills and
 * callbacks as the fault catalogue names. `npm test` does the same with fewer, so that a change is judged in minutes.
 */
export const isLong = process.env['SHEAF_TESTS'] === 'all'

/** What a test takes: `short` in `npm test`, `long` in `npm run test:all`. */
export function scaled<T>(short: T, long: T): T {
  return isLong ? long : short
}

/**
 * As the options of one of Vitest's tests: for `npm run test:all`, where the test takes seconds of processor time and
 * others hold what it is about for smaller files, fewer rows or by another way.
 */
export const forNight = { skip: !isLong }
