import { describe, expect, it } from 'vitest'
import { layOut } from '../../../electron/service/extraction/layout.ts'
import { choicesOf } from '../../../electron/service/finding/decide.ts'
import { describeProposals } from '../../../electron/service/finding/describe.ts'
import { Mentions } from '../../../electron/service/finding/mentions.ts'
import { shippedModel } from '../../../electron/service/finding/model.ts'
import { features } from '../../../electron/service/finding/features.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { typedDocument } from '../extraction/typed-page.ts'

/** What the judge sees of each proposal for one field of a page, by the value that is proposed. */
function seen(page: string, element: SchemaElement, feature: string): Map<unknown, number> {
  const document = typedDocument(page)
  const { proposals, rows } = describeProposals(document, layOut(document), [element])
  const column = features.findIndex(([name]) => name === feature)
  return new Map(proposals[0]!.map((proposal, place) => [proposal.value, rows[0]![place * features.length + column]!]))
}

const text = (name: string): SchemaElement => ({ name, format: 'text', description: '' })

const schedule = `
Order Flight  03/02/20 - 03/22/20       Printed   02/28/20
Week  03/02/20  03/08/20    3
Week  03/09/20  03/15/20    3
`

describe('a date as the judge sees it', () => {
  it('is the first or the last day of a period, or stands alone', () => {
    const places = seen(schedule, text('flight end date'), 'place in a period')
    expect(places.get('2020-03-22')).toBe(2)
    expect(places.get('2020-03-15')).toBe(2)
    expect(places.get('2020-03-09')).toBe(1)
    expect(places.get('2020-02-28')).toBe(0)
  })

  it('is a day of a period that holds others, or of a part of it', () => {
    const held = seen(schedule, text('flight end date'), 'days that the period holds')
    expect(held.get('2020-03-22')).toBeCloseTo(5 / 6)
    expect(held.get('2020-03-08')).toBeCloseTo(2 / 6)
    expect(held.get('2020-02-28')).toBeNaN()
  })

  it('has the label of its period also at the far end', () => {
    const labels = seen(schedule, text('flight end date'), 'period: near label')
    expect(labels.get('2020-03-22')).toBeGreaterThan(labels.get('2020-03-15')!)
  })
})

it('a number is the one of the document where its label says what the title says', () => {
  const page = 'CONTRACT\n\nContract / Revision     Estimate #\n2186808                 6834\n'
  const named = seen(page, text('document number'), 'named by the title')
  expect(named.get('2186808')).toBe(1)
  expect(named.get('6834')).toBe(0)
})

it('a name belongs to the party that a line above its block names', () => {
  const page =
    'Seller                   Bill to\n\n35 Mill Street           Hartmann GmbH\n12345 Town               Main Road 4\n'
  const sides = seen(page, text('buyer name'), 'side: over it')
  expect(sides.get('Hartmann GmbH')).toBe(1)
  expect(sides.get('35 Mill Street')).toBe(-1)
})

it('a value has the label over its own words where two columns stand so close that they are one cell', () => {
  const page = 'Contract  Estimate\n2186808 6834\n'
  const named = seen(page, text('estimate'), 'named by above')
  expect(named.get('6834')).toBe(1)
  expect(named.get('2186808')).toBe(0)
})

it('a label is known in which «m» was read as «rn»', () => {
  const named = seen('Rechnungsnurnmer: 4711/26\n', text('invoice_number'), 'before: all words')
  expect(named.get('4711/26')).toBe(1)
})

it('a label is known in whatever letters the name or a bracket of the description has it', () => {
  const page = 'Дата выдачи:   12.03.2024\nΗμερομηνία:    13.03.2024\n担当者:        Yamada Taro\n'
  expect(seen(page, text('Дата выдачи'), 'left: all words').get('2024-03-12')).toBe(1)
  expect(seen(page, text('Ημερομηνια'), 'left: all words').get('2024-03-13')).toBe(1)
  const person = { name: 'handler', format: 'text' as const, description: 'Person in charge (担当者)' }
  expect(seen(page, person, 'left: all words').get('Yamada Taro')).toBeGreaterThan(0.7)
})

