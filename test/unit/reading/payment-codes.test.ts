import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { Canvas } from '@napi-rs/canvas'
import { PDFDocument, rgb } from 'pdf-lib'
import type { PDFPage } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { paymentCodeFrom } from '../../../electron/reading/exact/payment-code.ts'
import { readDocument } from '../../../electron/reading/read.ts'
import type { Recognised } from '../../../electron/reading/recognise.ts'
import type { Document, ExactValue } from '../../../shared/domain/document.ts'
import { drawCode, type Code } from '../qr-code.ts'
import { noRecognition, textsOf } from './expectations.ts'

const girocode =
  'BCD\n002\n1\nSCT\nBYLADEM1001\nWörle & Söhne GmbH\nDE02120300000000202051\nEUR529.87\n\n\nRechnung R-2026/17'
const swiss = [
  ...[
    'SPC',
    '0200',
    '1',
    'CH4431999123000889012',
    'S',
    'Robert Schneider AG',
    'Rue du Lac',
    '1268',
    '2501',
    'Biel',
    'CH',
  ],
  ...['', '', '', '', '', '', '', '1949.75', 'CHF'],
  ...['S', 'Pia Rutschmann', 'Marktgasse', '28', '9400', 'Rorschach', 'CH'],
  ...['QRR', '210000000003139471430009017', 'Auftrag vom 15.06.2026', 'EPD'],
].join('\n')

describe('the text of a payment code', () => {
  it('of the Girocode says whom to pay how much and why', () => {
    expect(said(girocode)).toEqual({
      iban: 'DE02120300000000202051',
      bic: 'BYLADEM1001',
      creditor_name: 'Wörle & Söhne GmbH',
      amount: 529.87,
      currency: 'EUR',
      message: 'Rechnung R-2026/17',
    })
  })

  it('of the Swiss QR bill says both parties, the amount and the reference', () => {
    expect(said(swiss)).toMatchObject({
      iban: 'CH4431999123000889012',
      creditor_name: 'Robert Schneider AG',
      creditor_address: 'Rue du Lac 1268, 2501 Biel',
      creditor_city: 'Biel',
      amount: 1949.75,
      currency: 'CHF',
      debtor_name: 'Pia Rutschmann',
      debtor_postcode: '9400',
      reference: '210000000003139471430009017',
      message: 'Auftrag vom 15.06.2026',
    })
  })

  it('of the Swiss QR bill may give addresses in two lines, and no amount or reference', () => {
    const lines = swiss.split('\n')
    lines.splice(4, 7, 'K', 'Heilsarmee', 'Laupenstrasse 5', '3001 Bern', '', '', 'CH')
    lines[18] = ''
    lines.splice(27, 2, 'NON', '')
    const values = said(lines.join('\r\n'))
    expect(values).toMatchObject({
      creditor_street: 'Laupenstrasse 5',
      creditor_postcode: '3001',
      creditor_city: 'Bern',
    })
    expect(values).not.toHaveProperty('amount')
    expect(values).not.toHaveProperty('reference')
  })

  it.each([
    ['a web address', 'https://example.org/pay?iban=DE02120300000000202051'],
    ['an IBAN that does not hold', girocode.replace('DE02', 'DE03')],
    ['no IBAN', 'BCD\n002\n1\nSCT'],
    ['another transfer than SEPA', girocode.replace('SCT', 'XXX')],
    ['a version that nobody knows', swiss.replace('0200', '0900')],
    ['lines without end', `BCD\n${'\n'.repeat(100_000)}`],
    ['nothing', ''],
  ])('is left alone when it is %s', (_what, text) => {
    expect(paymentCodeFrom(text)).toBeNull()
  })

  it('says nothing of an amount that is none', () => {
    expect(said(girocode.replace('EUR529.87', 'EUR1e9'))).not.toHaveProperty('amount')
    expect(said(swiss.replace('1949.75', '-5'))).not.toHaveProperty('amount')
  })
})

