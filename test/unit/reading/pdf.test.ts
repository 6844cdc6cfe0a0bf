import { createCanvas } from '@napi-rs/canvas'
import { degrees, PDFDocument, rgb, StandardFonts } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { readDocument } from '../../../electron/reading/read.ts'
import type { Picture } from '../../../electron/reading/read.ts'
import { expectCode, noRecognition, textsOf, tokenNamed } from './expectations.ts'

const width = 600
const height = 800

describe('a PDF with a text layer', () => {
  it('gives each word its place as a fraction of the page', async () => {
    const pdf = await PDFDocument.create()
    const page = pdf.addPage([width, height])
    const font = await pdf.embedFont(StandardFonts.Courier)
    page.drawText('Invoice number', { x: 60, y: 600, size: 20, font })
    const document = await readDocument(await pdf.save(), 'pdf', noRecognition)
    expect(textsOf(document)).toEqual(['Invoice', 'number'])
    const second = tokenNamed(document, 'number')
    expect(second.box.x * width).toBeCloseTo(60 + font.widthOfTextAtSize('Invoice ', 20), 0)
    expect(second.box.width * width).toBeCloseTo(font.widthOfTextAtSize('number', 20), 0)
    expect(second.box.y * height).toBeLessThan(height - 600 - 10)
    expect((second.box.y + second.box.height) * height).toBeGreaterThan(height - 600)
    expect(second.fontSize * height).toBeCloseTo(20, 1)
    expect(document.pages[0]).toMatchObject({ number: 1, width, height, origin: 'text' })
  })

  it('tells bold type from regular type', async () => {
    const pdf = await PDFDocument.create()
    const page = pdf.addPage([width, height])
    page.drawText('Total', { x: 60, y: 600, font: await pdf.embedFont(StandardFonts.HelveticaBold) })
    page.drawText('amount', { x: 160, y: 600, font: await pdf.embedFont(StandardFonts.Helvetica) })
    const document = await readDocument(await pdf.save(), 'pdf', noRecognition)
    expect(tokenNamed(document, 'Total').bold).toBe(true)
    expect(tokenNamed(document, 'amount').bold).toBe(false)
  })

  it('reads line by line, whatever order the file paints in, and joins fragments that touch', async () => {
    const pdf = await PDFDocument.create()
    const page = pdf.addPage([width, height])
    const font = await pdf.embedFont(StandardFonts.Helvetica)
    page.drawText('last line', { x: 60, y: 300, size: 12, font })
    page.drawText('nung', { x: 60 + font.widthOfTextAtSize('Rech', 12), y: 500, size: 12, font })
    page.drawText('4711', { x: 300, y: 500, size: 12, font })
    page.drawText('Rech', { x: 60, y: 500, size: 12, font })
    const document = await readDocument(await pdf.save(), 'pdf', noRecognition)
    expect(textsOf(document)).toEqual(['Rechnung', '4711', 'last', 'line'])
  })

  it('reads a page that is turned by its rotation as a person sees it', async () => {
    const pdf = await PDFDocument.create()
    const page = pdf.addPage([width, height])
    page.setRotation(degrees(90))
    page.drawText('sideways', { x: 100, y: 100, size: 12, rotate: degrees(90) })
    const document = await readDocument(await pdf.save(), 'pdf', noRecognition)
    expect(document.pages[0]).toMatchObject({ width: height, height: width })
    const { box } = tokenNamed(document, 'sideways')
    expect(box.width * height).toBeGreaterThan(box.height * width * 2)
    expect(box.x).toBeCloseTo(100 / height, 2)
  })

  it('reads a note up the margin behind the rest, and says that its words are turned', async () => {
    const pdf = await PDFDocument.create()
    const page = pdf.addPage([width, height])
    const font = await pdf.embedFont(StandardFonts.Helvetica)
    page.drawText('Registered in Bonn', { x: 30, y: 500, size: 8, font, rotate: degrees(90) })
    page.drawText('Amount payable in total', { x: 60, y: 550, size: 12, font })
    page.drawText('12.00', { x: 400, y: 550, size: 12, font })
    const document = await readDocument(await pdf.save(), 'pdf', noRecognition)
    expect(textsOf(document)).toEqual(['Amount', 'payable', 'in', 'total', '12.00', 'Registered', 'in', 'Bonn'])
    expect(document.pages[0]!.tokens.map(({ turned }) => turned ?? false)).toEqual([
      ...Array.from({ length: 5 }, () => false),
      ...Array.from({ length: 3 }, () => true),
    ])
  })

  it('adds form values at their place and check boxes as ☒ and ☐', async () => {
    const pdf = await PDFDocument.create()
    const page = pdf.addPage([width, height])
    const form = pdf.getForm()
    page.drawText('Name', { x: 60, y: 705, size: 12 })
    const name = form.createTextField('name')
    name.setText('Ada Lovelace')
    name.addToPage(page, { x: 120, y: 700, width: 200, height: 20 })
    const yes = form.createCheckBox('yes')
    yes.addToPage(page, { x: 60, y: 650, width: 12, height: 12 })
    yes.check()
    page.drawText('Newsletter', { x: 80, y: 652, size: 12 })
    form.createCheckBox('no').addToPage(page, { x: 60, y: 600, width: 12, height: 12 })
    page.drawText('Adverts', { x: 80, y: 602, size: 12 })
    const document = await readDocument(await pdf.save(), 'pdf', noRecognition)
    expect(textsOf(document)).toEqual(['Name', 'Ada', 'Lovelace', '☒', 'Newsletter', '☐', 'Adverts'])
    expect(tokenNamed(document, '☒').box.x).toBeCloseTo(60 / width, 2)
  })

  it('sees check boxes that are only drawn', async () => {
    const pdf = await PDFDocument.create()
    const page = pdf.addPage([width, height])
    for (const [index, label] of ['ticked', 'open', 'written'].entries()) {
      const y = 700 - index * 40
      page.drawRectangle({ x: 60, y, width: 10, height: 10, borderWidth: 1, borderColor: rgb(0, 0, 0) })
      page.drawText(label, { x: 80, y: y + 1, size: 12 })
    }
    page.drawLine({ start: { x: 61, y: 701 }, end: { x: 69, y: 709 } })
    page.drawLine({ start: { x: 61, y: 709 }, end: { x: 69, y: 701 } })
    page.drawText('X', { x: 62, y: 622, size: 8 })
    const document = await readDocument(await pdf.save(), 'pdf', noRecognition)
    expect(textsOf(document)).toEqual(['☒', 'ticked', '☐', 'open', '☒', 'written'])
  })

  it('does not read attachments that are no e-invoice', async () => {
    const pdf = await PDFDocument.create()
    pdf.addPage([width, height]).drawText('visible', { x: 60, y: 600 })
    await pdf.attach(new TextEncoder().encode('<secret>hidden</secret>'), 'factur-x.xml', { mimeType: 'text/xml' })
    const document = await readDocument(await pdf.save(), 'pdf', noRecognition)
    expect(JSON.stringify(document)).not.toContain('hidden')
    expect(textsOf(document)).toEqual(['visible'])
  })
})