it('a value is like an example of the description in itself, in its signs or in what follows on what', () => {
  const asked = { name: 'order', format: 'text' as const, description: "Order (e.g. 'KD-4711')" }
  const page = 'Order: KD-4711    Ref: AB-0815    File: X-1\n'
  expect(seen(page, asked, 'example: the same').get('KD-4711')).toBe(1)
  const signs = seen(page, asked, 'example: same signs')
  expect([signs.get('AB-0815'), signs.get('X-1')]).toEqual([1, 0])
  expect(seen(page, asked, 'example: same runs').get('X-1')).toBe(1)
  expect(seen(page, text('order'), 'example: same runs').get('X-1')).toBeNaN()
})

it('a value belongs to the number that a form gives its label', () => {
  const page = '16 Wages      17 Tax\n\n47808.35      1467.72\n'
  const numbers = seen(page, { name: 'box17Wages', format: 'number', description: '' }, 'number of the label')
  expect([numbers.get(1467.72), numbers.get(47808.35)]).toEqual([1, -1])
})

describe('a value of a small table as the judge sees it', () => {
  const page = `
Advertiser            Printed
Nina for Town         02/28/20

Week          Spots
03/02/20      3
03/09/20      4
03/16/20      3
`
  it('stands in columns with the line of its label, and a label with the line of its value', () => {
    expect(seen(page, text('advertiser'), 'columns shared with the line above').get('Nina for Town')).toBe(2)
    expect(seen(page, text('advertiser'), 'columns shared with the line below').get('Printed')).toBe(2)
    expect(seen(page, text('advertiser'), 'columns shared with the line below').get('Nina for Town')).toBe(0)
  })

  it('is one of several that are written like it in its column, or the only one', () => {
    const alike = seen(page, text('print date'), 'like it in its column')
    expect(alike.get('2020-02-28')).toBe(1)
    expect(alike.get('2020-03-09')).toBe(3)
  })

  it('has a label that the document says once or several times', () => {
    const twice = `${page}\nWeek          Spots\n03/23/20      2\n`
    const times = seen(twice, text('print date'), 'above: times')
    expect(times.get('2020-02-28')).toBe(1)
    expect(times.get('2020-03-23')).toBe(2)
  })
})

const amount = (name: string): SchemaElement => ({ name, format: 'number', description: '' })

describe('a label as the judge sees it', () => {
  it('names an amount as well with the currency beside it', () => {
    const likeness = (line: string): number => [...seen(line, amount('total'), 'left: all words').values()][0]!
    for (const label of ['Total RM', 'TOTAL EUR', 'Summe CHF', 'Total (USD)'])
      expect(likeness(`${label}        8.95`), label).toBe(likeness('Total        8.95'))
    const phone = seen('NOK phone        030 1234567', text('phone'), 'left: all words')
    expect(Math.max(...phone.values())).toBeLessThan(1)
  })

  it('is of something else by its last word, where all of it names nothing known', () => {
    const form = seen('OMB No. 1124-0003; Expires April 30, 2017', text('filing date'), 'before: rival')
    expect(form.get('2017-04-30')).toBeGreaterThan(0)
  })
})

