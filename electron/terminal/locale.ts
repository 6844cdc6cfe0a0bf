import { locales } from '../../shared/sentences.ts'
import type { Locale } from '../../shared/sentences.ts'

/** The locale for spreadsheets: of the environment (POSIX 8.2: LC_ALL, LC_NUMERIC, LANG), else of the system; English otherwise. */
export function systemLocale(environment: NodeJS.ProcessEnv): Locale {
  const named = environment['LC_ALL'] || environment['LC_NUMERIC'] || environment['LANG'] || Intl.DateTimeFormat().resolvedOptions().locale
  return locales.find((locale) => named.toLowerCase().startsWith(locale)) ?? 'en'
}

/** Day and time on this computer's clock, the same in every language: 2026-03-09 14:05:00. */
export function localTime(epochMs: number): string {
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' }).format(epochMs)
}

/** The day alone. */
export function localDate(epochMs: number): string {
  return localTime(epochMs).slice(0, 10)
}
