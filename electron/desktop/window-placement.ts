import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod'

const area = z.object({ x: z.number().int(), y: z.number().int(), width: z.number().int(), height: z.number().int() })
/** A part of the screen, in points. */
export type Area = z.infer<typeof area>

const placement = z.object({
  bounds: area,
  isMaximized: z.boolean(),
  /** 1: as it was designed. */
  zoom: z.number().min(0.25).max(5),
  /** The person was told that a closed window is not the end of Sheaf. */
  isTrayExplained: z.boolean(),
})
export type Placement = z.infer<typeof placement>

/** Smaller than this the screens are no longer whole. */
export const minSize = { width: 1024, height: 700 }
const defaultSize = { width: 1280, height: 800 }
/** So much of the title bar has to be in sight that a mouse can take it. */
const graspable = { width: 120, height: 24 }

/** Where the window was when it was last closed; null at the first start, and where the file cannot be read. */
export function readPlacement(path: string): Placement | null {
  try {
    return placement.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}

/** Keeps it for the next start. What cannot be written is not worth a message: the window opens in its usual place. */
export function writePlacement(path: string, next: Placement): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, JSON.stringify(next), { mode: 0o600 })
  } catch {
    // The data folder is full or gone, which the window says by itself.
  }
}

/**
 * Where a window opens: where it was, as long as its title bar is on one of the screens (`workAreas`) that there are
 * now, and no larger than that screen. Without a place the system centres it. Pure.
 */
export function boundsOn(workAreas: readonly Area[], last: Area | null): Partial<Area> & typeof defaultSize {
  if (last === null) return defaultSize
  const screen = workAreas.find((workArea) => holdsTitleBar(workArea, last))
  if (screen === undefined) return defaultSize
  const width = Math.max(minSize.width, Math.min(last.width, screen.width))
  const height = Math.max(minSize.height, Math.min(last.height, screen.height))
  return { x: last.x, y: last.y, width, height }
}

function holdsTitleBar(screen: Area, { x, y, width }: Area): boolean {
  const left = Math.max(x, screen.x)
  const right = Math.min(x + width, screen.x + screen.width)
  return right - left >= graspable.width && y >= screen.y && y + graspable.height <= screen.y + screen.height
}
