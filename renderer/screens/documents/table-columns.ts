import type { ColumnChoice, DocumentRow } from '../../../shared/contract/documents.ts'
import { columnWidth, documentColumns } from '../../../shared/domain/document-columns.ts'
import type { DocumentColumn } from '../../../shared/domain/document-columns.ts'
import { valueColumns } from './value-columns.ts'
import type { SchemaFields, ValueColumn } from './value-columns.ts'
import type { DocumentSort } from './view.ts'

/** A column of the table. `key`: by it its width is kept; a field of the results has the same in every schema. */
export type TableColumn = {
  key: string
  kind: DocumentColumn | 'name' | 'value'
  value: ValueColumn | null
  numeric: boolean
  sort: DocumentSort | null
}

/** What is shown as long as a person chose nothing. */
export const usualColumns: readonly DocumentColumn[] = ['folder', 'state', 'values', 'receivedAt']

/** The columns that a person shows, in their order. Pure. */
export function shownColumns({ shown }: ColumnChoice): DocumentColumn[] {
  return documentColumns.filter((column) => (shown ?? usualColumns).includes(column))
}

const sorts: Partial<Record<TableColumn['kind'], DocumentSort>> = {
  name: 'name',
  state: 'status',
  sizeBytes: 'sizeBytes',
  finishedAt: 'finishedAt',
  receivedAt: 'receivedAt',
}
const numeric = new Set<TableColumn['kind']>(['sizeBytes', 'durationMs', 'tokensConsumed', 'finishedAt', 'receivedAt'])

/**
 * So wide a column is at least, and its share of what is left, until a person drags it: in a small table, and in a
 * roomy one.
 */
type Track = { minPx: number; share: number }
const tracks: Record<TableColumn['kind'], { small: Track; roomy: Track }> = {
  name: { small: { minPx: 150, share: 2 }, roomy: { minPx: 190, share: 2.2 } },
  folder: { small: { minPx: 76, share: 0.9 }, roomy: { minPx: 96, share: 1 } },
  schema: { small: { minPx: 76, share: 0.9 }, roomy: { minPx: 96, share: 1 } },
  state: { small: { minPx: 148, share: 0 }, roomy: { minPx: 152, share: 0 } },
  values: { small: { minPx: 120, share: 2 }, roomy: { minPx: 180, share: 2.4 } },
  value: { small: { minPx: 80, share: 1 }, roomy: { minPx: 92, share: 1.1 } },
  sizeBytes: { small: { minPx: 76, share: 0 }, roomy: { minPx: 80, share: 0 } },
  durationMs: { small: { minPx: 76, share: 0 }, roomy: { minPx: 80, share: 0 } },
  tokensConsumed: { small: { minPx: 76, share: 0 }, roomy: { minPx: 80, share: 0 } },
  finishedAt: { small: { minPx: 84, share: 0 }, roomy: { minPx: 90, share: 0 } },
  receivedAt: { small: { minPx: 76, share: 0 }, roomy: { minPx: 80, share: 0 } },
}
const roomyFromPx = 900
/** As `documents.css` has them: the box of the selection, what is between columns, and the end of a row. */
const [checkPx, gapPx, endPx] = [34, 14, 10]
/** From each width of the list on, this many values fit beside the usual columns. */
const valuesThatFit = [
  { fromPx: 1300, values: 5 },
  { fromPx: 900, values: 3 },
  { fromPx: 0, values: 2 },
]
const maxValues = 5

export type Table = {
  columns: TableColumn[]
  /** For `grid-template-columns`. */
  template: string
  /** What all of it needs; a smaller list is scrolled sideways. */
  minPx: number
}

/** The table for the rows on the screen in a list of this width. Pure. */
export function tableOf(
  rows: readonly DocumentRow[],
  choice: ColumnChoice,
  schemas: SchemaFields,
  widthPx: number,
): Table {
  const size = widthPx < roomyFromPx ? 'small' : 'roomy'
  const column = (kind: TableColumn['kind'], value: ValueColumn | null = null): TableColumn => ({
    key: value ? `value.${value.fields === undefined ? '' : 'common.'}${value.name}` : kind,
    kind,
    value,
    numeric: value?.numeric ?? numeric.has(kind),
    sort: sorts[kind] ?? null,
  })
  const leastOf = ({ key, kind }: TableColumn): number => choice.widths[key] ?? tracks[kind][size].minPx
  const needed = (widths: number[]): number => widths.reduce((sum, px) => sum + gapPx + px, checkPx + endPx)
  const shown = shownColumns(choice)
  // By what columns have at least: none comes or goes while another is dragged.
  const others = (['name', ...shown] as const)
    .filter((kind) => kind !== 'values')
    .map((kind) => tracks[kind][size].minPx)
  const room = Math.floor((widthPx - needed(others)) / (tracks.value[size].minPx + gapPx))
  const usual = valuesThatFit.find(({ fromPx }) => widthPx >= fromPx)?.values ?? 2
  const values = valueColumns(rows, choice.shown === null ? usual : Math.max(1, Math.min(maxValues, room)), schemas)
  const columns = [
    column('name'),
    ...shown.flatMap((kind) =>
      kind !== 'values'
        ? [column(kind)]
        : values.length === 0
          ? [column('values')]
          : values.map((value) => column('value', value)),
    ),
  ]
  const track = (each: TableColumn): string => {
    const { minPx, share } = tracks[each.kind][size]
    const chosen = choice.widths[each.key]
    if (chosen !== undefined) return `${chosen}px`
    return share === 0 ? `${minPx}px` : `minmax(${minPx}px, ${share}fr)`
  }
  return { columns, template: `${checkPx}px ${columns.map(track).join(' ')}`, minPx: needed(columns.map(leastOf)) }
}

/** A width that is kept. Pure. */
export function boundedPx(px: number): number {
  return Math.round(Math.max(columnWidth.minPx, Math.min(px, columnWidth.maxPx)))
}