describe('money that was handed over', () => {
  const given = (page: string, name: string, description = ''): unknown[] => [
    ...seen(page, { name, format: 'number', description }, 'x').keys(),
  ]
  const till = 'Total RM  8.95\nCASH RM  50.00\nCHANGE RM  41.05'

  it('is no total, and adds up with nothing', () => {
    expect(given(till, 'total')).toEqual([8.95])
    expect(given('Summe EUR 12,40\nBar EUR 20,00\nRückgeld EUR 7,60', 'total')).toEqual([12.4])
    const withTax = 'Total  42.95\nCash  50.00\nChange  7.05'
    expect(seen(withTax, amount('total'), 'net of a sum').get(42.95)).toBeNaN()
  })

  it('has its change behind it, however a till calls that', () => {
    expect(given('Burger  18.60\nFries  9.90\nTotal  28.50\nCash  50.00\nCh.  21.50\nGST  1.61', 'total')).toEqual([
      28.5,
    ])
    // What was paid is the total, of which the tax is a part.
    expect(given('Total  106.00\nCash  106.00\nThereof  6.00\nGoods  100.00', 'tax amount')).toContain(6)
  })

  it('is the total where a sum was rounded to it', () => {
    const rounded = 'Biscuits  29.95\nCocoa  7.49\nTotal Sales  37.44\nRounding Adjustment RM  .01\nRounding RM  37.45'
    expect(given(rounded, 'total')).toEqual([37.45])
    expect(given(rounded, 'total', 'what was paid in cash')).toContain(37.44)
    expect(given(rounded.replace('.01', '.00'), 'total')).toContain(37.44)
    expect(given(rounded, 'gross amount', 'before rounding')).toContain(37.44)
  })

  it('is what a field gets that asks for it', () => {
    expect(given(till, 'change given')).toEqual([8.95, 50, 41.05])
    expect(given(till, 'total', 'what was paid in cash')).toEqual([8.95, 50, 41.05])
  })

  it('is nothing that is only called cash, without a change that adds up', () => {
    expect(given('Donation receipt No. 44\nCash 250.00\nFees 0.00', 'total')).toContain(250)
    expect(given('Bar 120,00\nEC-Karte 80,00\nSumme 200,00', 'total')).toEqual([120, 80, 200])
  })
})

const number = (name: string): SchemaElement => ({ name, format: 'number', description: '' })

describe('an amount as the judge sees it', () => {
  const slip = `
Total 0% supplies                  18.08
Total 6% supplies (excl. GST)      12.24
GST                                 0.73
Total 6% supplies (Inc. GST)       12.97
Total Payable                      31.05
`

  it('is the sum of two others, or part of such a sum', () => {
    const sums = seen(slip, number('total'), 'sum of two amounts')
    const parts = seen(slip, number('total'), 'part of a sum')
    expect([sums.get(31.05), parts.get(31.05)]).toEqual([1, 0])
    expect([sums.get(12.97), parts.get(12.97)]).toEqual([1, 1])
    expect([sums.get(18.08), parts.get(18.08)]).toEqual([0, 1])
  })

  it('was rounded to five cents, or is what was rounded', () => {
    const page = 'Subtotal   31.47\nRounding   -0.02\nTotal      31.45\nSaved       4.00\n'
    // Asked for the total, only what was rounded to is left.
    const rounded = seen(page, number('savings'), 'rounded to five')
    expect(rounded.get(31.45)).toBe(1)
    expect(rounded.get(31.47)).toBe(-1)
    expect(rounded.get(4)).toBe(0)
  })

  it('is the total where it is what a till took, whatever else is called so', () => {
    const document = typedDocument('Total excl. tax  87.80\nTotal    93.07\nCASH    RM 100.00\nChange    6.93\n')
    const { proposals } = describeProposals(document, layOut(document), [number('total'), number('net_amount')])
    expect(proposals[0]!.map(({ value }) => value)).toEqual([93.07])
    expect(proposals[1]!.map(({ value }) => value)).toContain(87.8)
  })

  it('is not the total where a part was paid otherwise', () => {
    const page = 'Total      30.00\nGift card  20.00\nTea        10.00\nCash       15.00\nChange      5.00\n'
    const document = typedDocument(page)
    const { proposals } = describeProposals(document, layOut(document), [number('total')])
    expect(proposals[0]!.map(({ value }) => value)).toContain(30)
  })

  it('is what a till took where it is cash less change', () => {
    const page = 'Net      87.80\nTotal    93.07\nCASH    RM 100.00\nChange    6.93\n'
    const paid = seen(page, number('net_amount'), 'cash less change')
    expect(paid.get(93.07)).toBe(1)
    expect(paid.get(87.8)).toBe(0)
    expect(seen('Net   87.80\nTotal   93.07\n', number('net_amount'), 'cash less change').get(93.07)).toBeNaN()
  })
})

