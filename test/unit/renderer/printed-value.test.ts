import { describe, expect, it } from 'vitest'
import { formatsFor } from '../../../renderer/messages/formats.ts'
import { valueOfPrinted } from '../../../renderer/screens/review/printed-value.ts'

const english = formatsFor('en-US')
const german = formatsFor('de-DE')
const total = { name: 'total_amount', format: 'number', description: 'total with tax' } as const
const date = { name: 'invoice_date', format: 'text', description: 'date of the invoice' } as const
const number = { name: 'invoice_number', format: 'text', description: 'number of the invoice' } as const
const words = (...texts: string[]): { text: string }[] => texts.map((text) => ({ text }))

describe('a number that is pointed at', () => {
  it.each([
    ['1.284,50', 1284.5],
    ['EUR 1.284,50', 1284.5],
    ['1 284,50 €', 1284.5],
    ['-12,00', -12],
    ['12,00-', -12],
    ['(12,00)', -12],
    ['19,0 %', 19],
    ['1.284', 1284],
    ['1.284,-', 1284],
  ])('%s is read as its document writes numbers, whatever the language of the window is', (text, value) => {
    expect(valueOfPrinted(text, total, words('3,50', '1.000,00'), english)).toEqual({ value })
  })

  it('is read by the language of the window where the document says nothing', () => {
    expect(valueOfPrinted('1.284', total, words('Total', '1.284'), english)).toEqual({ value: 1.284 })
    expect(valueOfPrinted('1.284', total, words('Total', '1.284'), german)).toEqual({ value: 1284 })
  })

  it('is none where the words hold no number', () => {
    expect(valueOfPrinted('Total', total, [], english)).toEqual({ problem: 'number' })
  })
})

describe('a date that is pointed at', () => {
  it.each([
    ['05.03.2026', '2026-03-05'],
    ['5.3.26', '2026-03-05'],
    ['2026-03-05', '2026-03-05'],
    ['5. März 2026', '2026-03-05'],
    ['March 5, 2026', '2026-03-05'],
    ['5 févr. 2026', '2026-02-05'],
    ['19 de septiembre de 2026', '2026-09-19'],
    ['31.02.2026', '31.02.2026'],
    ['Ma 2026 5', 'Ma 2026 5'],
  ])('%s is stored as %s', (text, value) => {
    expect(valueOfPrinted(text, date, [], german)).toEqual({ value })
  })

  it.each([
    ['09.11.2026', [], '2026-11-09'],
    ['09/11/2026', ['17/10/2026'], '2026-11-09'],
    ['09/11/2026', [], '2026-09-11'],
  ])('%s beside %j is %s in an English window', (text, others, value) => {
    expect(valueOfPrinted(text, date, words(text, ...others), english)).toEqual({ value })
  })

  it('stays as it is printed in a field that is no date', () => {
    expect(valueOfPrinted(' 05.03.2026 ', number, [], german)).toEqual({ value: '05.03.2026' })
  })
})
