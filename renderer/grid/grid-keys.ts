import { widthStepPx } from './column-widths.ts'
import { isMoveKey } from './grid-range.ts'
import type { GridAction } from './grid-reducer.ts'

/** What a key can do: change the state of the grid, confirm the active cell, or make its column wider. */
export type GridCommand = GridAction | { type: 'confirm' } | { type: 'resizeColumn'; byPx: number }

type KeyPress = { key: string; altKey: boolean; shiftKey: boolean; ctrlKey: boolean; metaKey: boolean }

/** `shift` and `command` must match if given, otherwise either is accepted. `alt` must be up unless given. */
type KeyBinding = { keys: readonly string[]; alt?: true; command?: boolean; shift?: boolean; does: GridCommand }

/** The keys of a grid as people know them from spreadsheets; the first row that fits counts. `command`: Ctrl or Cmd. */
const bindings: readonly KeyBinding[] = [
  { keys: ['Enter'], alt: true, does: { type: 'addRow' } },
  { keys: ['Delete', 'Backspace'], alt: true, does: { type: 'removeRows' } },
  { keys: ['ArrowUp'], alt: true, shift: true, does: { type: 'moveRows', step: -1 } },
  { keys: ['ArrowDown'], alt: true, shift: true, does: { type: 'moveRows', step: 1 } },
  { keys: ['ArrowLeft'], alt: true, shift: true, does: { type: 'resizeColumn', byPx: -widthStepPx } },
  { keys: ['ArrowRight'], alt: true, shift: true, does: { type: 'resizeColumn', byPx: widthStepPx } },
  { keys: ['z'], command: true, shift: false, does: { type: 'undo' } },
  { keys: ['z', 'y'], command: true, does: { type: 'redo' } },
  { keys: ['a'], command: true, does: { type: 'selectAll' } },
  { keys: ['Enter'], command: false, shift: false, does: { type: 'confirm' } },
  { keys: ['Enter'], command: false, shift: true, does: { type: 'step', rows: -1 } },
  { keys: ['Tab'], shift: false, does: { type: 'next', step: 1 } },
  { keys: ['Tab'], shift: true, does: { type: 'next', step: -1 } },
  { keys: ['Escape'], does: { type: 'collapse' } },
  { keys: ['F2'], does: { type: 'edit', mode: 'inside' } },
  { keys: ['Delete', 'Backspace'], does: { type: 'clear' } },
]

/** What a key does in a cell that is not typed into; null: it is not one of the grid's. Pure. */
export function commandOf(press: KeyPress): GridCommand | null {
  const { altKey, shiftKey, key } = press
  const command = press.ctrlKey || press.metaKey
  const name = key.length === 1 ? key.toLowerCase() : key
  const bound = bindings.find(
    (binding) =>
      binding.keys.includes(name) &&
      (binding.alt ?? false) === altKey &&
      (binding.command ?? command) === command &&
      (binding.shift ?? shiftKey) === shiftKey,
  )
  if (bound) return bound.does
  if (altKey) return null
  if (isMoveKey(key)) return { type: 'move', key, isFar: command, isExtending: shiftKey }
  return key.length === 1 && !command ? { type: 'edit', mode: 'typing' } : null
}
