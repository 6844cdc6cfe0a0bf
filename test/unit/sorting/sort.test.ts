import { expect, test } from 'vitest'
import { sortDocument } from '../../../electron/sorting/sort.ts'
import { templatesFor } from '../../../electron/core/drafting/templates.ts'
import type { Document } from '../../../shared/domain/document.ts'
import type { SchemaChoice, SortingExample, SortingQuestion } from '../../../shared/domain/sorting.ts'
import { typedDocument } from '../extraction/typed-page.ts'
import { forNight } from '../../helpers/scale.ts'

const schemas: SchemaChoice[] = templatesFor('en').map(({ name, elements }, index) => ({
  id: index + 1,
  name,
  elements,
}))
const idOf = (name: string): number => schemas.find((one) => one.name === name)!.id

function asked(more: Partial<SortingQuestion> = {}): SortingQuestion {
  return { schemas, examples: [], mayCut: false, ...more }
}

const rows = `
  Pos   Description            Quantity   Unit price     Amount
  1     Copper pipe 15 mm          10          4.20       42.00
  2     Elbow 15 mm                20          1.10       22.00
  3     Flux                        2          6.50       13.00`

function invoice(number: string, day: string, page = ''): string {
  return `
  Harrow Supplies Ltd
  12 Mill Lane
  Telford TF1 5AA                                        INVOICE

  Whitlock Construction                Invoice number: ${number}
  Yard 2                               Invoice date:   ${day}
  Wellington TF1 1BX                   Due date:       30/11/2026
${rows}

                                        Net amount         77.00
                                        VAT 20 %           15.40
                                        Total amount       92.40

  IBAN GB33 BUKB 2020 1555 5555 55      VAT no. GB442819077
  ${page}`
}

const deliveryNote = `
  Nordhaus Fliesen GmbH
  Hafenstraße 4
  20457 Hamburg
                                        LIEFERSCHEIN
  Bau Meyer KG                          Lieferschein-Nr.: L-88120
  Am Bahnhof 3                          Lieferdatum:      12.10.2026
  21073 Hamburg                         Bestellnummer:    4471

  Art.-Nr.   Bezeichnung            Menge   Einheit
  7701       Fliese grau 30x30        120   Stk
  7702       Fugenmörtel                8   Sack

  Ware erhalten: ____________________`

const statement = `
  Northern Mutual Bank
                                        BANK STATEMENT
  Account holder:   Ines Pardo          Statement number:  14
  IBAN:  GB33 BUKB 2020 1555 5555 55    Statement date:    31/10/2026

  Opening balance                                      1,204.10
  Booking date   Text                                    Amount
  02/10/2026     Rent October                           -820.00
  11/10/2026     Salary                                2,400.00
  Closing balance                                      2,784.10`

const poem = `
  The harbour at dusk

  A gull above the water turns
  and where it turned the evening burns
  the ropes are slack the boats are still
  a lamp is lit upon the hill`

const partsOf = (document: Document, question: SortingQuestion): [number, number][] =>
  sortDocument(document, question).parts.map(({ pages }) => [pages.first, pages.last])

test('an invoice goes to the schema for invoices', () => {
  expect(sortDocument(typedDocument(invoice('10-4478', '02/10/2026')), asked()).parts[0]!.schemaId).toBe(
    idOf('Invoice'),
  )
})

test('a delivery note in German goes to an English schema for delivery notes', () => {
  expect(sortDocument(typedDocument(deliveryNote), asked()).parts[0]!.schemaId).toBe(idOf('Delivery note'))
})

test('a bank statement goes to the schema for bank statements', () => {
  expect(sortDocument(typedDocument(statement), asked()).parts[0]!.schemaId).toBe(idOf('Bank statement'))
})

const order = `
  Pontis GmbH & Co. KG
  Hauptstraße 64, 61348 Bad Homburg

  Habitat Beratung e.K.                    Lieferadresse:
  Lindenallee 99                           Reuter Bürobedarf UG
  04109 Leipzig                            37073 Göttingen
  Bestellung
  Bestellnummer             G770368-8
  Unsere Referenz           RE-2019-3692
  Druckdatum                6. Juli 2019
  Nr.   Beschreibung                  Anz.   Einheit     Preis      Betrag
  1     Bürostuhl Delta                  2   Stk        430,00      860,00
  2     Kopierpapier A4                 10   Karton      17,50      175,00

  Porto     Nettobetrag     USt.       Gesamtsumme     Bereits bezahlt
  13,62     1.048,62        199,24     1.247,86        374,36
  Forderung
  873,50
  MwSt. %     Netto        USt.       Brutto
  19 %        1.048,62     199,24     1.247,86

  Umsatzsteuer-ID: DE136695976   Steuer-Nr.: 6293161217   HR-Nr.: 14943234
  Bitte geben Sie bei Zahlung die oben genannte Nummer an.`

test('an order that looks like an invoice is no sure invoice, however small its title', () => {
  expect(sortDocument(typedDocument(order), asked()).parts[0]!.schemaId).not.toBe(idOf('Invoice'))
})

