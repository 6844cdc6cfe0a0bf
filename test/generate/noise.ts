import type { Document, Token } from '../../shared/domain/document.ts'
import type { Random } from './random.ts'

/**
 * What was read wrongly: for each token of the clean document the token that it became, or -1 for one that was lost.
 */
export type Damage = { document: Document; became: number[] }

const confused: Record<string, string> = {
  0: 'O',
  O: '0',
  1: 'l',
  l: '1',
  I: 'l',
  5: 'S',
  S: '5',
  8: 'B',
  B: '8',
  6: 'G',
  2: 'Z',
  ',': '.',
  '.': ',',
  ':': '.',
  ü: 'u',
  ö: 'o',
  é: 'e',
  '€': 'E',
  '/': '1',
  e: 'c',
  m: 'rn',
  '-': '~',
}

/**
 * The document as a recogniser may read its scan: characters confused, words lost or joined, boxes that tremble, lines
 * that lean, and how sure it is of each word. `amount` is from 0 (clean) to 1 (a bad photo).
 */
export function damage(document: Document, amount: number, random: Random): Damage {
  const became: number[] = []
  let count = 0
  const lean = random.chance(0.5) ? (random.next() - 0.5) * 4 * amount : 0
  const pages = document.pages.map((page) => {
    const tokens: Token[] = []
    for (const [index, token] of page.tokens.entries()) {
      if (random.chance(0.012 * amount)) {
        became.push(-1)
        continue
      }
      const read = readAgain(token, amount, lean, page.width / page.height, random)
      const last = tokens.at(-1)
      if (last && index > 0 && random.chance(0.02 * amount) && isBeside(last, read)) {
        tokens[tokens.length - 1] = joined(last, read)
        became.push(count + tokens.length - 1)
        continue
      }
      tokens.push(read)
      became.push(count + tokens.length - 1)
    }
    count += tokens.length
    return {
      ...page,
      origin: 'ocr' as const,
      tokens,
      tables: [],
      ...(Math.abs(lean) < 0.15 ? {} : { skewDegrees: lean }),
    }
  })
  return { document: { ...document, kind: 'jpeg', pages }, became }
}

function readAgain(token: Token, amount: number, lean: number, aspect: number, random: Random): Token {
  let wrong = 0
  const text = [...token.text]
    .map((character) => {
      if (!random.chance(0.018 * amount) || !confused[character]) return character
      wrong++
      return confused[character]
    })
    .join('')
  const { box } = token
  const tremble = (): number => (random.next() - 0.5) * box.height * 0.25 * amount
  // Ink is lower than the line of type that it is set in.
  const [top, height] = [box.y + box.height * 0.12, box.height * (/[gjpqy,;()]/.test(token.text) ? 0.85 : 0.68)]
  const tilt = Math.tan((lean * Math.PI) / 180)
  return {
    text,
    box: {
      x: inside(box.x + tremble() - (box.y - 0.5) * (tilt / aspect)),
      y: inside(top + tremble() + (box.x - 0.5) * tilt * aspect),
      width: Math.max(0.001, box.width + tremble() * 0.5),
      height: Math.max(0.001, height + tremble()),
    },
    fontSize: token.fontSize * (0.94 + random.next() * 0.12),
    bold: false,
    confidence: Math.max(0.26, Math.min(0.99, 0.96 - wrong * 0.25 - random.next() * 0.22 * amount)),
  }
}

function isBeside(one: Token, other: Token): boolean {
  const gap = other.box.x - one.box.x - one.box.width
  return Math.abs(one.box.y - other.box.y) < one.box.height * 0.5 && gap > -one.box.height && gap < one.box.height * 0.6
}

function joined(one: Token, other: Token): Token {
  const right = Math.max(one.box.x + one.box.width, other.box.x + other.box.width)
  return {
    ...one,
    text: one.text + other.text,
    box: { ...one.box, width: right - one.box.x },
    confidence: Math.min(one.confidence ?? 1, other.confidence ?? 1),
  }
}

function inside(value: number): number {
  return Math.min(0.999, Math.max(0, value))
}