describe('a scanned PDF', () => {
  it('is drawn at 300 dpi and recognised; boxes are fractions of the page', async () => {
    const pdf = await PDFDocument.create()
    const page = pdf.addPage([595, 842])
    const scan = createCanvas(600, 850)
    const context = scan.getContext('2d')
    context.fillStyle = '#fff'
    context.fillRect(0, 0, 600, 850)
    page.drawImage(await pdf.embedPng(scan.toBuffer('image/png')), { x: 0, y: 0, width: 595, height: 842 })
    const pictures: Picture[] = []
    const box = { x: 0.1, y: 0.2, width: 0.3, height: 0.01 }
    const document = await readDocument(await pdf.save(), 'pdf', (picture) => {
      pictures.push(picture)
      return Promise.resolve({
        tokens: [{ text: 'Quittung', box, fontSize: 0.02, bold: false, confidence: 0.9 }],
        leanDegrees: 0,
      })
    })
    expect(pictures[0]?.width).toBe(Math.round((595 / 72) * 300))
    expect(document.pages[0]?.origin).toBe('ocr')
    expect(tokenNamed(document, 'Quittung').box.x).toBeCloseTo(0.1, 3)
    expect(tokenNamed(document, 'Quittung').box.y).toBeCloseTo(0.2, 3)
    expect(tokenNamed(document, 'Quittung').confidence).toBe(0.9)
  })

  it('whose words the scanner recognised shows the boxes of its picture, also one that is broken or misread', async () => {
    const pdf = await PDFDocument.create()
    const page = pdf.addPage([width, height])
    const scale = 3
    const scan = createCanvas(width * scale, height * scale)
    const context = scan.getContext('2d')
    context.fillStyle = '#fff'
    context.fillRect(0, 0, scan.width, scan.height)
    context.strokeStyle = '#000'
    context.lineWidth = 1.2 * scale
    const square = (x: number, y: number): void =>
      context.strokeRect(x * scale, (height - y - 10) * scale, 10 * scale, 10 * scale)
    const labels = ['registration statement', 'supplemental statement', 'change in an exhibit', 'amendment of a form']
    for (const [index, label] of labels.entries()) {
      const y = 700 - index * 40
      square(60, y)
      page.drawText(label, { x: 80, y, size: 12, opacity: 0 })
    }
    context.beginPath()
    context.moveTo(62 * scale, (height - 708) * scale)
    context.lineTo(68 * scale, (height - 702) * scale)
    context.moveTo(68 * scale, (height - 708) * scale)
    context.lineTo(62 * scale, (height - 702) * scale)
    context.stroke()
    // the third box has a gap in its lower side
    context.fillStyle = '#fff'
    context.fillRect(63 * scale, (height - 622) * scale, 2 * scale, 4 * scale)
    // a letter with four straight sides inside a word is no box, and one with figures is a field
    square(110, 500)
    square(300, 700)
    page.drawImage(await pdf.embedPng(scan.toBuffer('image/png')), { x: 0, y: 0, width, height })
    page.drawText('IEI', { x: 58, y: 660, size: 10, opacity: 0 })
    page.drawText('01', { x: 301, y: 702, size: 7, opacity: 0 })
    page.drawText('correspondence of the office and of what it was asked for in writing', {
      x: 60,
      y: 500,
      size: 12,
      opacity: 0,
    })
    const document = await readDocument(await pdf.save(), 'pdf', noRecognition)
    const firsts = textsOf(document).filter((text) =>
      /[☐☒]|IEI|01|registration|supplemental|change|amendment|corr/.test(text),
    )
    expect(firsts).toEqual([
      '☒',
      'registration',
      '01',
      '☐',
      'supplemental',
      '☐',
      'change',
      '☐',
      'amendment',
      'correspondence',
    ])
    expect(document.pages[0]?.origin).toBe('text')
  })

  it('that stands below a line of text on a third of the page is recognised, and the line stays as it is', async () => {
    const pdf = await PDFDocument.create()
    const page = pdf.addPage([width, height])
    const scan = await pdf.embedPng(createCanvas(60, 40).toBuffer('image/png'))
    page.drawImage(scan, { x: 50, y: 300, width: 500, height: 330 })
    page.drawText('Order confirmation, page 22 of the manual', { x: 60, y: 700, size: 12 })
    const box = { x: 0.1, y: 0.5, width: 0.1, height: 0.02 }
    const document = await readDocument(await pdf.save(), 'pdf', () =>
      Promise.resolve({ tokens: [{ text: '40418819', box, fontSize: 0.02, bold: false }], leanDegrees: 0 }),
    )
    expect(textsOf(document).join(' ')).toBe('Order confirmation, page 22 of the manual 40418819')
  })

  it('with a stamp or form fields on top keeps those words as they are', async () => {
    const pdf = await PDFDocument.create()
    const page = pdf.addPage([width, height])
    page.drawImage(await pdf.embedPng(createCanvas(60, 80).toBuffer('image/png')), { x: 0, y: 0, width, height })
    page.drawText('RECEIVED 2026', { x: 60, y: 700, size: 20 })
    const document = await readDocument(await pdf.save(), 'pdf', () =>
      Promise.resolve({
        leanDegrees: 0,
        tokens: [
          {
            text: 'RECE1VED',
            box: { x: 0.1, y: 0.1, width: 0.18, height: 0.025 },
            fontSize: 0.025,
            bold: false,
            confidence: 0.7,
          },
          ...Array.from({ length: 6 }, (_, line) => ({
            text: `scanned${line}`,
            box: { x: 0.1, y: 0.3 + line * 0.1, width: 0.2, height: 0.02 },
            fontSize: 0.02,
            bold: false,
            confidence: 0.9,
          })),
        ],
      }),
    )
    expect(textsOf(document)).toEqual(['RECEIVED', '2026', ...Array.from({ length: 6 }, (_, line) => `scanned${line}`)])
  })

  it('keeps the text layer of pages that have one', async () => {
    const pdf = await PDFDocument.create()
    pdf.addPage([width, height]).drawText('This page has its own words', { x: 60, y: 600 })
    const scan = createCanvas(60, 80)
    pdf
      .addPage([width, height])
      .drawImage(await pdf.embedPng(scan.toBuffer('image/png')), { x: 0, y: 0, width, height })
    let asked = 0
    const document = await readDocument(await pdf.save(), 'pdf', () => {
      asked++
      const box = { x: 0, y: 0, width: 0.1, height: 0.1 }
      return Promise.resolve({ tokens: [{ text: 'scanned', box, fontSize: 0.1, bold: false }], leanDegrees: 0 })
    })
    expect(document.pages.map((page) => page.origin)).toEqual(['text', 'ocr'])
    expect(asked).toBeGreaterThan(0)
    expect(textsOf(document, 0)).toContain('words')
  })
})

