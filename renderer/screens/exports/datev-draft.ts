import { fittingDatevSettings } from '../../../shared/domain/datev.ts'
import type { DatevSettings } from '../../../shared/domain/datev.ts'
import { readStored, writeStored } from '../../client/local-storage.ts'

/** What is typed of an office's DATEV settings, by the names of its fields. */
export type DatevDraft = {
  consultant: string
  client: string
  yearStart: string
  accountLength: string
  creditor: string
  standard: string
  reduced: string
  none: string
  withTaxKeys: boolean
}

/** What every office has, and what only its tax adviser knows. */
const unknown: DatevDraft = {
  consultant: '',
  client: '',
  yearStart: '1',
  accountLength: '4',
  creditor: '70000',
  standard: '',
  reduced: '',
  none: '',
  withTaxKeys: true,
}

/** The settings that are typed; null while something is missing or wrong. Pure. */
export function datevSettingsOf(draft: DatevDraft): DatevSettings | null {
  return parsed(draft).data ?? null
}

/** The fields in which something is typed that DATEV does not take. Pure. */
export function wrongIn(draft: DatevDraft): Set<keyof DatevDraft> {
  const issues = parsed(draft).error?.issues ?? []
  const names = issues.map(({ path }) => String(path.at(-1)) as keyof DatevDraft)
  return new Set(names.filter((name) => draft[name] !== ''))
}

function parsed(draft: DatevDraft): ReturnType<typeof fittingDatevSettings.safeParse> {
  const { standard, reduced, none, creditor, withTaxKeys, ...numbers } = draft
  const { consultant, client, yearStart, accountLength } = numbers
  return fittingDatevSettings.safeParse({
    consultant: Number(consultant),
    client: Number(client),
    yearStart: Number(yearStart),
    accountLength: Number(accountLength),
    creditor: creditor.trim(),
    expense: { standard: standard.trim(), reduced: reduced.trim(), none: none.trim() },
    withTaxKeys,
  })
}

/** What was typed for settings. Pure. */
export function datevDraftOf({ expense, ...settings }: DatevSettings): DatevDraft {
  const { consultant, client, yearStart, accountLength, creditor, withTaxKeys } = settings
  return {
    consultant: String(consultant),
    client: String(client),
    yearStart: String(yearStart),
    accountLength: String(accountLength),
    creditor,
    ...expense,
    withTaxKeys,
  }
}

const storageKey = 'sheaf.datev'

/** What was typed last in this browser. */
export function readDatevDraft(): DatevDraft {
  const kept = readStored(storageKey)
  const known = typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : {}
  const isSame = (name: string, value: unknown): boolean => typeof known[name] === typeof value
  return Object.fromEntries(
    Object.entries(unknown).map(([name, value]) => [name, isSame(name, value) ? known[name] : value]),
  ) as DatevDraft
}

export function saveDatevDraft(draft: DatevDraft): void {
  writeStored(storageKey, draft)
}
