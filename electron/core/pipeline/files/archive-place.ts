import { sep } from 'node:path'
import { archiveNameParts } from '../../../../shared/domain/archive-name.ts'
import type { NamePart } from '../../../../shared/domain/archive-name.ts'
import { inKind } from '../../../../shared/domain/in-kind.ts'
import { safeFileName } from '../../files/file-names.ts'

/** As many bytes as leave room for a number and an ending, for each folder and the name. */
const maxBytes = 150

/**
 * Where below `Done` a file goes by the values of its document, with this ending; null where a value is missing that
 * the name asks for. Values are names and never lead elsewhere. Pure.
 */
export function placeByValues(
  name: string,
  record: Readonly<Record<string, unknown>>,
  extension: string,
): string | null {
  const steps: string[] = ['']
  for (const part of archiveNameParts(name)) {
    const text = typeof part === 'string' ? part : valueOf(part, record)
    if (text === null) return null
    const [first = '', ...rest] = typeof part === 'string' ? text.split('/') : [text]
    steps.push(`${steps.pop() ?? ''}${first}`, ...rest)
  }
  const names = steps.map((step) => step.trim()).filter((step) => step !== '')
  const safe = names.map((step) => safeFileName(step, '', maxBytes))
  return safe.length === 0 || safe.includes('') ? null : safe.join(sep) + extension
}

function valueOf({ field, part }: Exclude<NamePart, string>, record: Readonly<Record<string, unknown>>): string | null {
  const value = record[field]
  if (typeof value === 'number') return part === null ? String(value) : null
  if (typeof value !== 'string' || value.trim() === '') return null
  if (part === null) return value.trim()
  const day = /^\d{4}-\d{2}-\d{2}$/.exec(inKind('date', value) ?? '')?.[0]
  if (day === undefined) return null
  return { yyyy: day.slice(0, 4), mm: day.slice(5, 7), dd: day.slice(8) }[part]
}
