import type { Formats } from '../../messages/formats.ts'

const dayMs = 86_400_000

/** The day of a moment by the clock of this computer, as `2026-03-09`. Pure. */
function dayOf(moment: Date): string {
  return `${moment.getFullYear()}-${String(moment.getMonth() + 1).padStart(2, '0')}-${String(moment.getDate()).padStart(2, '0')}`
}

/** So many days up to and with today. Pure but for the clock. */
export function spanUntilToday(days: number, now = new Date()): { from: string; to: string } {
  // From noon on, a day of 23 or 25 hours changes nothing.
  const noon = new Date(now.getFullYear(), now.getMonth(), now.getDate(), 12).getTime()
  return { from: dayOf(new Date(noon - (days - 1) * dayMs)), to: dayOf(now) }
}

/** A day as people of the language write it. Pure. */
export function dayText(day: string, formats: Formats): string {
  const [year = 0, month = 1, dayOfMonth = 1] = day.split('-').map(Number)
  return formats.day(year, month, dayOfMonth)
}

/** The smallest of 1, 2, 5, 10, 20, 50 … that is not less: where an axis ends so that its marks are round. Pure. */
export function roundTop(max: number): number {
  if (max <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(max))
  const factor = [1, 2, 4, 6, 8, 10].find((each) => each * power >= max) ?? 10
  return factor * power
}
