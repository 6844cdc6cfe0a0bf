import { describe, expect, it } from 'vitest'
import { extractFields } from '../../../electron/service/finding/find.ts'
import type { Document } from '../../../shared/domain/document.ts'
import { listOf, schemaOf } from './schema-of.ts'
import { typedDocument } from './typed-page.ts'
import { forNight } from '../../helpers/scale.ts'

/** What is found on a Spanish invoice. */
function spanishInvoice() {
  const document = typedDocument(`
ACEITES DEL SUR, S.A.                                                     FACTURA
Polígono Industrial La Red, 12                               Nº factura:      F26/00881
41500 Alcalá de Guadaíra (Sevilla)                           Fecha:           9 de noviembre de 2026
CIF: A41002233                                               Vencimiento:     09/12/2026
Tel.: 954 555 010                                            Nº pedido:       P-7781

Cliente:
Restaurante Casa Pepe, S.L.
Calle Betis, 45
41010 Sevilla
NIF: B91887766

Código      Descripción                          Cantidad     Precio      Dto.     Importe
AOVE5       Aceite oliva virgen extra 5 L              24      38,50      5 %       877,80
GIR1        Aceite girasol 1 L                         60       1,95                117,00

                                          Base imponible                            994,80
                                          IVA 10 %                                   99,48
                                          TOTAL FACTURA                         1.094,28 €
Forma de pago: Transferencia bancaria
`)
  const schema = schemaOf(
    'invoice_number',
    'invoice_date',
    'due_date',
    'order_number',
    'supplier_name',
    'supplier_vat_id',
    'customer_name',
    'customer_tax_id',
    'customer_city',
    'customer_postcode',
    'net: number',
    'vat: number',
    'vat_rate: number',
    'gross: number',
    'payment_method',
    'currency',
    listOf(
      'lines',
      'code',
      'description',
      'quantity: number',
      'unit_price: number',
      'discount_percent: number',
      'total: number',
    ),
  )
  return extractFields(document, schema).data
}