describe('an address as the judge sees it', () => {
  const slip = `
HARTMANN HARDWARE SDN BHD
(860671-D)
LOT 18, JALAN KENANGA 6,
TAMAN INDUSTRI SELESA,
43300 SERI MELATI, SELANGOR
TEL: 03-8961 2210
`
  const whole = 'LOT 18, JALAN KENANGA 6, TAMAN INDUSTRI SELESA, 43300 SERI MELATI, SELANGOR'
  const rest = 'TAMAN INDUSTRI SELESA, 43300 SERI MELATI, SELANGOR'
  const of = (feature: string): Map<unknown, number> => seen(slip, text('store_address'), feature)

  it('begins below what does not go on', () => {
    expect([of('above: comma').get(whole), of('above: comma').get(rest)]).toEqual([0, 1])
    expect(of('above: share of digits').get(whole)).toBeGreaterThan(of('above: share of digits').get(rest)!)
    expect(of('above: legal form').get('(860671-D)')).toBe(1)
  })

  it('ends with its town, above what has a colon', () => {
    const [lines, town] = [of('lines behind its town'), of('towns in it')]
    expect([lines.get(whole), town.get(whole), of('line below: colon').get(whole)]).toEqual([0, 1, 1])
    expect(lines.get(`${whole} TEL: 03-8961 2210`)).toBe(1)
    const cut = 'LOT 18, JALAN KENANGA 6, TAMAN INDUSTRI SELESA'
    expect([town.get(cut), of('comma at its end').get(cut), of('line below: town').get(cut)]).toEqual([0, 1, 1])
    expect(of('lines to a town below').get('HARTMANN HARDWARE SDN BHD')).toBe(4)
  })
})

describe('a name as the judge sees it', () => {
  const invoice = `
Kestrel Joinery
Unit 7, Tannery Yard, Keighley BD20 6QT

Invoice to
Mossfield Interiors LLP
The Old Dairy

Delivered for us by Brook & Hale Ltd of Leeds
Payment by BACS to Kestrel Joinery Ltd, sort code 40-12-76
Kestrel Joinery Ltd. Registered in England no. 04471882
`
  const of = (feature: string): Map<unknown, number> => seen(invoice, text('supplier_name'), feature)
  const [short, legal, buyer] = ['Kestrel Joinery', 'Kestrel Joinery Ltd', 'Mossfield Interiors LLP']

  it('is mentioned in its head, its foot and where it is paid, with and without its legal form', () => {
    const [exactly, inShort] = [of('name: mentions'), of('name: mentions in short')]
    expect([exactly.get(short), exactly.get(legal), exactly.get(buyer)]).toEqual([3, 2, 1])
    expect([inShort.get(short), inShort.get(legal), inShort.get(buyer)]).toEqual([3, 3, 1])
    const alone = of('name: alone')
    expect([alone.get(legal), alone.get(buyer), alone.get('Brook & Hale Ltd')]).toEqual([1, 1, 0])
  })

  it('stands first where its short form stands, and may have a legal form elsewhere', () => {
    const first = of('name: first line')
    expect(first.get(legal)).toBe(first.get(short))
    expect(first.get(buyer)).toBeGreaterThan(first.get(legal)!)
    const form = of('name: legal form somewhere')
    expect([form.get(short), form.get('The Old Dairy')]).toEqual([1, 0])
  })

  it('stands beside the register and the account of the sender, and of nobody else', () => {
    const mentions = new Mentions(layOut(typedDocument(invoice)))
    expect([short, legal].map((name) => mentions.of(name))).toMatchObject(
      Array(2).fill({ isRegistered: true, isPaid: true }),
    )
    expect(mentions.of(buyer)).toMatchObject({ isRegistered: false, isPaid: false })
  })

  it('may have two legal forms', () => {
    const letter = 'Mustermann GmbH & Co. KG\nAm Wall 3\n\nIhre Mustermann GmbH & Co. KG\nMustermann dankt\n'
    const [exactly, inShort] = ['name: mentions', 'name: mentions in short'].map((feature) =>
      seen(letter, text('supplier_name'), feature).get('Mustermann GmbH & Co. KG'),
    )
    expect([exactly, inShort]).toEqual([2, 3])
  })

  it('is counted where a company or a person is asked for', () => {
    expect(seen(invoice, number('total'), 'name: mentions').get(7)).toBeNaN()
    expect(seen(invoice, text('bank'), 'name: mentions').get(buyer)).toBe(1)
    expect(seen(invoice, text('inspector'), 'name: mentions').get(buyer)).toBe(1)
  })
})

