import * as z from 'zod'

/**
 * Languages in which the words of pictures and scans can be read, by their ISO 639-2 code, in the order in which the
 * recogniser is given them. The first leads: with English first, accents are lost more often.
 */
export const readingLanguages = ['deu', 'fra', 'eng', 'spa'] as const
export type ReadingLanguage = (typeof readingLanguages)[number]

/** At least one of them, each once; the order in which they were chosen does not matter. */
export const chosenLanguages = z
  .array(z.enum(readingLanguages))
  .min(1)
  .transform((chosen) => readingLanguages.filter((language) => chosen.includes(language)))
