import { pointerOf, tokensOf } from '../../../shared/domain/pointer.ts'
import type { SourceKind } from '../../../shared/domain/result.ts'
import type { Flag, ImplausibleReason } from '../../../shared/domain/review.ts'
import { fieldDecimals, labelOf, printedDecimals, valueText } from '../../messages/values.ts'
import type { Language, MessageId } from '../../messages/language.tsx'
import type { Sources } from './pointer.ts'

/** The names of sources in messages, which take letters only. */
export const sourceWords: Record<SourceKind, string> = {
  page: 'page',
  'e-invoice': 'einvoice',
  'payment-code': 'code',
  form: 'form',
}

/**
 * Why a value needs a look, in one sentence; its numbers have the decimals that the values themselves are shown with.
 * Pure.
 */
export function flagText(
  flag: Flag,
  { t, formats }: Pick<Language, 't' | 'formats'>,
  sources: Sources,
  schemaName: string,
): string {
  const decimalsAt = (pointer: string, values: readonly number[]): number =>
    Math.max(printedAt(pointer, sources), fieldDecimals(String(tokensOf(pointer).at(-1) ?? ''), values))
  if (isOfPartner(flag)) return partnerText(flag, t)
  switch (flag.code) {
    case 'pattern':
      return t('flag.pattern', { pattern: flag.pattern })
    case 'not_in_future':
      return t('flag.notInFuture', { date: dayText(flag.date, formats) })
    case 'sum': {
      const decimals = decimalsAt(flag.pointer, [...flag.terms.map(({ value }) => value), flag.expected, flag.total])
      const number = (value: number): string => formats.number(value, decimals)
      return t('flag.sum', {
        terms: flag.terms.map(({ name, value }) => `${labelOf(name)} ${number(value)}`).join(' + '),
        expected: number(flag.expected),
        total: number(flag.total),
      })
    }
    case 'rows_sum': {
      const decimals = decimalsAt(flag.pointer, [flag.expected, flag.total])
      return t('flag.rowsSum', {
        list: labelOf(flag.list),
        expected: formats.number(flag.expected, decimals),
        total: formats.number(flag.total, decimals),
      })
    }
    case 'product': {
      const decimals = decimalsAt(flag.pointer, [flag.expected, flag.value])
      const beside = tokensOf(flag.pointer).slice(0, -1)
      const terms = flag.factors.map(
        ({ name, value }) =>
          `${labelOf(name)} ${formats.number(value, decimalsAt(pointerOf([...beside, name]), [value]))}`,
      )
      return t('flag.product', {
        terms: terms.join(' × '),
        expected: formats.number(flag.expected, decimals),
        value: formats.number(flag.value, decimals),
      })
    }
    case 'unique':
      return t('flag.unique', { value: flag.value, date: formats.dateTime(flag.at), name: flag.name })
    case 'unsure':
      return t(flag.value === null ? 'flag.unsureEmpty' : 'flag.unsure')
    case 'sources_differ': {
      const values = [flag.value, flag.other]
      const numbers = values.filter((value) => typeof value === 'number')
      const words = { yes: t('value.yes'), no: t('value.no') }
      const [value, other] = values.map(
        (each) => valueText(each, formats, words, decimalsAt(flag.pointer, numbers)) ?? t('flag.nothing'),
      ) as [string, string]
      const [from, otherFrom] = [sourceWords[flag.from], sourceWords[flag.otherFrom]]
      return t('flag.sourcesDiffer', { from, value, otherFrom, other })
    }
    case 'other_kind':
      return t('flag.otherKind', { schema: schemaName })
    case 'implausible': {
      const numbers = [flag.value, flag.expected].filter((value) => typeof value === 'number')
      const decimals = decimalsAt(flag.pointer, numbers)
      const [value, expected] = [flag.value, flag.expected].map((each) =>
        typeof each === 'number' ? formats.number(each, decimals) : String(each),
      ) as [string, string]
      return t(implausibleTexts[flag.reason], { value, expected })
    }
    case 'learned_differs':
      return differsText(flag, { t, formats }, decimalsAt)
    default:
      return t(plainTexts[flag.code])
  }
}