describe('a label as the judge sees it', () => {
  it('may say a part of what a field is called, less where it says more beside', () => {
    const report = 'Inspector   Kayleigh Dransfield     Card no.   FDIS 4471-2     Order no. and date   B-2026-0877'
    const of = (feature: string): Map<unknown, number> => seen(report, text('inspector_card_no'), feature)
    expect(of('left: all words').get('FDIS 4471-2')).toBe(0)
    expect(of('left: part').get('FDIS 4471-2')).toBeGreaterThan(of('left: part').get('B-2026-0877')!)
    expect(of('best part').get('FDIS 4471-2')).toBe(of('left: part').get('FDIS 4471-2'))
    expect(of('behind the best part').get('FDIS 4471-2')).toBe(0)
  })

  it('may stand anywhere in a sentence', () => {
    const letter = `
Appeals must reach the Board of Equalization at the county office by April 30, 2025.
The board meets again on May 14, 2025 in public.
`
    const lines = seen(letter, text('appeal_deadline'), 'on its line')
    expect(lines.get('2025-04-30')).toBeGreaterThan(lines.get('2025-05-14')!)
    expect(seen(letter, text('appeal_deadline'), 'on the line above').get('2025-05-14')).toBe(lines.get('2025-04-30'))
  })

  it('stands left of the currency, and may hold a rate', () => {
    const total = `
Net         EUR      580.12
VAT 20 %    EUR      116.02
`
    const left = seen(total, number('vat'), 'left: all words')
    expect(left.get(116.02)).toBeGreaterThan(0.5)
    expect(left.get(580.12)).toBe(0)
  })

  it('is no quantity with its unit, no date in letters and no number of a paper', () => {
    const row = 'Balance due    14 May 2025    1.200,00\n'
    expect(seen(row, number('balance due'), 'left: all words').get(1200)).toBe(1)
    const table = 'Artikel      Menge\nSchraube     12,00 Stk\nMutter       15,00 Stk\n'
    expect(seen(table, number('menge'), 'head: all words').get(15)).toBe(1)
  })
})

it('a day of birth is what a label or a star names, and any other day is only offered', () => {
  const choices = (page: string): [unknown, boolean][] => {
    const document = typedDocument(page)
    const described = describeProposals(document, layOut(document), [text('birth_date')])
    return choicesOf(described, shippedModel.first)[0]!.map(({ value, score }) => [value, score > 0])
  }
  expect(choices('Max Mustermann (*12.03.1985)\nEintritt   01.09.2019\n')).toEqual([
    ['1985-03-12', true],
    ['2019-09-01', false],
  ])
  expect(choices('Max Mustermann\nEintritt   01.09.2019\n')).toEqual([['2019-09-01', false]])
})
