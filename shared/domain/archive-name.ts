import * as z from 'zod'

/**
 * What files are called in the folder `Done` of a watched folder: text with fields in braces, «{Seller} {Number}», and
 * of a date a part of it, «{Date:yyyy}/{Date:mm}». A slash begins a folder. Nothing: they keep their names.
 */
export const archiveName = z
  .string()
  .trim()
  .max(300)
  // Of a name without a field there would be as many as there are files.
  .refine((text) => text === '' || fieldsIn(text.slice(text.lastIndexOf('/') + 1)).length > 0, 'no field in braces')

const dateParts = ['yyyy', 'mm', 'dd'] as const
export type NamePart = string | { field: string; part: (typeof dateParts)[number] | null }

/** A name in its parts, in order. Pure. */
export function archiveNameParts(name: string): NamePart[] {
  return name.split(/(\{[^{}]+\})/).flatMap((text, at): NamePart[] => {
    if (at % 2 === 0) return text === '' ? [] : [text]
    const inside = text.slice(1, -1)
    const part = dateParts.find((each) => inside.endsWith(`:${each}`)) ?? null
    return [{ field: (part === null ? inside : inside.slice(0, -part.length - 1)).trim(), part }]
  })
}

/** The fields that a name asks for, each once. Pure. */
export function fieldsIn(name: string): string[] {
  return [...new Set(archiveNameParts(name).flatMap((part) => (typeof part === 'string' ? [] : [part.field])))]
}