/** What a sender's earlier documents have where a platform found something else. */
function differsText(
  { pointer, learned, documents }: Extract<Flag, { code: 'learned_differs' }>,
  { t, formats }: Pick<Language, 't' | 'formats'>,
  decimalsAt: (pointer: string, values: readonly number[]) => number,
): string {
  const words = { yes: t('value.yes'), no: t('value.no') }
  const decimals = typeof learned === 'number' ? decimalsAt(pointer, [learned]) : 0
  return t('flag.learnedDiffers', {
    learned: valueText(learned, formats, words, decimals) ?? t('flag.nothing'),
    count: documents,
    shown: formats.count(documents),
  })
}

/** What says everything without the values. */
const plainTexts: Record<
  'required' | 'rows_missing' | 'rows_unsure' | 'several_documents' | 'comparing' | 'learned_once',
  MessageId
> = {
  required: 'flag.required',
  rows_missing: 'flag.rowsMissing',
  rows_unsure: 'flag.rowsUnsure',
  several_documents: 'flag.severalDocuments',
  comparing: 'flag.comparing',
  learned_once: 'flag.learnedOnce',
}

const implausibleTexts: Record<ImplausibleReason, MessageId> = {
  rows_total: 'flag.rowsTotal',
  balance: 'flag.balance',
  tax_total: 'flag.taxTotal',
  tax_missing: 'flag.taxMissing',
  tax_rate: 'flag.taxRate',
  zero_total: 'flag.zeroTotal',
  identifier: 'flag.identifier',
  too_large: 'flag.tooLarge',
  no_such_date: 'flag.noSuchDate',
  odd_date: 'flag.oddDate',
  iban: 'flag.iban',
  vat_id: 'flag.vatId',
  no_date: 'flag.noDate',
  no_currency: 'flag.noCurrency',
  no_email: 'flag.noEmail',
  too_long: 'flag.tooLongText',
  same_party: 'flag.sameParty',
}

const ofPartner = ['account_differs', 'account_of_other', 'vat_of_other', 'own_company'] as const
type PartnerFlag = Extract<Flag, { code: (typeof ofPartner)[number] }>

function isOfPartner(flag: Flag): flag is PartnerFlag {
  return (ofPartner as readonly string[]).includes(flag.code)
}

/** What the office's partners say against a value. */
function partnerText(flag: PartnerFlag, t: Language['t']): string {
  if (flag.code === 'own_company') return t('flag.ownCompany', { value: flag.value })
  if (flag.code === 'vat_of_other') return t('flag.vatOfOther', { vatId: flag.vatId, holder: flag.holder })
  // As it is printed, in groups of four.
  const account = flag.account.replace(/(.{4})(?=.)/g, '$1 ')
  return flag.code === 'account_differs'
    ? t('flag.accountDiffers', { account })
    : t('flag.accountOfOther', { account, holder: flag.holder })
}

/** How many rows are read to learn how the numbers of a column are printed. */
const rowsAsked = 50

/** What the first rows of each column say, by the pointer of its first value: flags of one column ask for the same. */
const printedColumns = new WeakMap<NonNullable<Sources>, Map<string, boolean>>()

/** Two where the value, or another one of its column, is printed with two decimals or more. */
function printedAt(pointer: string, sources: Sources): number {
  if (sources === null) return 0
  const isPrinted = (place: string): boolean => printedDecimals(sources.get(place)?.text ?? '') >= 2
  if (isPrinted(pointer)) return 2
  const tokens = tokensOf(pointer)
  // The first token is the record's.
  if (tokens.length < 4) return 0
  const inRow = (row: number): string => pointerOf(tokens.with(-2, String(row)))
  const columns = printedColumns.get(sources) ?? new Map<string, boolean>()
  printedColumns.set(sources, columns)
  const isColumn = columns.get(inRow(0)) ?? Array.from({ length: rowsAsked }, (_, row) => inRow(row)).some(isPrinted)
  columns.set(inRow(0), isColumn)
  return isColumn ? 2 : 0
}

function dayText(day: string, formats: Language['formats']): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  return formats.day(year, month, date)
}
