import { describe, expect, it } from 'vitest'
import { widthStepPx } from '../../../renderer/grid/column-widths.ts'
import { commandOf } from '../../../renderer/grid/grid-keys.ts'

/** `Ctrl+Shift+z` as a key that is pressed. */
function pressed(chord: string) {
  const parts = chord.split('+')
  return {
    key: parts.at(-1)!,
    altKey: parts.includes('Alt'),
    shiftKey: parts.includes('Shift'),
    ctrlKey: parts.includes('Ctrl'),
    metaKey: parts.includes('Meta'),
  }
}

describe('the keys of a grid', () => {
  it.each([
    ['Alt+Enter', { type: 'addRow' }],
    ['Alt+Delete', { type: 'removeRows' }],
    ['Alt+Backspace', { type: 'removeRows' }],
    ['Alt+Shift+ArrowUp', { type: 'moveRows', step: -1 }],
    ['Alt+Shift+ArrowDown', { type: 'moveRows', step: 1 }],
    ['Alt+Shift+ArrowLeft', { type: 'resizeColumn', byPx: -widthStepPx }],
    ['Ctrl+z', { type: 'undo' }],
    ['Meta+z', { type: 'undo' }],
    ['Ctrl+Shift+Z', { type: 'redo' }],
    ['Ctrl+y', { type: 'redo' }],
    ['Ctrl+a', { type: 'selectAll' }],
    ['Enter', { type: 'confirm' }],
    ['Shift+Enter', { type: 'step', rows: -1 }],
    ['Tab', { type: 'next', step: 1 }],
    ['Shift+Tab', { type: 'next', step: -1 }],
    ['Escape', { type: 'collapse' }],
    ['F2', { type: 'edit', mode: 'inside' }],
    ['Delete', { type: 'clear' }],
    ['Ctrl+Backspace', { type: 'clear' }],
    ['ArrowDown', { type: 'move', key: 'ArrowDown', isFar: false, isExtending: false }],
    ['Ctrl+Shift+End', { type: 'move', key: 'End', isFar: true, isExtending: true }],
  ])('%s is %o', (chord, command) => {
    expect(commandOf(pressed(chord))).toEqual(command)
  })

  it.each(['a', 'Z', '?', ' ', '5', 'ü'])('%s begins to type over the cell', (letter) => {
    expect(commandOf(pressed(letter))).toEqual({ type: 'edit', mode: 'typing' })
  })

  it.each(['Ctrl+Enter', 'Ctrl+c', 'Alt+a', 'Alt+ArrowUp', 'Alt+ArrowDown', 'F8', 'Shift', 'Alt+Tab'])(
    '%s is left to what is around the grid',
    (chord) => {
      expect(commandOf(pressed(chord))).toBeNull()
    },
  )
})
