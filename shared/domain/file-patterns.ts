import * as z from 'zod'

/**
 * Which names of files a folder takes: with patterns in `include` only those that one of them matches, and none that
 * one in `exclude` matches.
 */
export type FilePatterns = { include: readonly string[]; exclude: readonly string[] }

/** As the contract takes them: each one can stand in a typed list. */
export const patternList = z
  .array(
    z
      .string()
      .trim()
      .min(1)
      .max(255)
      .regex(/^[^\n;]*$/),
  )
  .max(50)

/** The patterns of a typed list: «Rechnung*.pdf; *.png», or one a line. Each once, without spaces around it. Pure. */
export function patternsIn(text: string): string[] {
  return [...new Set(text.split(/[;\n]/).map((part) => part.trim()))].filter((part) => part !== '')
}

/** The list as it is typed. Pure. */
export function patternsText(patterns: readonly string[]): string {
  return patterns.join('; ')
}
