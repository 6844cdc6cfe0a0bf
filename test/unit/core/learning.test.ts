import { describe, expect, it } from 'vitest'
import { applyLessons } from '../../../electron/core/learning/apply.ts'
import { accountsIn, fits, idsOf } from '../../../electron/core/learning/fingerprint.ts'
import { formOf } from '../../../electron/core/learning/forms.ts'
import { lessonOf, sellerOf } from '../../../electron/core/learning/lesson.ts'
import type { Taught } from '../../../electron/core/learning/lesson.ts'
import { printedOf } from '../../../electron/core/learning/printed.ts'
import type { Printed } from '../../../electron/core/learning/printed.ts'
import type { Document, Token } from '../../../shared/domain/document.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'

/** Each letter as wide as this share of the page. */
const letter = 0.008

/** A page of lines: `x|text` pieces, each word at its place, a line at each hundredth of the page's height. */
function page(lines: readonly string[]): Document {
  const tokens = lines.flatMap((line, row) =>
    line
      .split('  ')
      .filter((piece) => piece !== '')
      .flatMap((piece): Token[] => {
        const [at, text] = piece.split('|') as [string, string]
        let x = Number(at) / 100
        return text.split(' ').map((word) => {
          const box = { x, y: 0.02 + row * 0.02, width: word.length * letter, height: 0.012 }
          x += (word.length + 1) * letter
          return { text: word, box, fontSize: 0.012, bold: false }
        })
      }),
  )
  return { kind: 'pdf', pages: [{ number: 1, width: 595, height: 842, origin: 'text', tokens, tables: [] }] }
}

const element = (name: string, format: SchemaElement['format'] = 'text'): SchemaElement => ({
  name,
  format,
  description: '',
})
const lesson = (document: Document, record: Record<string, string | number | null>, more: Partial<Taught> = {}) =>
  lessonOf({
    document,
    record,
    elements: Object.entries(record).map(([name, value]) =>
      element(name, typeof value === 'number' ? 'number' : 'text'),
    ),
    boxOf: () => null,
    emptied: new Set(),
    ...more,
  })
const applied = (lessons: ReturnType<typeof lesson>[], document: Document) =>
  Object.fromEntries(
    [
      ...applyLessons(
        lessons.map(({ fields }) => fields),
        printedOf(document),
      ),
    ].map(([name, { value }]) => [name, value]),
  )

const head = ['10|Nordwind Segel OHG', '10|Deichweg 9', '10|mail@nordwind.example']

