/** A day of this computer's clock: `YYYY-MM-DD`. */
type Day = { day: string; from: number; until: number }

/** The beginning of the day that holds `now`, by this computer's clock, epoch ms. */
export function startOfDay(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0)
}

/** The next midnight by this computer's clock: also on days of 23 or 25 hours. */
export function nextMidnight(now: number): number {
  return new Date(now).setHours(24, 0, 0, 0)
}

/**
 * Every day from `first` to `last`, both included (`YYYY-MM-DD`), the first `maxDays` of them; none when `last` lies
 * before.
 */
export function daysBetween(first: string, last: string, maxDays: number): Day[] {
  const days: Day[] = []
  for (
    let from = localMidnight(first);
    from <= localMidnight(last) && days.length < maxDays;
    from = nextMidnight(from)
  ) {
    days.push({ day: dayOf(from), from, until: nextMidnight(from) })
  }
  return days
}

function localMidnight(day: string): number {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return new Date(year, month - 1, date).getTime()
}

/** The day of this computer's clock that holds a moment (epoch ms), as `YYYY-MM-DD`. */
export function dayOf(time: number): string {
  const date = new Date(time)
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
