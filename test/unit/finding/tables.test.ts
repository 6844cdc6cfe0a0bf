import { describe, expect, it } from 'vitest'
import { layOut } from '../../../electron/service/extraction/layout.ts'
import { understandItems } from '../../../electron/service/extraction/list-fields.ts'
import { describeTables } from '../../../electron/service/finding/describe-tables.ts'
import type { Described } from '../../../electron/service/finding/describe-tables.ts'
import { sidesOf } from '../../../electron/service/extraction/side-tables.ts'
import { extractFields } from '../../../electron/service/finding/find.ts'
import { describeProposals } from '../../../electron/service/finding/describe.ts'
import { columnOfPlace } from '../../../electron/service/finding/places.ts'
import type { Document } from '../../../shared/domain/document.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { listOf } from '../extraction/schema-of.ts'
import { tablesOf } from '../extraction/tables-of.ts'
import { typedDocument, withGrid } from '../extraction/typed-page.ts'

function describedIn(document: Document, list: SchemaElement): Described[] {
  const layout = layOut(document)
  const { evidence, facts } = describeProposals(document, layout, [])
  return describeTables(list, understandItems(list), layout, evidence, facts)
}

/** The rows that each table offers, by its way. */
function offeredBy(document: Document, list: SchemaElement): { way: string; rows: unknown[][] }[] {
  return describedIn(document, list).map(({ table: { way, values } }) => ({
    way,
    rows: values.map((row) => row.map((cell) => cell?.value ?? null)),
  }))
}

