import { describe, expect, it } from 'vitest'
import { understandItems } from '../../../electron/service/extraction/list-fields.ts'
import { listOf } from './schema-of.ts'
import { tablesOf } from './tables-of.ts'

const conceptsOf = (...items: string[]): (string | undefined)[] =>
  understandItems(listOf('rows', ...items)).map(({ concept }) => concept)

describe('a sub-field is understood by the names that columns have', () => {
  it('in the languages of the window', () => {
    expect(conceptsOf('Stück: number', 'Einh', 'EP: number', 'GP: number')).toEqual([
      'quantity',
      'unit',
      'unitPrice',
      'lineAmount',
    ])
    expect(conceptsOf('Q.tà: number', 'U.M.', 'Sc. %: number')).toEqual(['quantity', 'unit', 'discount'])
    expect(conceptsOf('Aant.: number', 'Per', 'Krt. %: number')).toEqual(['quantity', 'unit', 'discount'])
    expect(conceptsOf('Cant.: number', 'Dto. %: number')).toEqual(['quantity', 'discount'])
  })

  it('and heads of pieces are quantities beside a price of another name', () => {
    const page = `
Stuks  Dienst                       Prijs  Btw    Totaal
8,00   Schoonmaak kantoor        2.421,00   21 19.368,00
224,00 Remblokken voor              28,87   21  6.466,88`
    const list = listOf('regels', 'tarief: number', 'beschrijving', 'totaal: number', 'aantal: number')
    expect(tablesOf('headed', list, page)[0]).toEqual([
      [2421, 'Schoonmaak kantoor', 19368, 8],
      [28.87, 'Remblokken voor', 6466.88, 224],
    ])
  })

  it('a number of an article only beside a text', () => {
    expect(conceptsOf('SKU', 'Article')).toEqual(['articleNumber', 'description'])
    expect(conceptsOf('Rif.', 'Descrizione')).toEqual(['articleNumber', 'description'])
    expect(conceptsOf('Article', 'Description')).toEqual(['articleNumber', 'description'])
    expect(conceptsOf('Artikel', 'Bezeichnung')).toEqual(['articleNumber', 'description'])
    expect(conceptsOf('Artikel', 'Menge: number')).toEqual(['description', 'quantity'])
  })

  it('and heads of pieces are quantities with their units', () => {
    const page = `
Artikel                        Stuks         Prijs      Bedrag
Werkhandschoenen mt 9          1,8 stuks    124,75      224,55
Netwerkkabel Cat6              11,00 set     37,10      408,10`
    const list = listOf('artikelen', 'stuks: number', 'per', 'stuksprijs: number', 'bedrag: number')
    expect(tablesOf('headed', list, page)[0]).toEqual([
      [1.8, 'stuks', 124.75, 224.55],
      [11, 'set', 37.1, 408.1],
    ])
    // Nor is the amount, which nobody asked for, left for the quantity.
    expect(tablesOf('headed', listOf('artikelen', 'stuks: number', 'per', 'stuksprijs: number'), page)[0]).toEqual([
      [1.8, 'stuks', 124.75],
      [11, 'set', 37.1],
    ])
  })

  it('and what tills print below an article is how much of it', () => {
    const page = `
Jus d'orange                    54,76
2,00 m²
Oeufs x10                       32,34
1,00 boîte
Café grains                      6,48
3,00 kg
`
    const list = listOf('lignes', 'article', 'quantité: number', 'unité', 'montant: number')
    expect(tablesOf('unheaded', list, page)[0]!.map(([, quantity, unit]) => [quantity, unit])).toEqual([
      [2, 'm²'],
      [1, 'boîte'],
      [3, 'kg'],
    ])
    const goods = page.replace('2,00 m²', '4006381333931').replace('1,00 boîte', '500 g').replace('3,00 kg', '250 g')
    expect(tablesOf('unheaded', list, goods)[0]!.map(([, quantity]) => quantity)).toEqual([null, null, null])
  })

  it('whatever its description says of how it is printed, or of what it is the code', () => {
    const kindOf = (item: string): string => understandItems(listOf('rows', item))[0]!.kind
    expect(kindOf('Dag | Dag, YYYY-MM-DD')).toBe('date')
    expect(conceptsOf("un | Un tel qu'imprimé")).toEqual(['unit'])
    expect([kindOf('cpt | Code of the service'), ...conceptsOf('cpt | Code of the service')]).toEqual([
      'code',
      undefined,
    ])
    expect(['Geb.-Nr.', 'emergency phone number'].map(kindOf)).toEqual(['code', 'phone'])
    expect(kindOf('Asset tag')).toBe('code')
  })

  it('a position is a number beside a description, and otherwise what a line is called', () => {
    expect(conceptsOf('Position', 'Bezeichnung', 'Menge: number')).toEqual(['lineIndex', 'description', 'quantity'])
    expect(conceptsOf('Position', 'Betrag: number')[0]).toBe('description')
    expect(conceptsOf('position | Line', 'category', 'total: number')[0]).toBe('lineIndex')
    expect(conceptsOf('Position', 'Artikelnummer', 'Menge: number')[0]).toBe('lineIndex')
    expect(understandItems(listOf('tests', 'reference range'))[0]!.kind).toBe('text')
  })

  it('by words for what was ordered, booked and read', () => {
    expect(conceptsOf('amount ordered: number', 'Boekdatum', 'Current read: number')).toEqual([
      'quantity',
      'bookingDate',
      'currentReading',
    ])
    expect(conceptsOf('F. operación', 'F. valor', 'Prijs p/st: number')).toEqual([
      'bookingDate',
      'valueDate',
      'unitPrice',
    ])
    expect(conceptsOf('gelieferte Menge: number', 'Cargos: number', 'Abonos: number')).toEqual([
      'quantity',
      'debit',
      'credit',
    ])
  })

  it('unless another one means it already, or the description asks for something else', () => {
    expect(conceptsOf('quantity: number', 'delivered: number')).toEqual(['quantity', undefined])
    const delivered = understandItems(listOf('rows', 'delivered | delivery date, YYYY-MM-DD'))[0]!
    expect([delivered.concept, delivered.kind]).toEqual([undefined, 'date'])
    expect(conceptsOf('material', 'description')).not.toContain('articleNumber')
  })

  it('and the word behind a number is its unit, whoever asks for the number', () => {
    const page = `
Pos.   Bezeichnung                Menge            EP
1      Kiesschüttung              12,5 t        18,40
2      Randsteine                 40 Stk         6,90
`
    expect(tablesOf('headed', listOf('zeilen', 'bezeichnung', 'einheit', 'ep: number'), page)[0]).toEqual([
      ['Kiesschüttung', 't', 18.4],
      ['Randsteine', 'Stk', 6.9],
    ])
    const units = listOf('zeilen', 'bezeichnung', 'unit | Units', 'ep: number')
    expect(tablesOf('headed', units, page.replace('Menge', 'Anz. '))[0]!.map(([, unit]) => unit)).toEqual(['t', 'Stk'])
  })
})

