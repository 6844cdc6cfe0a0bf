/** Every time limit and delay of core, in ms. A limit here is ours; no library's own is relied upon. */
export type Timings = {
  /** From the last byte sent to the last byte received of a synchronous extraction; after it the outcome is unknown. */
  syncAnswerMs: number
  /** The same for the receipt of an asynchronous one. */
  asyncAnswerMs: number
  /**
   * A document may take as long as the line needs; this is the longest without progress. That is seen in pieces of 0.5
   * MB, so a line of 4.4 KB/s is the slowest. The time in which a piece is read does not count.
   */
  stallMs: number
  /** Back-off after the first refusal in a row, doubled by each that follows, up to `longestRetryMs`. */
  firstRetryMs: number
  longestRetryMs: number
  /** The longest throttle that a service may ask for; a Retry-After beyond it is cut to it. */
  longestThrottleMs: number
  /**
   * A file whose end looks right is taken after this time without a change; one whose end does not after `longQuietMs`.
   */
  quietMs: number
  longQuietMs: number
  /** The next look at a folder in which nothing seems to happen. */
  sweepIntervalMs: number
  /** A result that did not come by then is named overdue; it is accepted all the same. */
  overdueMs: number
  /** After this an accepted document without a result is `unknown`. */
  callbackWindowMs: number
  /** And only once Sheaf has been running for so long with that result missing, since a clock can be wrong. */
  callbackMissingMs: number
  /**
   * One access to a file or directory of a person's folder, from its turn on; what is not answered by then is out of
   * reach.
   */
  fileAccessMs: number
  snapshotMs: number
  /** How often a full disk is asked whether there is room again. */
  storageRetryMs: number
  /** How long a stop waits for documents that are with a service that bills. */
  graceMs: number
  /** How long the probe of the callbacks' self-test may take to come back. */
  probeTimeoutMs: number
  /** After a probe that did not come back, the next one is sent at need, but not before. */
  probeRetryMs: number
  /** How often results that are waited for are looked at. */
  callbackCheckMs: number
  /** How long the body of a callback may take to come. */
  callbackBodyMs: number
  /**
   * From an approval to the workbook that has it, and at least so long between two writes of one; what a write takes
   * makes it longer.
   */
  workbookDebounceMs: number
  /** How often a workbook that another program holds open is looked at. */
  workbookLockCheckMs: number
  /**
   * From the last document to the reading of its words for the search: a batch goes on at once where it was only
   * between two documents.
   */
  textFillIdleMs: number
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

export const defaultTimings: Timings = {
  syncAnswerMs: 10 * minute,
  asyncAnswerMs: 5 * minute,
  stallMs: 2 * minute,
  firstRetryMs: second,
  longestRetryMs: 5 * minute,
  longestThrottleMs: day,
  quietMs: second,
  longQuietMs: 12 * second,
  sweepIntervalMs: 30 * second,
  overdueMs: day,
  callbackWindowMs: 30 * day,
  callbackMissingMs: day,
  fileAccessMs: 20 * second,
  snapshotMs: hour,
  storageRetryMs: 2 * second,
  graceMs: 20 * second,
  probeTimeoutMs: 30 * second,
  probeRetryMs: 5 * minute,
  callbackCheckMs: minute,
  callbackBodyMs: 5 * minute,
  workbookDebounceMs: 3 * second,
  workbookLockCheckMs: 3 * second,
  textFillIdleMs: second / 2,
}

/** The back-off after the n-th refusal in a row (from 1), in ms. */
export function retryDelayMs({ firstRetryMs, longestRetryMs }: Timings, refusals: number): number {
  return Math.min(firstRetryMs * 2 ** Math.max(0, refusals - 1), longestRetryMs)
}
