import type { Flag } from '../../../shared/review.ts'
import { labelOf, columnDecimals } from '../../messages/values.ts'
import type { Language } from '../../messages/language.tsx'

/** Why a value needs a look, in one sentence. Pure. */
export function flagText(flag: Flag, { t, formats }: Pick<Language, 't' | 'formats'>): string {
  const number = (value: number, ...beside: number[]): string => formats.number(value, columnDecimals([value, ...beside]))
  const terms = (of: { name: string; value: number }[], sign: string, decimals: number): string => of.map(({ name, value }) => `${labelOf(name)} ${formats.number(value, decimals)}`).join(` ${sign} `)
  switch (flag.code) {
    case 'required':
      return t('flag.required')
    case 'pattern':
      return t('flag.pattern', { pattern: flag.pattern })
    case 'future':
      return t('flag.future', { date: dayText(flag.date, formats) })
    case 'sum':
      return t('flag.sum', { terms: terms(flag.terms, '+', columnDecimals([flag.total, flag.expected])), expected: number(flag.expected, flag.total), total: number(flag.total, flag.expected) })
    case 'rows_sum':
      return t('flag.rowsSum', { list: labelOf(flag.list), expected: number(flag.expected, flag.total), total: number(flag.total, flag.expected) })
    case 'product':
      return t('flag.product', { terms: terms(flag.factors, '×', 0), expected: number(flag.expected, flag.value), value: number(flag.value, flag.expected) })
    case 'unique':
      return t('flag.unique', { value: flag.value, date: formats.dateTime(flag.at), name: flag.name })
  }
}

function dayText(day: string, formats: Language['formats']): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  return formats.day(year, month, date)
}
