import { expect, it } from 'vitest'
import { layOut } from '../../../electron/service/extraction/layout.ts'
import type { Page } from '../../../shared/domain/document.ts'
import { typedDocument } from './typed-page.ts'

/** The lines of a typed page, their cells with bars between, as if it came from a file or was recognised. */
function linesOf(text: string, origin: Page['origin'] = 'ocr'): string[] {
  const document = typedDocument(text)
  const { lines } = layOut({ ...document, pages: document.pages.map((page) => ({ ...page, origin })) })
  return lines.map(({ cells }) => cells.map((cell) => cell.text).join(' | '))
}

const bill = `
Coca con Tomate     E  6.95
Vitamin E
Fideua Mixta        E 17.00
Americano           E  2.25
Half Pint           E. 4.25
Aisle E   12
Total               E 30.45`

it('a letter that stands alone before most amounts of a picture is a sign of a currency, and left out', () => {
  expect(linesOf(bill)).toEqual([
    'Coca con Tomate | 6.95',
    'Vitamin E',
    'Fideua Mixta | 17.00',
    'Americano | 2.25',
    'Half Pint | 4.25',
    'Aisle E | 12',
    'Total | 30.45',
  ])
})

it('the letters of a file are what they are, and a few before amounts may be letters in a picture as well', () => {
  expect(linesOf(bill, 'text').at(-1)).toBe('Total | E 30.45')
  expect(linesOf('Size E   6.95\nSize E   17.00\nSize F   2.25\nSize G   4.25').at(0)).toBe('Size E | 6.95')
})

it('words up the margin are no part of the lines that they stand beside, and follow behind them', () => {
  const document = typedDocument('Reg. 4711    Total   12.00\nSeat Bonn    Paid    12.00')
  const [page] = document.pages
  const turned = { turned: true } as const
  const tokens = page!.tokens.map((token) => (token.box.x < 0.1 ? { ...token, ...turned } : token))
  const upright = tokens.filter((token) => !('turned' in token))
  const margin = tokens.filter((token) => 'turned' in token)
  const { lines } = layOut({ ...document, pages: [{ ...page!, tokens: [...upright, ...margin] }] })
  expect(lines.map(({ text }) => text)).toEqual(['Total  12.00', 'Paid  12.00', 'Reg.', '4711', 'Seat', 'Bonn'])
})
