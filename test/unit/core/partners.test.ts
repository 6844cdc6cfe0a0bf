import { describe, expect, it } from 'vitest'
import type { PartnerKeys, PartnerMatch } from '../../../electron/core/db/tables/partners.ts'
import { byPartners, senderAsBefore } from '../../../electron/core/partners/by-partners.ts'
import { columnsIn, rowsOfCsv, rowsOfWorkbook } from '../../../electron/core/partners/import.ts'
import { readDocument } from '../../../electron/reading/read.ts'
import { noRecognition } from '../reading/expectations.ts'
import { xlsxOf } from '../reading/office-files.ts'
import { sameParties } from '../../../electron/core/partners/sender.ts'
import { comparableName, mayBeSameName } from '../../../shared/domain/partner.ts'
import type { Partner } from '../../../shared/domain/partner.ts'
import type { ExtractedRecord } from '../../../shared/domain/result.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'

const text = (name: string): SchemaElement => ({ name, format: 'text', description: '' })
const elements = ['Seller', 'Seller VAT number', 'Buyer VAT number', 'IBAN', 'Invoice number'].map(text)
const ridley: Partner = {
  id: 1,
  name: 'Ridley Joinery',
  vatId: 'GB284771906',
  accounts: ['GB63HBUK40127688203314'],
  number: '70012',
  bookAccount: '3400',
  isOwn: false,
  isNamed: true,
}
const own: Partner = {
  ...ridley,
  id: 2,
  name: 'Mossfield Interiors LLP',
  vatId: 'DE136695976',
  accounts: [],
  isOwn: true,
}

/** The list as the table finds in it. */
function listOf(...partners: Partner[]) {
  return {
    isEmpty: partners.length === 0,
    find({ name, vatId, accounts }: PartnerKeys, isOwn = false): PartnerMatch | null {
      const among = partners.filter((partner) => partner.isOwn === isOwn)
      const matches: [PartnerMatch['by'], (partner: Partner) => boolean][] = [
        ['vatId', (partner) => vatId !== null && partner.vatId === vatId],
        ['account', (partner) => partner.accounts.some((iban) => accounts.includes(iban))],
        ['name', (partner) => name !== null && comparableName(partner.name) === comparableName(name)],
      ]
      for (const [by, isIt] of matches) {
        const partner = among.find(isIt)
        if (partner !== undefined) return { partner, by }
      }
      return null
    },
  }
}

/** The list as the table finds in it where an account alone does not say who a sender of another name is. */
function strict(...partners: Partner[]) {
  const list = listOf(...partners)
  return {
    ...list,
    find(keys: PartnerKeys, isOwn = false): PartnerMatch | null {
      const match = list.find(keys, isOwn)
      const isAnother = match?.by === 'account' && keys.name !== null && !mayBeSameName(match.partner.name, keys.name)
      return isAnother ? list.find({ ...keys, accounts: [] }, isOwn) : match
    },
  }
}

const judged = (record: ExtractedRecord, partners = listOf(ridley, own), touched: string[] = []) =>
  byPartners(partners, [record], elements, (pointer) => touched.includes(pointer))

describe('a sender that the office knows', () => {
  it('has its name as the office writes it, found by its VAT number, its account or its name', () => {
    const records: ExtractedRecord[] = [
      { Seller: 'RIDLEY JOINERY SUPPLIES', 'Seller VAT number': 'GB 284 7719 06' },
      { Seller: 'Ridley', IBAN: 'GB63 HBUK 4012 7688 2033 14' },
      { Seller: 'Ridley Joinery Ltd.' },
    ]
    for (const record of records)
      expect(judged(record)).toEqual({
        corrections: [{ pointer: '/0/Seller', extracted: record.Seller, value: 'Ridley Joinery' }],
        flags: [],
      })
  })

  it('has its name where the document was read without one', () => {
    expect(judged({ Seller: null, 'Seller VAT number': 'GB284771906' }).corrections).toEqual([
      { pointer: '/0/Seller', extracted: null, value: 'Ridley Joinery' },
    ])
  })

  it('is to be looked at where only an account says who it is, or a VAT number of a quite different name', () => {
    expect(judged({ Seller: null, IBAN: 'GB63HBUK40127688203314' }).flags).toEqual([
      { code: 'unsure', pointer: '/0/Seller', value: 'Ridley Joinery' },
    ])
    expect(judged({ Seller: 'Kestrel Landscaping', 'Seller VAT number': 'GB284771906' }).flags).toEqual([
      { code: 'unsure', pointer: '/0/Seller', value: 'Ridley Joinery' },
    ])
  })

  it('keeps the name that a person put there, or as the document has it where nobody wrote one', () => {
    const record = { Seller: 'Ridley North', 'Seller VAT number': 'GB284771906' }
    expect(judged(record, listOf(ridley), ['/0/Seller']).corrections).toEqual([])
    expect(judged(record, listOf({ ...ridley, isNamed: false })).corrections).toEqual([])
  })

  it('is not looked for by the number of the buyer', () => {
    expect(judged({ Seller: 'Somebody', 'Buyer VAT number': 'GB284771906' })).toEqual({ corrections: [], flags: [] })
  })

  it('has an account flagged that it is not known to have', () => {
    const account = 'DE02120300000000202051'
    expect(judged({ Seller: 'Ridley Joinery', IBAN: 'DE02 1203 0000 0000 2020 51' }).flags).toEqual([
      { code: 'account_differs', pointer: '/0/IBAN', account },
    ])
    expect(judged({ Seller: 'Ridley Joinery', IBAN: account }, listOf({ ...ridley, accounts: [] })).flags).toEqual([])
  })
})

