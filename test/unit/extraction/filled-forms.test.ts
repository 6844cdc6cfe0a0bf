import { describe, expect, it } from 'vitest'
import { readDocument } from '../../../electron/reading/read.ts'
import { extractFields } from '../../../electron/service/finding/find.ts'
import { filledForms, pdfOf } from '../filled-forms.ts'

describe('a form that was filled in on the screen', () => {
  it.each(filledForms.map((form) => [form.name, form] as const))('is read right: %s', async (_name, form) => {
    const document = await readDocument(await pdfOf(form), 'pdf', () => Promise.reject(new Error('nothing is scanned')))
    const { data, sources } = extractFields(document, form.schema)
    expect(data).toEqual(form.expected)
    const answered = Object.values(form.expected).filter((value) => value !== null)
    expect(sources).toHaveLength(answered.length)
    expect(sources.filter(({ from }) => from === 'form').length).toBeGreaterThan(answered.length / 2)
  })
})
