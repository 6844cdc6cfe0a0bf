import { PDFDocument, StandardFonts } from 'pdf-lib'
import type { PDFFont, PDFPage } from 'pdf-lib'
import { randomFrom } from '../generate/random.ts'
import type { Random } from '../generate/random.ts'

/** Invoices of senders that no rule knows: each has a layout of its own, in which lines move and values change. */

export const invoiceElements = [
  { name: 'invoice_number', format: 'text', description: '' },
  { name: 'issue_date', format: 'text', description: '' },
  { name: 'due_date', format: 'text', description: '' },
  { name: 'customer_number', format: 'text', description: '' },
  { name: 'seller', format: 'text', description: '' },
  { name: 'net_amount', format: 'number', description: '' },
  { name: 'tax_amount', format: 'number', description: '' },
  { name: 'total_amount', format: 'number', description: '' },
  { name: 'iban', format: 'text', description: '' },
] as const

type FieldName = (typeof invoiceElements)[number]['name']
export type InvoiceValues = Record<FieldName, string | number | null>

type Sender = {
  name: string
  street: string
  town: string
  host: string
  iban: string
  language: 'en' | 'de'
  /** Its name is a picture only. */
  isInLogo?: true
}

const senders: readonly Sender[] = [
  {
    name: 'Morgenrot Keramik GmbH',
    street: 'Töpfergasse 4',
    town: '99510 Apolda',
    host: 'morgenrot-keramik.example',
    iban: 'DE89370400440532013000',
    language: 'de',
  },
  {
    name: 'Blackthorn & Vale Ltd',
    street: '12 Quarry Rise',
    town: 'Kendal LA9 4AB',
    host: 'blackthornvale.example',
    iban: 'GB82WEST12345698765432',
    language: 'en',
  },
  {
    name: 'Isarwerk Feinmechanik KG',
    street: 'Am Stauwehr 31',
    town: '85354 Freising',
    host: 'isarwerk.example',
    iban: 'DE02120300000000202051',
    language: 'de',
    isInLogo: true,
  },
  {
    name: 'Copperfield Supplies Inc',
    street: '480 Harbor Avenue',
    town: 'Portland ME 04101',
    host: 'copperfield-supplies.example',
    iban: 'GB33BUKB20201555555555',
    language: 'en',
  },
]

const words = {
  de: {
    title: 'Rechnung',
    number: 'Beleg-Kennung',
    date: 'Ausgestellt am',
    due: 'Zu begleichen bis',
    customer: 'Ihr Zeichen bei uns',
    net: 'Warenwert',
    tax: 'Steueranteil',
    total: 'Bitte überweisen',
    iban: 'Konto',
    thing: ['Becher glasiert', 'Teller flach', 'Welle gedreht', 'Lager gepresst', 'Krug bauchig'],
    thanks: 'Vielen Dank für Ihr Vertrauen in unsere Arbeit',
    columns: ['Bezeichnung', 'Stück', 'Betrag'],
  },
  en: {
    title: 'Statement of charges',
    number: 'Our paper',
    date: 'Made out',
    due: 'Settle before',
    customer: 'You are',
    net: 'Goods',
    tax: 'Levy',
    total: 'Kindly remit',
    iban: 'Remit to',
    thing: ['Slate coaster', 'Oak bracket', 'Copper elbow', 'Brass valve', 'Linen roll'],
    thanks: 'Thank you for choosing us for your order',
    columns: ['Article', 'Pieces', 'Sum'],
  },
} as const

/** A drawn invoice, and what is right. */
export type Invoice = { name: string; sender: number; content: Buffer; values: InvoiceValues; wrong: InvoiceValues }

/**
 * So many invoices of each of the four senders, the same for the same seed, in layouts drawn by `layout`. `iban`:
 * another account than the usual.
 */
export async function invoicesOf(
  count: number,
  seed: number,
  { layout = 1, iban }: { layout?: number; iban?: string } = {},
): Promise<Invoice[]> {
  const made: Invoice[] = []
  for (const [index, sender] of senders.entries())
    for (let number = 0; number < count; number += 1) {
      const random = randomFrom(seed).fork(`${index} ${number}`)
      const values = valuesOf(sender, random)
      if (iban !== undefined) values.iban = iban
      const content = await draw(sender, index, values, randomFrom(layout).fork(`layout ${index}`), random)
      made.push({
        name: `${sender.host.split('.')[0]}-${seed}-${number}.pdf`,
        sender: index,
        content,
        values,
        wrong: wrongOf(values),
      })
    }
  return made
}

