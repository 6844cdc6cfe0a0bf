import { describe, expect, it } from 'vitest'
import { rotateBox } from '../../../renderer/screens/review/rotation.ts'
import { unrotatePoint, wordAt, wordBeside, wordsOfDrag } from '../../../renderer/screens/review/page-words.ts'

/** Two lines of three words, and one word below the last of them. */
const words = [
  ['Total', 0.1, 0.1],
  ['net', 0.3, 0.1],
  ['100.00', 0.8, 0.101],
  ['Total', 0.1, 0.2],
  ['gross', 0.3, 0.2],
  ['119.00', 0.8, 0.2],
  ['EUR', 0.82, 0.3],
].map(([text, x, y]) => ({ text: String(text), x: Number(x), y: Number(y), width: 0.1, height: 0.02, bold: false }))

const texts = (indices: number[]): string => indices.map((index) => words[index]!.text).join(' ')

describe('pointing at words', () => {
  it('meets the word under the pointer, or right beside it, and none elsewhere', () => {
    expect(wordAt(words, { x: 0.35, y: 0.11 })).toBe(1)
    expect(wordAt(words, { x: 0.405, y: 0.11 })).toBe(1)
    expect(wordAt(words, { x: 0.5, y: 0.11 })).toBe(-1)
  })

  it('takes from word to word what is read between them, whichever comes first', () => {
    expect(texts(wordsOfDrag(words, { x: 0.31, y: 0.11 }, { x: 0.12, y: 0.21 }))).toBe('net 100.00 Total')
    expect(texts(wordsOfDrag(words, { x: 0.12, y: 0.21 }, { x: 0.31, y: 0.11 }))).toBe('net 100.00 Total')
  })

  it('takes what lies in a box that begins or ends beside the words', () => {
    expect(texts(wordsOfDrag(words, { x: 0.7, y: 0.05 }, { x: 0.95, y: 0.35 }))).toBe('100.00 119.00 EUR')
    expect(wordsOfDrag(words, { x: 0.5, y: 0.5 }, { x: 0.6, y: 0.6 })).toEqual([])
  })

  it('goes by arrows in the order of reading, and to the nearest word of the next line', () => {
    expect(wordBeside(words, 2, 'ArrowRight')).toBe(3)
    expect(wordBeside(words, 3, 'ArrowLeft')).toBe(2)
    expect(wordBeside(words, 2, 'ArrowDown')).toBe(5)
    expect(wordBeside(words, 6, 'ArrowUp')).toBe(5)
    expect(wordBeside(words, 1, 'ArrowUp')).toBe(-1)
    expect(wordBeside(words, 6, 'ArrowRight')).toBe(-1)
  })

  it.each([0, 90, 180, 270] as const)('finds a word on a page that is turned by %d degrees', (rotation) => {
    const box = rotateBox(words[4]!, rotation)
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    expect(wordAt(words, unrotatePoint(middle, rotation))).toBe(4)
  })
})
