import { locales } from '../../shared/sentences.ts'
import type { Locale } from '../../shared/sentences.ts'

/** The locale for spreadsheets: of the environment (POSIX 8.2: LC_ALL, LC_NUMERIC, LANG), else of the system; English otherwise. */
export function systemLocale(environment: NodeJS.ProcessEnv): Locale {
  const named = environment['LC_ALL'] || environment['LC_NUMERIC'] || environment['LANG'] || Intl.DateTimeFormat().resolvedOptions().locale
  return locales.find((locale) => named.toLowerCase().startsWith(locale)) ?? 'en'
}
