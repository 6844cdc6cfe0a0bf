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
 * As the options of a test, of Vitest (`skip`) or of Playwright (`tag`, see its configuration): for `npm run test:all`.
 * What takes seconds of processor time and goes further than the way of a document through a screen or a room, or is held
 * for smaller files, fewer rows or by another way in `npm test` as well. What could lose a document or a value, or bill
 * one twice, is no such thing.
 */
export const forNight = { skip: !isLong, tag: '@night' }
