import { describe, expect, it } from 'vitest'
import { textBoxes } from '../../../electron/reading/ocr/text-boxes.ts'

const [width, height] = [400, 300]

/** A map with bars of text: centre, length and thickness in pixels, degrees clockwise, and how sure it is. */
function map(...bars: { x: number; y: number; length: number; thickness: number; degrees: number; sure?: number }[]) {
  const cells = new Float32Array(width * height)
  for (const { x, y, length, thickness, degrees, sure = 0.9 } of bars) {
    const angle = (degrees * Math.PI) / 180
    for (let index = 0; index < cells.length; index++) {
      const [fromX, fromY] = [(index % width) - x, Math.floor(index / width) - y]
      const along = fromX * Math.cos(angle) + fromY * Math.sin(angle)
      const across = fromY * Math.cos(angle) - fromX * Math.sin(angle)
      if (Math.abs(along) <= length / 2 && Math.abs(across) <= thickness / 2) cells[index] = sure
    }
  }
  return cells
}

const degrees = (angle: number): number => (angle * 180) / Math.PI

describe('the lines in a detector’s map', () => {
  it.each([0, 3, -8, 30])('lean as they lean: by %s degrees', (lean) => {
    const [box, ...others] = textBoxes(
      map({ x: 200, y: 150, length: 200, thickness: 10, degrees: lean }),
      width,
      height,
    )
    expect(others).toEqual([])
    expect(degrees(box!.angle)).toBeCloseTo(lean, -0.3)
    expect(box!.centreX).toBeCloseTo(200, -0.5)
    expect(box!.centreY).toBeCloseTo(150, -0.5)
  })

  it('are as high as their type, of which the map shows the middle', () => {
    const [box] = textBoxes(map({ x: 200, y: 150, length: 200, thickness: 10, degrees: 0 }), width, height)
    expect(box!.height).toBeGreaterThan(22)
    expect(box!.height).toBeLessThan(32)
  })

  it('stand upright where text does: higher than wide, within 45 degrees of level', () => {
    const [box] = textBoxes(map({ x: 200, y: 150, length: 200, thickness: 10, degrees: 86 }), width, height)
    expect(box!.height).toBeGreaterThan(box!.width * 4)
    expect(degrees(box!.angle)).toBeCloseTo(-4, -0.3)
  })

  it('are no specks and nothing of which the detector is not sure', () => {
    const boxes = textBoxes(
      map(
        { x: 100, y: 100, length: 1, thickness: 1, degrees: 0 },
        { x: 200, y: 150, length: 100, thickness: 10, degrees: 0, sure: 0.4 },
      ),
      width,
      height,
    )
    expect(boxes).toEqual([])
  })
})
