import { describe, expect, it } from 'vitest'
import { rowsAfter } from '../../../renderer/grid/grid-edits.ts'
import { gridReducer, initialGrid, selectionOf } from '../../../renderer/grid/grid-reducer.ts'
import type { GridAction, GridContents, GridState } from '../../../renderer/grid/grid-reducer.ts'
import { listShape } from '../../../renderer/grid/list-shape.ts'
import type { Row } from '../../../renderer/grid/list-shape.ts'
import { formatsFor } from '../../../renderer/messages/formats.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'

const list: SchemaElement = {
  name: 'Items',
  format: 'list',
  description: '',
  items: [
    { name: 'Text', format: 'text', description: '' },
    { name: 'Amount', format: 'number', description: '' },
    { name: 'Paid', format: 'boolean', description: '' },
  ],
}
const start: readonly Row[] = [
  { Text: 'a', Amount: 1.5, Paid: true },
  { Text: 'b', Amount: 2, Paid: false },
  { Text: 'c', Amount: null, Paid: null },
]
const pointer = '/0/Items'
const at = (row: number, column: number) => ({ row, column })

/** A grid after some actions, with the rows as they are after each of them. */
function after(actions: readonly GridAction[], given: Partial<GridContents> = {}, before: GridState = initialGrid) {
  let state = before
  let rows = given.rows ?? start
  for (const action of actions) {
    const { columns } = listShape(null, list, rows, pointer, null)
    const next = gridReducer(state, action, {
      pointer,
      columns,
      rows,
      size: { rows: rows.length, columns: columns.length },
      pageRows: () => 2,
      cellFormats: { formats: formatsFor('en-US'), yes: ['Yes', 'true'], no: ['No', 'false'] },
      isEditable: true,
      ...given,
      ...(given.rows ? { rows } : {}),
    })
    if (next.changes !== state.changes) rows = rowsAfter(rows, next.changes, pointer)
    state = next
  }
  return { state, rows, texts: rows.map((row) => row['Text']) }
}
const select = (row: number, column: number, endRow = row, endColumn = column): GridAction => ({
  type: 'select',
  active: at(row, column),
  end: at(endRow, endColumn),
})

describe('the selection of a grid', () => {
  it('moves with the arrows and asks for the focus each time', () => {
    const { state } = after([{ type: 'move', key: 'ArrowDown', isFar: false, isExtending: false }])
    expect([state.active, state.end]).toEqual([at(1, 0), at(1, 0)])
    expect(state.focus).not.toBe(initialGrid.focus)
  })

  it('is extended from the active cell, which stays', () => {
    const extend = { type: 'move', isFar: false, isExtending: true } as const
    const { state } = after([select(1, 1), { ...extend, key: 'ArrowDown' }, { ...extend, key: 'ArrowLeft' }])
    expect([state.active, state.end]).toEqual([at(1, 1), at(2, 0)])
  })

  it('leaves the grid at its first and last row, but not at its sides', () => {
    const move = { type: 'move', isFar: false, isExtending: false } as const
    const { state } = after([select(2, 0)])
    expect(after([{ ...move, key: 'ArrowDown' }], {}, state).state).toBe(state)
    expect(after([{ ...move, key: 'ArrowLeft' }], {}, state).state).not.toBe(state)
  })

  it('goes along the row into the next one, and ends at the last cell', () => {
    expect(after([select(0, 2), { type: 'next', step: 1 }]).state.active).toEqual(at(1, 0))
    const { state } = after([select(2, 2)])
    expect(after([{ type: 'next', step: 1 }], {}, state).state).toBe(state)
  })

  it('is everything or the active cell alone', () => {
    const { state } = after([{ type: 'selectAll' }])
    expect([state.active, state.end]).toEqual([at(0, 0), at(2, 2)])
    const collapsed = after([{ type: 'collapse' }], {}, state).state
    expect(collapsed.end).toEqual(at(0, 0))
    expect(after([{ type: 'collapse' }], {}, collapsed).state).toBe(collapsed)
  })

  it('stays within the rows that are left', () => {
    expect(selectionOf({ active: at(9, 1), end: at(12, 9) }, { rows: 3, columns: 3 })).toEqual({
      active: at(2, 1),
      end: at(2, 2),
      range: { top: 2, bottom: 2, left: 1, right: 2 },
    })
  })
})

