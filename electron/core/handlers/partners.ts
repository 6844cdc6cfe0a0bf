import { readFile } from 'node:fs/promises'
import { electronicFormatIBAN, isValidIBAN } from 'ibantools'
import { AppError } from '../../../shared/domain/errors.ts'
import { comparableCode } from '../../../shared/domain/partner.ts'
import { samplePath } from '../drafting/samples.ts'
import { importPartners, rowsOfCsv, rowsOfWorkbook } from '../partners/import.ts'
import { inTransaction } from '../pipeline/context.ts'
import type { CallArguments, Handlers, HandlerContext } from './types.ts'

type PartnerCalls = Extract<keyof Handlers, `partners.${string}`>

type Needs = Pick<HandlerContext, 'tables' | 'emit' | 'now' | 'reassessment' | 'reader' | 'draftsDir'>

export function partnerHandlers(context: Needs): Pick<Handlers, PartnerCalls> {
  const { tables, now } = context
  return {
    'partners.list': async () => ({ partners: tables.partners.list() }),
    'partners.save': async ({ id, ...values }) => {
      if (id !== null && tables.partners.get(id) === null) throw new AppError('not_found', { what: 'partner' })
      const accounts = values.accounts.map((iban) => electronicFormatIBAN(iban) ?? '')
      const wrong = values.accounts.find((_, index) => !isValidIBAN(accounts[index]!))
      if (wrong !== undefined) throw new AppError('partner_wrong', { detail: wrong })
      const vatId = comparableCode(values.vatId) || null
      return changePartners(context, () => {
        const changed = { ...values, vatId, accounts: [...new Set(accounts)], isNamed: true }
        const saved = tables.partners.put(id, changed, now())
        return { id: saved, takenFrom: values.isOwn ? tables.partners.takeFromOthers({ vatId, accounts }) : [] }
      })
    },
    'partners.remove': async ({ id }) => {
      changePartners(context, () => tables.partners.remove(id))
      return {}
    },
    'partners.import': async ({ source }) => {
      const rows = await rowsIn(context, source)
      return changePartners(context, () => importPartners(context, rows))
    },
  }
}

/** Stores it, and has all documents assessed again that nobody approved. */
function changePartners<T>(context: Needs, change: () => T): T {
  const value = inTransaction(context, ({ tables }) => {
    const changed = change()
    tables.schemas.requireReassessment(null)
    return changed
  })
  context.reassessment.begin()
  context.emit('partners.changed', {})
  return value
}

async function rowsIn(context: Needs, source: CallArguments<'partners.import'>['source']): Promise<string[][]> {
  if ('text' in source) return rowsOfCsv(source.text)
  const path = await samplePath(context.draftsDir, source.uploadId)
  if (!path.endsWith('.xlsx')) throw new AppError('partners_unreadable')
  return rowsOfWorkbook(await context.reader.readContent(await readFile(path), 'xlsx'))
}
