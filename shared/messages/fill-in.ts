import type { ErrorDetails } from '../domain/errors.ts'

/** A sentence with its `{name}` placeholders filled from `details`; «…» where there is nothing to fill in. */
export function fillIn(sentence: string, details: ErrorDetails): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(details[name] ?? '…'))
}