describe('tables', () => {
  it('have a head that holds a number beside its words', () => {
    const page = `
Datum      Sendung      Gewicht   Dieselzuschlag 6,5 %     Betrag
03.09.25   S-25-40817     2.840                  31,59     517,59
10.09.25   S-25-40933       615                  12,87     210,87
`
    const list = listOf('sendungen', 'datum', 'gewicht: number', 'betrag: number')
    expect(tablesOf('headed', list, page)[0]).toEqual([
      ['2025-09-03', 2840, 517.59],
      ['2025-09-10', 615, 210.87],
    ])
  })

  it('are drawn with bars by line printers', () => {
    const page = `
+-------------+------------------+------+-----------+
|REFERENCE    |DESIGNATION       | QTE  |MONTANT HT |
+-------------+------------------+------+-----------+
|04466-0K010  |PLAQUETTES AV     |    2 |     68,46 |
|DF4731S      |DISQUE FREIN AV   |    2 |    100,10 |
|CONS-ALT     |CONSIGNE          |    1 |     60,00 |
+-------------+------------------+------+-----------+
`
    const list = listOf('articles', 'reference', 'designation', 'quantite: number', 'montant: number')
    expect(tablesOf('headed', list, page)[0]).toEqual([
      ['04466-0K010', 'PLAQUETTES AV', 2, 68.46],
      ['DF4731S', 'DISQUE FREIN AV', 2, 100.1],
      ['CONS-ALT', 'CONSIGNE', 1, 60],
    ])
  })

  it('keep a bar that only parts what stands on a line', () => {
    const [line] = layOut(typedDocument('Sitz Köln | HRB 4711 | USt-IdNr. DE123456789')).lines
    expect(line!.text).toBe('Sitz Köln | HRB 4711 | USt-IdNr. DE123456789')
    const [result] = layOut(typedDocument('Glucose ++++ mg/dl')).lines
    expect(result!.text).toBe('Glucose ++++ mg/dl')
  })

  it('are named in several languages', () => {
    const page = `
6 Merken – Marks      8 Verpakking – Packing      11 Brutogewicht – Gross weight
LIER 001-018          DEENSE KAR                                             396
LIER 019-027          PALLET                                                 205
`
    const list = listOf('goods', 'marks', 'packing', 'gross weight: number')
    expect(tablesOf('headed', list, page)[0]).toEqual([
      ['LIER 001-018', 'DEENSE KAR', 396],
      ['LIER 019-027', 'PALLET', 205],
    ])
  })

  it('are not named by each part of a head that says two things', () => {
    const page = `
Item                 Price / unit        Total
Bolt M8                     59.20       118.40
Nut M8                      12.10        48.40
`
    const list = listOf('items', 'item', 'unit', 'unit_price: number', 'total: number')
    expect(tablesOf('headed', list, page)[0]).toEqual([
      ['Bolt M8', null, 59.2, 118.4],
      ['Nut M8', null, 12.1, 48.4],
    ])
  })

  it('have heads above their rows that are no names of what is asked for', () => {
    const page = `
                 Gesamt-               Ihre
Kostenart         kosten  Verteiler  Kosten
Grundsteuer     2.184,60  Fläche     265,05
Müllabfuhr      1.998,72  Wohnung    222,08
Winterdienst      317,28  Fläche      38,58
`
    const list = listOf('costs', 'cost_type', 'building_total: number', 'tenant_cost: number')
    const heads = describedIn(typedDocument(page), list)
      .filter(({ table }) => table.way === 'unheaded')
      .map(({ table }) => table.header!.columns.map(({ text }) => text))
    expect(heads).toContainEqual(['Kostenart', 'Gesamtkosten', 'Verteiler', 'Ihre Kosten'])
    // Each word stands over one column.
    for (const texts of heads) {
      expect(texts.join('')).not.toBe('')
      expect(texts.join(' ').match(/Verteiler/g) ?? []).not.toHaveLength(2)
    }
  })

  it('begin below the boxes of a form, with a head in the middle of the grid', () => {
    const page = `
Sender                          Carrier
2678 De Lier                    2676 Maasdijk
Marks          Packing          Weight
LIER 1         PALLET             3960
LIER 2         KAR                2205
`
    const list = listOf('goods', 'marks', 'packing', 'weight: number')
    expect(offeredBy(withGrid(typedDocument(page), [0, 14, 31, 40]), list)).toContainEqual({
      way: 'grid',
      rows: [
        ['LIER 1', 'PALLET', 3960],
        ['LIER 2', 'KAR', 2205],
      ],
    })
  })

  it('may lie on their side, with a row in each column', () => {
    const page = `
Fälligkeit   15.02.2025   15.05.2025   15.08.2025
Betrag EUR       420,82       420,79       420,79
`
    const list = listOf('raten', 'fälligkeit', 'betrag: number')
    expect(offeredBy(withGrid(typedDocument(page), [0, 12, 24, 37, 50]), list)).toContainEqual({
      way: 'grid',
      rows: [
        ['2025-02-15', 420.82],
        ['2025-05-15', 420.79],
        ['2025-08-15', 420.79],
      ],
    })
  })

  it('may stand side by side: their line of heads says the same twice', () => {
    const page = `
Payments           Amount    Total     Deductions        Amount    Total
Basic Pay        3,477.50   31,297.50   PAYE             521.34   4,420.18
Overtime           353.10    2,214.90   USC              103.82     896.71
Sunday Premium      82.93      690.25   PRSI             170.30   1,474.50
`
    const list = listOf('deductions', 'deduction', 'amount: number', 'total: number')
    expect(tablesOf('headed', list, page)).toContainEqual([
      ['PAYE', 521.34, 4420.18],
      ['USC', 103.82, 896.71],
      ['PRSI', 170.3, 1474.5],
    ])
  })

  it('side by side keep the cells of a row that are empty', () => {
    const page = `
Pay           Amount   Deduct   Note    Amount
Basic Pay     477.50   PAYE     abc     521.34
Overtime      353.10            def     103.82
`
    const list = listOf('deductions', 'deduct', 'note', 'amount: number')
    const right = offeredBy(withGrid(typedDocument(page), [0, 13, 22, 31, 38, 50]), list)
    expect(right.filter(({ way }) => way === 'grid').map(({ rows }) => rows)).toContainEqual([
      ['PAYE', 'abc', 521.34],
      [null, 'def', 103.82],
    ])
  })

  it('of marks are not two, though their line says the same twice', () => {
    const page = `
Montag    Dienstag    Mittwoch    Freitag
Anna         x          Ben          x
`
    expect(sidesOf(layOut(typedDocument(page)))).toEqual([])
  })

  it('side by side go on together on the next page', () => {
    const page = `
Pay           Amount   Deduct   Amount
Basic Pay     477.50   PAYE     521.34
Overtime      353.10   PRSI     103.82
`
    expect(sidesOf(layOut(typedDocument(page, page))).map(({ pages }) => pages.length)).toEqual([2, 2])
  })

  it('do not hold a column of other lines beside them, which are not even with theirs', () => {
    const page = `
Contact              Article    Quantity    Amount
Van der Meulen       TL-4400           3    354.00
Zanddijk 114         TL-4415           2    265.00
2181 ZZ Hillegom     NR-0120          10     42.00
Bank                 NR-0135           4     18.00
`
    const document = typedDocument(page)
    const [first] = document.pages
    // As far off as half of a letter is high.
    const tokens = first!.tokens.map((token) => {
      const { box } = token
      return box.x < 0.2 ? { ...token, box: { ...box, y: box.y + 0.004 } } : token
    })
    const list = listOf('lines', 'article', 'quantity: number', 'amount: number')
    const even = describedIn(document, list).filter(({ table }) => table.isSide)
    const uneven = describedIn({ ...document, pages: [{ ...first!, tokens }] }, list).filter(
      ({ table }) => table.isSide,
    )
    expect(even).toEqual([])
    expect(
      uneven.map(({ table }) => table.rows.map(({ cells }) => cells.get(0)!.map(({ text }) => text))),
    ).toContainEqual([['TL-4400'], ['TL-4415'], ['NR-0120'], ['NR-0135']])
  })
})