describe('a cell that is typed into', () => {
  const typed = (text: string, leave: 'down' | 'stay' = 'down'): GridAction[] => [
    select(0, 1),
    { type: 'edit', mode: 'typing' },
    { type: 'commit', text, leave },
  ]

  it('keeps the value and leads on', () => {
    const { state, rows } = after(typed('1,284.5'))
    expect(rows[0]!['Amount']).toBe(1284.5)
    expect([state.active, state.editing]).toEqual([at(1, 1), null])
    expect(state.done).toHaveLength(1)
  })

  it('stays open with what cannot stand there, and changes nothing', () => {
    const { state, rows } = after(typed('lots'))
    expect(rows).toBe(start)
    expect(state.editing).toEqual({ mode: 'typing', isWrong: true })
    expect(state.problem).toEqual({ problem: 'number', row: 0, column: 1 })
    const cancelled = after([{ type: 'cancelEdit' }], {}, state).state
    expect([cancelled.editing, cancelled.problem]).toEqual([null, null])
    expect(cancelled.focus).not.toBe(state.focus)
  })

  it('is no change when the text says what is there', () => {
    const { state } = after(typed('1.50', 'stay'))
    expect([state.done, state.editing, state.active]).toEqual([[], null, at(0, 1)])
  })

  it('does not open in a list that nobody may change, in an empty one, and over what is no plain value', () => {
    const edit: GridAction = { type: 'edit', mode: 'inside' }
    expect(after([edit], { isEditable: false }).state).toBe(initialGrid)
    expect(after([edit], { rows: [] }).state).toBe(initialGrid)
    expect(after([edit], { rows: [{ Text: { deep: 1 } }] }).state).toBe(initialGrid)
  })
})

describe('rows of a grid', () => {
  it('are added below the selection, and the new one is active', () => {
    const { state, texts } = after([select(0, 1), { type: 'addRow' }])
    expect(texts).toEqual(['a', null, 'b', 'c'])
    expect(state.active).toEqual(at(1, 0))
  })

  it('are moved with the selection, to the ends', () => {
    const down: GridAction = { type: 'moveRows', step: 1 }
    const { state, texts } = after([select(0, 1, 1, 1), down, down])
    expect(texts).toEqual(['c', 'a', 'b'])
    expect([state.active, state.end]).toEqual([at(1, 1), at(2, 1)])
  })

  it('are removed as far as they are selected', () => {
    const { state, texts } = after([select(2, 1, 1, 0), { type: 'removeRows' }])
    expect(texts).toEqual(['a'])
    expect(state.active).toEqual(at(1, 1))
  })

  it('stay as they are in a list that nobody may change', () => {
    const all: GridAction[] = [
      { type: 'addRow' },
      { type: 'removeRows' },
      { type: 'moveRows', step: 1 },
      { type: 'clear' },
    ]
    expect(after(all, { isEditable: false }).state).toBe(initialGrid)
  })
})

describe('what is put into many cells', () => {
  it('is selected after a block was pasted', () => {
    const { state, rows } = after([select(1, 0), { type: 'paste', text: 'x\t7\ny\t8' }])
    expect(rows.slice(1).map((row) => [row['Text'], row['Amount']])).toEqual([
      ['x', 7],
      ['y', 8],
    ])
    expect([state.active, state.end]).toEqual([at(1, 0), at(2, 1)])
  })

  it('fills the selection when it is one value, and leaves the selection alone', () => {
    const { state, rows } = after([select(0, 1, 2, 1), { type: 'paste', text: '5' }])
    expect(rows.map((row) => row['Amount'])).toEqual([5, 5, 5])
    expect(state.end).toEqual(at(2, 1))
  })

  it('is refused as a whole with the reason', () => {
    const { state, rows } = after([select(0, 1), { type: 'paste', text: 'a\tb\tc' }])
    expect(rows).toBe(start)
    expect(state.problem).toEqual({ problem: 'wide' })
    expect(after([select(1, 1)], {}, state).state.problem).toBeNull()
  })

  it('is taken back and done again, until something else is done', () => {
    const clear: GridAction[] = [select(0, 0, 2, 0), { type: 'clear' }]
    const undone = after([...clear, { type: 'undo' }])
    expect([undone.texts, undone.state.undone.length]).toEqual([['a', 'b', 'c'], 1])
    expect(after([...clear, { type: 'undo' }, { type: 'redo' }]).texts).toEqual([null, null, null])
    expect(after([...clear, { type: 'undo' }, { type: 'addRow' }]).state.undone).toEqual([])
    expect(after([{ type: 'undo' }, { type: 'redo' }]).state).toBe(initialGrid)
  })
})

describe('another value for a cell', () => {
  it('is put there as if it was typed, and can be undone', () => {
    const put: GridAction[] = [select(0, 1), { type: 'put', value: 7 }]
    expect(after(put).rows[0]).toEqual({ Text: 'a', Amount: 7, Paid: true })
    expect(after([...put, { type: 'undo' }]).rows).toEqual(start)
    expect(after(put, { isEditable: false }).rows).toEqual(start)
  })
})
