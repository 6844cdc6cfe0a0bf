import { expect, test } from 'vitest'
import { withoutEnd } from '../../shared/domain/without-end.ts'

test('A text loses the signs at its end, and only those', () => {
  expect(withoutEnd('Total, due:.; ', /[,;:. ]/)).toBe('Total, due')
  expect(withoutEnd('Zahlbar…', /[…]/u)).toBe('Zahlbar')
})

test('A text of nothing else is empty afterwards', () => {
  expect(withoutEnd('...', /\./)).toBe('')
  expect(withoutEnd('', /\./)).toBe('')
})

test('A megabyte of full stops before one letter is looked at once', () => {
  const text = `${'.'.repeat(1_000_000)}x`
  expect(withoutEnd(text, /\./)).toBe(text)
})