test('what no schema asks for is unsure', () => {
  expect(sortDocument(typedDocument(poem), asked()).parts[0]!.schemaId).toBeNull()
})

test('all schemas are named, the likeliest first', () => {
  const [part] = sortDocument(typedDocument(invoice('1', '02/10/2026')), asked()).parts
  expect(part!.likely[0]).toBe(idOf('Invoice'))
  expect(part!.likely.toSorted()).toEqual(schemas.map(({ id }) => id))
})

test('with a single schema that is the one, whatever the paper', () => {
  const only = schemas.filter(({ name }) => name === 'Form')
  expect(sortDocument(typedDocument(poem), asked({ schemas: only })).parts[0]!.schemaId).toBe(idOf('Form'))
})

test('without a schema nothing is said', () => {
  expect(sortDocument(typedDocument(poem), asked({ schemas: [] })).parts[0]).toMatchObject({
    schemaId: null,
    likely: [],
  })
})

test('of two schemas that ask for the same, a confirmed paper of the sender tells which', () => {
  const { elements } = schemas[0]!
  const twins: SchemaChoice[] = [
    { id: 1, name: 'Invoices north', elements },
    { id: 2, name: 'Invoices south', elements },
  ]
  const printOf = (text: string): readonly number[] => sortDocument(typedDocument(text), asked()).parts[0]!.print
  const other = invoice('77', '01/01/2026')
    .replaceAll(/Harrow|Telford|Mill Lane/g, 'Ostrava')
    .replace('442819077', '998877665')
  const examples: SortingExample[] = [{ schemaId: 2, print: printOf(invoice('9-1000', '05/09/2026')) }]
  const before = sortDocument(typedDocument(invoice('10-4478', '02/10/2026')), asked({ schemas: twins }))
  const after = sortDocument(typedDocument(invoice('10-4478', '02/10/2026')), asked({ schemas: twins, examples }))
  expect(before.parts[0]!.schemaId).toBeNull()
  expect(after.parts[0]!.likely[0]).toBe(2)
  expect(printOf(other)).not.toEqual(examples[0]!.print)
})

test('a print is at most a hundred numbers, ascending', () => {
  const { print } = sortDocument(typedDocument(invoice('10-4478', '02/10/2026')), asked()).parts[0]!
  expect(print.length).toBeGreaterThan(10)
  expect(print.length).toBeLessThanOrEqual(100)
  expect(print).toEqual([...new Set(print)].toSorted((left, right) => left - right))
})

test('two invoices behind one another are two parts', () => {
  const stack = typedDocument(
    invoice('10-4478', '02/10/2026', 'Page 1 of 1'),
    invoice('10-4479', '03/10/2026', 'Page 1 of 1'),
  )
  const sorted = sortDocument(stack, asked({ mayCut: true }))
  expect(sorted.parts.map(({ pages }) => pages)).toEqual([
    { first: 1, last: 1 },
    { first: 2, last: 2 },
  ])
})

test('papers of different kinds behind one another are parts with schemas of their own', () => {
  const { parts } = sortDocument(typedDocument(statement, deliveryNote), asked({ mayCut: true }))
  expect(parts.map(({ schemaId }) => schemaId)).toEqual([idOf('Bank statement'), idOf('Delivery note')])
})

test('a second page that says so goes on', () => {
  const long = typedDocument(invoice('10-4478', '02/10/2026', 'Page 1 of 2'), `${rows}\n\n  Page 2 of 2`)
  expect(partsOf(long, asked({ mayCut: true }))).toEqual([[1, 2]])
})

test('nothing is cut where that is not wanted', () => {
  const stack = typedDocument(statement, deliveryNote)
  expect(sortDocument(stack, asked()).areCutsSure).toBe(true)
  expect(partsOf(stack, asked())).toEqual([[1, 2]])
})

test('sheets of a workbook and pages of a text file are never cut', () => {
  for (const kind of ['xlsx', 'docx'] as const)
    expect(partsOf({ ...typedDocument(statement, deliveryNote), kind }, asked({ mayCut: true }))).toEqual([[1, 2]])
})

test('an empty file and empty pages are sorted without a word', () => {
  expect(sortDocument({ kind: 'pdf', pages: [] }, asked({ mayCut: true })).parts).toHaveLength(1)
  expect(sortDocument(typedDocument('', ''), asked({ mayCut: true })).parts[0]!.schemaId).toBeNull()
})

test('five hundred pages take seconds, and words without end no longer', { ...forNight, timeout: 20_000 }, () => {
  const page = invoice('10-4478', '02/10/2026')
  const many = typedDocument(...Array.from({ length: 500 }, () => page))
  const endless = typedDocument(`${'.'.repeat(60_000)}a ${'1 '.repeat(20_000)}`, `${'seite '.repeat(9000)}`)
  const startedAt = performance.now()
  sortDocument(many, asked({ mayCut: true }))
  sortDocument(endless, asked({ mayCut: true }))
  expect(performance.now() - startedAt).toBeLessThan(15_000)
})
