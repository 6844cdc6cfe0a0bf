import { billPrograms, fittingBillSettings } from '../../../shared/domain/bill-settings.ts'
import type { BillProgram, BillSettings } from '../../../shared/domain/bill-settings.ts'
import { readStored, writeStored } from '../../client/local-storage.ts'

/** What is typed of what a program of bookkeeping has to know. A line of rates without an account is not used. */
export type BillDraft = {
  currency: string
  supplier: string
  dates: BillSettings['dates']
  rates: { percent: string; account: string; taxCode: string }[]
}
export type BillDrafts = Record<BillProgram, BillDraft>

const emptyLine = { percent: '', account: '', taxCode: '' }
/** Some countries have a fourth rate. */
const lines = (...rates: [percent: string, taxCode: string][]): BillDraft['rates'] => [
  ...rates.map(([percent, taxCode]) => ({ percent, account: '', taxCode })),
  emptyLine,
]

/** What most offices with the program have. */
const usual: BillDrafts = {
  lexware: { currency: 'EUR', supplier: '70000', dates: 'day', rates: lines(['19', ''], ['7', ''], ['0', '']) },
  sage: { currency: 'GBP', supplier: '', dates: 'day', rates: lines(['20', 'T1'], ['5', 'T5'], ['0', 'T0']) },
  xero: { currency: 'GBP', supplier: '', dates: 'day', rates: lines(['20', ''], ['5', ''], ['0', '']) },
  quickbooks: { currency: 'GBP', supplier: '', dates: 'day', rates: lines(['20', ''], ['5', ''], ['0', '']) },
}

/** The settings that are typed; null while something is missing or wrong. Pure. */
export function billSettingsOf(program: BillProgram, draft: BillDraft): BillSettings | null {
  return fittingBillSettings.safeParse(typed(program, draft)).data ?? null
}

/** What is typed that the program does not take: names of fields, and for lines of rates their places. Pure. */
export function wrongInBill(program: BillProgram, draft: BillDraft): Set<string> {
  const issues = fittingBillSettings.safeParse(typed(program, draft)).error?.issues ?? []
  const names = issues.filter(({ code }) => code !== 'custom').map(({ path }) => String(path[0]))
  const isSupplierWrong = draft.supplier !== '' && issues.some(({ path }) => path[0] === 'supplier')
  const isTwice = (percent: string, at: number): boolean =>
    draft.rates.slice(0, at).some((rate) => rate.account !== '' && percentOf(rate.percent) === percentOf(percent))
  const percents = draft.rates.flatMap(({ percent, account }, at) =>
    account !== '' && (!isPercent(percent) || isTwice(percent, at)) ? [`percent ${at}`] : [],
  )
  return new Set([...names, ...(isSupplierWrong ? ['supplier'] : []), ...percents])
}

function typed(program: BillProgram, { currency, supplier, dates, rates }: BillDraft): unknown {
  return {
    program,
    currency: currency.trim(),
    supplier: supplier.trim(),
    dates,
    rates: rates
      .filter(({ account }) => account.trim() !== '')
      .map(({ percent, account, taxCode }) => ({ percent: percentOf(percent), account, taxCode })),
  }
}

function percentOf(text: string): number {
  return text.trim() === '' ? NaN : Number(text.trim().replace(',', '.'))
}

function isPercent(text: string): boolean {
  const percent = percentOf(text)
  return percent >= 0 && percent <= 100
}

/** As many lines as are shown, the rest empty. Pure. */
function withLines(draft: BillDraft): BillDraft {
  const missing = Math.max(0, usual.lexware.rates.length - draft.rates.length)
  return { ...draft, rates: [...draft.rates, ...Array.from({ length: missing }, () => emptyLine)] }
}

/** What was typed for settings, beside what was typed last for other programs. */
export function billDraftsOf({ program, currency, supplier, dates, rates }: BillSettings): BillDrafts {
  const draft = {
    currency,
    supplier,
    dates,
    rates: rates.map(({ percent, account, taxCode }) => ({ percent: String(percent), account, taxCode })),
  }
  return { ...readBillDrafts(), [program]: withLines(draft) }
}

const storageKey = 'sheaf.bills'

/** What was typed last in this browser. */
export function readBillDrafts(): BillDrafts {
  const kept = readStored(storageKey)
  const known = typeof kept === 'object' && kept !== null ? (kept as Partial<BillDrafts>) : {}
  return Object.fromEntries(
    billPrograms.map((program) => {
      const draft = known[program]
      return [program, isDraft(draft) ? withLines(draft) : usual[program]]
    }),
  ) as BillDrafts
}

function isDraft(value: unknown): value is BillDraft {
  const draft = value as BillDraft | undefined
  const isText = (each: unknown): boolean => typeof each === 'string'
  return (
    isText(draft?.currency) &&
    isText(draft?.supplier) &&
    (draft?.dates === 'day' || draft?.dates === 'month') &&
    Array.isArray(draft.rates) &&
    draft.rates.every((rate) => isText(rate?.percent) && isText(rate?.account) && isText(rate?.taxCode))
  )
}

export function saveBillDrafts(drafts: BillDrafts): void {
  writeStored(storageKey, drafts)
}