describe('an account', () => {
  const accountOfRidley = 'GB63HBUK40127688203314'
  const other = { code: 'account_of_other', pointer: '/0/IBAN', account: accountOfRidley, holder: 'Ridley Joinery' }

  it('that is known as another’s is flagged, of a sender that is new and of one that has none', () => {
    expect(judged({ Seller: 'Swift Sweeps', IBAN: 'GB63 HBUK 4012 7688 2033 14' }, strict(ridley)).flags).toEqual([
      other,
    ])
    const sweeps = { ...ridley, id: 3, name: 'Swift Sweeps', vatId: null, accounts: [] }
    expect(judged({ Seller: 'Swift Sweeps', IBAN: accountOfRidley }, strict(ridley, sweeps)).flags).toEqual([other])
    expect(judged({ Seller: 'Ridley Joinery Ltd', IBAN: accountOfRidley }, strict(ridley)).flags).toEqual([])
  })

  it('is another’s, and so is a VAT number, where the sender has quite another name than the partner that it finds', () => {
    const unnamed = { ...ridley, isNamed: false }
    const record = { Seller: 'Swift Sweeps', 'Seller VAT number': 'GB 284 7719 06', IBAN: accountOfRidley }
    const vat = {
      code: 'vat_of_other',
      pointer: '/0/Seller VAT number',
      vatId: 'GB 284 7719 06',
      holder: 'Ridley Joinery',
    }
    expect(judged(record, strict(unnamed))).toEqual({ corrections: [], flags: [vat, other] })
    expect(judged({ ...record, Seller: 'Ridley Joinery Supplies' }, strict(unnamed)).flags).toEqual([])
    expect(judged({ ...record, Seller: null }, strict(unnamed)).flags).toEqual([])
  })

  it('of the office itself stays where no sender is asked for, as on a statement of its bank', () => {
    const statement = ['Account holder', 'IBAN', 'Closing balance'].map(text)
    const record = { 'Account holder': 'Mossfield Interiors LLP', IBAN: 'DE02120300000000202051' }
    const bank = strict({ ...own, accounts: ['DE02120300000000202051'] })
    expect(byPartners(bank, [record], statement, () => false)).toEqual({ corrections: [], flags: [] })
    expect(judged({ Seller: 'Swift Sweeps', IBAN: record.IBAN }, bank).flags).toMatchObject([{ code: 'own_company' }])
  })
})

describe('a seller and a buyer of one name', () => {
  const parties = ['Seller', 'Buyer'].map(text)

  it('are flagged at the buyer, however the name is written', () => {
    expect(sameParties([{ Seller: 'Krause Sanitär GmbH', Buyer: 'KRAUSE SANITÄR' }], parties)).toMatchObject([
      { code: 'implausible', reason: 'same_party', pointer: '/0/Buyer' },
    ])
  })

  it.each([
    [{ Seller: 'Krause', Buyer: 'Lindner' }],
    [{ Seller: 'Krause', Buyer: null }],
    [{ Seller: '-', Buyer: '-' }],
  ])('are not in %j', (record) => expect(sameParties([record], parties)).toEqual([]))
})

describe('a company of the office itself', () => {
  it('is never the sender: its name and VAT number are taken out and flagged', () => {
    expect(judged({ Seller: 'MOSSFIELD INTERIORS', 'Seller VAT number': 'DE 136695976' })).toEqual({
      corrections: [
        { pointer: '/0/Seller', extracted: 'MOSSFIELD INTERIORS', value: null },
        { pointer: '/0/Seller VAT number', extracted: 'DE 136695976', value: null },
      ],
      flags: [
        { code: 'own_company', pointer: '/0/Seller', value: 'MOSSFIELD INTERIORS' },
        { code: 'own_company', pointer: '/0/Seller VAT number', value: 'DE 136695976' },
      ],
    })
  })

  it('gives way to the partner whose VAT number stands beside it', () => {
    expect(judged({ Seller: 'Mossfield Interiors LLP', 'Seller VAT number': 'GB284771906' })).toEqual({
      corrections: [{ pointer: '/0/Seller', extracted: 'Mossfield Interiors LLP', value: 'Ridley Joinery' }],
      flags: [],
    })
  })
})

