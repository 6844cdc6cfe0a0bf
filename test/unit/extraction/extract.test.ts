import { describe, expect, it } from 'vitest'
import { extractFields } from '../../../electron/service/finding/find.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { listOf, schemaOf } from './schema-of.ts'
import { typedDocument } from './typed-page.ts'

const americanInvoice = `
Brightline Electric Co.                                              INVOICE
1200 Harbor Blvd, Suite 300                                Invoice #: 10-4478
Portland, OR 97209                                         Date: 10/05/2026
(503) 555-0142                                             Due Date: 11/04/2026
                                                           P.O. #: 77-120
Bill To:                         Ship To:
Cascade Brewing LLC              Cascade Brewing Taproom
88 Mill Street                   410 River Road
Salem, OR 97301                  Salem, OR 97302

Item        Description                       Qty      Rate         Amount
EL-200      LED panel 2x4 ft                   12      89.50      1,074.00
EL-310      Dimmer switch                       6      24.25        145.50
LAB         Installation labor, per hour        9.5    85.00        807.50

                                              Subtotal            2,027.00
                                              Sales Tax (8.25%)     100.61
                                              Shipping               35.00
                                              Total              $2,162.61
                                              Amount Paid         $500.00
                                              Balance Due       $1,662.61
`

const germanPayslip = `
Muster & Partner Steuerberatung GmbH, Am Markt 3, 50667 Köln

Herrn                                                       Abrechnung der Brutto/Netto-Bezüge
Jonas Becker                                                für Oktober 2026
Lindenallee 7
50823 Köln                                                  Personalnummer      00417
                                                            Geburtsdatum        14.07.1988
                                                            Steuerklasse        1
                                                            Eintrittsdatum      01.02.2020
                                                            SV-Nummer           65140788B012

Lohnart    Bezeichnung                                             Betrag
1000       Gehalt                                                3.850,00
2100       VWL Arbeitgeberanteil                                    26,59
                                     Gesamtbrutto                3.876,59
           Lohnsteuer                                              512,41
           Krankenversicherung                                     312,07
           Rentenversicherung                                      360,52
                                     Nettoverdienst              2.691,59
                                     Auszahlungsbetrag           2.651,59
`

const spanishPayslip = `
                              RECIBO INDIVIDUAL JUSTIFICATIVO DEL PAGO DE SALARIOS
EMPRESA                                            TRABAJADOR
Talleres Mecánicos Ruiz, S.L.                      Carmen Ortega Blanco
C/ Mayor 14, 28013 Madrid                          NIF: 50123456K
CIF: B82345671                                     Antigüedad: 01/03/2019

I. DEVENGOS                                                           TOTALES
Salario base                                                         1.450,00
                                     A. TOTAL DEVENGADO              1.655,40
                                     B. TOTAL A DEDUCIR                276,45
                       LÍQUIDO TOTAL A PERCIBIR (A - B)              1.378,95
IBAN: ES91 2100 0418 4502 0005 1332
`

const englishContract = `
                                   RESIDENTIAL TENANCY AGREEMENT
This agreement is dated 3 March 2026.
Landlord:            Margaret Hollis
Tenant:              Daniel Okafor and Priya Shah
Property:            Flat 4, 22 Elm Grove, Bristol BS6 6AB
Commencement date:   1 April 2026
Monthly rent:        £1,250.00 payable in advance on the first of each month
Deposit:             £1,442.30
Notice period:       2 months
Pets allowed:        No
Council tax paid by tenant:   Yes
`

const frenchDeliveryNote = `
SARL Dubois Matériaux                                        BON DE LIVRAISON N° BL-20418
12 rue de l'Industrie                                        Date : 14/10/2026
67000 Strasbourg                                             Votre commande : C-5512 du 02/10/2026
Tél. 03 88 00 11 22
                                         Livré à :
                                         Menuiserie Klein
                                         4 allée des Vosges
                                         67210 Obernai
Réf.        Désignation                       Qté cdée    Qté livrée    Unité
P-100       Panneau MDF 19 mm                     20           20        pce
V-210       Vis 4x40, boîte de 200                10            8        bte
C-330       Colle à bois 5 kg                      6            6        pot
Nombre de colis : 3          Poids total : 412,5 kg
Transporteur : Transports Meyer
`

