/** A count that a service reported, as it can be stored and summed: whole, not below zero; null when it is no such number. */
export function countOf(reported: number | null): number | null {
  const whole = reported === null ? NaN : Math.round(reported)
  return Number.isSafeInteger(whole) && whole >= 0 ? whole : null
}