describe('a payment code on a page', () => {
  it.each(['one path', 'a path for each module', 'a picture'] as const)(
    'is read from %s, with its place',
    async (way) => {
      const document = await readPage(async (page, code) => paint(page, code, way))
      expect(document.exact).toMatchObject([{ kind: 'payment-code', name: 'Swiss QR' }])
      const amount = valueOf(document, 'amount')
      expect(amount).toMatchObject({ value: 1949.75, page: 1 })
      expect(amount.box!.x * 600).toBeCloseTo(100, -1)
      expect(amount.box!.y * 800).toBeCloseTo(800 - 130 - 200, -1)
      expect(amount.box!.width * 600).toBeCloseTo(130, -1)
    },
  )

  it('is read from a picture beside the words', async () => {
    const { canvas, box } = await photo(0)
    const document = await readPicture(canvas)
    expect(valueOf(document, 'iban')).toMatchObject({ value: 'CH4431999123000889012', page: 1 })
    expect(valueOf(document, 'iban').box!.x).toBeCloseTo(box.x, 1)
    expect(textsOf(document)).toEqual(['word'])
  })

  it('is read from a photo that leans', async () => {
    expect(valueOf(await readPicture((await photo(17)).canvas), 'amount').value).toBe(1949.75)
  })

  it('is read from a scanned page of a PDF', async () => {
    const { canvas } = await photo(2)
    const pdf = await PDFDocument.create()
    const page = pdf.addPage([600, 800])
    page.drawImage(await pdf.embedPng(canvas.toBuffer('image/png')), { x: 0, y: 0, width: 600, height: 800 })
    const document = await readDocument(await pdf.save(), 'pdf', oneWord)
    expect(valueOf(document, 'debtor_name')).toMatchObject({ value: 'Pia Rutschmann', page: 1 })
  })

  it('of another kind is no exact source', async () => {
    const document = await readPage((page, code) => paint(page, code, 'one path'), 'https://example.org')
    expect(document.exact).toBeUndefined()
    expect(textsOf(document)).toContain('Zahlteil')
  })
})

const oneWord = (): Promise<Recognised> =>
  Promise.resolve({
    tokens: [{ text: 'word', box: { x: 0.1, y: 0.1, width: 0.1, height: 0.02 }, fontSize: 0.02, bold: false }],
    leanDegrees: 0,
  })

async function readPage(draw: (page: PDFPage, code: Code) => Promise<void>, text = swiss): Promise<Document> {
  const pdf = await PDFDocument.create()
  const page = pdf.addPage([600, 800])
  page.drawText('Zahlteil mit einem Code und einigen Wörtern daneben', { x: 60, y: 400 })
  await draw(page, await drawCode(text))
  return readDocument(await pdf.save(), 'pdf', noRecognition)
}

/** Paints a code of 130 points with its lower left corner at (100, 200). */
async function paint(
  page: PDFPage,
  code: Code,
  way: 'one path' | 'a path for each module' | 'a picture',
): Promise<void> {
  const module = 130 / code.modules
  if (way === 'a picture') {
    const image = await page.doc.embedPng(pictureOf(code, 4).toBuffer('image/png'))
    page.drawImage(image, { x: 100, y: 200, width: 130, height: 130 })
  } else if (way === 'one path') {
    const path = code.dark.map(({ column, row }) => `M${column},${row}h1v1h-1z`).join('')
    page.drawSvgPath(path, { x: 100, y: 330, scale: module, color: rgb(0, 0, 0) })
  } else {
    for (const { column, row } of code.dark)
      page.drawRectangle({ x: 100 + column * module, y: 330 - (row + 1) * module, width: module, height: module })
  }
}

function pictureOf(code: Code, pixels: number): Canvas {
  const canvas = createCanvas(code.modules * pixels, code.modules * pixels)
  const context = canvas.getContext('2d')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = '#000000'
  for (const { column, row } of code.dark) context.fillRect(column * pixels, row * pixels, pixels, pixels)
  return canvas
}

/** A page as a camera sees it: grey, a little blurred, turned by so many degrees. */
async function photo(degrees: number): Promise<{ canvas: Canvas; box: { x: number } }> {
  const canvas = createCanvas(1200, 1600)
  const context = canvas.getContext('2d')
  context.fillStyle = '#d8d4cc'
  context.fillRect(0, 0, 1200, 1600)
  context.filter = 'blur(1px)'
  context.translate(500, 1000)
  context.rotate((degrees * Math.PI) / 180)
  const code = await loadImage(pictureOf(await drawCode(swiss), 6).toBuffer('image/png'))
  context.drawImage(code, -180, -180, 360, 360)
  return { canvas, box: { x: 320 / 1200 } }
}

function readPicture(canvas: Canvas): Promise<Document> {
  return readDocument(canvas.toBuffer('image/png'), 'png', oneWord)
}

function said(text: string): Record<string, ExactValue['value']> {
  return Object.fromEntries((paymentCodeFrom(text)?.values ?? []).map(({ term, value }) => [term, value]))
}

function valueOf(document: Document, term: string): ExactValue {
  const found = document.exact?.flatMap(({ values }) => values).find((value) => value.term === term)
  if (found === undefined) throw new Error(`no exact value «${term}»`)
  return found
}