describe('what a person approved', () => {
  it('keeps the sender that it had then', () => {
    expect(senderAsBefore([{ Seller: 'RIDLEY' }], [{ Seller: 'Ridley Joinery' }], elements, () => false)[0]).toEqual({
      pointer: '/0/Seller',
      extracted: 'RIDLEY',
      value: 'Ridley Joinery',
    })
  })
})

describe('names of companies', () => {
  it('are the same whatever their accents, capitals, signs and legal forms', () => {
    for (const [one, other] of [
      ['RIDLEY Ltd.', 'Ridley Limited'],
      ['Müller & Söhne GmbH & Co. KG', 'Muller Sohne'],
      ['Société Générale S.A.', 'societe generale'],
      ['Straßenbau AG', 'STRASSENBAU'],
    ] as const)
      expect(comparableName(one)).toBe(comparableName(other))
  })

  it('are different where more than that differs, and are not empty where they are nothing but a legal form', () => {
    expect(comparableName('Ridley North')).not.toBe(comparableName('Ridley South'))
    expect(comparableName('Company Limited')).toBe('company limited')
    expect(comparableName('株式会社')).toBe('株式会社')
  })
})

describe('a table of partners', () => {
  it('is read whatever separates its columns, and says by its headings what they hold', () => {
    const rows = rowsOfCsv(
      '\uFEFFKreditorennummer;Firma;USt-IdNr.;IBAN;Gegenkonto\r\n70012;"Ridley; Joinery";GB284771906;GB63HBUK40127688203314;3400\r\n',
    )
    expect(rows[1]).toEqual(['70012', 'Ridley; Joinery', 'GB284771906', 'GB63HBUK40127688203314', '3400'])
    expect(columnsIn(rows)).toEqual({
      head: 0,
      columns: new Map([
        ['number', 0],
        ['name', 1],
        ['vatId', 2],
        ['account', 3],
        ['bookAccount', 4],
      ]),
    })
  })

  it.each([
    [
      'Supplier no,Supplier name,VAT number,IBAN,Default account',
      ['number', 'name', 'vatId', 'account', 'bookAccount'],
    ],
    [
      'N° fournisseur;Raison sociale;Numéro de TVA;IBAN;Compte de charge',
      ['number', 'name', 'vatId', 'account', 'bookAccount'],
    ],
    ['Name\tNumber in the books\tIBAN', ['name', 'number', 'account']],
  ])('is understood with the headings %s', (line, columns) => {
    expect([...(columnsIn(rowsOfCsv(`${line}\n`))?.columns.keys() ?? [])]).toEqual(columns)
  })

  it('of a workbook has its cells under their headings, also where some are empty', async () => {
    const cell = (at: string, text: string | number): string =>
      typeof text === 'number'
        ? `<c r="${at}"><v>${text}</v></c>`
        : `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`
    const xml = `<sheetData>
      <row r="1">${cell('A1', 'Number')}${cell('B1', 'Name')}${cell('C1', 'VAT number')}${cell('D1', 'IBAN')}</row>
      <row r="2">${cell('A2', 70012)}${cell('B2', 'Ridley Joinery')}${cell('D2', 'GB63HBUK40127688203314')}</row>
      <row r="3">${cell('B3', 'Müller')}${cell('C3', 'DE136695976')}</row>
    </sheetData>`
    const document = await readDocument(await xlsxOf([{ name: 'Creditors', xml }]), 'xlsx', noRecognition)
    const rows = rowsOfWorkbook(document)
    expect(rows.slice(1)).toEqual([
      ['70012', 'Ridley Joinery', '', 'GB63HBUK40127688203314'],
      ['', 'Müller', 'DE136695976', ''],
    ])
    expect([...columnsIn(rows)!.columns]).toEqual([
      ['number', 0],
      ['name', 1],
      ['vatId', 2],
      ['account', 3],
    ])
  })

  it('may have lines above its headings, and is none without a heading for names', () => {
    expect(
      columnsIn([
        ['Creditors', ''],
        ['', ''],
        ['Name', 'IBAN'],
      ])?.head,
    ).toBe(2)
    expect(
      columnsIn([
        ['Article', 'Price'],
        ['Pump', '12'],
      ]),
    ).toBeNull()
  })
})
