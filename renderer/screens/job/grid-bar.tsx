import { memo } from 'react'
import type { ReactNode } from 'react'
import { Toolbar } from 'react-aria-components'
import { IconButton } from '../../components/controls.tsx'
import { useKeyNames } from '../../components/key-names.ts'
import { useLanguage } from '../../messages/language.tsx'
/** What the buttons do; the same object for as long as the grid is there. */
export type GridTools = { addRow: () => void; removeRows: () => void; moveRows: (step: -1 | 1) => void; undo: () => void; redo: () => void }
type Can = { canMoveUp: boolean; canMoveDown: boolean; canUndo: boolean; canRedo: boolean }
type Props = Can & { label: string; description: string; count: number; tools: GridTools; isEditable: boolean }

/** The name of a list, how long it is, and what can be done with its rows. Typing in its cells does not draw it again. */
export const GridBar = memo(function GridBar({ label, description, count, tools, isEditable, canMoveUp, canMoveDown, canUndo, canRedo }: Props): ReactNode {
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
          <IconButton icon="plus" label={t('grid.addRow')} keys={`${alt} ↵`} onPress={tools.addRow} />
          <IconButton icon="trash" label={t('grid.removeRows')} keys={`${alt} ⌫`} isDisabled={count === 0} onPress={tools.removeRows} />
          <IconButton icon="up" label={t('grid.moveUp')} keys={`${alt} ${shift} ↑`} isDisabled={!canMoveUp} onPress={() => tools.moveRows(-1)} />
          <IconButton icon="down" label={t('grid.moveDown')} keys={`${alt} ${shift} ↓`} isDisabled={!canMoveDown} onPress={() => tools.moveRows(1)} />
          <IconButton icon="undo" label={t('grid.undo')} keys={`${command} Z`} isDisabled={!canUndo} onPress={tools.undo} />
          <IconButton icon="redo" label={t('grid.redo')} keys={`${command} ${shift} Z`} isDisabled={!canRedo} onPress={tools.redo} />
        </Toolbar>
      )}
    </div>
  )
})
