import type { ReactNode } from 'react'
import { Toolbar } from 'react-aria-components'
import { IconButton } from '../../components/controls.tsx'
import { useKeyNames } from '../../components/key-names.ts'
import { useLanguage } from '../../messages/language.tsx'
import type { GridInput } from './grid-input.ts'
import type { Range } from './grid-range.ts'
import type { GridEdits } from './use-grid-edits.ts'

type Props = { label: string; description: string; count: number; input: GridInput; edits: GridEdits; range: Range; isEditable: boolean }

/** The name of a list, how long it is, and what can be done with its rows. */
export function GridBar({ label, description, count, input, edits, range, isEditable }: Props): ReactNode {
  const { t, formats } = useLanguage()
  const { command, alt, shift } = useKeyNames()
  return (
    <div className="list-values__head">
      <h2 className="ellipsis" title={description}>
        {label}
      </h2>
      <span className="hint tabular">{t('job.rows', { count, shown: formats.count(count) })}</span>
      {isEditable && (
        <Toolbar className="grid-bar" aria-label={t('grid.tools', { list: label })}>
          <IconButton icon="plus" label={t('grid.addRow')} keys={`${alt} ↵`} onPress={input.addRow} />
          <IconButton icon="trash" label={t('grid.removeRows')} keys={`${alt} ⌫`} isDisabled={count === 0} onPress={input.removeRows} />
          <IconButton icon="up" label={t('grid.moveUp')} keys={`${alt} ${shift} ↑`} isDisabled={count === 0 || range.top === 0} onPress={() => input.moveRows(-1)} />
          <IconButton icon="down" label={t('grid.moveDown')} keys={`${alt} ${shift} ↓`} isDisabled={range.bottom >= count - 1} onPress={() => input.moveRows(1)} />
          <IconButton icon="undo" label={t('grid.undo')} keys={`${command} Z`} isDisabled={!edits.canUndo} onPress={edits.undo} />
          <IconButton icon="redo" label={t('grid.redo')} keys={`${command} ${shift} Z`} isDisabled={!edits.canRedo} onPress={edits.redo} />
        </Toolbar>
      )}
    </div>
  )
}