it('a unit stays as it is printed where its head is one of units', () => {
  const page = `
Description                    Unit              Price
Copy paper                     Pack of 6         21.90
Flour                          per 100 kg        64.00
`
  const list = listOf('prices', 'description', 'unit', 'price: number')
  expect(tablesOf('headed', list, page)[0]!.map(([, unit]) => unit)).toEqual(['Pack of 6', 'per 100 kg'])
})

it('«Tipo» and «Aliquota» ask for shares, and no price', () => {
  expect(conceptsOf('Aliq.: number', 'Tipo IVA: number', 'Tipo IGIC: number')).toEqual([
    'taxRate',
    'taxRate',
    'taxRate',
  ])
  const kindsOf = understandItems(listOf('rows', 'Tipo IRPF: number', 'Aliquota ritenuta: number')).map(
    ({ kind }) => kind,
  )
  expect(kindsOf).toEqual(['percent', 'percent'])
  expect(conceptsOf('Tipo: number', 'Precio: number')[0]).not.toBe('unitPrice')
})

it('a rate of tax is no amount of tax', () => {
  const page = `
Description               VAT          Price
Copy paper                19 %         21.90
Flour                     7 %          64.00
`
  const [amount, tax] = ['vat_amount: number', 'vat: number'].map((name) =>
    tablesOf('headed', listOf('rows', 'description', name, 'price: number'), page)[0]!.map(([, value]) => value),
  )
  expect(amount).toEqual([null, null])
  expect(tax).toEqual([19, 7])
})

it('groups of one number stand in one column, also before a sign', () => {
  const page = `
Désignation                Qté      P.U. HT       Montant HT
Pompe de relevage          -3      1 240,00      3 720,00-
Tuyau 20 m                 -2         85,00        170,00-
`
  const list = listOf('lignes', 'désignation', 'qté: number', 'prix unitaire: number', 'montant: number')
  expect(tablesOf('lanes', list, page)[0]).toEqual([
    ['Pompe de relevage', -3, 1240, -3720],
    ['Tuyau 20 m', -2, 85, -170],
  ])
})