function valuesOf(sender: Sender, random: Random): InvoiceValues {
  const day = (): string => `20${random.int(24, 26)}-0${random.int(1, 9)}-${random.int(10, 28)}`
  const net = random.int(1000, 900_000) / 100
  const tax = Math.round(net * 19) / 100
  return {
    invoice_number: `${random.pick(['R', 'R'])}${random.int(10, 99)}-${random.int(1000, 99_999)}`,
    issue_date: day(),
    due_date: day(),
    customer_number: String(random.int(10_000, 99_999)),
    seller: sender.name,
    net_amount: net,
    tax_amount: tax,
    total_amount: Math.round((net + tax) * 100) / 100,
    iban: sender.iban,
  }
}

/** What a service makes of a form that it does not know. */
function wrongOf(values: InvoiceValues): InvoiceValues {
  return {
    ...values,
    invoice_number: values.customer_number,
    issue_date: values.due_date,
    due_date: null,
    customer_number: null,
    seller: 'Gasthof Lindenhof',
    net_amount: null,
    total_amount: values.net_amount,
    iban: null,
  }
}

type Pen = { page: PDFPage; font: PDFFont; language: 'en' | 'de' }

async function draw(
  sender: Sender,
  style: number,
  values: InvoiceValues,
  layout: Random,
  random: Random,
): Promise<Buffer> {
  const pdf = await PDFDocument.create()
  pdf.setCreationDate(new Date(0))
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  const pen: Pen = { page: pdf.addPage([595, 842]), font, language: sender.language }
  const write = (text: string, x: number, y: number, size = 9): void => pen.page.drawText(text, { x, y, size, font })
  const said = words[sender.language]
  const left = layout.int(50, 80)
  const headLeft = layout.pick([left, 360])
  if (sender.isInLogo) pen.page.drawCircle({ x: 480, y: 790, size: 20 })
  else write(sender.name, headLeft, 790, 14)
  write(sender.street, headLeft, 774)
  write(sender.town, headLeft, 762)
  write('Gasthof Lindenhof', left, 706)
  write('Dorfplatz 1', left, 694)
  write('83646 Bad Tölz', left, 682)
  // A line or two more or less.
  const top = 640 - random.int(0, 2) * 14
  write(said.title, left, top, 15)
  const metas: [string, string][] = [
    [said.number, String(values.invoice_number)],
    [said.date, dateText(String(values.issue_date), sender.language)],
    [said.due, dateText(String(values.due_date), sender.language)],
    [said.customer, String(values.customer_number)],
  ]
  const bottom = style % 2 === 0 ? writePairs(metas, left, top - 24, write) : writeGrid(metas, left, top - 24, write)
  const end = writeRows(pen, left, bottom - 24, random, write)
  writeSums(pen, values, end - 14, write)
  write(said.thanks, left, 110)
  write(`${sender.street} · ${sender.town} · info@${sender.host}`, left, 60, 8)
  write(`${said.iban}: ${String(values.iban).replace(/(.{4})(?=.)/g, '$1 ')}`, left, 48, 8)
  return Buffer.from(await pdf.save())
}

type Write = (text: string, x: number, y: number, size?: number) => void

function writePairs(pairs: readonly [string, string][], left: number, top: number, write: Write): number {
  pairs.forEach(([label, value], index) => {
    write(`${label}:`, left, top - index * 14)
    write(value, left + 120, top - index * 14)
  })
  return top - pairs.length * 14
}

function writeGrid(pairs: readonly [string, string][], left: number, top: number, write: Write): number {
  pairs.forEach(([label, value], index) => {
    write(label, left + index * 110, top, 8)
    write(value, left + index * 110, top - 13)
  })
  return top - 26
}

function writeRows({ language }: Pen, left: number, top: number, random: Random, write: Write): number {
  const said = words[language]
  said.columns.forEach((column, index) => write(column, left + [0, 230, 380][index]!, top))
  const rows = random.int(1, 6)
  for (let row = 1; row <= rows; row += 1) {
    write(random.pick(said.thing), left, top - row * 15)
    write(String(random.int(1, 40)), left + 230, top - row * 15)
    write(amountText(random.int(100, 90_000) / 100, language), left + 380, top - row * 15)
  }
  return top - rows * 15
}

function writeSums({ language, font }: Pen, values: InvoiceValues, top: number, write: Write): void {
  const said = words[language]
  const sums: [string, number][] = [
    [said.net, Number(values.net_amount)],
    [said.tax, Number(values.tax_amount)],
    [said.total, Number(values.total_amount)],
  ]
  sums.forEach(([label, value], index) => {
    const text = amountText(value, language)
    write(label, 340, top - index * 15)
    write(text, 520 - font.widthOfTextAtSize(text, 9), top - index * 15)
  })
}

function dateText(iso: string, language: 'en' | 'de'): string {
  const [year, month, day] = iso.split('-') as [string, string, string]
  const name = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(new Date(iso))
  return language === 'de' ? `${day}.${month}.${year}` : `${Number(day)} ${name} ${year}`
}

function amountText(value: number, language: 'en' | 'de'): string {
  return new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value)
}