describe('a PDF with a picture of impossible samples', () => {
  it.each(['2147483648', '99999999999999999999', '-2147483648'])(
    'of %s bits is read like any other, without counting up to that',
    async (bits) => {
      const pixels = '0'.repeat(300)
      const content = 'BT /F 12 Tf 20 150 Td (Invoice 4711) Tj ET q 50 0 0 50 20 20 cm /I Do Q'
      const objects = [
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> /XObject << /I 6 0 R >> >> >>',
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
        `<< /Type /XObject /Subtype /Image /Width 10 /Height 10 /BitsPerComponent ${bits} /ColorSpace /DeviceRGB /Length 300 >>\nstream\n${pixels}\nendstream`,
      ]
      const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')
      const bytes = Buffer.from(`%PDF-1.7\n${body}trailer\n<< /Root 1 0 R >>\n%%EOF\n`)
      const document = await readDocument(bytes, 'pdf', noRecognition)
      expect(textsOf(document)).toEqual(['Invoice', '4711'])
    },
  )
})

describe('a PDF that cannot be read', () => {
  it('that asks for a password is file_encrypted', async () => {
    const hex = 'a5'.repeat(32)
    const objects = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>',
      `<< /Filter /Standard /V 1 /R 2 /O <${hex}> /U <${hex}> /P -4 >>`,
    ]
    let text = '%PDF-1.4\n'
    const offsets = objects.map((object, index) => {
      const offset = text.length
      text += `${index + 1} 0 obj\n${object}\nendobj\n`
      return offset
    })
    const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
    text += `xref\n0 5\n0000000000 65535 f \n${table}trailer\n<< /Size 5 /Root 1 0 R /Encrypt 4 0 R /ID [<${hex}> <${hex}>] >>\nstartxref\n${text.length}\n%%EOF\n`
    await expectCode(readDocument(new TextEncoder().encode(text), 'pdf', noRecognition), 'file_encrypted')
  })

  it('that is cut off is file_damaged', async () => {
    const pdf = await PDFDocument.create()
    pdf.addPage([width, height]).drawText('half', { x: 60, y: 600 })
    const bytes = await pdf.save()
    await expectCode(readDocument(bytes.slice(0, bytes.length / 2), 'pdf', noRecognition), 'file_damaged')
    await expectCode(
      readDocument(new TextEncoder().encode('%PDF-1.7\nnothing else'), 'pdf', noRecognition),
      'file_damaged',
    )
  })

  it('with more than 500 pages is file_too_complex', async () => {
    const pdf = await PDFDocument.create()
    for (let number = 0; number < 501; number++) pdf.addPage([100, 100])
    await expectCode(readDocument(await pdf.save(), 'pdf', noRecognition), 'file_too_complex')
  })

  it('with empty pages is no_text', async () => {
    const pdf = await PDFDocument.create()
    pdf.addPage([width, height])
    await expectCode(readDocument(await pdf.save(), 'pdf', noRecognition), 'no_text')
  })
})
