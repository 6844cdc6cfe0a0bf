import type { Box, Token } from '../../shared/domain/document.ts'
import { medianOf } from './numbers.ts'

/** What reading order needs to know of a word: where its baseline starts and how large it is. */
type Placed = { startX: number; startY: number; directionX: number; directionY: number; size: number }

/**
 * Words in reading order: line by line from the top, from left to right inside a line.
 * A page that is skewed by a few degrees is read along its skew; text at other angles
 * (a stamp, a note in the margin) follows after the body, angle by angle.
 */
export function inReadingOrder<Word extends Placed>(words: readonly Word[]): Word[] {
  return linesOf(words).flat()
}

/** Upright words that have only their boxes, in reading order. `aspect` is the page's width by its height. */
export function tokensInReadingOrder(tokens: readonly Token[], aspect: number): Token[] {
  const placed = tokens.map((token) => ({
    token,
    startX: token.box.x * aspect,
    startY: token.box.y + token.box.height / 2,
    directionX: 1,
    directionY: 0,
    size: Math.max(token.fontSize, token.box.height),
  }))
  return inReadingOrder(placed).map((item) => item.token)
}

/** True when a good part of the smaller box lies in the other. */
export function boxesOverlap(one: Box, other: Box): boolean {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y)
  return width > Math.min(one.width, other.width) * 0.2 && height > Math.min(one.height, other.height) * 0.3
}

/** Like `inReadingOrder`, one array for each line. */
function linesOf<Word extends Placed>(words: readonly Word[]): Word[][] {
  const groups = new Map<number, Word[]>()
  for (const word of words) {
    const quarter = quarterOf(word)
    const group = groups.get(quarter)
    if (group === undefined) groups.set(quarter, [word])
    else group.push(word)
  }
  return [...groups.entries()]
    .sort(([one], [other]) => one - other)
    .flatMap(([quarter, group]) => linesAlong(group, quarter * (Math.PI / 2)))
}

/** In which direction a word runs: 0 to the right, 1 down, 2 to the left, 3 up. */
export function quarterOf(word: Pick<Placed, 'directionX' | 'directionY'>): number {
  return (Math.round(angleOf(word) / (Math.PI / 2)) + 4) % 4
}

function angleOf(word: Pick<Placed, 'directionX' | 'directionY'>): number {
  return Math.atan2(word.directionY, word.directionX)
}

type Item<Word> = { word: Word; along: number; across: number }
/** `across` is the mean of its members'. */
type Line<Word> = { across: number; members: Item<Word>[] }

/** How many lines a word may still belong to, and how many words of each say how large its type is. */
const [openLines, lastWords] = [6, 3]

/** The newest line that the word stands on; undefined where it opens one. Looks at what is there without copying it. */
function lineOf<Word extends Placed>(item: Item<Word>, lines: readonly Line<Word>[]): Line<Word> | undefined {
  for (let index = lines.length - 1; index >= Math.max(0, lines.length - openLines); index--) {
    const line = lines[index]!
    let smallest = item.word.size
    for (let place = Math.max(0, line.members.length - lastWords); place < line.members.length; place++)
      smallest = Math.min(smallest, line.members[place]!.word.size)
    if (Math.abs(item.across - line.across) < smallest * 0.38) return line
  }
  return undefined
}

function linesAlong<Word extends Placed>(words: Word[], quarter: number): Word[][] {
  const angle = quarter + (medianOf(words.map((word) => wrap(angleOf(word) - quarter))) ?? 0)
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const placed: Item<Word>[] = words
    .map((word) => ({
      word,
      along: word.startX * cos + word.startY * sin,
      across: word.startY * cos - word.startX * sin,
    }))
    .sort((one, other) => one.across - other.across)
  const lines: Line<Word>[] = []
  for (const item of placed) {
    const line = lineOf(item, lines)
    if (line === undefined) {
      lines.push({ across: item.across, members: [item] })
      continue
    }
    line.members.push(item)
    line.across += (item.across - line.across) / line.members.length
  }
  return lines
    .sort((one, other) => one.across - other.across)
    .map((line) => line.members.sort((one, other) => one.along - other.along).map((member) => member.word))
}

function wrap(angle: number): number {
  return Math.atan2(Math.sin(angle), Math.cos(angle))
}