describe('places of a row', () => {
  const remarks = `
Item                     Quantity      Amount
Conveyor idler roller           2      118.40
Sealed for life
Bearing housing                 4      236.00
Cast iron
Return roller                   1       59.20
`

  it('are the further lines of a text as well', () => {
    const list = listOf('lines', 'item', 'remark', 'quantity: number', 'amount: number')
    const tables = describedIn(typedDocument(remarks), list)
    const offered = tables.flatMap(({ describer, places }) =>
      describer.readings(0, 1, places[1]!).map(({ cell }) => cell.value),
    )
    expect(offered).toContain('Sealed for life')
  })

  it('hold the remarks below a text only where its description asks for them', () => {
    const document = typedDocument(remarks)
    const [first] = document.pages
    const isRemark = (text: string): boolean => ['Sealed', 'for', 'life', 'Cast', 'iron'].includes(text)
    const tokens = first!.tokens.map((token) => (isRemark(token.text) ? { ...token, fontSize: 0.008 } : token))
    const offered = (description: string): unknown[] => {
      const list = listOf('lines', `item | ${description}`, 'quantity: number', 'amount: number')
      const [table] = describedIn({ ...document, pages: [{ ...first!, tokens }] }, list)
      return table!.describer.readings(0, 0, table!.places[0]!).map(({ cell }) => cell.value)
    }
    const whole = 'Conveyor idler roller Sealed for life'
    expect(offered('with the remark below')).toContain(whole)
    expect(offered('without the small line with the kind of seal')).not.toContain(whole)
    expect(offered('Name of the part')).not.toContain(whole)
  })

  it('give the value of a further line, not what is printed', () => {
    const list = listOf('lines', 'item', 'currency', 'amount: number')
    const tables = describedIn(typedDocument(remarks.replace('Cast iron', 'US$')), list)
    const offered = tables.flatMap(({ describer, places }) =>
      describer.readings(1, 1, places[1]!).map(({ cell }) => cell.value),
    )
    expect(offered).toContain('USD')
    expect(offered).not.toContain('US$')
  })

  it('below a balance are no amount of a booking', () => {
    const page = `
Date        Text             Amount     Balance
02.10.2026  Standing order   -85.00    1,915.00
                                         230.00
05.10.2026  Credit           120.00    2,035.00
                                         230.00
`
    const list = listOf('bookings', 'date', 'text', 'amount: number')
    for (const { table, places } of describedIn(typedDocument(page), list))
      for (const place of places[2]!) expect(table.header?.columns[columnOfPlace(place)]?.text).not.toBe('Balance')
  })

  it('answer two sub-fields where each finds other words there', () => {
    const page = `
Name            PLZ Ort                  Beitrag
Aebi            3360 Herzogenbuchsee       60.00
Affolter        CH-3362 Niederönz          20.00
Ammann           3360 Herzogenbuchsee      60.00
`
    const list = listOf('mitglieder', 'name', 'plz', 'ort', 'beitrag: number')
    const { data } = extractFields(typedDocument(page), [list])
    expect(data['mitglieder']).toEqual([
      { name: 'Aebi', plz: '3360', ort: 'Herzogenbuchsee', beitrag: 60 },
      { name: 'Affolter', plz: 'CH-3362', ort: 'Niederönz', beitrag: 20 },
      { name: 'Ammann', plz: '3360', ort: 'Herzogenbuchsee', beitrag: 60 },
    ])
  })
})
