import { useRef, useState } from 'react'
import type { FocusEvent, KeyboardEvent, ReactNode } from 'react'
import type { ExportColumn } from '../../../shared/contract/exports.ts'
import { TextField } from '../../components/controls.tsx'
import { useLanguage } from '../../messages/language.tsx'

type Props = {
  column: ExportColumn
  /** What it is called without a name of its own. */
  ownName: string
  /** Null: nothing was changed. */
  onEnd: (column: ExportColumn | null) => void
}

/** The header of a column, and what a constant says. Enter, or leaving it, takes what was typed; Escape does not. */
export function ColumnEditor({ column, ownName, onEnd }: Props): ReactNode {
  const { t } = useLanguage()
  const [header, setHeader] = useState(column.header ?? ownName)
  const [value, setValue] = useState(column.kind === 'constant' ? column.value : '')
  const hasEnded = useRef(false)
  function end(takes: boolean): void {
    if (hasEnded.current) return
    hasEnded.current = true
    onEnd(takes ? changed(column, header.trim(), value, ownName) : null)
  }
  function onKeyDown(event: KeyboardEvent): void {
    // Keys typed here must not reach the list around the field.
    event.stopPropagation()
    if (event.key === 'Enter') end(true)
    if (event.key === 'Escape') end(false)
  }
  function onBlur(event: FocusEvent): void {
    if (!event.currentTarget.contains(event.relatedTarget)) end(true)
  }
  return (
    <div className="column__editor" onKeyDown={onKeyDown} onBlur={onBlur}>
      <TextField
        label={t('exports.header')}
        labelHidden
        autoFocus
        value={header}
        onChange={setHeader}
        placeholder={ownName}
      />
      {column.kind === 'constant' && (
        <TextField
          label={t('exports.value')}
          labelHidden
          value={value}
          onChange={setValue}
          placeholder={t('exports.value')}
        />
      )}
    </div>
  )
}

const maxHeaderLength = 200
const maxValueLength = 1000

function changed(column: ExportColumn, header: string, value: string, ownName: string): ExportColumn {
  const named = header.slice(0, maxHeaderLength)
  if (column.kind === 'constant')
    return { ...column, header: named === '' ? column.header : named, value: value.slice(0, maxValueLength) }
  return { ...column, header: named === '' || named === ownName ? null : named }
}
