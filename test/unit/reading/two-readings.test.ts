import { describe, expect, it } from 'vitest'
import type { Character } from '../../../electron/reading/ocr/characters.ts'
import type { Picture } from '../../../electron/reading/recognise.ts'
import { wordsOfLine } from '../../../electron/reading/ocr/two-readings.ts'
import type { SecondWord } from '../../../electron/reading/ocr/two-readings.ts'

const [width, height, step] = [1000, 48, 20]

/** The line's picture: ink where characters stand. */
function pictureOf(text: string): Picture {
  const pixels = new Uint8Array(width * height).fill(255)
  for (const { start, end } of first(text))
    for (let y = 10; y < 40; y++)
      pixels.fill(0, y * width + Math.round(start * width), y * width + Math.round(end * width))
  return { pixels, width, height }
}

/** What the first reader saw: one character every 20 pixels, a blank is a gap that it did not take for a space. */
function first(text: string, confidence = 0.95): Character[] {
  return [...text].flatMap((character, index) =>
    character === ' '
      ? []
      : [
          {
            text: character,
            confidence,
            start: (index * step + 2) / width,
            end: ((index + 1) * step - 2) / width,
            afterSpace: false,
          },
        ],
  )
}

/** What the second reader saw: words in the same places. */
function second(text: string, confidence = 0.9): SecondWord[] {
  return [...text.matchAll(/\S+/g)].map((match) => ({
    text: match[0],
    confidence,
    left: match.index * step,
    right: (match.index + match[0].length) * step,
  }))
}

const read = (one: string, other: string, confidences: [number, number] = [0.95, 0.9]) =>
  wordsOfLine(first(one, confidences[0]), second(other, confidences[1]), pictureOf(one))

describe('a line that two readers read', () => {
  it.each([
    ['T o t a l  S a l e s', ['Total', 'Sales']],
    ['$ 1 2 . 5 0', ['$12.50']],
    ['1 2 3', ['1', '2', '3']],
    ['1   2   3   4   5   6', ['1', '2', '3', '4', '5', '6']],
  ])('has whole words where a till sets the letters far apart: «%s»', (line, words) => {
    for (const second of [line, '']) expect(read(line, second).map(({ text }) => text)).toEqual(words)
  })

  it('has words on which they agree, surer than either', () => {
    const words = read('Total 12.50', 'Total 12.50')
    expect(words.map(({ text, agreed }) => [text, agreed])).toEqual([
      ['Total', true],
      ['12.50', true],
    ])
    expect(words[0]!.confidence).toBeGreaterThan(0.99)
  })

  it('has the digits of the first reader where they differ, with the other’s beside them', () => {
    const [, amount] = read('Total 15.71', 'Total 16.71')
    expect(amount).toMatchObject({ text: '15.71', alternative: '16.71' })
    expect(amount).not.toHaveProperty('agreed')
  })

  it('has the accents, ß and € of the second reader, which the first does not know', () => {
    expect(read('Suss 1,80 E', 'Süß 1,80 €').map(({ text, alternative }) => [text, alternative])).toEqual([
      ['Süß', 'Suss'],
      ['1,80', undefined],
      ['€', 'E'],
    ])
  })

  it('has a € that the second reader alone saw, and no other lonely sign', () => {
    expect(read('19,95', '19,95 €').map(({ text }) => text)).toEqual(['19,95', '€'])
    expect(read('19,95', '19,95 |').map(({ text }) => text)).toEqual(['19,95'])
  })

  it('is parted into words as the second reader saw it, since the first drops spaces', () => {
    expect(read('THANKYOU', 'THANK YOU').map(({ text }) => text)).toEqual(['THANK', 'YOU'])
  })

  it('is parted at wide gaps where the second reader saw something else', () => {
    expect(read('TAX INVOICE', '').map(({ text }) => text)).toEqual(['TAX', 'INVOICE'])
    expect(read('TAX INVOICE', '~#|').map(({ text }) => text)).toEqual(['TAX', 'INVOICE'])
  })

  it('keeps a number whole that the second reader tore apart', () => {
    expect(read('470,15', '470,1 5').map(({ text }) => text)).toEqual(['470,15'])
  })

  it('has words with places: all their ink, and nothing of the next', () => {
    const [total, amount] = read('Total 12.50', 'Total 12.50')
    expect([total?.left, total?.right]).toEqual([2, 5 * step - 2])
    expect([amount?.left, amount?.right]).toEqual([6 * step + 2, 11 * step - 2])
  })

  it('does not show what one reader alone barely saw', () => {
    expect(read('Total', 'Total x', [0.95, 0.3]).map(({ text }) => text)).toEqual(['Total'])
  })
})
