import { Fragment, memo } from 'react'
import type { ReactNode } from 'react'
import type { DocumentRow, SearchHit } from '../../../shared/contract/documents.ts'
import { CheckMark } from '../../components/controls.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { pagesText } from '../../messages/document-name.ts'
import { useLanguage } from '../../messages/language.tsx'
import { fieldDecimals, labelOf, valueText } from '../../messages/values.ts'
import type { ValueColumn } from './value-columns.ts'
import type { TableColumn } from './table-columns.ts'

/** True when a person has to know more about a document than its state, or what a search found in it. Pure. */
export function hasSecondLine(document: DocumentRow): boolean {
  return document.reason !== null || document.status === 'waiting' || isBeyondName(document.hit)
}

function isBeyondName(hit: DocumentRow['hit']): hit is SearchHit {
  return hit !== null && hit.field !== 'name'
}

/** A text in which what was searched for is marked. */
function Marked({ text, ranges }: Pick<SearchHit, 'text' | 'ranges'>): ReactNode {
  return (
    <>
      {ranges.map(([from, to], index) => (
        <Fragment key={from}>
          {text.slice(index === 0 ? 0 : ranges[index - 1]![1], from)}
          <mark>{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(ranges.at(-1)?.[1] ?? 0)}
    </>
  )
}

/**
 * The cells of one row of the documents; drawn again only when something in them changed, not for each row that is
 * scrolled.
 */
export const DocumentCells = memo(function DocumentCells({
  document,
  columns,
  selected,
}: {
  document: DocumentRow
  columns: TableColumn[]
  selected: boolean
}): ReactNode {
  return (
    <>
      <span role="gridcell" className="grid__check">
        <CheckMark state={selected ? 'on' : 'off'} />
      </span>
      {columns.map((column) => {
        const Cell = cells[column.kind]
        return <Cell key={column.key} document={document} column={column} />
      })}
    </>
  )
})

type CellProps = { document: DocumentRow; column: TableColumn }

const cells: Record<TableColumn['kind'], (props: CellProps) => ReactNode> = {
  name: NameCell,
  folder: ({ document }) => <TextCell text={document.folderName} />,
  schema: ({ document }) => <TextCell text={document.schemaName} />,
  state: ({ document }) => (
    <span role="gridcell" className="grid__state">
      <StateBadge document={document} />
    </span>
  ),
  values: MixedValues,
  value: ({ document, column }) => <ValueCell document={document} column={column.value!} />,
  sizeBytes: ({ document }) => <FigureCell value={document.sizeBytes} format="size" />,
  durationMs: ({ document }) => <FigureCell value={document.durationMs} format="duration" />,
  tokensConsumed: ({ document }) => <FigureCell value={document.tokensConsumed} format="count" />,
  finishedAt: ({ document }) => <MomentCell at={document.finishedAt} />,
  receivedAt: ({ document }) => <MomentCell at={document.receivedAt} />,
}

function NameCell({ document }: { document: DocumentRow }): ReactNode {
  const { t } = useLanguage()
  return (
    <span role="gridcell" className="grid__document">
      <strong className="grid__title" title={document.path}>
        <bdi className="ellipsis" data-fit="">
          {document.hit?.field === 'name' ? <Marked {...document.hit} /> : document.name}
        </bdi>
        {/* However narrow the column is, the parts of a file are told apart. */}
        {document.pages && <span>, {pagesText(document.pages, t)}</span>}
      </strong>
      {isBeyondName(document.hit) ? (
        <HitLine hit={document.hit} />
      ) : (
        hasSecondLine(document) && <SecondLine document={document} />
      )}
    </span>
  )
}

function TextCell({ text }: { text: string | null }): ReactNode {
  return (
    <span role="gridcell" className="grid__folder ellipsis" title={text ?? undefined}>
      {text ?? '–'}
    </span>
  )
}

function FigureCell({ value, format }: { value: number | null; format: 'size' | 'duration' | 'count' }): ReactNode {
  const { formats } = useLanguage()
  return (
    <span role="gridcell" className="grid__time num ellipsis">
      {value === null ? '–' : formats[format](value)}
    </span>
  )
}

function MomentCell({ at }: { at: number | null }): ReactNode {
  const { formats } = useLanguage()
  return (
    <span role="gridcell" className="grid__time num ellipsis" title={at === null ? undefined : formats.dateTime(at)}>
      {at === null ? '–' : formats.moment(at)}
    </span>
  )
}

function HitLine({ hit }: { hit: SearchHit }): ReactNode {
  const { t, formats } = useLanguage()
  const value = hit.number ?? hit.text
  const decimals = hit.label === null ? 0 : fieldDecimals(hit.label, [value])
  const words = { yes: t('value.yes'), no: t('value.no') }
  const text = (hit.field === 'value' ? valueText(value, formats, words, decimals) : null) ?? hit.text
  // Places of what is kept are none of what is shown for it.
  const ranges: SearchHit['ranges'] = text === hit.text ? hit.ranges : [[0, text.length]]
  return (
    <small className="grid__reason ellipsis" title={text}>
      {hit.label !== null && `${labelOf(hit.label)}: `}
      <bdi>
        <Marked text={text} ranges={ranges} />
      </bdi>
    </small>
  )
}

function SecondLine({ document }: { document: DocumentRow }): ReactNode {
  const { t, formats, sentence } = useLanguage()
  const parts = [
    document.reason
      ? sentence(document.reason)
      : t('documents.callbackLine', { size: formats.size(document.sizeBytes) }),
    document.status === 'queued' && document.notBefore !== null && document.notBefore > Date.now()
      ? t('documents.againAt', { time: formats.moment(document.notBefore) })
      : null,
  ]
  const text = parts.filter((part) => part !== null).join(' ')
  return (
    <small className="grid__reason ellipsis" title={text}>
      {text}
    </small>
  )
}

function ValueCell({ document, column }: { document: DocumentRow; column: ValueColumn }): ReactNode {
  const { t, formats } = useLanguage()
  const valueOf = (name: string | null | undefined): DocumentRow['values'][number]['value'] | undefined =>
    document.values.find((value) => value.name === name)?.value
  const value = valueOf(column.fields === undefined ? column.name : column.fields.get(document.schemaId))
  const shown = valueText(value, formats, { yes: t('value.yes'), no: t('value.no') }, column.minDecimals)
  const currency = typeof value === 'number' ? valueOf(column.currencies?.get(document.schemaId)) : null
  const text = typeof currency === 'string' && currency !== '' ? `${shown} ${currency}` : shown
  return (
    <span
      role="gridcell"
      className={`ellipsis${column.numeric ? ' num' : ''}${text === null ? ' grid__none' : ''}`}
      title={text ?? undefined}
    >
      {text ?? '–'}
    </span>
  )
}

function MixedValues({ document }: { document: DocumentRow }): ReactNode {
  const { t, formats } = useLanguage()
  const texts = document.values
    .map(({ name, value }) => ({
      name,
      text: valueText(value, formats, { yes: t('value.yes'), no: t('value.no') }, fieldDecimals(name, [value])),
    }))
    .filter(({ text }) => text !== null)
  const title = texts.map(({ name, text }) => `${labelOf(name)}: ${text}`).join('\n')
  return (
    <span role="gridcell" className={`ellipsis${texts.length === 0 ? ' grid__none' : ''}`} title={title || undefined}>
      {texts.map(({ text }) => text).join(' · ') || '–'}
    </span>
  )
}
