import { PDFDocument, PDFString, StandardFonts } from 'pdf-lib'
import type { PDFForm, PDFPage } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { readDocument } from '../../../electron/reading/read.ts'
import type { Document, ExactValue } from '../../../shared/domain/document.ts'
import { noRecognition } from './expectations.ts'

describe('the fields of a form', () => {
  it('are called by what is printed beside, with their place', async () => {
    const document = await readForm((form, page) => {
      page.drawText('Geburtsort:', { x: 60, y: 605, size: 11 })
      const field = form.createTextField('Text12')
      field.setText('Jena')
      field.addToPage(page, { x: 150, y: 600, width: 200, height: 20, borderWidth: 0 })
    })
    expect(document.exact).toMatchObject([{ kind: 'form', values: [{ term: 'Geburtsort', value: 'Jena', page: 1 }] }])
    const { box } = document.exact![0]!.values[0]!
    expect(box!.x * 600).toBeCloseTo(150, 0)
    expect(box!.y * 800).toBeCloseTo(800 - 620, 0)
  })

  it('are called by their name in the file where nothing is printed and the name says something', async () => {
    const document = await readForm((form, page) => {
      form.createTextField('delivery.gate_code').addToPage(page, { x: 60, y: 500, width: 100, height: 20 })
      form.getTextField('delivery.gate_code').setText('77')
      form.createTextField('Text7').addToPage(page, { x: 400, y: 200, width: 100, height: 20 })
      form.getTextField('Text7').setText('lost')
    })
    expect(saidBy(document)).toEqual({ gate_code: '77' })
  })

  it('that are empty, hidden or a password say nothing', async () => {
    const document = await readForm((form, page) => {
      const place = { x: 60, y: 500, width: 100, height: 20 }
      form.createTextField('empty').addToPage(page, place)
      const secret = form.createTextField('secret')
      secret.enablePassword()
      secret.setText('geheim')
      secret.addToPage(page, { ...place, y: 450 })
    })
    expect(document.exact).toBeUndefined()
  })

  it('with boxes answer the question before them, and say of each box whether it is ticked', async () => {
    const document = await readForm((form, page) => {
      page.drawText('Versand', { x: 60, y: 602, size: 11 })
      const group = form.createRadioGroup('Group1')
      for (const [at, text] of ['Post', 'Kurier'].entries()) {
        group.addOptionToPage(text, page, { x: 150 + at * 100, y: 600, width: 12, height: 12 })
        page.drawText(text, { x: 168 + at * 100, y: 602, size: 11 })
      }
      group.select('Kurier')
    })
    expect(saidBy(document)).toEqual({ Versand: 'Kurier', Post: false, Kurier: true })
  })

  it('in thousands on one page are not compared with all its words', async () => {
    const document = await readForm((form, page) => {
      const words = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ')
      for (let line = 0; line < 60; line++) page.drawText(words, { x: 5, y: 10 + line * 6, size: 4 })
      // `createCheckBox` looks through all fields for each, and draws each: 18 s for these.
      const { context } = page.doc
      const drawn = context.register(context.stream('', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 8, 8] }))
      for (let at = 0; at < 1500; at++) {
        const [x, y] = [(at % 50) * 10, 400 + Math.floor(at / 50) * 10]
        const kind = { Type: 'Annot', Subtype: 'Widget', FT: 'Btn', T: PDFString.of(`Box${at}`) }
        const state = { V: 'Off', AS: 'Off', AP: { N: { Off: drawn, Yes: drawn } }, Rect: [x, y, x + 8, y + 8] }
        const field = context.register(context.obj({ ...kind, ...state }))
        form.acroForm.addField(field)
        page.node.addAnnot(field)
      }
    })
    expect(document.exact).toBeUndefined()
  })
})

async function readForm(draw: (form: PDFForm, page: PDFPage) => void): Promise<Document> {
  const pdf = await PDFDocument.create()
  const page = pdf.addPage([600, 800])
  page.setFont(await pdf.embedFont(StandardFonts.Helvetica))
  page.drawText('Formular der Gemeinde', { x: 60, y: 740, size: 16 })
  draw(pdf.getForm(), page)
  return readDocument(await pdf.save({ updateFieldAppearances: false }), 'pdf', noRecognition)
}

function saidBy(document: Document): Record<string, ExactValue['value']> {
  const values = document.exact?.flatMap((source) => source.values) ?? []
  return Object.fromEntries(values.map(({ term, value }) => [term, value]))
}
