import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import PdfDocument from 'pdfkit'
import type { ExactValue } from '../../../shared/domain/document.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import type { Locale } from '../../../shared/messages/sentences.ts'
import { eInvoiceFrom } from '../exact/e-invoice.ts'
import { packageFile } from '../package-folder.ts'
import { headingLabels, partyLabels, termLabels, typeLabels } from './invoice-labels.ts'
import { finished } from './picture-pdf.ts'

const margin = 45
const [pageWidth, pageHeight] = [595, 842]
const contentWidth = pageWidth - 2 * margin
const bottom = pageHeight - margin
const gap = 8
/** Forty lines; the file itself, which is attached, has all of it. */
const longestText = 4000

/** Terms of amounts, which have the decimals of money. */
const money = /(?:amount|amount_due|total|price)$/
/** What an invoice sums up to, in the order in which it adds up. */
const sums = [
  'line_total',
  'allowance_total',
  'charge_total',
  'net_amount',
  'tax_amount',
  'rounding_amount',
  'total_amount',
  'prepaid_amount',
  'amount_due',
]
/** The columns of a list, as shares of the page; what else a row says stands under it. */
const columns: Readonly<Record<string, readonly (readonly [term: string, share: number])[]>> = {
  line_items: [
    ['line_number', 0.07],
    ['article_number', 0.13],
    ['item_name', 0.34],
    ['quantity', 0.1],
    ['unit', 0.08],
    ['unit_price', 0.11],
    ['tax_rate', 0.06],
    ['line_amount', 0.11],
  ],
  tax_breakdown: [
    ['tax_category', 0.15],
    ['tax_rate', 0.15],
    ['taxable_amount', 0.2],
    ['tax_amount', 0.2],
  ],
  allowances: [
    ['reason', 0.5],
    ['percent', 0.15],
    ['amount', 0.2],
  ],
  charges: [
    ['reason', 0.5],
    ['percent', 0.15],
    ['amount', 0.2],
  ],
}

/**
 * An electronic invoice (XML: CII or UBL) as pages that a person can read, with the file itself attached as a hybrid
 * invoice has it, so that who reads the PDF has its values exactly. Throws AppError `no_e_invoice` for other XML.
 */
export async function invoicePage(xml: Uint8Array, locale: Locale): Promise<Uint8Array> {
  const source = eInvoiceFrom(xml, 'invoice.xml')
  if (source === null) throw new AppError('no_e_invoice')
  const page = new InvoicePage(locale, await fontsOfPdfjs())
  page.draw(source.values)
  page.pdf.file(Buffer.from(xml), { name: source.name, type: 'text/xml' })
  return finished(page.pdf)
}

type Fonts = { regular: Buffer; bold: Buffer }

/** Liberation Sans has the letters of all languages of the European Union. */
async function fontsOfPdfjs(): Promise<Fonts> {
  const folder = join(dirname(packageFile('pdfjs-dist/package.json')), 'standard_fonts')
  const [regular, bold] = await Promise.all(
    ['LiberationSans-Regular.ttf', 'LiberationSans-Bold.ttf'].map((name) => readFile(join(folder, name))),
  )
  return { regular: regular!, bold: bold! }
}

class InvoicePage {
  readonly pdf: PDFKit.PDFDocument
  readonly #locale: Locale
  #y = margin

