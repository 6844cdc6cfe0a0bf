import { AppError } from '../../../shared/domain/errors.ts'
import { daysBetween } from '../usage/days.ts'
import type { Handlers, HandlerContext } from './types.ts'

const longestSpanDays = 1100

export function ledgerHandlers({ tables }: Pick<HandlerContext, 'tables'>): Pick<Handlers, 'ledger.list'> {
  const { ledger } = tables
  return {
    'ledger.list': async ({ from, to, limit }) => {
      const days = daysBetween(from, to, longestSpanDays + 1)
      const [first, last] = [days[0], days.at(-1)]
      if (first === undefined || last === undefined || days.length > longestSpanDays)
        throw new AppError('invalid_input', { problem: 'the span of days is empty or too long' })
      const span = { from: first.from, until: last.until }
      const rows = ledger.rows(span, limit + 1)
      return { hosts: ledger.hosts(span), rows: rows.slice(0, limit), more: rows.length > limit }
    },
  }
}
