import { locales } from '../../shared/messages/sentences.ts'
import type { Locale } from '../../shared/messages/sentences.ts'

/**
 * The locale for spreadsheets: of the environment (POSIX 8.2: LC_ALL, LC_NUMERIC, LANG), else of the system; English
 * otherwise.
 */
export function systemLocale(environment: NodeJS.ProcessEnv): Locale {
  const named =
    environment['LC_ALL'] ||
    environment['LC_NUMERIC'] ||
    environment['LANG'] ||
    Intl.DateTimeFormat().resolvedOptions().locale
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

/** Text for a terminal: control characters, also those that turn the direction, become visible escapes. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The same for text of several lines, which stay lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}

const maxCellChars = 60

/**
 * Rows as columns for a person: control characters are shown and not obeyed, cells are cut, but not those of the first
 * column, which names what the row is about. The first row is the head.
 */
export function tableOf(rows: readonly (readonly string[])[], longest = maxCellChars): string {
  const cells = rows.map((row) =>
    row
      .map(printable)
      .map((cell, column) => (column > 0 && cell.length > longest ? `${cell.slice(0, longest - 1)}…` : cell)),
  )
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
