import type { Box, Token } from '../../../shared/domain/document.ts'
import { medianOf } from '../numbers.ts'
import { boxesOverlap } from '../reading-order.ts'
import type { Picture } from '../recognise.ts'
import { cleanText, unifyBoxes } from '../symbols.ts'
import type { SeenLine } from './line-reader.ts'
import type { Word } from './two-readings.ts'

/** A sheet that holds a picture which was turned back by its lean, in pixels. */
export type Sheet = { width: number; height: number; turnedBy: number; picture: { width: number; height: number } }

// type is about this much higher than the ink of a usual word, which has no ascender and descender at once
const typePerInk = 1.3
// evenly lit paper is 255
const darkestPaper = 160

/** The smallest sheet that holds a picture of this size turned back by these degrees about its centre. */
export function sheetFor(picture: { width: number; height: number }, leanDegrees: number): Sheet {
  const angle = (leanDegrees * Math.PI) / 180
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))]
  return {
    width: Math.max(1, Math.round(picture.width * cos + picture.height * sin)),
    height: Math.max(1, Math.round(picture.width * sin + picture.height * cos)),
    turnedBy: angle,
    picture,
  }
}

/**
 * The words of all lines, each once: the detector's lines can overlap at their ends, and both have the letters there.
 * Of two in one place the longer stays.
 */
export function withoutDoubles(lines: readonly Token[][]): Token[] {
  return lines.flatMap((tokens, line) =>
    tokens.filter(
      (token) =>
        !lines.some(
          (others, at) =>
            at !== line &&
            others.some(
              (other) =>
                boxesOverlap(token.box, other.box) &&
                (other.text.length > token.text.length || (other.text.length === token.text.length && at < line)),
            ),
        ),
    ),
  )
}

/** The words of a line as tokens of the sheet: as wide as they were read, as high as their ink. */
export function placedOnSheet(words: readonly Word[], line: SeenLine, sheet: Sheet): Token[] {
  const boxes = words.map((word) => inkBox(word, line.picture))
  const usual = (medianOf(boxes.map((box) => box.height)) ?? 0) * typePerInk
  const toPicture = line.place.height / line.picture.height
  return words.flatMap(({ text: seen, confidence, agreed, alternative }, index) => {
    const text = unifyBoxes(cleanText(seen)).replace(/\s+/g, '')
    if (text === '') return []
    return [
      {
        text,
        box: onSheet(boxes[index]!, line, sheet),
        fontSize: (usual * toPicture) / sheet.height,
        bold: false,
        confidence,
        ...(agreed === undefined ? {} : { agreed }),
        ...(alternative === undefined ? {} : { alternative }),
      },
    ]
  })
}

function onSheet(box: Box, { place, picture }: SeenLine, sheet: Sheet): Box {
  const scale = place.height / picture.height
  const along = (box.x + box.width / 2 - picture.width / 2) * scale
  const across = (box.y + box.height / 2 - picture.height / 2) * scale
  const lineAngle = place.angle
  const x = place.centreX + along * Math.cos(lineAngle) - across * Math.sin(lineAngle) - sheet.picture.width / 2
  const y = place.centreY + along * Math.sin(lineAngle) + across * Math.cos(lineAngle) - sheet.picture.height / 2
  const centreX = x * Math.cos(sheet.turnedBy) + y * Math.sin(sheet.turnedBy) + sheet.width / 2
  const centreY = y * Math.cos(sheet.turnedBy) - x * Math.sin(sheet.turnedBy) + sheet.height / 2
  return {
    x: (centreX - (box.width * scale) / 2) / sheet.width,
    y: (centreY - (box.height * scale) / 2) / sheet.height,
    width: (box.width * scale) / sheet.width,
    height: (box.height * scale) / sheet.height,
  }
}

/**
 * The ink of a word in pixels of the line's picture, without what reaches in from the lines above and below; all of
 * its place where there is none.
 */
function inkBox({ left, right }: Word, { pixels, width, height }: Picture): Box {
  const from = Math.max(0, Math.floor(left))
  const to = Math.min(width, Math.max(from + 1, Math.ceil(right)))
  const isInk = (x: number, y: number): boolean => pixels[y * width + x]! < darkestPaper
  const rows = Array.from({ length: height }, (_, y) => {
    for (let x = from; x < to; x++) if (isInk(x, y)) return true
    return false
  })
  const [top, bottom] = bandAround(rows)
  let [first, last] = [to, from]
  for (let y = top; y <= bottom; y++) {
    for (let x = from; x < to; x++) {
      if (!isInk(x, y)) continue
      first = Math.min(first, x)
      last = Math.max(last, x)
    }
  }
  if (last < first) return { x: from, y: 0, width: to - from, height }
  return { x: first, y: top, width: last - first + 1, height: bottom - top + 1 }
}

/** The first and last of the rows with ink about the middle; dots and accents stand at most three rows off. */
function bandAround(rows: readonly boolean[]): [number, number] {
  const middle = (rows.length - 1) / 2
  const start = rows.reduce(
    (best, ink, row) => (ink && (best < 0 || Math.abs(row - middle) < Math.abs(best - middle)) ? row : best),
    -1,
  )
  if (start < 0) return [0, -1]
  const reach = (step: 1 | -1): number => {
    let end = start
    for (let row = start; row >= 0 && row < rows.length && Math.abs(row - end) <= 4; row += step)
      if (rows[row]) end = row
    return end
  }
  return [reach(-1), reach(1)]
}
