import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { boundsOn, readPlacement, writePlacement } from '../../../electron/desktop/window-placement.ts'
import { temporaryDir } from '../../helpers/core.ts'

const laptop = { x: 0, y: 25, width: 1440, height: 875 }
const second = { x: 1440, y: 0, width: 1920, height: 1080 }

describe('where the window opens', () => {
  it('is the middle of the screen, as the system has it, when it was never open', () => {
    expect(boundsOn([laptop], null)).toEqual({ width: 1280, height: 800 })
  })

  it('is where it was, on whichever screen that is', () => {
    const last = { x: 1600, y: 100, width: 1400, height: 900 }
    expect(boundsOn([laptop, second], last)).toEqual(last)
  })

  it('is the middle again when its screen is gone', () => {
    expect(boundsOn([laptop], { x: 1600, y: 100, width: 1400, height: 900 })).toEqual({ width: 1280, height: 800 })
  })

  it.each([
    ['above the screen', { x: 100, y: -40, width: 1200, height: 800 }],
    ['below it', { x: 100, y: 890, width: 1200, height: 800 }],
    ['beside it, but for a strip', { x: 1400, y: 100, width: 1200, height: 800 }],
  ])('is the middle again when its title bar would be %s', (_where, last) => {
    expect(boundsOn([laptop], last)).toEqual({ width: 1280, height: 800 })
  })

  it('is no larger than its screen, and no smaller than what the screens of Sheaf need', () => {
    expect(boundsOn([laptop], { x: 0, y: 25, width: 5000, height: 100 })).toMatchObject({ width: 1440, height: 700 })
  })

  it('is kept from one start to the next', () => {
    const dir = temporaryDir()
    const path = join(dir.path, 'window', 'placement.json')
    const placement = { bounds: laptop, isMaximized: true, zoom: 1.2, isTrayExplained: true }
    expect(readPlacement(path)).toBeNull()
    writePlacement(path, placement)
    expect(readPlacement(path)).toEqual(placement)
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, 20))
    expect(readPlacement(path)).toBeNull()
    dir.remove()
  })
})
