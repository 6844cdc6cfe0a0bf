import { describe, expect, it } from 'vitest'
import type { Document } from '../../../shared/domain/document.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { extractFields } from '../../../electron/service/finding/find.ts'
import { listOf } from './schema-of.ts'
import { tablesOf } from './tables-of.ts'
import { typedDocument } from './typed-page.ts'

/** The rows of the one list of a schema, each as its values in the order of the sub-fields. */
function rowsOf(document: Document | string, list: SchemaElement): unknown[][] {
  const { data } = extractFields(typeof document === 'string' ? typedDocument(document) : document, [list])
  return (data[list.name] as Record<string, unknown>[]).map((row) => Object.values(row))
}

describe('lists of any document', () => {
  it('finds the columns of an open-items list by what stands in them where the heads are mere prepositions', () => {
    const rows = rowsOf(
      `
2. Mahnung

Beleg        vom          fällig       Rechnungsbetrag     bezahlt     offen
A-40118      02.12.2024   16.12.2024            412,80        0,00    412,80
A-40233      19.12.2024   02.01.2025          1.190,00      500,00    690,00
Summe                                                               1.102,80
`,
      listOf('Offene Rechnungen', 'Rechnungsnr.', 'Rechnungsdatum', 'Fällig am', 'Offener Betrag: number'),
    )
    expect(rows).toEqual([
      ['A-40118', '2024-12-02', '2024-12-16', 412.8],
      ['A-40233', '2024-12-19', '2025-01-02', 690],
    ])
  })

  it('reads on behind the sub-totals of groups and takes group headings for no part of an item', () => {
    const rows = rowsOf(
      `
Nr. Leistung / Material              Menge ME      EP in €     GP in €
    A. Lohnleistungen
1   Meisterstunden                   6,50 Std        68,00      442,00
2   Gesellenstunden                 31,00 Std        56,50    1.751,50
    Summe A. Lohnleistungen                                   2.193,50
    B. Material
3   Kupferrohr 22 mm                18,50 m          14,20      262,70
4   Heizkörper Typ 22                3,00 Stk       218,00      654,00
    Summe B. Material                                           916,70
                                         Nettosumme           3.110,20
`,
      listOf('positionen', 'text | Bezeichnung der Leistung', 'menge: number', 'betrag: number'),
    )
    expect(rows).toEqual([
      ['Meisterstunden', 6.5, 442],
      ['Gesellenstunden', 31, 1751.5],
      ['Kupferrohr 22 mm', 18.5, 262.7],
      ['Heizkörper Typ 22', 3, 654],
    ])
  })

  it('gives a day of birth the century in which it lies', () => {
    const page = `
Driver              Date of birth      Licence
Irma Fuchs          12.03.45           B072RRE2I55
Ole Brandt          05.06.12           K114DDA1X02
`
    expect(rowsOf(page, listOf('drivers', 'driver', 'birth_date'))).toEqual([
      ['Irma Fuchs', '1945-03-12'],
      ['Ole Brandt', '2012-06-05'],
    ])
  })

  it('gives numbers set right under heads set left to their heads in order', () => {
    const rows = rowsOf(
      `
BASE IMPONIBLE          % IVA     CUOTA IVA         % R.E.
                769,20      4,00           30,77         0,00
                284,70     10,00           28,47         0,00
`,
      listOf('desglose_iva', 'tipo: number | %', 'base: number', 'cuota: number'),
    )
    expect(rows).toEqual([
      [4, 769.2, 30.77],
      [10, 284.7, 28.47],
    ])
  })

  it('takes the second line of a head as the sub-field of the further lines of each row', () => {
    const rows = rowsOf(
      `
Pos.    Material           Menge ME      Preis/Einh.         Wert
        Bezeichnung
000010  100-40022          5.000 ST      0,0415 / 1 ST     207,50
        Spannstift DIN 1481
000020  100-77310             12 ST      1,5000 / 1 ST      18,00
        Schraube M8
        Summe Positionen                                   225,50
`,
      listOf(
        'Positionen',
        'Pos',
        'Artikelnr',
        'Bezeichnung',
        'Menge: number',
        'Einheit | ME',
        'Einzelpreis: number',
        'Gesamtpreis: number',
      ),
    )
    expect(rows).toEqual([
      ['000010', '100-40022', 'Spannstift DIN 1481', 5000, 'ST', 0.0415, 207.5],
      ['000020', '100-77310', 'Schraube M8', 12, 'ST', 1.5, 18],
    ])
  })

  it('prefers what was shipped to what was ordered, and multiplies quantity and price to find an unnamed quantity', () => {
    const shipped = rowsOf(
      `
Item No.    Ordered   Shipped   B/O   Description                 U/M    Price     Ext. Price
4410-22        24        20      4    Safety gloves, nitrile      BX     12.40       248.00
4410-31         6         6      0    Ear muffs, 27 dB            EA      9.95        59.70
                                                   Subtotal                          307.70
`,
      listOf(
        'lineItems',
        'description',
        'quantity: number | quantity billed / shipped',
        'unitPrice: number | rate',
        'amount: number',
      ),
    )
    expect(shipped).toEqual([
      ['Safety gloves, nitrile', 20, 12.4, 248],
      ['Ear muffs, 27 dB', 6, 9.95, 59.7],
    ])
    const usage = rowsOf(
      `
Service            Metered          Unit price      Cost
Compute            720 hours        $0.12         $86.40
Egress             90 GB            $0.09          $8.10
Total                                             $94.50
`,
      listOf('usage', 'service', 'quantity: number', 'unit', 'rate: number', 'cost: number'),
    )
    expect(usage).toEqual([
      ['Compute', 720, 'hours', 0.12, 86.4],
      ['Egress', 90, 'GB', 0.09, 8.1],
    ])
  })

  it('carries the day of a journal down to its further entries and signs money out', () => {
    const rows = rowsOf(
      `
Statement period 01 Mar 2025 to 31 Mar 2025

Date      Transaction details                 Withdrawals     Deposits      Balance
          Balance brought forward                                           1,200.00
03 Mar    Card purchase SUPERMART                   42.10                   1,157.90
          Direct debit POWERCO                      60.00                   1,097.90
05 Mar    Salary ACME                                          2,000.00     3,097.90
          Balance carried forward                                           3,097.90
`,
      listOf(
        'transactions',
        'date | YYYY-MM-DD',
        'description',
        'amount: number | negative when money goes out',
        'balance: number',
      ),
    )
    expect(rows).toEqual([
      ['2025-03-03', 'Card purchase SUPERMART', -42.1, 1157.9],
      ['2025-03-03', 'Direct debit POWERCO', -60, 1097.9],
      ['2025-03-05', 'Salary ACME', 2000, 3097.9],
    ])
  })

  it('makes credits of a card statement negative when the list asks for it', () => {
    const list = {
      ...listOf('txns', 'tran_date | YYYY-MM-DD', 'merchant | description', 'amt: number'),
      description: 'purchases and payments; payments negative',
    }
    expect(
      rowsOf(
        `
Statement date 15 March 2025

Trans date   Post date   Description                            Amount
02/18        02/19       COFFEE BARN #221 PORTLAND OR           $6.75
02/27        02/27       PAYMENT RECEIVED                     $500.00 CR
`,
        list,
      ),
    ).toEqual([
      ['2025-02-18', 'COFFEE BARN #221 PORTLAND OR', 6.75],
      ['2025-02-27', 'PAYMENT RECEIVED', -500],
    ])
  })

  it('gives amounts the sign that the description asks for', () => {
    const ledger = `
Date        Details                 Charged    Paid    Balance
05/01/2026  Rent for January         780.00            728.00
07/01/2026  Standing order                    780.00    52.00 CR
09/02/2026  Standing order                    780.00     7.00 CR
`
    const balances = (about: string): unknown[] =>
      rowsOf(ledger, listOf('ledger', 'date', 'details', `balance: number | ${about}`)).map((row) => row[2])
    expect(balances('negative if CR')).toEqual([728, -52, -7])
    expect(balances('Negativ bei CR')).toEqual([728, -52, -7])
    expect(balances('negative if I owe')).toEqual([728, 52, 7])
    const bookings = `
Date        Details                   Amount
05/01/2026  Salary                    780.00
07/01/2026  Standing order           -120.00
`
    const amounts = (about: string): unknown[] =>
      rowsOf(bookings, listOf('bookings', 'details', `amount: number | ${about}`)).map((row) => row[1])
    for (const about of [
      'positive for credits, negative for debits',
      'positive if money comes in',
      'money out is negative, money in is positive',
      'Soll negativ, Haben positiv',
    ])
      expect(amounts(about)).toEqual([780, -120])
    for (const about of [
      'always positive, never negative',
      'immer positiv, auch wenn negativ gedruckt',
      'positive, even if the slip shows a negative one',
    ])
      expect(amounts(about)).toEqual([780, 120])
    const sides = `
Date         Details                Paid out      Paid in      Balance
05/01/2026   Salary                                780.00       980.00
07/01/2026   Standing order           120.00                    860.00
09/01/2026   Groceries                 20.00                    840.00
`
    const unsigned = listOf('bookings', 'date', 'details', 'amount: number | without sign')
    expect(rowsOf(sides, unsigned).map((row) => row[2])).toEqual([780, 120, 20])
    const order = `
Pos   Material       Menge   Rabatt %     Wert
10    Zylinder           4       8,0-    4.726,96
20    Ventil             2       5,0-    3.287,00
`
    expect(rowsOf(order, listOf('items', 'material', 'discount_percent: number | ohne Vorzeichen'))).toEqual([
      ['Zylinder', 8],
      ['Ventil', 5],
    ])
  })

  it('reads sides of a booking from a column of its own', () => {
    expect(
      rowsOf(
        `
Kontoauszug vom 31.03.2025

Datum         Text                      Betrag     S/H
01.03.2025    Miete März                850,00     S
04.03.2025    Gehalt                  2.400,00     H
`,
        listOf('buchungen', 'datum', 'text', 'betrag: number'),
      ),
    ).toEqual([
      ['2025-03-01', 'Miete März', -850],
      ['2025-03-04', 'Gehalt', 2400],
    ])
  })

  it('tells the lines of a bill without column heads from the headings that sum them up', () => {
    const rows = rowsOf(
      typedDocument(
        `
Summary
Services                                       $245.60
VAT 24%                                         $58.94
TOTAL AMOUNT DUE                               $304.54
`,
        `
Elastic Compute                                $145.60
   Virtual machines, 1,440 hrs                 $105.60
   Block storage 400 GB-month                   $40.00
Support                                        $100.00
   Business support plan                       $100.00
`,
      ),
      listOf('Services', 'Service', 'Charge: number'),
    )
    expect(rows).toEqual([
      ['Virtual machines, 1,440 hrs', 105.6],
      ['Block storage 400 GB-month', 40],
      ['Business support plan', 100],
    ])
  })

  it('takes a line below a text that is the label of a sub-field and a number for its value', () => {
    expect(
      rowsOf(
        `
Pos   Description                     Qty      Total EUR
10    Spindle unit SU-340               2       9.720,00
      HS code 84669360
20    Control cabinet                   1       7.315,50
      HS code 85371098
Total                                          17.035,50
`,
        listOf('items', 'description', 'hs_code', 'quantity: number', 'total: number'),
      ),
    ).toEqual([
      ['Spindle unit SU-340', '84669360', 2, 9720],
      ['Control cabinet', '85371098', 1, 7315.5],
    ])
  })

  it('finds quantity and price of a receipt on the line below the item', () => {
    expect(
      rowsOf(
        `
FRISCHEMARKT
BIO VOLLMILCH 3,8%              2,58 A
   2 x 1,29
ROGGENBROT 750G                 2,79 A
SUMME EUR                       5,37
`,
        listOf('items', 'name', 'quantity: number', 'unit_price: number', 'amount: number'),
      ),
    ).toEqual([
      ['BIO VOLLMILCH 3,8%', 2, 1.29, 2.58],
      ['ROGGENBROT 750G', null, null, 2.79],
    ])
  })

  it('takes a number and an amount a space apart for two where thousands are grouped by commas', () => {
    expect(
      rowsOf(
        `
Item                     Qty  Price Amount
Tabakh Maaz                1 200.00 200.00
Haakh                      1 300.00 300.00
Lahabdaar Kebab            2 250.00 500.00
SUB TOTAL                       Rs1,000.00
TOTAL                           Rs1,000.00
`,
        listOf('items', 'description', 'quantity: number', 'amount: number'),
      ),
    ).toEqual([
      ['Tabakh Maaz', 1, 200],
      ['Haakh', 1, 300],
      ['Lahabdaar Kebab', 2, 500],
    ])
  })

  it('finds unit and tax code of a receipt, below the item and behind its amount', () => {
    expect(
      rowsOf(
        `
FRISCHEMARKT
                                EUR
APFEL ROT                      1,97 B
   0,792 kg x   2,49 EUR/kg
KIWI GELB                      3,16 B
   4 Stk x      0,79
PUTZMITTEL                     2,49 A
------------------------------------
SUMME           EUR            7,62
`,
        listOf('items', 'description', 'quantity: number', 'unit', 'unit_price: number', 'amount: number', 'tax_code'),
      ),
    ).toEqual([
      ['APFEL ROT', 0.792, 'kg', 2.49, 1.97, 'B'],
      ['KIWI GELB', 4, 'Stk', 0.79, 3.16, 'B'],
      ['PUTZMITTEL', null, null, null, 2.49, 'A'],
    ])
  })

  it('reads tables of words and repeated entries of a form', () => {
    const employers = listOf('employers', 'company', 'title', 'from | as printed', 'to | as printed')
    const expected = [
      ['Beacon Logistics Ltd', 'Warehouse operative', '03/2019', '06/2022'],
      ['Northgate Foods', 'Line supervisor', '07/2022', 'present'],
    ]
    expect(
      rowsOf(
        `
Employer                     Job title                From         To
Beacon Logistics Ltd         Warehouse operative      03/2019      06/2022
Northgate Foods              Line supervisor          07/2022      present
`,
        employers,
      ),
    ).toEqual(expected)
    expect(
      rowsOf(
        `
Employer: Beacon Logistics Ltd          Phone: 555-0142
Job title: Warehouse operative
From: 03/2019     To: 06/2022

Employer: Northgate Foods               Phone: 555-0190
Job title: Line supervisor
From: 07/2022     To: present
`,
        employers,
      ),
    ).toEqual(expected)
  })

  it('keeps ranges of cartons and takes a labelled date out of a row for the column that is missing', () => {
    expect(
      rowsOf(
        `
Carton No.   Item code    Description of goods        Pcs     N.W. (kg)    G.W. (kg)
1-3          TX-401       Cotton towel 50x100         300       45.0         48.6
4            TX-420       Bath mat                     40       12.5         13.4
             TOTAL 4 CARTONS                          340       57.5         62.0
`,
        listOf(
          'packages',
          'carton',
          'item_code',
          'description',
          'qty: number',
          'net_weight: number',
          'gross_weight: number',
        ),
      ),
    ).toEqual([
      ['1-3', 'TX-401', 'Cotton towel 50x100', 300, 45, 48.6],
      ['4', 'TX-420', 'Bath mat', 40, 12.5, 13.4],
    ])
    expect(
      rowsOf(
        `
Item   Material      Description                Order qty   UM    Price per unit    Net value
00010  77-1120-A     Hydraulic hose 1/2 in          20      PC        14.50          290.00
       Delivery date: 06/20/2025
                                               Total net value USD                   290.00
`,
        listOf(
          'lines',
          'item_no',
          'description',
          'qty: number',
          'uom | unit',
          'unit_price: number',
          'delivery_date | YYYY-MM-DD',
          'line_total: number',
        ),
      ),
    ).toEqual([['77-1120-A', 'Hydraulic hose 1/2 in', 20, 'PC', 14.5, '2025-06-20', 290]])
  })

  it('keeps a row that only begins with «Total»', () => {
    const page = `
Description                  Qty       Amount
Filter element                 1        20.00
Total Care package             1        50.00
Total                                   70.00
`
    expect(rowsOf(page, listOf('items', 'description', 'quantity: number', 'amount: number'))).toEqual([
      ['Filter element', 1, 20],
      ['Total Care package', 1, 50],
    ])
  })

  it('takes what is charged as it is printed, with how many at what price, above a sum that its name begins with', () => {
    const rows = rowsOf(
      `
Electric
Residential service

Service availability charge                          $8.75
Energy charge 463 kWh x $0.0691                     $31.99
Fuel adjustment 463 kWh x $0.02568                  $11.89
Total electric bill (non-taxable)                   $52.63
`,
      listOf('charges', 'description', 'amount: number'),
    )
    expect(rows).toEqual([
      ['Service availability charge', 8.75],
      ['Energy charge 463 kWh x $0.0691', 31.99],
      ['Fuel adjustment 463 kWh x $0.02568', 11.89],
    ])
  })

  it('ends above what fills fewer columns and begins with a sum, whatever stands below that', () => {
    const items = listOf('items', 'code', 'description', 'quantity: number', 'amount: number')
    const goods = `
Code      Description of goods          Qty         Amount
P-1182    Monoblock pump                  2      82,200.00
P-2093    Foot valve brass                5      15,312.50`
    const rows = [
      ['P-1182', 'Monoblock pump', 2, 82200],
      ['P-2093', 'Foot valve brass', 5, 15312.5],
    ]
    const foot = `
          Output CGST                             8,776.13
          Output SGST                             8,776.13
          Round off                                   0.24`
    expect(rowsOf(goods + foot, items)).toEqual(rows)
    const note = `
          Thank you for your business!           97,512.50
          Make checks payable to us               8,776.13`
    expect(rowsOf(goods + note, items)).toEqual(rows)
  })

  it('goes on where a row only fills fewer columns, whatever it adds up to or is called', () => {
    const items = listOf('items', 'code', 'description', 'quantity: number', 'price: number', 'amount: number')
    const goods = `
Code      Description          Quantity       Price      Amount
P-1182    Monoblock pump              1      200.00      200.00
P-2093    Foot valve                  1       50.00       50.00`
    const rest = (foot: string): unknown[] => tablesOf('headed', items, goods + foot)[0]!.map((row) => row[4])
    const work = `
          Assembly                    2       40.00       80.00
          Travel                                          25.00`
    expect(rest(work)).toEqual([200, 50, 80, 25])
    const charges = `
          City tax                                        12.00
          Parking                                         20.00`
    expect(rest(charges)).toEqual([200, 50, 12, 20])
  })

  it('ends where the heads of another table say the same of other things', () => {
    const page = `
Earnings            rate     hours     this period     year to date
Regular            31.25     80.00        2,500.00        42,187.50
Holiday            31.25      8.00          250.00         1,500.00
Deductions                             this period     year to date     OPEN 24 HOURS
Statutory
Federal tax                                -298.40        -4,476.00
Medicare tax                                -45.05          -674.18
`
    const earnings = listOf('earnings', 'type', 'rate: number', 'hours: number', 'current: number', 'ytd: number')
    const [rows] = tablesOf('headed', earnings, page)
    expect(rows!.map(([type]) => type)).toEqual(['Regular', 'Holiday'])
  })
})
