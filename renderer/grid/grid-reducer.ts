import { changesOf, emptied, emptyRow, isPlain, maxRows, parseCell, pasted, typedText } from './grid-edits.ts'
import type { CellValue, Change, Edit, Refusal, CellFormats } from './grid-edits.ts'
import { clampCell, isSingle, movedCell, nextCell, rangeBetween, withMovedRows } from './grid-range.ts'
import type { Cell, MoveKey, Range, Size } from './grid-range.ts'
import type { Column, Row } from './list-shape.ts'
import { parseTsv } from './tsv.ts'

/** `typing`: what is typed replaces the value, and arrows leave the cell; `inside`: arrows move within the text. */
export type EditMode = 'typing' | 'inside'
/** Where to move after a typed value is committed. */
export type Leave = 'down' | 'up' | 'right' | 'left' | 'stay'

/** One step of undo. Changes only: with the rows, an hour of typing would keep a long list a thousand times. */
type Step = { forth: Change[]; back: Change[] }

/** Where a person is in a grid, what they do there, and what they can undo. */
export type GridState = {
  /** The active cell and the other end of the selection. Their row may be one that was just added and is not drawn. */
  active: Cell
  /** A new object with each selection: it is scrolled into view. */
  end: Cell
  editing: { mode: EditMode; isWrong: boolean } | null
  /** Why the last action was refused. */
  problem: Refusal | null
  /** A new object asks for the focus in the active cell. `withReason`: with the sentence why it needs a look. */
  focus: { withReason: boolean }
  done: readonly Step[]
  undone: readonly Step[]
  /** What was put into the list last: a new array with each edit, undo and redo. */
  changes: Change[]
}

/** The list that an action is about. */
export type GridContents = {
  pointer: string
  columns: readonly Column[]
  /** The rows as they are, also before the window has drawn them. */
  rows: readonly Row[]
  /** Of what is drawn. */
  size: Size
  /** How many rows Page Up and Page Down move by. */
  pageRows: () => number
  cellFormats: CellFormats
  isEditable: boolean
}

export type GridAction =
  | { type: 'select'; end: Cell; active?: Cell; withReason?: boolean }
  | { type: 'selectAll' }
  /** By a key as in a spreadsheet. `isFar`: with Ctrl or Cmd; `isExtending`: only the end of the selection moves. */
  | { type: 'move'; key: MoveKey; isFar: boolean; isExtending: boolean }
  /** Down where it is positive, to the border at most. */
  | { type: 'step'; rows: 1 | -1 }
  /** Along the row, then on in the next one. */
  | { type: 'next'; step: 1 | -1 }
  | { type: 'collapse' }
  | { type: 'edit'; mode: EditMode }
  | { type: 'cancelEdit' }
  | { type: 'commit'; text: string; leave: Leave }
  | { type: 'put'; value: CellValue }
  | { type: 'clear' }
  | { type: 'paste'; text: string }
  | { type: 'addRow' }
  | { type: 'removeRows' }
  | { type: 'moveRows'; step: 1 | -1 }
  | { type: 'undo' }
  | { type: 'redo' }

const origin: Cell = { row: 0, column: 0 }

export const initialGrid: GridState = {
  active: origin,
  end: origin,
  editing: null,
  problem: null,
  focus: { withReason: false },
  done: [],
  undone: [],
  changes: [],
}

/** The selection within the rows and columns that there are. Pure. */
export function selectionOf(state: Pick<GridState, 'active' | 'end'>, size: Size): Selection {
  const [active, end] = [clampCell(state.active, size), clampCell(state.end, size)]
  return { active, end, range: rangeBetween(active, end) }
}
type Selection = { active: Cell; end: Cell; range: Range }

/** What an action makes of a grid; the same state where it does nothing. Pure. */
export function gridReducer(state: GridState, action: GridAction, grid: GridContents): GridState {
  const reduce = reducers[action.type] as Reducer<GridAction>
  return reduce(state, action, grid, selectionOf(state, grid.size))
}

type Reducer<A extends GridAction> = (
  state: GridState,
  action: A,
  grid: GridContents,
  selection: Selection,
) => GridState

const steps: Record<Exclude<Leave, 'stay'>, Cell> = {
  up: { row: -1, column: 0 },
  down: { row: 1, column: 0 },
  left: { row: 0, column: -1 },
  right: { row: 0, column: 1 },
}