  constructor(locale: Locale, fonts: Fonts) {
    this.#locale = locale
    // A font that is given keeps it from reading its own, which a bundle does not have.
    this.pdf = new PdfDocument({ size: [pageWidth, pageHeight], margin: 0, font: fonts.regular as never })
    this.pdf.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold)
  }

  draw(values: readonly ExactValue[]): void {
    const header = values.filter(({ row }) => row === undefined)
    const [type] = header.filter(({ term }) => term === 'document_type')
    const number = header.find(({ term }) => term === 'invoice_number')?.value ?? ''
    const name = typeLabels[String(type?.value)] ?? typeLabels['invoice']!
    this.#y += this.#text(`${name[this.#locale]} ${number}`, margin, contentWidth, { size: 16, isBold: true }) + gap
    this.#parties(header)
    const isParty = /^(?:seller|buyer|delivery)_(?:name|address|street|postcode|city|country)$/
    const details = header.filter(
      ({ term }) => !isParty.test(term) && partyTerm(term) === null && !sums.includes(term) && term !== 'document_type',
    )
    for (const value of details) this.#pair(value)
    this.#list('line_items', values)
    for (const list of ['allowances', 'charges', 'tax_breakdown']) this.#list(list, values)
    this.#y += gap
    for (const term of sums) {
      const sum = header.find((value) => value.term === term)
      if (sum !== undefined) this.#sum(sum, header)
    }
  }

  /** Seller and buyer beside one another, and where it was delivered. */
  #parties(header: readonly ExactValue[]): void {
    const sides = ['seller', 'buyer', 'delivery'].filter((side) =>
      header.some(({ term }) => term.startsWith(`${side}_`) && term !== 'seller_order_number' && partyPart(term)),
    )
    const width = (contentWidth - gap * (sides.length - 1)) / Math.max(1, sides.length)
    const heights = sides.map((side, index) => {
      const of = (part: string): string => String(header.find(({ term }) => term === `${side}_${part}`)?.value ?? '')
      const left = margin + index * (width + gap)
      let y = this.#y
      const line = (text: string, isBold = false): void => {
        if (text.trim() !== '') y += this.#text(text, left, width, { y, isBold })
      }
      y += this.#text(headingLabels[side]![this.#locale], left, width, { y, size: 8 }) + 2
      line(of('name'), true)
      line(of('street'))
      line(`${of('postcode')} ${of('city')}`)
      line(of('country'))
      for (const [part, label] of Object.entries(partyLabels))
        if (of(part) !== '') line(`${label[this.#locale]}: ${of(part)}`)
      return y
    })
    this.#y = Math.max(this.#y, ...heights) + gap
  }

  #pair(value: ExactValue): void {
    const left = 150
    const text = this.#shown(value)
    this.#breakBefore(this.#heightOf(text, contentWidth - left))
    this.#text(this.#label(value.term), margin, left - gap)
    this.#y += this.#text(text, margin + left, contentWidth - left) + 2
  }

  #sum(value: ExactValue, header: readonly ExactValue[]): void {
    const isBold = value.term === 'total_amount' || value.term === 'amount_due'
    const currency = String(header.find(({ term }) => term === 'currency')?.value ?? '')
    this.#breakBefore(14)
    this.#text(this.#label(value.term), margin + contentWidth / 2, contentWidth / 4, { isBold })
    const shown = `${this.#shown(value)} ${currency}`.trim()
    this.#y += this.#text(shown, margin + contentWidth * 0.75, contentWidth * 0.25, { isBold, align: 'right' }) + 2
  }

  #list(list: string, values: readonly ExactValue[]): void {
    const rows = Object.values(
      Object.groupBy(
        values.filter(({ row }) => row?.list === list),
        ({ row }) => row!.index,
      ),
    ).map((row) => row ?? [])
    if (rows.length === 0) return
    const shown = columns[list]!.filter(([term]) => rows.some((row) => row.some((value) => value.term === term)))
    const isWide = list === 'line_items'
    const unused = isWide ? 1 - shown.reduce((sum, [, share]) => sum + share, 0) : 0
    const places = shown.map(([term, share], index) => ({
      term,
      left: margin + contentWidth * shown.slice(0, index).reduce((sum, [, before]) => sum + before, 0),
      width: contentWidth * share - 4,
    }))
    // The names of items take what columns that nobody uses leave.
    const wide = places.findIndex(({ term }) => term === 'item_name')
    if (wide >= 0) {
      places[wide]!.width += unused * contentWidth
      for (const place of places.slice(wide + 1)) place.left += unused * contentWidth
    }
    this.#y += gap
    this.#breakBefore(60)
    this.#y += this.#text(headingLabels[list]![this.#locale], margin, contentWidth, { isBold: true }) + 2
    const head = (): void => {
      const labels = places.map((place) => ({ place, text: this.#label(place.term) }))
      this.#y += this.#cells(labels, 8) + 2
      this.pdf
        .moveTo(margin, this.#y)
        .lineTo(margin + contentWidth, this.#y)
        .lineWidth(0.5)
        .stroke('#888888')
      this.#y += 3
    }
    head()
    for (const row of rows) this.#row(row, places, head)
  }

  #row(row: readonly ExactValue[], places: readonly Place[], head: () => void): void {
    const of = (term: string): ExactValue | undefined => row.find((value) => value.term === term)
    const cells = places.map((place) => {
      const value = of(place.term)
      return { place, text: value === undefined ? '' : this.#shown(value) }
    })
    const height = Math.max(...cells.map(({ place, text }) => this.#heightOf(text, place.width)))
    if (this.#breakBefore(height)) head()
    this.#y += this.#cells(cells) + 1
    for (const value of row.filter(({ term }) => !places.some((place) => place.term === term))) {
      const { left } = places.find(({ term }) => term === 'item_name') ?? { left: margin }
      const width = margin + contentWidth - left
      const text = `${this.#label(value.term)}: ${this.#shown(value)}`
      if (this.#breakBefore(this.#heightOf(text, width))) head()
      this.#y += this.#text(text, left, width, { size: 8 })
    }
    this.#y += 2
  }

  #cells(cells: readonly { place: Place; text: string }[], size = textSize): number {
    return Math.max(
      ...cells.map(({ place, text }) =>
        this.#text(text, place.left, place.width, { size, align: isNumeric(place.term) ? 'right' : 'left' }),
      ),
    )
  }

  /** Prints a text and returns its height. */
  #text(
    text: string,
    left: number,
    width: number,
    options: { y?: number; size?: number; isBold?: boolean; align?: 'left' | 'right' } = {},
  ): number {
    const { y = this.#y, size = textSize, isBold = false, align = 'left' } = options
    this.pdf.font(isBold ? 'bold' : 'regular', size)
    const height = this.pdf.heightOfString(text, { width })
    this.pdf.fillColor('#000000').text(text, left, y, { width, align, height: bottom - y, lineBreak: true })
    return height
  }

  #heightOf(text: string, width: number): number {
    this.pdf.font('regular', textSize)
    return this.pdf.heightOfString(text, { width })
  }

  /** Begins another page where so much does not fit on this one. */
  #breakBefore(height: number): boolean {
    if (this.#y + height <= bottom || this.#y === margin) return false
    this.pdf.addPage()
    this.#y = margin
    return true
  }

  #label(term: string): string {
    return termLabels[term]?.[this.#locale] ?? term.replaceAll('_', ' ')
  }

  #shown({ term, value }: ExactValue): string {
    if (typeof value === 'number') {
      const decimals = money.test(term) ? 2 : 0
      return new Intl.NumberFormat(this.#locale, { minimumFractionDigits: decimals, maximumFractionDigits: 8 })
        .format(value)
        .replace(/[\u00a0\u202f]/g, ' ')
    }
    const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(String(value)) ?? []
    if (year === undefined || this.#locale === 'en') return bounded(String(value))
    return this.#locale === 'de' ? `${day}.${month}.${year}` : `${day}/${month}/${year}`
  }
}

/** As much as stands on a page, and no word that has to be measured letter by letter. */
function bounded(text: string): string {
  const shown = text.length > longestText ? `${text.slice(0, longestText)} …` : text
  return shown.replaceAll(/\S{60}/g, '$& ')
}

type Place = { term: string; left: number; width: number }

const textSize = 9

function isNumeric(term: string): boolean {
  return money.test(term) || term === 'quantity' || term === 'tax_rate' || term === 'percent'
}

function partyTerm(term: string): string | null {
  const [, part] = /^(?:seller|buyer|delivery)_(.+)$/.exec(term) ?? []
  return part !== undefined && part in partyLabels ? part : null
}

function partyPart(term: string): boolean {
  return partyTerm(term) !== null || /_(?:name|address|street|postcode|city|country)$/.test(term)
}