const germanTimesheet = `
Stundenzettel                                   Mitarbeiterin: Petra Lang
Projekt: Umbau Rathaus                          KW 42/2026
Datum         Von      Bis      Pause    Stunden    Tätigkeit
12.10.2026    07:30    16:00    0,5      8,0        Elektroinstallation EG
13.10.2026    07:30    15:30    0,5      7,5        Elektroinstallation OG
                                Summe    15,5
Geprüft: ☒ Ja ☐ Nein          Fahrtkosten: ☐ Ja ☒ Nein
`

function dataOf(text: string, schema: SchemaElement[]): Record<string, unknown> {
  return extractFields(typedDocument(text), schema).data
}

describe('extractFields', () => {
  it('reads an American invoice with month-first dates and two addresses side by side', () => {
    const schema = schemaOf(
      'invoiceNumber',
      'invoiceDate',
      'dueDate',
      'poNumber',
      'vendorName',
      'customerName',
      'billingAddress | Address of the customer',
      'shipToName | Name in the ship-to address',
      'subtotal: number',
      'salesTax: number',
      'shipping: number',
      'total: number',
      'amountPaid: number',
      'balanceDue: number',
      'currency',
      listOf('items', 'sku', 'description', 'qty: number', 'unitPrice: number', 'amount: number'),
    )
    expect(dataOf(americanInvoice, schema)).toEqual({
      invoiceNumber: '10-4478',
      invoiceDate: '2026-10-05',
      dueDate: '2026-11-04',
      poNumber: '77-120',
      vendorName: 'Brightline Electric Co.',
      customerName: 'Cascade Brewing LLC',
      billingAddress: '88 Mill Street Salem, OR 97301',
      shipToName: 'Cascade Brewing Taproom',
      subtotal: 2027,
      salesTax: 100.61,
      shipping: 35,
      total: 2162.61,
      amountPaid: 500,
      balanceDue: 1662.61,
      currency: 'USD',
      items: [
        { sku: 'EL-200', description: 'LED panel 2x4 ft', qty: 12, unitPrice: 89.5, amount: 1074 },
        { sku: 'EL-310', description: 'Dimmer switch', qty: 6, unitPrice: 24.25, amount: 145.5 },
        { sku: 'LAB', description: 'Installation labor, per hour', qty: 9.5, unitPrice: 85, amount: 807.5 },
      ],
    })
  })

  it('reads a German payslip by German names, compounds and abbreviations', () => {
    const schema = schemaOf(
      'Mitarbeiter | Name des Mitarbeiters',
      'Personalnummer',
      'Steuerklasse',
      'Geburtsdatum',
      'Eintrittsdatum',
      'Bruttolohn: number | Gesamtbrutto',
      'Nettolohn: number',
      'Auszahlung: number | Auszahlungsbetrag',
      'Lohnsteuer: number',
      'SVNummer | Sozialversicherungsnummer',
      listOf('Lohnarten', 'Bezeichnung', 'Betrag: number'),
    )
    expect(dataOf(germanPayslip, schema)).toEqual({
      Mitarbeiter: 'Jonas Becker',
      Personalnummer: '00417',
      Steuerklasse: '1',
      Geburtsdatum: '1988-07-14',
      Eintrittsdatum: '2020-02-01',
      Bruttolohn: 3876.59,
      Nettolohn: 2691.59,
      Auszahlung: 2651.59,
      Lohnsteuer: 512.41,
      SVNummer: '65140788B012',
      Lohnarten: [
        { Bezeichnung: 'Gehalt', Betrag: 3850 },
        { Bezeichnung: 'VWL Arbeitgeberanteil', Betrag: 26.59 },
      ],
    })
  })

  it('answers English questions about a Spanish payslip', () => {
    const schema = schemaOf(
      'employer | Name of the employer',
      'employee_name | Name of the employee',
      'seniority_date | Date since which the employee works there',
      'gross_salary: number | Total gross pay',
      'total_deductions: number',
      'net_pay: number | Net amount paid out',
      'iban',
    )
    expect(dataOf(spanishPayslip, schema)).toEqual({
      employer: 'Talleres Mecánicos Ruiz, S.L.',
      employee_name: 'Carmen Ortega Blanco',
      seniority_date: '2019-03-01',
      gross_salary: 1655.4,
      total_deductions: 276.45,
      net_pay: 1378.95,
      iban: 'ES91 2100 0418 4502 0005 1332',
    })
  })

  it('reads the key data of a contract, yes and no among them', () => {
    const schema = schemaOf(
      'landlord',
      'tenant',
      'property_address | Address of the rented property',
      'start_date | Start of the tenancy',
      'agreement_date | Date of the agreement',
      'monthly_rent: number',
      'deposit: number',
      'notice_period',
      'pets_allowed: boolean',
      'council_tax_by_tenant: boolean | Does the tenant pay council tax?',
    )
    expect(dataOf(englishContract, schema)).toEqual({
      landlord: 'Margaret Hollis',
      tenant: 'Daniel Okafor and Priya Shah',
      property_address: 'Flat 4, 22 Elm Grove, Bristol BS6 6AB',
      start_date: '2026-04-01',
      agreement_date: '2026-03-03',
      monthly_rent: 1250,
      deposit: 1442.3,
      notice_period: '2 months',
      pets_allowed: false,
      council_tax_by_tenant: true,
    })
  })

  it('tells ordered from delivered quantities on a French delivery note and stops at the lines below the table', () => {
    const schema = schemaOf(
      'numero_bon',
      'date_livraison',
      'numero_commande',
      'fournisseur',
      'destinataire | Nom du destinataire',
      'transporteur',
      'nombre_colis: number',
      'poids_total: number | Poids total en kg',
      listOf('articles', 'reference', 'designation', 'quantite_commandee: number', 'quantite_livree: number', 'unite'),
    )
    expect(dataOf(frenchDeliveryNote, schema)).toEqual({
      numero_bon: 'BL-20418',
      date_livraison: '2026-10-14',
      numero_commande: 'C-5512',
      fournisseur: 'SARL Dubois Matériaux',
      destinataire: 'Menuiserie Klein',
      transporteur: 'Transports Meyer',
      nombre_colis: 3,
      poids_total: 412.5,
      articles: [
        {
          reference: 'P-100',
          designation: 'Panneau MDF 19 mm',
          quantite_commandee: 20,
          quantite_livree: 20,
          unite: 'pce',
        },
        {
          reference: 'V-210',
          designation: 'Vis 4x40, boîte de 200',
          quantite_commandee: 10,
          quantite_livree: 8,
          unite: 'bte',
        },
        {
          reference: 'C-330',
          designation: 'Colle à bois 5 kg',
          quantite_commandee: 6,
          quantite_livree: 6,
          unite: 'pot',
        },
      ],
    })
  })

  it('reads yes and no pairs of check boxes, and tables with times', () => {
    const schema = schemaOf(
      'projekt',
      'geprueft: boolean',
      'fahrtkosten: boolean | Fallen Fahrtkosten an?',
      listOf('eintraege', 'datum', 'von', 'bis', 'stunden: number', 'taetigkeit'),
    )
    expect(dataOf(germanTimesheet, schema)).toEqual({
      projekt: 'Umbau Rathaus',
      geprueft: true,
      fahrtkosten: false,
      eintraege: [
        { datum: '2026-10-12', von: '07:30', bis: '16:00', stunden: 8, taetigkeit: 'Elektroinstallation EG' },
        { datum: '2026-10-13', von: '07:30', bis: '15:30', stunden: 7.5, taetigkeit: 'Elektroinstallation OG' },
      ],
    })
  })

  const notContained = schemaOf(
    'blood_type | Blood type of the patient',
    'vessel_name | Name of the vessel',
    'flight_number',
    'guarantor | Name of the guarantor',
    'is_vegetarian: boolean | Whether the guest is vegetarian',
    'interest_rate: number | Interest rate of the loan',
    'birth_date',
    listOf('prescriptions', 'medicine | Name of the medicine', 'dosage | Dosage as prescribed'),
  )
  const papers = [americanInvoice, germanPayslip.replace(/.*Geburtsdatum.*/, ''), englishContract, frenchDeliveryNote]

  it('says null, or no rows, for what a document does not contain', () => {
    for (const text of papers) {
      const { flight_number: _flight, birth_date: _birth, ...others } = dataOf(text, notContained)
      expect(others).toEqual({
        blood_type: null,
        vessel_name: null,
        guarantor: null,
        is_vegetarian: null,
        interest_rate: null,
        prescriptions: [],
      })
    }
  })

  const saidOf = (name: string): unknown[] => papers.map((text) => dataOf(text, notContained)[name])

  it('says null for a flight_number that no document contains', () => {
    expect(saidOf('flight_number')).toEqual([null, null, null, null])
  })

  it('says null for a birth_date that no document contains', () => {
    expect(saidOf('birth_date')).toEqual([null, null, null, null])
  })

  it('flags what it guesses for a field that a document does not contain', () => {
    for (const text of papers) {
      const { data, doubts } = extractFields(typedDocument(text), notContained)
      const given = Object.keys(data).filter((name) => data[name] !== null && name !== 'prescriptions')
      expect(doubts.map(({ pointer }) => pointer)).toEqual(expect.arrayContaining(given.map((name) => `/0/${name}`)))
    }
  })

  const withMissing = schemaOf(
    'invoiceNumber',
    'total: number',
    'missing_thing',
    listOf('items/all', 'description', 'amount: number'),
  )

  it('knows page, box and printed text of every value, list cells included', () => {
    const { sources } = extractFields(typedDocument(americanInvoice), withMissing)
    expect(
      sources
        .map(({ pointer }) => pointer)
        .filter((pointer) => pointer !== '/0/missing_thing')
        .sort(),
    ).toEqual([
      '/0/invoiceNumber',
      '/0/items~1all/0/amount',
      '/0/items~1all/0/description',
      '/0/items~1all/1/amount',
      '/0/items~1all/1/description',
      '/0/items~1all/2/amount',
      '/0/items~1all/2/description',
      '/0/total',
    ])
    const total = sources.find((source) => source.pointer === '/0/total')!
    expect(total.text).toBe('$2,162.61')
    expect(total.page).toBe(1)
    expect(total.box.x).toBeCloseTo(0.65, 2)
    for (const { box } of sources)
      expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= 1 && box.y + box.height <= 1).toBe(true)
  })

  // Not met since bins are even: it has a value with a flag, as 20 of 576 fields that a document does not have.
  it('gives neither a value nor a place for a field that names nothing on the page', () => {
    const { data, sources } = extractFields(typedDocument(americanInvoice), withMissing)
    expect(data.missing_thing).toBeNull()
    expect(sources.map(({ pointer }) => pointer)).not.toContain('/0/missing_thing')
  })

  it('gives the same answer twice', () => {
    const schema = schemaOf(
      'invoiceNumber',
      'vendorName',
      'total: number',
      listOf('items', 'description', 'amount: number'),
    )
    expect(extractFields(typedDocument(americanInvoice), schema)).toEqual(
      extractFields(typedDocument(americanInvoice), schema),
    )
  })

  it('keeps a field named __proto__ as a field', () => {
    const { data } = extractFields(typedDocument(americanInvoice), schemaOf('__proto__', 'total: number'))
    expect(Object.keys(data)).toEqual(['__proto__', 'total'])
  })
})
