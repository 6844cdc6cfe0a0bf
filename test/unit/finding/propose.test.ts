import { describe, expect, it } from 'vitest'
import { readEvidence } from '../../../electron/service/extraction/evidence.ts'
import { understand } from '../../../electron/service/extraction/field.ts'
import { layOut } from '../../../electron/service/extraction/layout.ts'
import { Proposer } from '../../../electron/service/finding/propose.ts'
import { written } from '../../../electron/service/finding/write.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { typedDocument } from '../extraction/typed-page.ts'

function proposed(page: string, name: string, format: SchemaElement['format'] = 'text', description = ''): unknown[] {
  const layout = layOut(typedDocument(page))
  const proposer = new Proposer(layout, readEvidence(layout.text))
  const found = proposer.for(understand({ name, format, description }, 'document'))
  return [...new Set(found.map((one) => one.value))]
}

describe('proposals for a field', () => {
  it('are every date of a page, also two that one dash joins', () => {
    expect(proposed('Flight  02/11/20-02/17/20    Printed 3/9/2020 - 3/15/2020', 'flight start date')).toEqual([
      '2020-02-11',
      '2020-02-17',
      '2020-03-09',
      '2020-03-15',
    ])
  })

  it.each([
    ['Statement period   1 March to 31 March 2026', '2026-03-01', '2026-03-31'],
    ['Abrechnungszeitraum: 1. – 31.03.2026', '2026-03-01', '2026-03-31'],
    ['Période du 1er au 31 mars 2026', '2026-03-01', '2026-03-31'],
    ['Billing period: Mar 1 - Mar 31, 2026', '2026-03-01', '2026-03-31'],
    ['Zeitraum 15.12. bis 14.01.2026', '2025-12-15', '2026-01-14'],
  ])('are both days of «%s»', (line, first, last) => {
    expect(proposed(line, 'period_start', 'text', 'YYYY-MM-DD').toSorted()).toEqual([first, last])
  })

  it('are masked numbers where the last four digits are asked for', () => {
    const slip = 'Order 20177731   Card: ************2931   Auth 72876Z   5/25/2017'
    expect(proposed(slip, 'cardLastFour')).toEqual(['Card: ************2931', '************2931'])
    expect(proposed(slip.replace(/\*/g, '#'), 'card_last_four')).toContain('############2931')
    expect(proposed(slip.replace(/\*+/, ''), 'last_4_digits')).toEqual(expect.arrayContaining(['20177731', '2931']))
  })

  it('are boxes beside words of another language than the name of the field', () => {
    const form = '☒ Animali ammessi\n☐ Fuma?\n☒ Frühstück inklusive\n☐ Nieuwsbrief'
    const answers = ['pets', 'smoker', 'breakfast', 'newsletter'].map((name) => proposed(form, name, 'boolean'))
    expect(answers).toEqual([[true], [false], [true], [false]])
  })

  it('are an IBAN that goes on in the line below, which its check digits prove', () => {
    const letter = `Bitte überweisen Sie auf das Konto IBAN DE02 5209
0000 0086 3748 29, Verwendungszweck 1140.06
`
    expect(proposed(letter, 'iban')).toContain('DE02 5209 0000 0086 3748 29')
    expect(proposed(letter.replace('48 29', '48 28'), 'iban')).not.toContain('DE02 5209 0000 0086 3748 28')
  })

  it('are names of people between other words, where the words of a field ask for a person', () => {
    expect(proposed('ADVISOR   LUPE ARMIJO 3302', 'advisor')).toContain('LUPE ARMIJO')
    expect(proposed('Geprüft: Anna de Vries, Durchwahl -14', 'geprüft von')).toContain('Anna de Vries')
    expect(proposed('Es unterschreibt Frau Dr. Imke Raddatz für das Labor', 'unterzeichner')).toContain(
      'Frau Dr. Imke Raddatz',
    )
    const signed = 'This report of the building was signed by Jan van ’t Hof, Tom Bell and (Lupe Armijo); seen'
    expect(proposed(signed, 'signed by')).toEqual(expect.arrayContaining(['Jan van ’t Hof', 'Tom Bell', 'Lupe Armijo']))
    expect(proposed('Advisor Lupe Armijo 3302', 'advisor')).toContain('Lupe Armijo')
    expect(proposed('ADVISOR   LUPE ARMIJO 3302', 'project')).not.toContain('LUPE ARMIJO')
  })

  it('are addresses on up to six lines, and between other words of a line', () => {
    const head = `
Unit 6
The Old Maltings
Wharfedale Trade Park
Otley Road
Shipley
BD17 7QN
`
    expect(proposed(head, 'supplier_address')).toContain(
      'Unit 6 The Old Maltings Wharfedale Trade Park Otley Road Shipley BD17 7QN',
    )
    const foot = 'Hartmann Paper Ltd, Registered office: 40 Paddock Wharf, London SE16 4TT. Registered in England'
    expect(proposed(foot, 'registered_office_address')).toContain('40 Paddock Wharf, London SE16 4TT')
    for (const sentence of [
      'Wir liefern an Am Wall 3a, 76131 Karlsruhe, bis 10 Uhr',
      'Bitte liefern Sie die bestellte Ware bis spätestens Freitag an Am Wall 3a, 76131 Karlsruhe.',
      'Ware (Am Wall 3a, 76131 Karlsruhe) abholen',
    ])
      expect(proposed(sentence, 'Lieferanschrift')).toContain('Am Wall 3a, 76131 Karlsruhe')
    expect(proposed('Consegna: via Roma 12, 10121 Torino (TO) entro domani', 'indirizzo')).toContain(
      'via Roma 12, 10121 Torino (TO)',
    )
  })

  it('are names that end with a sentence or with an abbreviation, and nothing that stands around a box', () => {
    const report = 'This report of the whole building was signed by Tom Bell. The board agreed to it'
    expect(proposed(report, 'signed by')).toContain('Tom Bell')
    const minutes = 'The motion was seconded last night by Martin Luther King Jr. and carried by all'
    expect(proposed(minutes, 'seconded by')).toContain('Martin Luther King Jr.')
    const abroad = proposed(
      'Bitte liefern Sie die Ware bis Freitag an (EU) Am Wall 3a, 76131 Karlsruhe frei Haus',
      'Lieferanschrift',
    )
    expect(abroad.filter((value) => String(value).startsWith('EU)'))).toEqual([])
    expect(
      proposed('Condition   good\n            ☐ Yes   ☐ No', 'condition').filter((value) =>
        String(value).includes('☐'),
      ),
    ).toEqual([])
  })

  it('are a text that is a day, as days are given', () => {
    expect(proposed('Tax point    07/03/2025', 'tax_point')).toContain('2025-03-07')
    expect(proposed('Tax point    07/03/2025', 'tax_point', 'text', 'as printed')).toContain('07/03/2025')
  })

  it('are an amount in brackets of a sentence, which is not negative', () => {
    const sentence = '30 % down payment (EUR 5.814,88) by bank transfer'
    expect(proposed(sentence, 'down_payment', 'number')).toContain(5814.88)
    expect(proposed('Net loss (5.814,88)', 'net loss', 'number')).toContain(-5814.88)
  })

  it('are written without their sign where the description wants that', () => {
    const layout = layOut(typedDocument('Acompte versé le 03/02/2025    -1 570,00'))
    const signed = (description: string): unknown[] => {
      const field = understand({ name: 'acompte', format: 'number', description }, 'document')
      const found = new Proposer(layout, readEvidence(layout.text)).for(field)
      return found.map((one) => written(field, one))
    }
    expect(signed('Acompte versé')).toContain(-1570)
    for (const description of [
      'Acompte versé, en positif',
      'as a positive number',
      'positiv angeben',
      'ohne Vorzeichen',
    ])
      expect(signed(description)).toContain(1570)
  })

  it('are no numbers above a hundred where a percentage is asked for', () => {
    const line = 'Skonto 2 % bis 14.03.2025   1 350,85   231'
    expect(proposed(line, 'skonto_prozent', 'number')).toEqual(expect.arrayContaining([2]))
    expect(proposed(line, 'skonto_prozent', 'number').filter((value) => Number(value) > 100)).toEqual([])
    expect(proposed('Zuschlag Überstunden 125 %', 'zuschlag_prozent', 'number')).toContain(125)
  })

  it('are codes without the mark of a number before them', () => {
    const values = proposed('Bon de commande   N° BC25-03317', 'order_number')
    expect(values).toContain('BC25-03317')
    expect(values).not.toContain('N° BC25-03317')
  })

  it('are numbers for its tax where the VAT of a party is a text', () => {
    const found = understand({ name: 'seller_vat', format: 'text', description: '' }, 'document')
    expect(found).toMatchObject({ kind: 'vatid', side: 'seller' })
    expect(understand({ name: 'seller_vat', format: 'number', description: '' }, 'document').kind).not.toBe('vatid')
  })

  it('are amounts beside the rate that is asked for, those first that it makes of each other', () => {
    const bill = `
Fenêtre PVC double vitrage        486,00   10 %     1 944,00
Taux       Base HT      Montant TVA     Total HT    4 708,70
10,00 %    4 139,00        413,90       Total TVA     527,84
20,00 %      569,70        113,94       Total TTC   5 236,54`
    const amounts = (name: string, description = ''): unknown[] => proposed(bill, name, 'number', description)
    expect(amounts('montant_tva_10')).toEqual([413.9])
    expect(amounts('base_tva', 'Base HT au taux de 10 %')).toContain(4708.7)
    expect(amounts('base_tva', 'Base HT à 10 %')).toEqual([4139])
    expect(amounts('TVA 20 %')).toEqual([113.94])
    expect(amounts('net 5.5 %')).toEqual([])
    // Not of one rate: the sum of all, and the line of a form.
    expect(amounts('tva', 'Total TVA, taxed at 10 % or more')).toContain(527.84)
    expect(amounts('tva_24')).toContain(527.84)
    // The first of several taxes.
    expect(amounts('tva_1')).toContain(527.84)
    const short = 'Btw 9% over € 61,42   € 5,53\nBtw 21%   € 14,73\nTotaal   € 151,80'
    expect(proposed(short, 'vat_21', 'number')).toEqual([14.73])
    const bare = 'MwSt-Satz %   Netto   MwSt\n19,00   60,00   11,40\n7,00   50,00   3,50'
    expect(proposed(bare, 'mwst_19', 'number')).toEqual([11.4])
    const heads = 'Net amount   VAT 20 %   Total\n100.00   20.00   120.00'
    expect(proposed(heads, 'vat_20', 'number')).toEqual([100, 20, 120])
  })

  it('are companies in the middle of a sentence, up to their legal form', () => {
    const page = `Payment by BACS to Hartmann Paper Supplies Ltd, sort code 40-12-76
Hartmann Paper Supplies Ltd. Registered in England. Es gelten die AGB der Kolb & Söhne GmbH.`
    const values = proposed(page, 'supplier_name')
    expect(values).toEqual(expect.arrayContaining(['Hartmann Paper Supplies Ltd', 'Kolb & Söhne GmbH']))
    expect(values).not.toContain('Hartmann Paper Supplies Ltd.')
  })

  it('are days of birth that have come, whatever two digits of their year may say', () => {
    const page = 'Patient: Irma Fuchs   geboren am 12.03.45   Aufnahme 14.02.24'
    expect(proposed(page, 'date_of_birth')).toEqual(['1945-03-12', '2024-02-14'])
    expect(proposed(page, 'valid_until')).toEqual(['2045-03-12', '2024-02-14'])
    expect(proposed('geboren am 12.03.2062', 'date_of_birth')).toEqual(['2062-03-12'])
  })

  it('are every amount for a field of money, with thousands set apart as they are printed', () => {
    expect(proposed('Netto 1 234,56 EUR    19 %    234,57    1.469,13 €', 'total amount', 'number')).toEqual([
      1234.56, 234.57, 1469.13,
    ])
  })

  it('are rates for a field of percent', () => {
    expect(proposed('MwSt 19,000 %  auf 100,00', 'tax rate', 'number')).toContain(19)
  })

  it('are a name with and without what stands in brackets or behind another label', () => {
    const values = proposed('Advertiser Tom Tiffany (33722) Invoice Date', 'advertiser')
    expect(values).toContain('Tom Tiffany')
    expect(values).toContain('Tom Tiffany (33722)')
  })

  it.each([
    ['Hartmann Paper Sdn Bhd (1248717-W)', 'Hartmann Paper Sdn Bhd'],
    ['HARTMANN (KL) SDN BHD (139386 X)', 'HARTMANN (KL) SDN BHD'],
  ])('are the name of a company without its number in a register: %s', (line, name) => {
    const values = proposed(line, 'company', 'text', 'name of the seller')
    expect(values).toContain(name)
    expect(values).not.toContain(line)
    expect(values).not.toContain('HARTMANN')
  })

  it('are what stands behind each colon of a line of many, up to the next label', () => {
    const foot = `Phone no.: +28 65 973 22 46 Fax: +28 65 973 22 47 Bank: Northern Trust & Savings IBAN No.: DE56428638516819676190`
    expect(proposed(foot, 'bank name')).toContain('Northern Trust & Savings')
    expect(proposed('Tél. : 04 78 Banque : Crédit Lyon IBAN : FR761450', 'bank name')).toContain('Crédit Lyon')
    const line = 'Date: 01/12/2019 | Your order no: 7771 | Delivered: 28/12/2019 | Incoterm: CIF Port'
    expect(proposed(line, 'incoterm')).toContain('CIF Port')
  })

  it('are a name before a company in brackets', () => {
    expect(proposed('Klaus Berger (Hartmann GmbH)', 'customer name')).toContain('Klaus Berger')
  })

  it('are a telephone number without the day and time beside it', () => {
    expect(proposed('02/10/2015 (800)275-8777 12:38:49 PM', 'phone')).toEqual(['(800)275-8777'])
    expect(proposed('Tél. 06.12.34.56.78', 'phone')).toEqual(['06.12.34.56.78'])
    expect(proposed('Tél. 47.82.71', 'phone')).toEqual(['47.82.71'])
    expect(proposed('Tel. 0431/12/3456', 'phone')).toEqual(['0431/12/3456'])
  })

  it('are a time of day as tills print it', () => {
    expect(proposed('10/17 11:46a TOTAL', 'time')).toEqual(['11:46a'])
    expect(proposed('open until 11:30 a day later', 'time')).toEqual(['11:30'])
  })

  it('are a time of day with its half of the day, also where that stands apart', () => {
    expect(proposed('07/20/2020      5:23      PM      Till 4', 'time')).toEqual(['5:23 PM'])
  })

  it('are no amounts for a time of day where one is printed with a colon', () => {
    expect(proposed('12/05/2024 18:33\nCash 20.00   Change 12.36', 'time')).toEqual(['18:33'])
    expect(proposed('Beginn 9.15 Uhr   Ende 10.45 Uhr   gedruckt 08:12', 'beginn_uhrzeit')).toEqual([
      '9.15',
      '10.45',
      '08:12',
    ])
    expect(proposed('Maßstab 1:50   Beginn 9.15', 'beginn_uhrzeit')).toContain('9.15')
  })

  it('are no words that only say the name of the field, which are its label', () => {
    expect(proposed('Vessel        MV Aurora', 'vessel_name')).toEqual(expect.arrayContaining(['MV Aurora']))
    expect(proposed('Vessel        MV Aurora', 'vessel_name')).not.toContain('Vessel')
    expect(proposed('Invoice       17', 'invoice_type')).toContain('Invoice')
  })

  it('are only the values that the description allows, where it lists them', () => {
    expect(proposed('Zahlart: Lastschrift am 3.5.', 'payment', 'text', 'one of: Überweisung, Lastschrift')).toEqual([
      'Lastschrift',
    ])
  })

  it('are for a code no runs that begin with a plain word', () => {
    const values = proposed('Order RE 2024-17 with 12 pieces of article 5', 'order number')
    expect(values).toEqual(expect.arrayContaining(['RE 2024-17', '2024-17']))
    expect(values).not.toContain('of article 5')
    expect(values).not.toContain('pieces of article 5')
  })

  it('are an address of several lines as one value', () => {
    const values = proposed('Hafenstraße 12\n20457 Hamburg', 'address')
    expect(values).toContain('Hafenstraße 12 20457 Hamburg')
  })

  it('are an address whose lines stand around one middle', () => {
    const values = proposed('       14 Mill Road\n    Riverside Retail Park\n       Salem, OR 97301', 'address')
    expect(values).toContain('14 Mill Road Riverside Retail Park Salem, OR 97301')
  })

  it('are no name with a label far behind it', () => {
    const found = proposed('Brightline Electric Co.            INVOICE', 'vendor name')
    expect(found).toContain('Brightline Electric Co.')
    expect(found).not.toContain('Brightline Electric Co. INVOICE')
  })

  it('are a name on two lines, and one whose words are set far apart', () => {
    expect(proposed('  KESTREL\nRESTAURANT\n12 Mill Road', 'store name')).toContain('KESTREL RESTAURANT')
    expect(proposed('KESTREL   &   SONS\n12 Mill Road', 'store name')).toContain('KESTREL & SONS')
    expect(proposed('Total:   KESTREL', 'store name')).not.toContain('Total: KESTREL')
  })

  it.each([
    ['14 Mill Road Salem OR 97301', { city: 'Salem', state: 'OR', postcode: '97301' }],
    ['Lodi, CA 95240', { city: 'Lodi', state: 'CA', postcode: '95240' }],
    ['20457 Hamburg', { city: 'Hamburg', postcode: '20457' }],
    ['Dorpsstraat 35, 9175 WL Den Bosch', { city: 'Den Bosch', postcode: '9175 WL' }],
    ['Derby TJ11 4EA', { city: 'Derby', postcode: 'TJ11 4EA' }],
    ['Kingston, ON K7L 3N6', { city: 'Kingston', state: 'ON', postcode: 'K7L 3N6' }],
    ['10121 Torino (TO)', { city: 'Torino', state: 'TO', postcode: '10121' }],
    ['40470 Kuala Lumpur, Selangor', { city: 'Kuala Lumpur', state: 'Selangor', postcode: '40470' }],
    ['48 MG Road, Nagpur - 411001', { city: 'Nagpur', postcode: '411001' }],
    ['3 Kings Way, Derby, Co. Cork', { city: 'Derby', state: 'Cork' }],
  ])('are the parts of «%s»', (line, parts) => {
    for (const [name, value] of Object.entries(parts)) expect(proposed(line, name), name).toContain(value)
  })

  it('are no month for a town', () => {
    expect(proposed('Jena, 14. März 2026', 'city')).not.toContain('März')
  })
})