describe('a learned place', () => {
  it('moves with the label left of it, and is read by the signs of the document', () => {
    const before = page([...head, '10|Summe  60|1.204,50', '10|Vom  60|03.04.2026'])
    const now = page([...head, '', '', '10|Summe  58|12.999,00', '10|Vom  60|11.12.2026'])
    expect(applied([lesson(before, { total: 1204.5, day: '2026-04-03' })], now)).toEqual({
      total: 12_999,
      day: '2026-12-11',
    })
  })

  it('moves with the label above it', () => {
    const before = page([...head, '10|Belegkennung  40|Unser Zeichen', '10|AB-17  40|K 4'])
    const now = page([...head, '', '10|Belegkennung  40|Unser Zeichen', '10|XY-9921  40|K 9'])
    expect(applied([lesson(before, { number: 'AB-17' })], now)).toEqual({ number: 'XY-9921' })
  })

  it('gives nothing where nothing of its kind stands there', () => {
    const before = page([...head, '10|Summe  60|1.204,50', '10|Vom  60|03.04.2026', '10|Beleg  60|AB-17'])
    const now = page([...head, '10|Summe  60|siehe oben', '10|Vom  60|Frühjahr', '10|Beleg  60|folgt noch'])
    const taught = lesson(before, { total: 1204.5, day: '2026-04-03', number: 'AB-17' })
    expect(applied([taught], now)).toEqual({})
  })

  it('of a code in groups has all of them, and of a text in brackets what is in them', () => {
    const before = page([...head, '10|Kennung  40|FR11 123 456 782  70|(EUR)'])
    const now = page([...head, '10|Kennung  40|FR32 987 654 321  70|(CHF)'])
    expect(applied([lesson(before, { vat: 'FR11 123 456 782', currency: 'EUR' })], now)).toEqual({
      vat: 'FR32 987 654 321',
      currency: 'CHF',
    })
  })

  it('of a value in several places is the one whose label says what the field is', () => {
    const before = page([...head, '10|Lieferdatum  60|03.04.2026', '10|Rechnungsdatum  60|03.04.2026'])
    const now = page([...head, '10|Lieferdatum  60|01.02.2026', '10|Rechnungsdatum  60|05.06.2026'])
    expect(applied([lesson(before, { invoice_date: '2026-04-03' })], now)).toEqual({ invoice_date: '2026-06-05' })
  })

  it('is the one that a person or service named, and none where that is open', () => {
    const before = page([...head, '10|Eins  60|77', '10|Zwei  60|77'])
    const now = page([...head, '10|Eins  60|81', '10|Zwei  60|82'])
    expect(applied([lesson(before, { pieces: 77 })], now)).toEqual({})
    const box = { x: 0.6, y: 0.02 + 4 * 0.02, width: 0.02, height: 0.012 }
    expect(applied([lesson(before, { pieces: 77 }, { boxOf: () => ({ page: 1, box }) })], now)).toEqual({ pieces: 82 })
  })

  it('ends before what stands behind the value in a column of its own', () => {
    const before = page([...head, '10|Betreff:  20|Neues Großsegel', '20|Bestellt von  32|Ida'])
    const now = page([...head, '10|Betreff:  20|Reparatur Fock', '20|Bestellt von  32|Jan'])
    expect(applied([lesson(before, { subject: 'Neues Großsegel' })], now)).toEqual({ subject: 'Reparatur Fock' })
  })

  it('of several lines is read with all of them, joined as they were', () => {
    const before = page([...head, '', '60|Ida Holm', '60|Am Kai 4', '60|24937 Flensburg', '', '10|Rechnung'])
    const now = page([...head, '', '60|Jan Petersen', '60|Steg 11', '60|24103 Kiel', '', '10|Rechnung'])
    expect(applied([lesson(before, { buyer: 'Ida Holm, Am Kai 4, 24937 Flensburg' })], now)).toEqual({
      buyer: 'Jan Petersen, Steg 11, 24103 Kiel',
    })
  })
})

describe('what stands nowhere', () => {
  it('is the same text on each document of the sender, unless two of them say otherwise', () => {
    const logo = ['10|Deichweg 9', '10|mail@segel.example']
    expect(applied([lesson(page(logo), { seller: 'Nordwind' })], page(logo))).toEqual({ seller: 'Nordwind' })
    const twice = [1, 2].map(() => lesson(page(logo), { seller: 'Nordwind' }))
    expect(applied([...twice, lesson(page(logo), { seller: 'Südwind' })], page(logo))).toEqual({})
  })

  it('is no number and no day: those were computed or read wrongly', () => {
    const taught = lesson(page(head), { total: 12, day: '2026-04-03' })
    expect(taught.fields).toEqual([])
  })

  it('is emptied only where a second document says so', () => {
    const emptied = new Set(['discount'])
    const taught = lesson(page(head), { discount: null }, { emptied })
    expect(applied([taught], page(head))).toEqual({})
    expect(applied([taught, taught], page(head))).toEqual({ discount: null })
  })
})