describe('kinds of documents', () => {
  it('reads a Spanish invoice whose two tax numbers stand in different blocks', () => {
    const { customer_city: _city, ...others } = spanishInvoice()
    expect(others).toEqual({
      invoice_number: 'F26/00881',
      invoice_date: '2026-11-09',
      due_date: '2026-12-09',
      order_number: 'P-7781',
      supplier_name: 'ACEITES DEL SUR, S.A.',
      supplier_vat_id: 'A41002233',
      customer_name: 'Restaurante Casa Pepe, S.L.',
      customer_tax_id: 'B91887766',
      customer_postcode: '41010',
      net: 994.8,
      vat: 99.48,
      vat_rate: 10,
      gross: 1094.28,
      payment_method: 'Transferencia bancaria',
      currency: 'EUR',
      lines: [
        {
          code: 'AOVE5',
          description: 'Aceite oliva virgen extra 5 L',
          quantity: 24,
          unit_price: 38.5,
          discount_percent: 5,
          total: 877.8,
        },
        {
          code: 'GIR1',
          description: 'Aceite girasol 1 L',
          quantity: 60,
          unit_price: 1.95,
          discount_percent: null,
          total: 117,
        },
      ],
    })
  })

  it('reads the town behind the postcode of a Spanish customer', () => {
    expect(spanishInvoice().customer_city).toBe('Sevilla')
  })

  const till = (total: string): Document =>
    typedDocument(`
                 THE CORNER CAFE
              14 Market Row, York YO1 8QT
                 VAT 123 4567 89
14/10/2026 13:22            Receipt 00417
2 Flat white                     7.20
1 Scone with jam                 4.50
1 Soup of the day                6.95
TOTAL                           ${total}
VISA **** 4410                  ${total}
VAT included 20%                 3.11
`)
  const tillSchema = schemaOf(
    'merchant',
    'date',
    'time',
    'receipt_number',
    'total: number',
    'tax: number',
    'payment_method',
    listOf('items', 'name', 'quantity: number', 'amount: number'),
  )

  it('reads the items of a receipt without column heads, because they add up to its total', () => {
    expect(extractFields(till('18.65'), tillSchema).data).toEqual({
      merchant: 'THE CORNER CAFE',
      date: '2026-10-14',
      time: '13:22',
      receipt_number: '00417',
      total: 18.65,
      tax: 3.11,
      payment_method: 'VISA',
      items: [
        { name: 'Flat white', quantity: 2, amount: 7.2 },
        { name: 'Scone with jam', quantity: 1, amount: 4.5 },
        { name: 'Soup of the day', quantity: 1, amount: 6.95 },
      ],
    })
  })

  it('gives no rows when lines without column heads do not add up', () => {
    expect(extractFields(till('21.40'), tillSchema).data).toMatchObject({ total: 21.4, items: [] })
  })

  it('reads a German form: labels and values in pairs, ticked options, statements that are ticked or not', () => {
    const document = typedDocument(`
Antrag auf Mitgliedschaft                                       Turnverein 1884 Hainfeld e.V.

Name: Schuster                     Vorname: Annika
Geburtsdatum: 03.05.1991           Geschlecht:  ☐ m  ☒ w  ☐ d
Straße, Nr.: Birkenweg 8           PLZ, Ort: 35075 Gladenbach
Telefon: 06462 555 123             E-Mail: annika.schuster@post.example
Abteilung:   ☐ Turnen   ☒ Handball   ☐ Leichtathletik
Waren Sie bereits Mitglied?   ☐ ja   ☒ nein
[x] Ich stimme der Datenschutzerklärung zu.
[ ] Fotos dürfen veröffentlicht werden.
Gladenbach, den 12.10.2026             Unterschrift: ____________
`)
    const schema = schemaOf(
      'nachname',
      'vorname',
      'geburtsdatum',
      'geschlecht',
      'strasse | Straße und Hausnummer',
      'plz',
      'ort',
      'telefon',
      'email',
      'abteilung',
      'bereits_mitglied: boolean | War bereits Mitglied',
      'datenschutz: boolean | Stimmt der Datenschutzerklärung zu',
      'fotos_erlaubt: boolean | Fotos dürfen veröffentlicht werden',
      'datum_unterschrift',
    )
    expect(extractFields(document, schema).data).toEqual({
      nachname: 'Schuster',
      vorname: 'Annika',
      geburtsdatum: '1991-05-03',
      geschlecht: 'w',
      strasse: 'Birkenweg 8',
      plz: '35075',
      ort: 'Gladenbach',
      telefon: '06462 555 123',
      email: 'annika.schuster@post.example',
      abteilung: 'Handball',
      bereits_mitglied: false,
      datenschutz: true,
      fotos_erlaubt: false,
      datum_unterschrift: '2026-10-12',
    })
  })

  it('reads boxes that stand behind their labels, with another column beside them', () => {
    const document = typedDocument(`
6. Patient relationship to insured                       7. Insured's address
Self ☐     Spouse ☒     Child ☐     Other ☐              771 North Lake View Street
`)
    expect(extractFields(document, schemaOf('Self: boolean', 'Spouse: boolean', 'Child: boolean')).data).toEqual({
      Self: false,
      Spouse: true,
      Child: false,
    })
  })

  it('reads boxes that stand under their labels', () => {
    const document = typedDocument(`
Employee's address            13    Statutory      Retirement      Third-party
                                    employee       plan            sick pay
1801 S 2nd St.                      ☐              ☒               ☐
`)
    const schema = schemaOf('Statutory employee: boolean', 'Retirement plan: boolean', 'Third-party sick pay: boolean')
    expect(extractFields(document, schema).data).toEqual({
      'Statutory employee': false,
      'Retirement plan': true,
      'Third-party sick pay': false,
    })
  })

  it('reads a bank statement with two money columns, once apart and once as one signed amount', () => {
    const document = typedDocument(`
NORTHERN MUTUAL BANK                                          Statement of account
                                                              Statement no. 14
                                                              Account number 40117722
                                                              1 October 2026 to 31 October 2026
Date        Description                          Money out       Money in       Balance
            Balance brought forward                                            1,204.55
02 Oct      Direct debit                            45.20                      1,159.35
            Thames Water
05 Oct      Salary ACME LTD                                      2,310.00      3,469.35
12 Oct      Card payment                           128.99                      3,340.36
            Hardware Store Durham
31 Oct      Balance carried forward                                            3,340.36
`)
    const head = [
      'account_number',
      'statement_number',
      'period_from | First day of the statement period',
      'period_to | Last day of the statement period',
      'opening_balance: number',
      'closing_balance: number',
    ]
    const schema = schemaOf(
      ...head,
      listOf(
        'transactions',
        'date | Booking date',
        'description',
        'money_out: number',
        'money_in: number',
        'balance: number',
      ),
    )
    expect(extractFields(document, schema).data).toEqual({
      account_number: '40117722',
      statement_number: '14',
      period_from: '2026-10-01',
      period_to: '2026-10-31',
      opening_balance: 1204.55,
      closing_balance: 3340.36,
      transactions: [
        {
          date: '2026-10-02',
          description: 'Direct debit Thames Water',
          money_out: 45.2,
          money_in: null,
          balance: 1159.35,
        },
        { date: '2026-10-05', description: 'Salary ACME LTD', money_out: null, money_in: 2310, balance: 3469.35 },
        {
          date: '2026-10-12',
          description: 'Card payment Hardware Store Durham',
          money_out: 128.99,
          money_in: null,
          balance: 3340.36,
        },
      ],
    })
    const signed = extractFields(
      document,
      schemaOf(listOf('bookings', 'date', 'amount: number | Amount, negative for debits')),
    ).data
    expect(signed.bookings).toEqual([
      { date: '2026-10-02', amount: -45.2 },
      { date: '2026-10-05', amount: 2310 },
      { date: '2026-10-12', amount: -128.99 },
    ])
  })

  it('does not answer with an amount of the table of rates, but with its sum', () => {
    const document = typedDocument(`
Lindner & Söhne KG                                 Rechnung Nr. 4471-26

Steuersatz             Netto          MwSt         Brutto
19,00 %             4.603,15        874,60       5.477,75
7,00 %                251,10         17,58         268,68
Summe               4.854,25        892,18       5.746,43
Zu zahlen EUR 5.746,43
`)
    const schema = schemaOf(
      'net_amount: number',
      'tax_amount: number',
      'total_amount: number',
      listOf('taxes', 'rate: number | Tax rate in percent', 'net: number', 'tax: number'),
    )
    expect(extractFields(document, schema).data).toEqual({
      net_amount: 4854.25,
      tax_amount: 892.18,
      total_amount: 5746.43,
      taxes: [
        { rate: 19, net: 4603.15, tax: 874.6 },
        { rate: 7, net: 251.1, tax: 17.58 },
      ],
    })
  })
})

