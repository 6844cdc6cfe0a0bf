import type { ErrorDetails } from '../domain/errors.ts'

/**
 * A sentence with its `{name}` placeholders filled from `details`. Where there is nothing to fill in, parentheses go
 * with what they would hold; elsewhere «…» stands for it.
 */
export function fillIn(sentence: string, details: ErrorDetails): string {
  const valueOf = (name: string): string => String(details[name] ?? '')
  const isBlank = (name: string): boolean => valueOf(name).trim() === ''
  return sentence
    .replace(/\s*\(([^()]*)\)/g, (parentheses, inside: string) =>
      [...inside.matchAll(placeholder)].some(([, name]) => isBlank(name!)) ? '' : parentheses,
    )
    .replace(placeholder, (_, name: string) => (isBlank(name) ? '…' : valueOf(name)))
}

const placeholder = /\{(\w+)\}/g