describe('a form', () => {
  const labels = ['10|Beleg  60|1', '10|Vom  60|2', '10|Summe  60|3', '10|Steuer  60|4', '10|Zahlbar  60|5']
  const form = lesson(page([...head, ...labels]), {}).form
  const clear = (lines: string[], shared: string[] = []): boolean => {
    const printed = printedOf(page(lines))
    return fits(form, printed, idsOf(printed), new Set(shared)) > 0
  }

  it('is known by words in their places, though lines move', () => {
    expect(clear([...head, '', '', ...labels])).toBe(true)
    expect(clear(['10|Ganz andere Firma', '10|Bergweg 2', '40|Nummer  70|1', '40|Datum  70|2'])).toBe(false)
  })

  it('is not that of another sender with the same program, told by what only one of them has', () => {
    const others = ['10|Südwind Motoren OHG', '10|Seeweg 4', '10|mail@suedwind.example']
    const many = [
      ...labels,
      ...['Skonto', 'Rabatt', 'Fracht', 'Lager', 'Menge', 'Preis'].map((word) => `10|${word} davon`),
    ]
    const crowded = lesson(page([...head, ...many]), {}).form
    const [same, other] = [head, others].map((lines) => printedOf(page([...lines, ...many]))) as [Printed, Printed]
    expect(fits(crowded, same, idsOf(same), new Set())).toBe(1)
    expect(fits(crowded, other, idsOf(other), new Set())).toBe(0)
    expect(fits(crowded, other, [], new Set())).toBeGreaterThan(0.7)
  })

  it('is known by less where the sender is, and not by what all senders share', () => {
    const moved = [...head, '30|Beleg  60|1', '30|Vom  60|2', '30|Summe  60|3', '40|Steuer', '40|Zahlbar']
    expect(clear(moved)).toBe(true)
    expect(clear(moved, ['nordwind.example'])).toBe(false)
  })
})

describe('bank accounts', () => {
  it('are found grouped or not, and with a label that touches them', () => {
    const lines = [
      '10|IBAN:DE89 3704 0044 0532 0130 00 BIC  80|X',
      '10|Konto GB82WEST12345698765432',
      '10|DE00 1234 5678',
    ]
    expect(accountsIn(printedOf(page(lines)))).toEqual(['DE89370400440532013000', 'GB82WEST12345698765432'])
  })
})

describe('the name of a sender', () => {
  it('is the value of the field that says so, and not its address', () => {
    const elements = [element('seller_address'), element('Name Lieferant')]
    const record = { seller_address: 'Deichweg 9', 'Name Lieferant': 'Nordwind' }
    expect(sellerOf(record, elements)).toBe('Nordwind')
    expect(sellerOf(record, elements.slice(0, 1))).toBeNull()
  })
})

describe('the size and the cost of what is learned', () => {
  /** A page full of different words, and forty fields that each stand in three places. */
  const crowded = (seed: number): { document: Document; record: Record<string, string> } => {
    const names = Array.from({ length: 40 }, (_, index) => index)
    const value = (index: number): string => `Wert${'abcdefghij'[index % 10]}${'klmn'[Math.floor(index / 10)]}wort`
    const lines = Array.from({ length: 45 }, (_, row) =>
      [0, 20, 40, 60, 80]
        .map(
          (x, column) =>
            `${x + 2}|${column % 2 === 0 ? `Wort${seed}x${row}q${column}`.replace(/\d/g, 'r') + 'abcdefghijklmnop'[row % 16] : value((row * 3 + column) % 40)}`,
        )
        .join('  '),
    )
    return { document: page(lines), record: Object.fromEntries(names.map((index) => [`field_${index}`, value(index)])) }
  }

  it('is at most 20 kB for one document', () => {
    const { document, record } = crowded(1)
    const taught = lesson(document, record)
    expect(taught.fields.length).toBeGreaterThan(20)
    expect(Buffer.byteLength(JSON.stringify(taught))).toBeLessThanOrEqual(20_000)
  })

  it('is some milliseconds for comparing with a thousand lessons', () => {
    const known = Array.from({ length: 1000 }, (_, index) => ({
      form: index,
      documentId: index,
      fingerprint: lesson(crowded(index % 7).document, {}).form,
    }))
    const printed = printedOf(crowded(3).document)
    const times = Array.from({ length: 5 }, () => {
      const began = process.cpuUsage()
      expect(formOf(printed, { known, shared: new Set() }, -1)).not.toBeNull()
      return process.cpuUsage(began).user / 1000
    })
    // Processor time, 8 ms where measured.
    expect(Math.min(...times)).toBeLessThan(60)
  })
})