const reducers: { [T in GridAction['type']]: Reducer<Extract<GridAction, { type: T }>> } = {
  select: (state, { end, active, withReason }) => select(state, end, active, withReason),

  selectAll: (state, _, { size }) => select(state, { row: size.rows - 1, column: size.columns - 1 }, origin),

  move(state, { key, isFar, isExtending }, { size, pageRows }, { active, end }) {
    const next = movedCell(isExtending ? end : active, key, isFar, size, pageRows())
    if (isExtending) return select(state, next, active)
    // At the first and last row an arrow goes on to the values around the grid.
    const isAtBorder = (key === 'ArrowUp' || key === 'ArrowDown') && next.row === active.row && !isFar
    return isAtBorder ? state : select(state, next)
  },

  step: (state, { rows }, { size }, { active }) =>
    select(state, clampCell(offset(active, { row: rows, column: 0 }), size)),

  next(state, { step }, { size }, { active }) {
    const next = nextCell(active, step, size)
    return next === null ? state : select(state, next)
  },

  collapse: (state, _, __, { active, range }) => (isSingle(range) ? state : select(state, active)),

  edit(state, { mode }, { isEditable, size, rows, columns }, { active }) {
    if (!isEditable || size.rows === 0 || !isPlain(valueAt(rows, columns, active))) return state
    return { ...state, active, end: { ...active }, problem: null, editing: { mode, isWrong: false } }
  },

  cancelEdit: (state) => ({ ...state, editing: null, problem: null, focus: { ...state.focus } }),

  commit(state, { text, leave }, grid, { active }) {
    const column = grid.columns[active.column]!
    const before = valueAt(grid.rows, grid.columns, active) ?? null
    // An unchanged text keeps the value, also where the text shows less of it than there is.
    const parsed =
      text === typedText(before, column, grid.cellFormats)
        ? { value: before }
        : parseCell(text, column, grid.cellFormats)
    if ('problem' in parsed)
      return {
        ...state,
        editing: state.editing && { ...state.editing, isWrong: true },
        problem: { problem: parsed.problem, ...active },
      }
    const closed = { ...state, editing: null, problem: null }
    const isChanged = JSON.stringify(parsed.value) !== JSON.stringify(before)
    const cells = isChanged ? [{ row: active.row, name: column.name, value: parsed.value as string }] : []
    const next = withEdit(closed, { cells }, grid)
    return leave === 'stay' ? next : select(next, clampCell(offset(active, steps[leave]), grid.size))
  },

  put: (state, { value }, grid, { active }) =>
    grid.isEditable
      ? withEdit(state, { cells: [{ row: active.row, name: grid.columns[active.column]!.name, value }] }, grid)
      : state,

  clear: (state, _, grid, { range }) =>
    grid.isEditable ? withEdit(state, emptied(grid.rows, grid.columns, range), grid) : state,

  paste(state, { text }, grid, { range }) {
    const block = parseTsv(text)
    const edit = pasted(block, grid.rows, grid.columns, range, grid.cellFormats)
    const next = withEdit(state, edit, grid)
    const columns = Math.max(...block.map((line) => line.length))
    if ('problem' in edit || (block.length === 1 && columns === 1)) return next
    const start = { row: range.top, column: range.left }
    return select(next, offset(start, { row: block.length - 1, column: columns - 1 }), start)
  },

  addRow(state, _, grid, { range }) {
    const { rows, columns, isEditable } = grid
    if (!isEditable) return state
    if (rows.length >= maxRows) return { ...state, problem: { problem: 'long' } }
    const row = rows.length === 0 ? 0 : range.bottom + 1
    return select(withEdit(state, { rows: rows.toSpliced(row, 0, emptyRow(columns)) }, grid), { row, column: 0 })
  },

  removeRows(state, _, grid, { active, range }) {
    const { rows, isEditable } = grid
    const count = range.bottom - range.top + 1
    if (!isEditable || rows.length === 0) return state
    if (rows.length - count > maxRows) return { ...state, problem: { problem: 'long' } }
    const next = withEdit(state, { rows: rows.toSpliced(range.top, count) }, grid)
    return select(next, { row: range.top, column: active.column })
  },

  moveRows(state, { step }, grid, { active, end, range }) {
    if (!grid.isEditable) return state
    if (grid.rows.length > maxRows) return { ...state, problem: { problem: 'long' } }
    const rows = withMovedRows(grid.rows, range, step)
    if (rows === null) return state
    const by = { row: step, column: 0 }
    return select(withEdit(state, { rows }, grid), offset(end, by), offset(active, by))
  },

  undo(state) {
    const step = state.done.at(-1)
    if (step === undefined) return state
    return { ...state, done: state.done.slice(0, -1), undone: [...state.undone, step], changes: step.back }
  },

  redo(state) {
    const step = state.undone.at(-1)
    if (step === undefined) return state
    return { ...state, done: [...state.done, step], undone: state.undone.slice(0, -1), changes: step.forth }
  },
}

function select(state: GridState, end: Cell, active: Cell = end, withReason = false): GridState {
  return { ...state, active, end: { ...end }, problem: null, focus: { withReason } }
}

/** Something that is done to the list, and can be undone; or why it is not done. */
function withEdit(state: GridState, edit: Edit | Refusal, { rows, pointer }: GridContents): GridState {
  if ('problem' in edit) return { ...state, problem: edit }
  if ('cells' in edit && edit.cells.length === 0) return state
  const step = changesOf(edit, rows, pointer)
  return { ...state, done: [...state.done, step], undone: [], changes: step.forth }
}

function offset(cell: Cell, by: Cell): Cell {
  return { row: cell.row + by.row, column: cell.column + by.column }
}

function valueAt(rows: readonly Row[], columns: readonly Column[], { row, column }: Cell): unknown {
  return rows[row]?.[columns[column]?.name ?? '']
}