describe('long and noisy documents', () => {
  const head = 'Pos   Artikel     Bezeichnung                          Menge     Einzelpreis      Betrag'
  const row = (number: number): string =>
    `${String(number).padEnd(6)}A-${1000 + number}      Schraube verzinkt M${number} x 20${' '.repeat(number < 10 ? 17 : number < 100 ? 16 : 15)}2      1,50             3,00`
  const pages = Array.from({ length: 10 }, (_, page) => {
    const rows = Array.from({ length: 30 }, (_, index) => row(page * 30 + index + 1))
    return [
      `Muster GmbH                                        Rechnung 2026-0815   Seite ${page + 1}`,
      '',
      head,
      ...(page > 0 ? ['      Übertrag                                                              90,00'] : []),
      ...rows,
      ...(page < 9
        ? ['      Übertrag                                                              90,00']
        : ['', '      Gesamtbetrag                                                         900,00']),
    ].join('\n')
  })

  it('follows a table over ten pages with repeated heads and carried sums', forNight, () => {
    const schema = schemaOf(
      'invoice_number',
      'total_amount: number',
      listOf('line_items', 'article_number', 'description', 'quantity: number', 'unit_price: number', 'amount: number'),
    )
    const document = typedDocument(...pages)
    const { data, sources } = extractFields(document, schema)
    const items = data.line_items as Record<string, unknown>[]
    expect(items).toHaveLength(300)
    expect(items[299]).toEqual({
      article_number: 'A-1300',
      description: 'Schraube verzinkt M300 x 20',
      quantity: 2,
      unit_price: 1.5,
      amount: 3,
    })
    expect(data).toMatchObject({ invoice_number: '2026-0815', total_amount: 900 })
    expect(sources.find((source) => source.pointer === '/0/line_items/299/amount')?.page).toBe(10)
  })

  it('finds labels that OCR misread by a letter', () => {
    const document = typedDocument(`
Rechnungsnurnmer: 4711/26
Rechnungsdaturn:  05.03.2026
Gesamtbetrog:     119,00 EUR
`)
    const scanned: Document = {
      ...document,
      kind: 'png',
      pages: document.pages.map((page) => ({ ...page, origin: 'ocr' as const })),
    }
    expect(extractFields(scanned, schemaOf('invoice_number', 'invoice_date', 'total: number')).data).toEqual({
      invoice_number: '4711/26',
      invoice_date: '2026-03-05',
      total: 119,
    })
  })

  it('uses the number that a workbook stores where the text can be misread', () => {
    const box = (x: number, y: number): { x: number; y: number; width: number; height: number } => ({
      x,
      y,
      width: 0.3,
      height: 0.1,
    })
    const rows = [
      [
        { text: 'Weight', box: box(0, 0) },
        { text: '1.234', box: box(0.3, 0), value: { type: 'number' as const, number: 1.234 } },
      ],
      [
        { text: 'Vessel', box: box(0, 0.1) },
        { text: 'MV Aurora', box: box(0.3, 0.1) },
      ],
    ]
    const tokens = rows.flat().map((cell) => ({ text: cell.text, box: cell.box, fontSize: 0.05, bold: false }))
    const document: Document = {
      kind: 'xlsx',
      pages: [
        {
          number: 1,
          width: 40,
          height: 20,
          origin: 'sheet',
          tokens,
          tables: [{ box: { x: 0, y: 0, width: 0.6, height: 0.2 }, rows }],
        },
      ],
    }
    expect(extractFields(document, schemaOf('weight: number', 'vessel_name')).data).toEqual({
      weight: 1.234,
      vessel_name: 'MV Aurora',
    })
  })
})
