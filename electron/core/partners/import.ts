// In: the rows of a table that somebody brings along.
// Out: partners.
import { electronicFormatIBAN, isValidIBAN } from 'ibantools'
import Papa from 'papaparse'
import type { Document } from '../../../shared/domain/document.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { meaningOf } from '../../../shared/domain/meaning.ts'
import { isSameJson } from '../../../shared/domain/pointer.ts'
import { comparableCode } from '../../../shared/domain/partner.ts'
import type { Partner, PartnerValues } from '../../../shared/domain/partner.ts'
import type { Tables } from '../db/tables/tables.ts'

/** The rows of a CSV file, whichever sign separates its columns. Pure. */
export function rowsOfCsv(text: string): string[][] {
  return Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: 'greedy' }).data
}

/** The rows of the first table of a workbook. Pure. */
export function rowsOfWorkbook(document: Document): string[][] {
  const table = document.pages.flatMap(({ tables }) => tables)[0]
  return (table?.rows ?? []).map((cells) => cells.map(({ text }) => text))
}

type Column = 'name' | 'vatId' | 'account' | 'number' | 'bookAccount'

/** What a heading means, in English, German and French; the first that fits counts. */
const headings: readonly [Column, RegExp][] = [
  ['account', /iban/],
  [
    'bookAccount',
    /(gegen|sach|aufwands|standard) ?konto|(default|expense|ledger|nominal) account|account code|compte (par defaut|de charge|comptable)/,
  ],
  [
    'number',
    /(kreditor(en)?|lieferanten|personen|debitor(en)?)[ -]?(nummer|nr|konto)|(supplier|vendor|creditor|partner)[ -]*(no|nr|number|id|code)|(number|nummer) in|^(no|nr|nummer|number|numero|code|konto|account|compte)$|(numero|code|n) (de )?fournisseur|compte fournisseur/,
  ],
  [
    'name',
    /name|firma|company|lieferant|supplier|vendor|kreditor|creditor|fournisseur|raison sociale|^nom$|partner|absender|sender|societe/,
  ],
]

/** How far below the top of a table its headings may stand. */
const maxHeadRow = 10

/** Which columns hold what, and below which row; null where no row has a heading for a name. Pure. */
export function columnsIn(rows: readonly string[][]): { head: number; columns: Map<Column, number> } | null {
  for (const [head, row] of rows.slice(0, maxHeadRow).entries()) {
    const columns = new Map<Column, number>()
    for (const [index, cell] of row.entries()) {
      const column = columnOf(cell)
      if (column !== null && !columns.has(column)) columns.set(column, index)
    }
    // A single cell among others is a title.
    const isHead = row.length === 1 || row.filter((cell) => cell.trim() !== '').length > 1
    if (isHead && columns.has('name')) return { head, columns }
  }
  return null
}

function columnOf(heading: string): Column | null {
  if (meaningOf({ name: heading, format: 'text', description: '' }) === 'vat_id') return 'vatId'
  const words = heading
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return headings.find(([, pattern]) => pattern.test(words))?.[0] ?? null
}

/**
 * Stores what the rows say, in a transaction of the caller: one that is known gets it, and keeps what they do not say.
 * Throws `partners_unreadable` where no column has names.
 */
export function importPartners(
  { tables, now }: { tables: Tables; now: () => number },
  rows: readonly string[][],
): { added: number; changed: number; skipped: number } {
  const found = columnsIn(rows)
  if (found === null) throw new AppError('partners_unreadable')
  const counts = { added: 0, changed: 0, skipped: 0 }
  for (const row of rows.slice(found.head + 1)) {
    const cell = (column: Column): string => (row[found.columns.get(column) ?? -1] ?? '').trim()
    if (row.every((text) => text.trim() === '')) continue
    const name = cell('name')
    const { accounts, wrong } = accountsIn(cell('account'))
    counts.skipped += wrong + (name === '' ? 1 : 0)
    if (name === '') continue
    const said = {
      name: name.slice(0, 200),
      vatId: comparableCode(cell('vatId')).slice(0, 30) || null,
      accounts,
      number: cell('number').slice(0, 50) || null,
      bookAccount: cell('bookAccount').slice(0, 50) || null,
    }
    const outcome = mergePartner({ tables, now }, { ...said, isOwn: false, isNamed: true })
    if (outcome !== 'same') counts[outcome] += 1
  }
  return counts
}

function accountsIn(text: string): { accounts: string[]; wrong: number } {
  const given = text.split(/[,;\n/|]+/).map((each) => electronicFormatIBAN(each.trim()) ?? '')
  const accounts = given.filter((iban) => isValidIBAN(iban))
  return { accounts, wrong: given.filter((iban) => iban !== '').length - accounts.length }
}

/**
 * Adds a partner that comes from elsewhere. One that is known gets what is said, and keeps what is not. In a
 * transaction of the caller.
 */
export function mergePartner(
  { tables, now }: { tables: Tables; now: () => number },
  said: PartnerValues & { isNamed: boolean },
): 'added' | 'changed' | 'same' {
  const match = tables.partners.find(said, said.isOwn) ?? tables.partners.find(said, !said.isOwn)
  const known = match?.partner ?? null
  const values = known === null ? said : mergedWith(known, said)
  if (known !== null && isSameJson(known, values)) return 'same'
  tables.partners.put(known?.id ?? null, values, now())
  if (values.isOwn) tables.partners.takeFromOthers(values)
  return known === null ? 'added' : 'changed'
}

/** A partner with what is said of it; what is not said stays. Pure. */
export function mergedWith(known: Partner, said: PartnerValues & { isNamed: boolean }): Partner {
  return {
    ...known,
    name: said.isNamed ? said.name : known.name,
    isNamed: known.isNamed || said.isNamed,
    vatId: said.vatId ?? known.vatId,
    accounts: [...new Set([...known.accounts, ...said.accounts])],
    number: said.number ?? known.number,
    bookAccount: said.bookAccount ?? known.bookAccount,
    isOwn: known.isOwn || said.isOwn,
  }
}
