import { expect, it } from 'vitest'
import { documentName } from '../../../renderer/messages/document-name.ts'
import { i18nFor } from '../../../renderer/messages/language.tsx'
import type { Translate } from '../../../renderer/messages/language.tsx'

it('names a part by its file and its pages, and a whole file by its name', () => {
  const en: Translate = (id, values) => i18nFor('en')._(id, values)
  const de: Translate = (id, values) => i18nFor('de')._(id, values)
  const name = 'scan.pdf'
  expect(documentName({ name, pages: { first: 2, last: 3 } }, en)).toBe('scan.pdf, pages 2–3')
  expect(documentName({ name, pages: { first: 2, last: 2 } }, en)).toBe('scan.pdf, page 2')
  expect(documentName({ name, pages: { first: 2, last: 2 } }, de)).toBe('scan.pdf, Seite 2')
  expect(documentName({ name, pages: null }, en)).toBe('scan.pdf')
})
